import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("H.264 in real files", .needsCorpus)
struct H264CorpusTests {
  /// Each different avcC of the corpus, with a file that it stands in.
  static let configurations: [(path: String, payload: [UInt8])] = {
    var seen: Set<[UInt8]> = []
    return CorpusSets.paths.flatMap { path in
      ((try? CorpusSets.payloads(of: "avcC", in: path)) ?? []).map { (path, $0) }
    }.filter { seen.insert($0.1).inserted }
  }()

  static let streams = Corpus.files(in: "08-h264")

  @Test("Every avcC is read, and written as it was")
  func roundTrip() throws {
    #expect(Self.configurations.count > 30)
    for (path, payload) in Self.configurations {
      var cursor = ByteCursor(payload.span)
      let configuration = try AVCDecoderConfiguration(parsing: &cursor)
      #expect(configuration.bytes == payload, "\(path)")
    }
  }

  @Test("Parameter sets of movies say what FFmpeg's trace says", .judged(by: .ffmpeg))
  func traceOfMovies() throws {
    var units: [(path: String, bytes: [UInt8])] = []
    for (path, payload) in Self.configurations {
      var cursor = ByteCursor(payload.span)
      units += try AVCDecoderConfiguration(parsing: &cursor).parameterSets.map { (path, $0) }
    }
    try compare(units)
  }

  @Test("Parameter sets of byte streams say what FFmpeg's trace says", .judged(by: .ffmpeg))
  func traceOfStreams() throws {
    #expect(Self.streams.count > 100)
    var units: [(path: String, bytes: [UInt8])] = []
    for path in Self.streams {
      let stream = try Corpus.bytes(path)
      for range in try NALFraming.annexB.units(in: stream.span) {
        let unit = Array(stream[range])
        let type = try? H264NALUnitHeader(parsing: unit.span).type
        guard type == .sps || type == .pps, !units.contains(where: { $0.path == path && $0.bytes == unit }) else {
          continue
        }
        units.append((path, unit))
      }
    }
    // FFmpeg stops at a set with an initial quantiser of SP slices that is out of its range.
    let refused = units.filter { unit in
      let set = try? H264PictureParameterSet(parsing: unit.bytes.span) { _ in nil }
      return set.map { $0.initialQS < 0 } ?? false
    }
    #expect(refused.count < 10)
    try compare(units.filter { unit in !refused.contains { $0.bytes == unit.bytes } })
  }

  private func compare(_ units: [(path: String, bytes: [UInt8])]) throws {
    let traces = try SyntaxTrace.traces(of: units.map(\.bytes), codec: "h264")
    var sequences: [Int: H264SequenceParameterSet] = [:]
    for (unit, trace) in zip(units, traces) {
      if try H264NALUnitHeader(parsing: unit.bytes.span).type == .sps {
        let set = try H264SequenceParameterSet(parsing: unit.bytes.span)
        sequences[set.id] = set
        expectSame(set, trace, "\(unit.path)")
      } else {
        let set = try H264PictureParameterSet(parsing: unit.bytes.span) { sequences[$0] }
        expectSame(set, trace, "\(unit.path)")
      }
    }
  }
}
