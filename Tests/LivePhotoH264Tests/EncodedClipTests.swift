import LivePhotoH264
import TestSupport
import Testing

/// Short clips of x264 over its features, held against FFmpeg.
///
/// `Scripts/h264-sweep` tries all of them.
@Suite struct EncodedClipTests {
  /// How a clip is made.
  struct Clip: CustomTestStringConvertible, Sendable {
    /// x264's parameters.
    var parameters: String
    var format = "yuv420p"
    var size = "98x68"
    var frames = 8

    var testDescription: String { "\(format) \(size) \(parameters)" }
  }

  static let clips = [
    Clip(parameters: "cabac=0:bframes=0:ref=1:8x8dct=0:weightp=0"),
    Clip(parameters: "bframes=8:b-adapt=0:b-pyramid=normal:ref=6", frames: 20),
    Clip(parameters: "bframes=3:b-adapt=0:direct=spatial:ref=4:partitions=all:subme=9"),
    Clip(parameters: "bframes=3:b-adapt=0:direct=temporal:ref=4:weightb=1:cabac=0"),
    Clip(parameters: "weightp=2:ref=16:mixed-refs=1", frames: 20),
    Clip(parameters: "cqm=jvt:8x8dct=1:slices=3"),
    Clip(parameters: "cqm4=17,20,24,28,20,24,28,30,24,28,30,33,28,30,33,40:cabac=0"),
    Clip(parameters: "slice-max-size=150:deblock=-6,6:cabac=0"),
    Clip(parameters: "slice-max-mbs=5:no-deblock=1:constrained-intra=1"),
    Clip(parameters: "open-gop=1:keyint=5:min-keyint=3:bframes=3", frames: 16),
    Clip(parameters: "intra-refresh=1:keyint=6:qp=51", size: "130x98"),
    Clip(parameters: "qp=1:partitions=i4x4", size: "18x34"),
    Clip(parameters: "tff=1:bframes=3:b-adapt=0:direct=spatial:ref=3"),
    Clip(parameters: "bff=1:bframes=3:b-adapt=0:direct=temporal:ref=3:cabac=0"),
    Clip(parameters: "tff=1:keyint=1:slices=2:8x8dct=1"),
    Clip(parameters: "fake-interlaced=1:bframes=2"),
    Clip(parameters: "qp=0:bframes=2"),
    Clip(parameters: "qp=0:bframes=2:tff=1", format: "yuv444p"),
    Clip(parameters: "bframes=2:8x8dct=1:cabac=1", format: "yuv444p"),
    Clip(parameters: "bframes=2:cabac=0:chroma-qp-offset=-12", format: "yuv444p10le"),
    Clip(parameters: "bframes=2:cabac=1:weightp=2", format: "yuv420p10le"),
    Clip(
      parameters: "qp=45:8x8dct=0:cqm4=228,57,124,7,86,123,123,30,146,238,145,148,58,161,187,89:chroma-qp-offset=9",
      format: "yuv420p10le"),
    Clip(parameters: "bff=1:bframes=2:cabac=0:ref=3", format: "yuv422p10le"),
    Clip(parameters: "bframes=2:direct=temporal:aq-mode=3", format: "yuv422p"),
    Clip(parameters: "bframes=2:cabac=0:tff=1", format: "gray"),
    Clip(parameters: "bframes=2:cqm=jvt", format: "gray10le"),
  ]

  @Test(.judged(by: .currentFFmpeg), arguments: clips)
  func equalsFFmpeg(clip: Clip) throws {
    let stream = try Self.encoded(clip)
    let folder = try TemporaryFolder()
    var arguments = ["-v", "error", "-cpuflags", "0", "-i", try folder.write(stream, as: "clip.264")]
    // Of grey pictures FFmpeg makes planes of chroma.
    if clip.format.hasPrefix("gray") { arguments += ["-vf", "extractplanes=y"] }
    let expected = try Judge.currentFFmpeg.ask(arguments + ["-fps_mode", "passthrough", "-f", "rawvideo", "-"]).output
    let pictures = try StreamTests.pictures(of: stream, most: .max)
    #expect(pictures.count == clip.frames)
    #expect(pictures.allSatisfy { $0.damage == nil })
    var offset = 0
    for (number, picture) in pictures.enumerated() {
      let samples = StreamTests.samples(of: picture.image)
      try #require(offset + samples.count <= expected.count)
      try #require(samples.elementsEqual(expected[offset..<offset + samples.count]), "frame \(number) differs")
      offset += samples.count
    }
    #expect(offset == expected.count)
  }

  /// Whatever bytes are changed, the decoder throws or says what is wrong, and neither stops nor goes on for ever.
  @Test(
    .judged(by: .currentFFmpeg),
    arguments: [
      Clip(parameters: "bframes=2:cabac=0:slices=2", size: "48x64", frames: 4),
      Clip(parameters: "bframes=2:tff=1:ref=3:8x8dct=1", size: "48x64", frames: 4),
      Clip(parameters: "bframes=2:cabac=0:tff=1:direct=temporal", format: "yuv422p10le", size: "48x64", frames: 4),
    ])
  func survivesDamage(clip: Clip) throws {
    let stream = try Self.encoded(clip)
    var damaged = 0
    for copy in damagedCopies(of: stream, count: 60, seed: 264) + truncations(of: stream, count: 20) {
      guard let pictures = try? StreamTests.pictures(of: copy, most: .max) else {
        damaged += 1
        continue
      }
      if pictures.contains(where: { $0.damage != nil }) { damaged += 1 }
    }
    #expect(damaged > 10)
  }

  private static func encoded(_ clip: Clip) throws -> [UInt8] {
    let source = "testsrc2=s=\(clip.size):r=25,noise=alls=12:allf=t:all_seed=7,fade=in:0:6"
    return try Judge.currentFFmpeg.ask([
      "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "\(clip.frames)", "-pix_fmt", clip.format, "-c:v",
      "libx264", "-threads", "1", "-x264-params", "threads=1:keyint=250:\(clip.parameters)", "-f", "h264", "-",
    ]).output
  }
}
