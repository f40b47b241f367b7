import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// MP4 files of FFmpeg's, written as QuickTime movies.
@Suite("MP4 to QuickTime", .judged(by: .ffmpeg, .ffprobe, .exiftool, .mediainfo), .serialized)
struct QuickTimeTests {
  private func encode(_ arguments: String, to path: String) throws {
    let video = "-f lavfi -i testsrc2=s=128x96:r=25:d=1", sound = "-f lavfi -i sine=r=48000:d=1"
    let words = "-v error -y \(video) \(sound) \(arguments)".split(separator: " ").map(String.init)
    try Judge.ffmpeg.ask(words + [path])
  }

  private func written(_ path: String, in folder: TemporaryFolder) throws -> (movie: Movie, path: String) {
    let movie = try Movie(parsing: MemorySource(try readFile(path)))
    let plan = try LivePhotoMovieWriter(identifier: .random(), moment: try movie.stillMoment(at: RationalTime(1, 2)))
      .plan(for: movie)
    let bytes = try plan.output.materialized()
    return (try Movie(parsing: MemorySource(bytes)), try folder.write(bytes, as: "written.mov"))
  }

  /// The judges read the new file without a complaint, and the packets of both are the same.
  private func expectSame(_ path: String, as source: String) throws {
    let quiet = try Judge.ffprobe.ask(["-v", "warning", "-show_format", path])
    // FFmpeg knows no boxed metadata, and says so.
    let complaints = quiet.errorText.split(separator: "\n").filter { !$0.contains("Unsupported codec with id 0") }
    #expect(complaints.isEmpty, "\(complaints)")
    #expect(try Judge.exiftool.ask(["-validate", "-s3", "-warning", path]).lines.first == "OK")
    let info = try Judge.mediainfo.ask(["--Full", path])
    #expect(info.text.contains("QuickTime"))
    for word in ["onformance error", "IsTruncated", "Malformed"] { #expect(!info.text.contains(word)) }
    let before = try packetHashes(of: source), after = try packetHashes(of: path)
    for (stream, hashes) in before { #expect(after[stream] == hashes, "stream \(stream)") }
    let decode = ["-v", "error", "-i"], end = ["-map", "0:v:0", "-f", "md5", "-"]
    #expect(try Judge.ffmpeg.ask(decode + [path] + end).text == Judge.ffmpeg.ask(decode + [source] + end).text)
  }

  private static let x265 = "-c:v libx265 -x265-params log-level=none:keyint=5"

  /// Sets among the samples that are those of the configuration, or that it lacks.
  @Test(arguments: [false, true]) func hevc(_ isEmpty: Bool) throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source.mp4")
    try encode("\(Self.x265):repeat-headers=1 -tag:v hev1 -c:a aac", to: source)
    if isEmpty {
      // The configuration without its parameter sets, as a live encoder writes it.
      var bytes = try readFile(source)
      let box = try #require(bytes.firstRange(of: Array("hvcC".utf8)))
      let size = bytes[box.lowerBound - 4..<box.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      let end = box.lowerBound - 4 + size
      // 23 bytes before the arrays, none of these, and what was there as a free box.
      bytes[box.upperBound + 22] = 0
      bytes.replaceSubrange(box.lowerBound - 4..<box.lowerBound, with: [0, 0, 0, 31])
      let rest = end - (box.upperBound + 23)
      let free = [UInt8(rest >> 24), UInt8(rest >> 16 & 255), UInt8(rest >> 8 & 255), UInt8(rest & 255)]
      bytes.replaceSubrange(box.upperBound + 23..<box.upperBound + 31, with: free + Array("free".utf8))
      try writeFile(source, bytes)
    }
    let (movie, path) = try written(source, in: folder)
    let video = try #require(movie.videoTrack)
    #expect(video.codec == "hvc1")
    let payload = try #require(video.sampleDescriptions[0].video?.configuration("hvcC"))
    var cursor = ByteCursor(payload.span)
    let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
    #expect(configuration.parameterSets.count == 3)
    #expect(configuration.arrays.filter { $0.type.rawValue < 35 && !$0.isComplete }.isEmpty)
    #expect(movie.fileType?.isQuickTime == true)
    let audio = try #require(movie.audioTrack)
    #expect(audio.sampleDescriptions[0].audio?.version == 1)
    #expect(movie.tracks.map(\.handler.componentType) == ["mhlr", "mhlr", "mhlr"])
    #expect(
      movie.tracks.map(\.handler.name) == ["Core Media Video", "Core Media Audio", "Core Media Metadata"])
    try expectSame(path, as: source)
    let tags = try tags(of: path)
    #expect(tags.first { $0.key.hasSuffix(":AudioFormat") }?.value == "mp4a")
    // What was converted once is left alone.
    let again = try movie.asQuickTime()
    #expect(again.tracks.map { $0.sampleDescriptions[0].bytes } == movie.tracks.map { $0.sampleDescriptions[0].bytes })
  }

  /// Sets that change among the samples: no name but `hev1` may stand for them.
  @Test func changingSets() throws {
    let folder = try TemporaryFolder()
    var stream: [UInt8] = []
    for size in [16, 32] {
      try encode("-map 0:v \(Self.x265):repeat-headers=1:ctu=\(size) -f hevc", to: folder.path("part.hevc"))
      stream += try readFile(folder.path("part.hevc"))
    }
    let both = try folder.write(stream, as: "both.hevc")
    try Judge.ffmpeg.ask([
      "-v", "error", "-r", "25", "-i", both, "-c", "copy", "-tag:v", "hev1", folder.path("source.mp4"),
    ])
    let (movie, path) = try written(folder.path("source.mp4"), in: folder)
    #expect(movie.videoTrack?.codec == "hev1")
    let source = try Movie(parsing: MemorySource(try readFile(folder.path("source.mp4"))))
    #expect(try source.asQuickTime().warnings.contains { $0.contains("parameter sets change") })
    try expectSame(path, as: folder.path("source.mp4"))
  }

  @Test func h264() throws {
    let folder = try TemporaryFolder()
    let source = folder.path("source.mp4")
    try encode("-c:v libx264 -x264-params repeat-headers=1 -c:a aac -ac 2", to: source)
    var bytes = try readFile(source)
    let name = try #require(bytes.firstRange(of: Array("avc1".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]))
    bytes[name.lowerBound + 3] = UInt8(ascii: "3")
    try writeFile(source, bytes)
    let (movie, path) = try written(source, in: folder)
    #expect(movie.videoTrack?.codec == "avc1")
    try expectSame(path, as: source)
  }

  /// PCM and other codings are described as they were.
  @Test(arguments: ["-c:a pcm_s16be", "-c:a alac", "-c:a ac3", "-c:a flac", "-c:a libopus"])
  func otherSound(_ coding: String) throws {
    let folder = try TemporaryFolder()
    let isPCM = coding.contains("pcm")
    let source = folder.path(isPCM ? "source.mov" : "source.mp4")
    try encode("-c:v libx264 \(coding) -strict -2", to: source)
    if isPCM {
      // FFmpeg 5.1 writes no PCM into MP4, but others do.
      var bytes = try readFile(source)
      for range in bytes.indices.filter({ bytes[$0...].starts(with: Array("qt  ".utf8)) && $0 < 32 }) {
        bytes.replaceSubrange(range..<range + 4, with: Array("isom".utf8))
      }
      try writeFile(source, bytes)
    }
    let before = try Movie(parsing: MemorySource(try readFile(source)))
    let (movie, path) = try written(source, in: folder)
    #expect(movie.audioTrack?.sampleDescriptions[0].bytes == before.audioTrack?.sampleDescriptions[0].bytes)
    try expectSame(path, as: source)
  }

  /// Handlers, headers of media and of data, keys: all that a QuickTime movie has and MP4 has not.
  @Test func boxes() throws {
    var data = SyntheticTrack(id: 2, handler: "meta", durations: [(2, 10)], width: 0, height: 0)
    data.entry = SyntheticBox.box("mett", Array(repeating: 0, count: 7) + [1, 0x61, 0, 0x62, 0])
    let keys = SyntheticBox.keys([("com.example.key", 1, 0, [65])], isFullBox: true)
    let iods = SyntheticBox.box("iods", Array(repeating: 0, count: 8))
    var synthetic = SyntheticMovie(
      tracks: [SyntheticTrack(format: "jpeg"), data], brand: "isom", movieExtra: iods + keys)
    synthetic.tracks[0].extra = keys
    var bytes = try synthetic.build()
    // A handler as MP4 has it, and a media header of nothing.
    for range in bytes.indices.filter({ bytes[$0...].starts(with: Array("mhlr".utf8)) }) {
      bytes.replaceSubrange(range..<range + 4, with: [0, 0, 0, 0])
    }
    let source = try Movie(parsing: MemorySource(bytes))
    let movie = try source.asQuickTime()
    #expect(movie.tracks.allSatisfy { $0.handler.componentType == "mhlr" })
    #expect(!movie.metadata.isFullBox && !movie.tracks[0].metadata.isFullBox)
    #expect(movie.metadata["com.example.key"] == .text("A"))
    let plan = try MovieRemuxer(container: .quickTime).plan(for: source).materialized()
    #expect(plan.firstRange(of: Array("iods".utf8)) == nil)
    #expect(plan.firstRange(of: Array("dhlralis".utf8)) != nil)
    #expect(plan.firstRange(of: Array("url ".utf8)) == nil)
    let same = try MovieRemuxer(container: .mp4).plan(for: source).materialized()
    #expect(same.firstRange(of: iods) != nil)
  }
}
