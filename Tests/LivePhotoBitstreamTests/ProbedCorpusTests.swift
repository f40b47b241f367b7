import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Real files as ffprobe sees them", .needsCorpus, .judged(by: .ffprobe))
struct ProbedCorpusTests {
  @Test("HEVC movies: size, samples, profile and level")
  func hevc() throws {
    let configurations = HEVCCorpusTests.configurations.filter { !$0.path.hasPrefix("02-heif") }
    let compared = try compare(configurations, codec: "hevc") { payload, probed, comment in
      var cursor = ByteCursor(payload.span)
      let set = try HEVCDecoderConfiguration(parsing: &cursor).sequenceParameterSet()
      let level = set.profileTierLevel
      probed.expectSame(set.format, profile: level.profileName, level: level.level, hasContainer: true, comment)
    }
    #expect(compared > 8)
  }

  @Test("H.264 movies: size, samples, profile and level")
  func h264() throws {
    let compared = try compare(H264CorpusTests.configurations, codec: "h264") { payload, probed, comment in
      var cursor = ByteCursor(payload.span)
      let set = try AVCDecoderConfiguration(parsing: &cursor).sequenceParameterSet()
      probed.expectSame(set.format, profile: set.profileName, level: set.level, hasContainer: true, comment)
    }
    #expect(compared > 20)
  }

  @Test("H.264 byte streams: all that a parameter set says")
  func streams() throws {
    var seen: Set<VideoFormat> = []
    var count = 0
    for path in H264CorpusTests.streams {
      let stream = try Corpus.bytes(path)
      let units = try NALFraming.annexB.units(in: stream.span).map { Array(stream[$0]) }.filter {
        try H264NALUnitHeader(parsing: $0.span).type == .sps
      }
      // One of each kind, and only streams that stay the same.
      guard let unit = units.first, units.allSatisfy({ $0 == unit }) else { continue }
      let set = try H264SequenceParameterSet(parsing: unit.span)
      guard seen.insert(set.format).inserted, let probed = try? ProbedStream.videos(of: Corpus.file(path)).first
      else { continue }
      count += 1
      probed.expectSame(set.format, profile: set.profileName, level: set.level, hasContainer: false, "\(path)")
    }
    #expect(count > 10)
  }

  /// Calls `check` for each file of one configuration and one video stream, and says how many there were.
  private func compare(
    _ configurations: [(path: String, payload: [UInt8])], codec: String,
    _ check: ([UInt8], ProbedStream, Comment) throws -> Void
  ) throws -> Int {
    let single = Dictionary(grouping: configurations, by: \.path).filter { $0.value.count == 1 }
    var count = 0
    for (path, values) in single.sorted(by: { $0.key < $1.key }) {
      let videos = try? ProbedStream.videos(of: Corpus.file(path))
      // Of a file without samples, or with encrypted ones, ffprobe knows only what the container says.
      guard let videos, videos.count == 1, videos[0].fields["codec_name"] == codec,
        videos[0].fields["pix_fmt"] != "unknown"
      else { continue }
      try check(values[0].payload, videos[0], "\(path)")
      count += 1
    }
    return count
  }
}
