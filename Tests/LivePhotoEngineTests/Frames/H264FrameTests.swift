import Foundation
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@testable import LivePhotoEngine

/// Frames of H.264, which no library decodes, so that all of this holds without the HEVC trait as well.
@Suite("Frames of H.264") struct H264FrameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  static let isFullSweep = ProcessInfo.processInfo.environment["LIVEPHOTO_FULL_SWEEP"] == "1"

  /// All movies of the corpus that are coded as H.264 and whole.
  static let movies: [String] = ["01-livephotos", "03-mov-mp4", "04-motionphotos"].flatMap { folder in
    Corpus.files(in: folder, extensions: ["mov", "mp4", "3gp"]).filter { path in
      guard let movie = try? Movie(parsing: MemorySource(Corpus.bytes(path))), let track = movie.videoTrack,
        (try? FrameSource.coding(of: track, file: path)) == .h264,
        (try? movie.prepared(stripping: nil, file: path, limits: .standard)) != nil
      else { return false }
      return !EveryMovie.cutOff.contains { path.contains($0) }
    }
  }

  @Test("are FFmpeg's in movies of the corpus", .needsCorpus, .judged(by: .currentFFmpeg), arguments: movies)
  func corpus(path: String) throws {
    let seed = path.utf8.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) }
    try JudgedFrames(Corpus.file(path)).expectFrames(count: Self.isFullSweep ? 20 : 2, seed: seed)
  }

  /// What x264 can make of a group of pictures, by the options that matter to where decoding begins and what it needs.
  static let clips = [
    "keyint=12:min-keyint=12:bframes=4:b-pyramid=normal:open-gop=1", "keyint=12:bframes=4:b-pyramid=strict:open-gop=0",
    "keyint=30:bframes=8:b-adapt=0:open-gop=1:ref=5", "keyint=250:bframes=0:ref=4", "keyint=1", "slices=4:keyint=10",
    "keyint=9:intra-refresh=1:bframes=0", "keyint=12:open-gop=1:aud=1:nal-hrd=vbr:vbv-maxrate=2000:vbv-bufsize=2000",
    "keyint=12:interlaced=1:bframes=3:open-gop=1", "keyint=12:weightp=2:cabac=0:8x8dct=0",
  ]

  @Test("are FFmpeg's in clips of all kinds of groups", .judged(by: .currentFFmpeg), arguments: clips)
  func groups(options: String) throws {
    try expectClip(options, size: "320x192", pixels: "yuv420p")
  }

  @Test(
    "are FFmpeg's in cropped clips, and those of other depths and chroma", .judged(by: .currentFFmpeg),
    arguments: [
      ("322x182", "yuv420p"), ("98x102", "yuv420p10le"), ("66x70", "yuv422p"), ("320x184", "yuv422p10le"),
      ("71x65", "yuv444p"), ("130x94", "gray"),
    ])
  func formats(size: String, pixels: String) throws {
    try expectClip("keyint=12:bframes=3", size: size, pixels: pixels)
  }

  private func encode(_ options: String, size: String, pixels: String, _ output: [String]) throws {
    try Judge.currentFFmpeg.ask(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=24:duration=2", "-vf", "format=\(pixels)",
        "-c:v", "libx264", "-preset", "medium", "-x264-params", options,
      ] + output)
  }

  private func expectClip(_ options: String, size: String, pixels: String) throws {
    let clip = folder.path("clip.mp4")
    try encode(options, size: size, pixels: pixels, [clip])
    let frames = try JudgedFrames(clip)
    try frames.expectFrames(count: 12, seed: UInt64(options.utf8.count))
    try frames.expectEnds()
  }

  @Test("are FFmpeg's in a clip whose parameter sets are in its samples", .judged(by: .currentFFmpeg))
  func inBand() throws {
    let clip = folder.path("clip.mp4")
    try encode("keyint=12:repeat-headers=1", size: "98x102", pixels: "yuv420p", ["-tag:v", "avc3", clip])
    let frames = try JudgedFrames(clip)
    #expect(frames.track.codec == "avc3")
    try frames.expectFrames(count: 8, seed: 3)
  }

  @Test(
    "come out of streams without a container, told by their content", .judged(by: .currentFFmpeg),
    arguments: ["keyint=12:bframes=4", "keyint=8:open-gop=1:aud=1", "slices=4:interlaced=1", "sliced-threads=1"])
  func streams(options: String) throws {
    let stream = folder.path("clip.bin")
    try encode(options, size: "130x96", pixels: "yuv420p", ["-f", "h264", stream])
    try JudgedVideo(stream).expectSame(frames: 48, by: folder)
    let header = String(decoding: try readFile(folder.path("ours.y4m")).prefix(60), as: UTF8.self)
    #expect(header.hasPrefix("YUV4MPEG2 W130 H96 F24:1 "))
  }

  @Test("of a turned movie are as coded, or turned on request", .judged(by: .currentFFmpeg), arguments: [90, 180, 270])
  func turned(angle: Int) throws {
    try encode("keyint=12", size: "130x94", pixels: "yuv420p", [folder.path("flat.mp4")])
    let clip = folder.path("clip.mp4")
    try Judge.currentFFmpeg.ask([
      "-v", "error", "-display_rotation", "\(angle)", "-i", folder.path("flat.mp4"), "-c", "copy", clip,
    ])
    try JudgedVideo(clip, ffmpeg: ["-noautorotate"]).expectSame(frames: 48, by: folder)
    try JudgedVideo(clip, upright: true).expectSame(frames: 48, by: folder)
  }

  @Test("that are cut off or damaged are an error or pictures, never a trap", .judged(by: .currentFFmpeg))
  func damaged() throws {
    try encode("keyint=6:bframes=2", size: "130x94", pixels: "yuv420p", ["-f", "h264", folder.path("a")])
    let bytes = try readFile(folder.path("a"))
    var refusals = 0
    for (index, bad) in (truncations(of: bytes, count: 8) + damagedCopies(of: bytes, count: 12, seed: 5)).enumerated() {
      let path = try folder.write(bad, as: "bad"), goal = folder.path("\(index).y4m")
      do { _ = try PictureDecoder().decode(path, as: .y4m, to: goal) } catch {
        refusals += 1
        #expect(!FileManager.default.fileExists(atPath: goal))
      }
    }
    #expect(refusals > 0)
  }

  @Test(
    "become a JPEG still of any movie of the corpus", .needsCorpus, .judged(by: .currentFFmpeg, .python),
    arguments: isFullSweep ? movies : Array(movies.prefix(8)))
  func stills(path: String) throws {
    let clip = Corpus.file(path)
    let pair = try LivePhotoMaker(threads: .allCores).make(
      from: clip, format: .jpeg(quality: 95), into: PairDestination(folder: folder.root, stem: "pair"))
    #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    let movie = try Movie(parsing: MemorySource(try readFile(clip)))
    let moment = try ChosenMoment(
      .automatic, movie: movie, file: clip, chooser: FrameChooser(file: clip, threads: .count(1), limits: .standard)
    ).moment
    let rank = try #require(movie.videoTrack).timeline().rank(ofSample: moment.sampleIndex)
    let words = try python(
      EveryMovie.comparison, [try #require(Judge.currentFFmpeg.path), clip, pair.photo, "\(rank)"]
    ).lines.first
    let difference = try #require(words.flatMap { Double($0) }, "\(words ?? "nothing")")
    // Pillow smooths the chroma of JPEG between samples, which shows at the edges of test pictures.
    #expect(difference < 2, "mean CIEDE2000 \(difference)")
  }

  @Test(
    "that are encrypted are refused by that reason", .needsCorpus, arguments: ["mp4ff_cbcs", "mp4parse_short-cenc"])
  func encrypted(name: String) throws {
    let error = #expect(throws: LivePhotoError.self) {
      try LivePhotoMaker().make(
        from: Corpus.file("03-mov-mp4/\(name).mp4"), format: .jpeg(), into: PairDestination(folder: folder.root))
    }
    #expect(error.map { "\($0)".contains("encrypted video (c") } == true)
  }
}
