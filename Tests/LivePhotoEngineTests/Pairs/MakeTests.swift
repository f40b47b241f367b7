#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoMuxer
  import TestSupport
  import Testing

  /// A Live Photo from a clip, judged by exiftool, ffprobe, heif-convert and pillow-heif.
  @Suite struct MakeTests {
    static let clips = [
      "03-mov-mp4/iphone_hevc_shortclip.mov", Corpus.path("01-livephotos/iphone15plus", ".MOV"),
      Corpus.path("01-livephotos/iphone17pro", ".MOV"),
    ]

    @Test(.needsCorpus, .judged(by: .exiftool, .ffprobe, .heifConvert, .python), arguments: clips)
    func realClipBecomesALivePhoto(path: String) throws {
      let folder = try TemporaryFolder(), clip = Corpus.file(path)
      let pair = try LivePhotoMaker(threads: .allCores).make(
        from: clip, into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(try folder.names() == ["pair.HEIC", "pair.MOV"])
      try expectPair(pair)
      // Every packet of video and sound is the source's, in its order.
      let before = try streamHashes(clip), after = try streamHashes(pair.movie)
      #expect(!before.isEmpty)
      #expect(after == before)
      try expectStill(pair, shows: pair.stillTime.seconds, leastPSNR: 40)
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    }

    @Test(.judged(by: .exiftool, .ffprobe, .heifConvert, .python))
    func theDemonstrationHolds() throws {
      let folder = try TemporaryFolder()
      let result = try Demonstration(threads: .allCores).run(in: folder.root)
      #expect(result.report.verdict == .pairs)
      try expectPair(result.pair)
      try expectStill(result.pair, shows: result.pair.stillTime.seconds, leastPSNR: 40)
      // 1440x1080 is larger than a tile, so the still is a grid.
      #expect(try FileInspector().inspect(result.pair.photo).photo?.grid?.columns == 3)

      let jpeg = try LivePhotoMaker().make(
        from: result.clip, still: .at(.time(RationalTime(1, 2))), format: .jpeg(),
        into: PairDestination(folder: folder.root, stem: "jpeg"))
      #expect(jpeg.photo.hasSuffix("jpeg.JPG"))
      #expect(jpeg.stillTime == RationalTime(1, 2))
      try expectPair(jpeg)
      #expect(try Judge.exiftool.ask(["-validate", "-s3", "-warning", jpeg.photo]).lines.first == "OK")
    }

    /// The last frame alone, which in the file is followed by frames that are shown before it; and what is behind it.
    @Test(.judged(by: .ffmpeg, .exiftool, .ffprobe, .heifConvert, .python)) func lastFrameAlone() throws {
      let folder = try TemporaryFolder(), clip = folder.path("clip.mp4")
      let coding = "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:bframes=4:b-adapt=0"
      try Judge.ffmpeg.ask(
        "-v error -f lavfi -i testsrc2=size=128x96:rate=25:duration=1 \(coding)".split(separator: " ").map(String.init)
          + [clip])
      func make(from start: RationalTime) throws -> LivePhotoPair {
        try LivePhotoMaker().make(
          from: clip, cut: ClipCut(start: start), into: PairDestination(folder: folder.root, stem: "pair"))
      }
      let pair = try make(from: RationalTime(24, 25))
      #expect(pair.cut?.duration.seconds == 0.04)
      try expectPair(pair)
      try expectStill(pair, shows: 0, leastPSNR: 30)
      for start in [RationalTime(1, 1), RationalTime(9, 1)] {
        let error = #expect(throws: LivePhotoError.self) { try make(from: start) }
        #expect(error?.description.contains("choose an earlier start") == true)
      }
    }

    @Test func anOutputThatExistsIsLeftAlone() throws {
      let folder = try TemporaryFolder()
      let result = try Demonstration(threads: .allCores).run(in: folder.root)
      let before = try readFile(result.pair.photo)
      #expect(throws: LivePhotoError.self) {
        try LivePhotoMaker().make(from: result.clip, into: PairDestination(folder: folder.root, stem: "demo"))
      }
      #expect(throws: LivePhotoError.self) {
        try LivePhotoMaker().make(from: result.clip, still: .at(.time(RationalTime(60, 1))), into: "/nowhere")
      }
      #expect(try readFile(result.pair.photo) == before)
      #expect(try folder.names() == ["demo-clip.mov", "demo.HEIC", "demo.MOV"])
    }

    /// A frame that others refer to is damaged: its own still is refused, theirs are warned of, and a later group is fine.
    @Test func damageBeforeTheStillIsSaid() throws {
      let folder = try TemporaryFolder()
      let clip = try Demonstration(threads: .allCores).run(in: folder.root).clip
      var bytes = try readFile(clip)
      let movie = try Movie(parsing: MemorySource(bytes))
      let track = try #require(movie.videoTrack)
      let damaged = try #require(
        track.samples.indices.first { index in
          track.samples[index].size > 100 && !track.samples.isSync(index)
        })
      for at in track.samples[damaged].range.dropFirst(20).prefix(180) { bytes[at] ^= 0x55 }
      let spoilt = try folder.write(bytes, as: "spoilt.mov")
      func warnings(_ time: RationalTime) throws -> [String] {
        try LivePhotoMaker().make(
          from: spoilt, still: .at(.time(time)), into: PairDestination(folder: folder.root, stem: "\(time.value)")
        ).warnings
      }
      let shown = try #require(track.displayInterval(ofSample: damaged)).lowerBound
      #expect(throws: LivePhotoError.self) { try warnings(shown) }
      #expect(try warnings(RationalTime(9, 10)).contains { $0.contains("damaged") })
      #expect(try !warnings(RationalTime(3, 2)).contains { $0.contains("damaged") })
    }

    /// Both halves hold the identifier, and the movie's marker is where the tool says.
    private func expectPair(_ pair: LivePhotoPair) throws {
      for file in [pair.photo, pair.movie] {
        let found = try Judge.exiftool.ask(["-s3", "-ContentIdentifier", "-MediaGroupUUID", file]).lines.first
        #expect(found == pair.identifier.text, "\(file)")
      }
      let starts = try streams(of: pair.movie).filter { $0["codec_tag_string"] == "mebx" }
        .compactMap { $0["start_time"].flatMap(Double.init) }
      #expect(starts.contains { abs($0 - pair.stillTime.seconds) < 1e-5 }, "\(starts)")
    }

    /// The still, as pillow-heif shows it, is the movie's frame as PyAV decodes it.
    private func expectStill(_ pair: LivePhotoPair, shows time: Double, leastPSNR: Double) throws {
      let folder = try TemporaryFolder()
      try Judge.heifConvert.ask([pair.photo, folder.path("still.png")])
      let result = try python(Self.comparison, [pair.photo, pair.movie, "\(time)"])
      let psnr = try #require(result.lines.first.flatMap { Double($0) }, "\(result)")
      #expect(psnr >= leastPSNR)
      // Beyond this nothing would have been encoded at all.
      #expect(psnr < 60)
    }

    private static let comparison = """
      import sys, av, numpy, pillow_heif
      photo, movie, time = sys.argv[1], sys.argv[2], float(sys.argv[3])
      shown = None
      with av.open(movie) as container:
          stream = container.streams.video[0]
          for frame in container.decode(stream):
              if shown is None or frame.time <= time + 1e-4: shown = frame
              else: break
      frame = shown.to_ndarray(format='rgb24').astype(float)
      still = numpy.array(pillow_heif.open_heif(photo, convert_hdr_to_8bit=True).to_pillow().convert('RGB')).astype(float)
      # The clean aperture lies in the middle of the frame, which may be turned against the still.
      best = 0.0
      for turns in range(4):
          turned = numpy.rot90(frame, turns)
          y, x = (turned.shape[0] - still.shape[0]) // 2, (turned.shape[1] - still.shape[1]) // 2
          if y < 0 or x < 0: continue
          part = turned[y:y + still.shape[0], x:x + still.shape[1]]
          if part.shape == still.shape:
              best = max(best, 10 * numpy.log10(255 ** 2 / max(((part - still) ** 2).mean(), 1e-9)))
      print(best)
      """

    private func streamHashes(_ path: String) throws -> [[String]] {
      let hashes = try packetHashes(of: path)
      return try streams(of: path)
        .filter { $0["codec_type"] == "video" || $0["codec_type"] == "audio" }
        .compactMap { $0["index"].flatMap(Int.init) }
        .map { hashes[$0] ?? [] }
    }
  }
#endif
