import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

@Suite struct Y4MTests {
  static let formats = [
    PixelFormat(.yuv420), PixelFormat(.yuv422), PixelFormat(.yuv444), PixelFormat(.yuv400),
    PixelFormat(.yuv420, bitDepth: 10), PixelFormat(.yuv422, bitDepth: 12), PixelFormat(.yuv444, bitDepth: 16),
    PixelFormat(.yuv400, bitDepth: 10),
  ]

  func frame(_ format: PixelFormat, _ width: Int = 7, _ height: Int = 5, seed: Int = 1, full: Bool = false)
    -> PlanarImage
  {
    let planes = (0..<format.chroma.planeCount).map { index in
      let size = format.chroma.planeSize(index, width: width, height: height)
      let values = (0..<size.width * size.height).map { ($0 * 7919 + index * 31 + seed * 101) & format.maximum }
      return Plane(
        width: size.width, height: size.height,
        samples: format.bitDepth > 8 ? .words(values.map { UInt16($0) }) : .bytes(values.map { UInt8($0) }))
    }
    return PlanarImage(
      width: width, height: height, format: format, color: ColorDescription(isFullRange: full), planes: planes)
  }

  func stream(_ frames: [PlanarImage], rate: (Int, Int)? = (30000, 1001)) throws -> [UInt8] {
    guard let first = frames.first else { return [] }
    let header = Y4MHeader(for: first, frameRate: rate.map { (frames: $0.0, seconds: $0.1) })
    return try header.bytes() + frames.flatMap { header.frame($0) }
  }

  @Test(arguments: formats, [false, true])
  func whatIsWrittenIsReadBack(format: PixelFormat, full: Bool) throws {
    let frames = (0..<3).map { frame(format, seed: $0, full: full) }
    var reader = try Y4MReader(parsing: MemorySource(stream(frames)))
    #expect(reader.header.frameRate?.frames == 30000)
    #expect(reader.header.frameRate?.seconds == 1001)
    for expected in frames { #expect(try reader.next() == expected) }
    #expect(try reader.next() == nil)
  }

  @Test(.enabled(if: findProgram("ffmpeg") != nil, "ffmpeg is not installed"), arguments: formats)
  func ffmpegReadsTheSameSamples(format: PixelFormat) throws {
    let folder = try TemporaryFolder()
    let frames = [frame(format, seed: 1), frame(format, seed: 2)]
    let path = try folder.write(try stream(frames), as: "a.y4m")
    let raw = try runChecked("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"])
    let head = try Y4MHeader(for: frames[0], frameRate: (30000, 1001)).bytes().count
    let size = raw.output.count / 2
    let written = Array(try stream(frames)[head...])
    #expect(written.count == 2 * (size + 6))
    #expect(Array(raw.output[..<size]) == Array(written[6..<6 + size]))
    #expect(Array(raw.output[size...]) == Array(written[(12 + size)...]))
  }

  @Test(
    .enabled(if: findProgram("ffmpeg") != nil, "ffmpeg is not installed"),
    arguments: ["yuv420p", "yuv422p", "yuv444p", "gray", "yuv420p10le"])
  func readsWhatFfmpegWrites(layout: String) throws {
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=38x22:d=0.2:r=10", "-pix_fmt", layout]
    let y4m = try runChecked("ffmpeg", source + ["-strict", "-1", "-f", "yuv4mpegpipe", "-"])
    let raw = try runChecked("ffmpeg", source + ["-f", "rawvideo", "-"])
    var reader = try Y4MReader(parsing: MemorySource(y4m.output))
    var samples: [UInt8] = []
    while let frame = try reader.next() { samples += Y4MHeader(for: frame).frame(frame).dropFirst(6) }
    #expect(samples == raw.output)
    #expect(samples.count >= 2 * 38 * 22)
  }

  @Test(arguments: [
    "", "YUV4MPEG2", "YUV4MPEG2\n", "YUV4MPEG2 W4\n", "YUV4MPEG2 W4 H0\n", "YUV4MPEG2 W-4 H4\n", "YUV4MPEG2 Wx H4\n",
    "YUV4MPEG2 W4 H4 C411\n", "YUV4MPEG2 W4 H4 C420p11\n", "YUV4MPEG2 W4 H4 C420p8\n", "YUV4MPEG2 W4 H4 C444alpha\n",
    "YUV4MPEG2 W70000 H4\n", "YUV4MPEG2 W60000 H60000\n", "YUV4MPEG2 W99999999999 H4\n", "YUV4MPEG W4 H4\n",
  ])
  func refusesWhatIsNone(text: String) {
    #expect(throws: ParseError.self) { try Y4MReader(parsing: MemorySource(Array(text.utf8))) }
  }

  @Test func everyTruncationOfAFrameIsRefused() throws {
    let bytes = try stream([frame(PixelFormat(.yuv420))])
    let head = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? 0
    for end in head + 1..<bytes.count {
      var reader = try Y4MReader(parsing: MemorySource(Array(bytes[..<end])))
      #expect(throws: ParseError.self) { try reader.next() }
    }
  }

  @Test func samplesBeyondTheDepthAreClamped() throws {
    let text = "YUV4MPEG2 W1 H1 Cmono10\nFRAME Ip\n"
    var reader = try Y4MReader(parsing: MemorySource(Array(text.utf8) + [0xFF, 0xFF]))
    #expect(try reader.next()?.planes[0].samples == .words([1023]))
  }

  @Test func saysWhatItCannotHold() {
    let deep = Y4MHeader(width: 1, height: 1, format: PixelFormat(.yuv420, bitDepth: 11))
    #expect(throws: PictureFormatError.self) { try deep.bytes() }
    let rgb = Y4MHeader(width: 1, height: 1, format: PixelFormat(.yuv444), color: ColorDescription(matrix: 0))
    #expect(throws: PictureFormatError.self) { try rgb.bytes() }
  }
}
