import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Streams of x265 and x264", .judged(by: .ffmpeg, .ffprobe, .x265, .currentFFmpeg, .mediainfo))
struct EncodedStreamTests {
  /// No multiples of a block, so that all are cropped; odd sizes where chroma allows them.
  static let streams = [
    EncodedStream(
      codec: .hevc, width: 86, height: 50, pixelFormat: "yuv420p",
      arguments: "--sar 4:3 --range full --colorprim bt709 --transfer bt709 --colormatrix bt709 --chromaloc 1"
        .split(separator: " ").map(String.init)),
    EncodedStream(codec: .hevc, width: 67, height: 35, pixelFormat: "yuv444p", arguments: ["--sar", "2000:1001"]),
    EncodedStream(
      codec: .hevc, width: 130, height: 66, pixelFormat: "yuv420p10le",
      arguments: ["--colorprim", "bt2020", "--transfer", "smpte2084", "--colormatrix", "bt2020nc"]),
    EncodedStream(
      codec: .hevc, width: 66, height: 35, pixelFormat: "yuv422p10le", arguments: ["--temporal-layers"]),
    EncodedStream(codec: .hevc, width: 67, height: 35, pixelFormat: "gray12le"),
    EncodedStream(
      codec: .hevc, width: 64, height: 64, pixelFormat: "yuv420p",
      arguments: ["--scaling-list", "default", "--high-tier"]),
    EncodedStream(codec: .h264, width: 86, height: 50, pixelFormat: "yuv420p", arguments: ["-aspect", "16:9"]),
    EncodedStream(codec: .h264, width: 67, height: 35, pixelFormat: "yuv444p", arguments: ["-color_range", "pc"]),
    EncodedStream(
      codec: .h264, width: 86, height: 50, pixelFormat: "yuv420p10le",
      arguments: ["-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc"]),
    EncodedStream(codec: .h264, width: 86, height: 35, pixelFormat: "yuv422p10le"),
    EncodedStream(codec: .h264, width: 67, height: 35, pixelFormat: "gray"),
    EncodedStream(
      codec: .h264, width: 86, height: 52, pixelFormat: "yuv420p",
      arguments: ["-flags", "+ildct+ilme", "-preset", "fast"]),
    EncodedStream(codec: .h264, width: 86, height: 50, pixelFormat: "yuv420p", arguments: ["-profile:v", "baseline"]),
  ]

  @Test("Parameter sets say what ffprobe says, and make the configuration that FFmpeg writes", arguments: streams)
  func stream(_ stream: EncodedStream) throws {
    let folder = try TemporaryFolder()
    let path = try stream.encode(into: folder)
    let sets = try stream.parameterSets(in: try readFile(path))
    let probed = try #require(try ProbedStream.videos(of: path).first)
    let movie = folder.path("movie.mp4")
    let remux = [
      "-v", "error", "-r", "25", "-i", path, "-c", "copy", "-tag:v", stream.codec == .hevc ? "hvc1" : "avc1",
    ]
    try Judge.ffmpeg.ask(remux + [movie])
    let text: String
    switch stream.codec {
    case .hevc:
      let configuration = try HEVCDecoderConfiguration(parameterSets: sets)
      let set = try configuration.sequenceParameterSet()
      let level = set.profileTierLevel
      #expect(level == configuration.profileTierLevel)
      probed.expectSame(set.format, profile: level.profileName, level: level.level, hasContainer: false, "")
      let payload = try #require(try CorpusSets.payloads(of: "hvcC", in: try readFile(movie)).first)
      // FFmpeg leaves a trailing zero of the byte stream at the last set: we write what it writes, from what it holds.
      var cursor = ByteCursor(payload.span)
      let same = try HEVCDecoderConfiguration(parsing: &cursor).parameterSets
      #expect(try HEVCDecoderConfiguration(parameterSets: same).bytes == payload)
      #expect(configuration.bytes.prefix(23) == payload.prefix(23))
      try expectMediaInfo(movie, set.format, level: "L\(level.levelName)@\(level.isHighTier ? "High" : "Main")")
      text = level.codecString()
    case .h264:
      let configuration = try AVCDecoderConfiguration(parameterSets: sets)
      let set = try configuration.sequenceParameterSet()
      probed.expectSame(set.format, profile: set.profileName, level: set.level, hasContainer: false, "")
      #expect(try CorpusSets.payloads(of: "avcC", in: try readFile(movie)) == [configuration.bytes])
      try expectMediaInfo(movie, set.format, level: "L\(set.levelName)")
      text = set.codecString()
    }
    guard !text.hasPrefix("hvc1.4") else { return }  // FFmpeg cuts off half a byte of the constraint flags.
    let manifest = folder.path("manifest.mpd")
    try Judge.currentFFmpeg.ask(remux + ["-f", "dash", manifest])
    let words = String(decoding: try readFile(manifest), as: UTF8.self).split(separator: "\"")
    let key = try #require(words.firstIndex { $0.hasSuffix("codecs=") })
    #expect(words[key + 1].uppercased() == text.uppercased())
  }

  /// Checks what MediaInfo says of a movie, the level in the form `L3.1` or `L3.1@High`.
  private func expectMediaInfo(_ path: String, _ format: VideoFormat, level: String) throws {
    let names = ["Width", "Height", "BitDepth", "ChromaSubsampling", "Format_Profile"]
    let pattern = names.map { "%\($0)%" }.joined(separator: "|")
    let found = try Judge.mediainfo.ask(["--Output=Video;\(pattern)", path]).lines.first ?? ""
    let chroma = ["", "4:2:0", "4:2:2", "4:4:4"][Int(format.chroma.rawValue)]
    #expect(found.hasPrefix("\(format.width)|\(format.height)|\(format.lumaBitDepth)|\(chroma)|"), "\(found)")
    #expect(found.hasSuffix("@\(level)"), "\(found)")
  }
}
