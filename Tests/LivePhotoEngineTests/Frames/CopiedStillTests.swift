#if HEVC
  import LivePhotoCore
  import LivePhotoMuxer
  import TestSupport
  import Testing

  @testable import LivePhotoEngine

  /// Stills that are a key frame's own bytes, judged by current FFmpeg, pillow-heif, heif-info and exiftool.
  @Suite("A copied still") struct CopiedStillTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func encode(
      _ options: String, size: String = "322x182", pixels: String = "yuv420p", tag: String = "hvc1", rotation: Int = 0
    ) throws -> String {
      let flat = folder.path("flat.mp4"), clip = folder.path("clip.mov")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=2", "-vf", "format=\(pixels)",
        "-c:v",
        "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:" + options, "-tag:v", tag, "-colorspace",
        "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", flat,
      ])
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-display_rotation", "\(rotation)", "-i", flat, "-c", "copy", "-tag:v", tag, clip,
      ])
      return clip
    }

    private func make(_ clip: String, at seconds: RationalTime, tolerance: RationalTime = .zero) throws -> LivePhotoPair
    {
      var maker = LivePhotoMaker()
      maker.frameCoding = .copy(tolerance: tolerance)
      return try maker.make(
        from: clip, still: .at(.time(seconds)),
        into: PairDestination(folder: folder.root, stem: "pair", overwrite: true))
    }

    private func planes(of path: String) throws -> [UInt8] {
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-noautorotate", "-apply_cropping", "codec", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-",
      ]).output
    }

    @Test(
      "has the movie's samples, and is shown alike", .judged(by: .currentFFmpeg, .python, .heifInfo, .exiftool),
      arguments: [
        ("keyint=12:min-keyint=12", "yuv420p", "hvc1", 0),
        ("keyint=12:min-keyint=12:slices=3:aud=1:repeat-headers=1", "yuv420p", "hev1", 90),
        ("keyint=12:min-keyint=12:open-gop=1:bframes=4", "yuv420p10le", "hvc1", 180),
        ("keyint=12:min-keyint=12:hrd=1:vbv-maxrate=900:vbv-bufsize=900:repeat-headers=1", "yuv422p10le", "hev1", 270),
        ("keyint=12:min-keyint=12", "yuv444p", "hvc1", 0),
      ])
    func samples(options: String, pixels: String, tag: String, rotation: Int) throws {
      let clip = try encode(options, pixels: pixels, tag: tag, rotation: rotation)
      let pair = try make(clip, at: RationalTime(12, 25))
      #expect(pair.copiedFrom == .zero)
      #expect(pair.stillTime == RationalTime(12, 25))
      let expected = try JudgedFrames(clip).frames(atRanks: [12])[12]
      let found = try planes(of: pair.photo)
      #expect(!found.isEmpty && found == expected)
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
      #expect(
        try Judge.exiftool.ask(["-s3", "-MediaGroupUUID", "-ContentIdentifier", pair.photo]).lines.first
          == pair.identifier.text)
      // libheif's view: size, turn, depth, brand.
      let info = try Judge.heifInfo.ask([pair.photo]).text
      #expect(info.contains(rotation % 180 == 0 ? "322x182" : "182x322"), "\(info)")
      let brand = String(decoding: try readFile(pair.photo)[8..<12], as: UTF8.self)
      #expect(brand == (pixels == "yuv420p" ? "heic" : "heix"))
      let difference = try python(Self.comparison, [pair.photo, pair.movie, "12"]).lines.first.flatMap { Double($0) }
      // Both convert to RGB, each in its own way; turned otherwise it would be 50 and more.
      #expect(try #require(difference) < 5)
    }

    /// The mean absolute difference of the still as pillow-heif shows it and a frame as PyAV does, turned.
    private static let comparison = """
      import sys, av, numpy, pillow_heif
      photo, movie, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
      with av.open(movie) as container:
          frames = list(container.decode(container.streams.video[0]))
      frame = frames[number]
      shown = frame.to_ndarray(format='rgb24').astype(float)
      shown = numpy.rot90(shown, (frame.rotation // 90) % 4)
      still = numpy.array(pillow_heif.open_heif(photo, convert_hdr_to_8bit=True).to_pillow().convert('RGB')).astype(float)
      print(abs(still - shown).mean() if still.shape == shown.shape else 255.0)
      """

    @Test("is the nearest key frame within the tolerance, and an error names others", .judged(by: .currentFFmpeg))
    func nearest() throws {
      let clip = try encode("keyint=12:min-keyint=12:scenecut=0:bframes=3")
      let error = #expect(throws: LivePhotoError.self) { try make(clip, at: RationalTime(15, 25)) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("0.6 s is no key frame") && text.contains("0.48 s and 0.96 s"), "\(text)")
      #expect(try folder.names() == ["clip.mov", "flat.mp4"])
      let before = try make(clip, at: RationalTime(15, 25), tolerance: RationalTime(15, 100))
      #expect(before.copiedFrom == RationalTime(-3, 25) && before.stillTime == RationalTime(12, 25))
      let behind = try make(clip, at: RationalTime(22, 25), tolerance: RationalTime(1, 1))
      #expect(behind.copiedFrom == RationalTime(2, 25) && behind.stillTime == RationalTime(24, 25))
      let expected = try JudgedFrames(clip).frames(atRanks: [24])[24]
      #expect(try planes(of: behind.photo) == expected)
    }

    @Test("is there where the movie is cut, too", .judged(by: .currentFFmpeg))
    func cut() throws {
      let clip = try encode("keyint=12:min-keyint=12:scenecut=0:open-gop=1:bframes=3")
      var maker = LivePhotoMaker()
      maker.frameCoding = .copy(tolerance: RationalTime(1, 2))
      let pair = try maker.make(
        from: clip, still: .at(.time(RationalTime(25, 25))),
        cut: ClipCut(start: RationalTime(1, 2), length: .time(RationalTime(1, 1))),
        into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(pair.copiedFrom == RationalTime(-1, 25) && pair.cut != nil)
      let expected = try JudgedFrames(clip).frames(atRanks: [24])[24]
      #expect(try planes(of: pair.photo) == expected)
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    }

    @Test("of H.264 is refused by its reason", .judged(by: .currentFFmpeg)) func otherCodings() throws {
      let clip = folder.path("clip.mp4")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=1", "-c:v", "libx264", clip,
      ])
      let error = #expect(throws: LivePhotoError.self) { try make(clip, at: .zero) }
      #expect(error.map { "\($0)".contains("H.264") && "\($0)".contains("--still copy") } == true)
    }

    @Test(
      "of cameras' clips has the movie's samples", .needsCorpus, .judged(by: .currentFFmpeg), arguments: MakeTests.clips
    )
    func cameras(path: String) throws {
      let clip = Corpus.file(path)
      var maker = LivePhotoMaker()
      maker.frameCoding = .copy(tolerance: RationalTime(2, 1))
      let pair = try maker.make(from: clip, into: PairDestination(folder: folder.root, stem: "pair"))
      let frames = try JudgedFrames(clip)
      let timeline = frames.track.timeline()
      let asked = try ChosenMoment(
        .automatic, movie: frames.movie, file: clip,
        chooser: FrameChooser(file: clip, threads: .count(1), limits: .standard)
      ).moment.displayInterval.lowerBound
      let offset = try #require(pair.copiedFrom)
      let time = try #require(asked.adding(offset))
      let sample = try #require(timeline.sample(shownAt: time))
      let rank = timeline.rank(ofSample: sample)
      let expected = try frames.frames(atRanks: [rank])[rank]
      #expect(try planes(of: pair.photo) == expected)
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    }
  }
#endif
