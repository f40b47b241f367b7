import Foundation
import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264
import TestSupport
import Testing

/// Whole streams, held against FFmpeg.
@Suite struct StreamTests {
  /// Streams of which pictures were taken away, or whose parameter sets cannot be read by the judge.
  private static let broken = ["Error_", "_LOST", "subsetsps"]

  static let streams = Corpus.files(in: "08-h264").filter { path in !broken.contains { path.contains($0) } }

  /// As many frames as are compared of a stream.
  private static let frames = 30

  @Test(.needsCorpus, .judged(by: .currentFFmpeg), arguments: streams)
  func equalsFFmpeg(path: String) throws {
    let expected = try Judge.currentFFmpeg.ask([
      "-v", "error", "-threads", "1", "-i", Corpus.file(path), "-fps_mode", "passthrough", "-frames:v",
      "\(Self.frames)", "-f", "rawvideo", "-",
    ]).output
    var offset = 0, count = 0
    for picture in try Self.pictures(of: try Corpus.bytes(path), most: Self.frames) {
      #expect(picture.damage == nil, "frame \(count) of \(path): \(picture.damage ?? "")")
      let samples = Self.samples(of: picture.image)
      try #require(offset + samples.count <= expected.count, "\(path) has more frames than \(count)")
      try #require(
        samples.elementsEqual(expected[offset..<offset + samples.count]), "frame \(count) of \(path) differs")
      offset += samples.count
      count += 1
    }
    #expect(count > 0 && offset == expected.count)
  }

  /// What is not there is said, not guessed at silently.
  @Test(.needsCorpus, arguments: Corpus.files(in: "08-h264").filter { $0.contains("Error_") || $0.contains("_LOST") })
  func damageIsTold(path: String) throws {
    let pictures = try Self.pictures(of: try Corpus.bytes(path), most: .max)
    #expect(pictures.contains { $0.damage != nil })
  }

  @Test(.needsCorpus) func aResetDecoderBeginsAnew() throws {
    let path = Corpus.path("08-h264/o264_BA_MW_D", "D.264"), bytes = try Corpus.bytes(path)
    let units = try NALFraming.annexB.units(in: bytes.span)
    var decoder = H264Decoder()
    for unit in units.prefix(5) { try decoder.decode(unit: bytes.span.extracting(unit)) }
    decoder.reset()
    for unit in units { try decoder.decode(unit: bytes.span.extracting(unit)) }
    decoder.finish()
    var count = 0
    while let picture = decoder.nextPicture() {
      #expect(picture.damage == nil)
      count += 1
    }
    #expect(count == 100)
  }

  /// The pictures of a byte stream in output order, at most so many.
  static func pictures(of bytes: [UInt8], most: Int) throws -> [H264Picture] {
    var decoder = H264Decoder()
    var pictures: [H264Picture] = []
    for (index, unit) in try NALFraming.annexB.units(in: bytes.span).enumerated() where pictures.count < most {
      try decoder.decode(unit: bytes.span.extracting(unit), tag: Int64(index))
      while let picture = decoder.nextPicture() { pictures.append(picture) }
    }
    decoder.finish()
    while let picture = decoder.nextPicture() { pictures.append(picture) }
    return Array(pictures.prefix(most))
  }

  /// All samples, plane by plane, words little-endian.
  static func samples(of image: PlanarImage) -> [UInt8] {
    image.planes.flatMap { plane -> [UInt8] in
      switch plane.samples {
      case .bytes(let bytes): bytes
      case .words(let words): words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      }
    }
  }
}
