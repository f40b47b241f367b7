#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoMuxer
  import TestSupport
  import Testing

  @testable import LivePhotoEngine

  /// "The frame shown at t", judged by current FFmpeg.
  @Suite("The frame shown at a time") struct FrameSourceTests {
    static let isFullSweep = ProcessInfo.processInfo.environment["LIVEPHOTO_FULL_SWEEP"] == "1"

    /// All movies of the corpus that are coded as HEVC and whole.
    static let movies: [String] = ["01-livephotos", "03-mov-mp4", "04-motionphotos"].flatMap { folder in
      Corpus.files(in: folder, extensions: ["mov", "mp4"]).filter { path in
        guard let movie = try? Movie(parsing: MemorySource(Corpus.bytes(path))), let track = movie.videoTrack else {
          return false
        }
        return track.codec.flatMap { VideoCoding(sampleEntry: $0) } == .hevc
      }
    }

    @Test("is FFmpeg's in HEVC movies of the corpus", .needsCorpus, .judged(by: .currentFFmpeg), arguments: movies)
    func corpus(path: String) throws {
      let seed = path.utf8.reduce(UInt64(17)) { $0 &* 31 &+ UInt64($1) }
      try JudgedFrames(Corpus.file(path)).expectFrames(count: Self.isFullSweep ? 20 : 4, seed: seed)
    }

    /// What x265 can make of a group of pictures, by the options that matter to where decoding begins and what it needs.
    static let clips = [
      "keyint=12:min-keyint=12:bframes=4:b-pyramid=1:open-gop=1", "keyint=12:bframes=4:b-pyramid=1:open-gop=0",
      "keyint=30:bframes=8:b-adapt=0:open-gop=1:ref=5:rc-lookahead=20", "keyint=250:bframes=0:ref=4", "keyint=1",
      "slices=4:keyint=10", "keyint=12:bframes=3:temporal-layers=3", "keyint=9:intra-refresh=1:bframes=0",
      "keyint=12:open-gop=1:repeat-headers=1:aud=1:hrd=1:vbv-maxrate=2000:vbv-bufsize=2000",
    ]

    @Test("is FFmpeg's in clips of all kinds of groups", .judged(by: .currentFFmpeg), arguments: clips)
    func groups(options: String) throws {
      try expectClip(options, size: "320x192", pixels: "yuv420p")
    }

    @Test(
      "is FFmpeg's in cropped clips, and those of other depths and chroma", .judged(by: .currentFFmpeg),
      arguments: [
        ("322x182", "yuv420p"), ("98x102", "yuv420p10le"), ("320x184", "yuv420p12le"), ("66x70", "yuv422p"),
        ("71x65", "yuv444p10le"), ("130x94", "gray"),
      ])
    func formats(size: String, pixels: String) throws {
      try expectClip("keyint=12:bframes=3", size: size, pixels: pixels)
    }

    private func expectClip(_ options: String, size: String, pixels: String) throws {
      let folder = try TemporaryFolder(), clip = folder.path("clip.mp4")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=2", "-vf", "format=\(pixels)",
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:" + options, "-tag:v", "hvc1", clip,
      ])
      let frames = try JudgedFrames(clip)
      try frames.expectFrames(count: 12, seed: UInt64(options.utf8.count))
      try frames.expectEnds()
    }
  }
#endif
