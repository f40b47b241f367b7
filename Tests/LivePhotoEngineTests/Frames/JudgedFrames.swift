import Foundation
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@testable import LivePhotoEngine

/// Frames of a movie held against current FFmpeg's, sample for sample.
struct JudgedFrames {
  let path: String
  let movie: Movie
  let track: Track

  init(_ path: String) throws {
    self.path = path
    movie = try Movie(parsing: MemorySource(try readFile(path)))
    track = try #require(movie.videoTrack)
  }

  var source: FrameSource {
    get throws { try FrameSource(file: path, movie: movie, track: track, threads: .allCores, limits: .standard) }
  }

  /// Frames by their place in display order, as FFmpeg decodes them: planes without a gap, not turned, cropped as the
  /// bitstream says.
  func frames(atRanks ranks: Set<Int>) throws -> [Int: [UInt8]] {
    let ordered = ranks.sorted()
    let chosen = ordered.map { "eq(n,\($0))" }.joined(separator: "+")
    let bytes = try Judge.currentFFmpeg.ask(
      [
        "-v", "error", "-noautorotate", "-apply_cropping", "codec", "-ignore_editlist", "1", "-i", path, "-map",
        "0:v:0",
        "-vf", "select='\(chosen)'", "-fps_mode", "passthrough", "-f", "rawvideo", "-",
      ], timeout: 600
    ).output
    guard bytes.count % max(ordered.count, 1) == 0 else { throw FFmpegGaveOther(bytes: bytes.count) }
    let size = bytes.count / max(ordered.count, 1)
    return Dictionary(
      uniqueKeysWithValues: ordered.enumerated().map { ($1, Array(bytes[$0 * size..<($0 + 1) * size])) })
  }

  /// Expects the frame shown at each of `count` random times to be FFmpeg's.
  func expectFrames(count: Int, seed: UInt64) throws {
    let timeline = track.timeline()
    let span = try #require(timeline.shownSpan)
    var random = SplitMix64(seed: seed)
    var samples: [Int: RationalTime] = [:]
    for _ in 0..<count {
      let part = Int64.random(in: 0..<1_000_000, using: &random)
      let length = try #require(span.upperBound.subtracting(span.lowerBound))
      let time = span.lowerBound.seconds + length.seconds * Double(part) / 1_000_000
      let moment = RationalTime(Int64(time * 90_000), 90_000)
      if let sample = timeline.sample(shownAt: moment) { samples[sample] = moment }
    }
    try #require(!samples.isEmpty)
    let expected = try frames(atRanks: Set(samples.keys.map(timeline.rank(ofSample:))))
    for (sample, moment) in samples.sorted(by: { $0.key < $1.key }) {
      let found = try source.frame(ofSample: sample)
      let isFFmpegs = isSame(found.image, expected[timeline.rank(ofSample: sample)])
      #expect(isFFmpegs && found.earlierDamage == nil, "\(path), sample \(sample) at \(moment)")
    }
  }

  /// Expects the first and the last frame, which random times may miss, to be FFmpeg's.
  func expectEnds() throws {
    let timeline = track.timeline(), last = track.samples.count - 1
    let expected = try frames(atRanks: [0, last])
    for rank in Set([0, last]) {
      let image = try source.frame(ofSample: timeline.sample(atRank: rank)).image
      let isFFmpegs = isSame(image, expected[rank])
      #expect(isFFmpegs, "frame \(rank)")
    }
  }

  /// Whether a picture has FFmpeg's samples; of grey H.264 that writes planes of chroma without colour.
  private func isSame(_ image: PlanarImage, _ expected: [UInt8]?) -> Bool {
    let own = image.planes.flatMap(\.packedBytes)
    guard let expected, expected.starts(with: own) else { return false }
    let rest = expected.dropFirst(own.count)
    return rest.isEmpty || image.planes.count == 1 && rest.allSatisfy { $0 == 128 }
  }

  private struct FFmpegGaveOther: Error {
    var bytes: Int
  }
}
