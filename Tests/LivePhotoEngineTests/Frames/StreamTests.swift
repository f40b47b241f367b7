#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import TestSupport
  import Testing

  /// `decode` of movies and of streams without a container, every frame of it judged by current FFmpeg.
  @Suite("Decoded video") struct StreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func encode(_ options: [String], to path: String) throws {
      try Judge.currentFFmpeg.ask(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=130x94:rate=24:duration=1"] + options + [path])
    }

    private func x265(_ options: String) -> [String] {
      ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:" + options]
    }

    private func expectSame(_ path: String, upright: Bool? = nil, ffmpeg arguments: [String] = []) throws {
      try JudgedVideo(path, upright: upright, ffmpeg: arguments).expectSame(frames: 24, by: folder)
    }

    @Test(
      "of a stream without a container is told by its content", .judged(by: .currentFFmpeg),
      arguments: [
        "keyint=12:bframes=4", "keyint=8:open-gop=1:aud=1:repeat-headers=1",
        "slices=4:hrd=1:vbv-maxrate=900:vbv-bufsize=900",
      ])
    func streams(options: String) throws {
      try encode(x265(options) + ["-pix_fmt", "yuv420p10le", "-f", "hevc"], to: folder.path("clip.bin"))
      try expectSame(folder.path("clip.bin"))
      let header = String(decoding: try readFile(folder.path("ours.y4m")).prefix(60), as: UTF8.self)
      #expect(header.hasPrefix("YUV4MPEG2 W130 H94 F24:1 "))
    }

    @Test(
      "of a turned movie is as coded, or turned on request", .judged(by: .currentFFmpeg), arguments: [90, 180, 270])
    func turned(angle: Int) throws {
      try encode(x265("keyint=12") + ["-pix_fmt", "yuv420p", "-tag:v", "hvc1"], to: folder.path("flat.mp4"))
      let path = folder.path("clip.mp4")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-display_rotation", "\(angle)", "-i", folder.path("flat.mp4"), "-c", "copy", path,
      ])
      try expectSame(path, ffmpeg: ["-noautorotate"])
      try expectSame(path, upright: false, ffmpeg: ["-noautorotate"])
      try expectSame(path, upright: true)
    }

    @Test("of 4:2:2 cannot be turned by a quarter, and this is said", .judged(by: .currentFFmpeg))
    func quarterOf422() throws {
      try encode(x265("keyint=12") + ["-pix_fmt", "yuv422p", "-tag:v", "hvc1"], to: folder.path("flat.mp4"))
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-display_rotation", "90", "-i", folder.path("flat.mp4"), "-c", "copy", folder.path("clip.mp4"),
      ])
      let error = #expect(throws: LivePhotoError.self) {
        try PictureDecoder(isUpright: true).decode(folder.path("clip.mp4"), as: .y4m, to: folder.path("a.y4m"))
      }
      #expect(error.map { "\($0)".contains("4:2:2") } == true)
      #expect(try folder.names() == ["clip.mp4", "flat.mp4"])
    }

    @Test("has streams of H.264 told apart from HEVC", .judged(by: .currentFFmpeg))
    func kinds() throws {
      try encode(["-c:v", "libx264", "-pix_fmt", "yuv420p", "-f", "h264"], to: folder.path("a"))
      try encode(x265("keyint=12") + ["-f", "hevc"], to: folder.path("b"))
      #expect(MediaKind(head: try Array(readFile(folder.path("a")).prefix(4096))) == .h264)
      #expect(MediaKind(head: try Array(readFile(folder.path("b")).prefix(4096))) == .hevc)
      // MPEG-2's pictures and program streams have the same start codes.
      #expect(MediaKind(head: [0, 0, 1, 0xB3, 0x14, 0, 0xF0, 0x13, 0xFF, 0xFF]) == .unknown)
    }

    @Test("of a stream that is cut off or damaged is an error or pictures, never a trap", .judged(by: .currentFFmpeg))
    func damaged() throws {
      try encode(x265("keyint=6:bframes=2") + ["-pix_fmt", "yuv420p", "-f", "hevc"], to: folder.path("a"))
      let bytes = try readFile(folder.path("a"))
      for (index, bad) in (truncations(of: bytes, count: 8) + damagedCopies(of: bytes, count: 12, seed: 5)).enumerated()
      {
        let path = try folder.write(bad, as: "bad")
        _ = try? PictureDecoder().decode(path, as: .y4m, to: folder.path("\(index).y4m"))
      }
    }
  }
#endif
