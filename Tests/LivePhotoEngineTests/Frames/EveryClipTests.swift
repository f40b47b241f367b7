#if HEVC
  import LivePhotoCore
  import LivePhotoMuxer
  import TestSupport
  import Testing

  @testable import LivePhotoEngine

  /// `make` of every clip of the corpus: its still beside current FFmpeg's frame, or the reason why there is none.
  @Suite("A still of every clip") struct EveryClipTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let clips = ["01-livephotos", "03-mov-mp4"].flatMap {
      Corpus.files(in: $0, extensions: ["mov", "mp4", "3gp"])
    }

    /// Clips that are whole and of a coding that is decoded.
    static let goodClips = clips.filter { path in
      guard let movie = try? Movie(parsing: MemorySource(Corpus.bytes(path))), let track = movie.videoTrack,
        (try? FrameSource.coding(of: track, file: path)) != nil
      else { return false }
      return (try? movie.prepared(stripping: nil, file: path, limits: .standard)) != nil
        && !EveryMovie.cutOff.contains { path.contains($0) }
    }

    @Test(
      "is the frame as FFmpeg shows it: upright, its display area, its colours", .needsCorpus,
      .judged(by: .currentFFmpeg, .python), arguments: goodClips)
    func good(path: String) throws {
      let clip = Corpus.file(path)
      let pair = try LivePhotoMaker(threads: .allCores).make(
        from: clip, format: .heic(quality: 95), into: PairDestination(folder: folder.root, stem: "pair"))
      let movie = try Movie(parsing: MemorySource(try readFile(clip)))
      let track = try #require(movie.videoTrack)
      let timeline = track.timeline()
      let chosen = try ChosenMoment(
        .automatic, movie: movie, file: clip, chooser: FrameChooser(file: clip, threads: .count(1), limits: .standard))
      let frame = timeline.rank(ofSample: chosen.moment.sampleIndex)
      let ffmpeg = try #require(Judge.currentFFmpeg.path)
      let words = try python(EveryMovie.comparison, [ffmpeg, clip, pair.photo, "\(frame)"]).lines.first
      let difference = try #require(words.flatMap { Double($0) }, "\(words ?? "nothing")")
      #expect(difference < 1, "mean CIEDE2000 \(difference)")
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    }

    @Test(
      "that cannot be decoded is refused by its reason", .needsCorpus,
      arguments: [
        ("03-mov-mp4/mp4ff_cbcs.mp4", "encrypted video (cbcs)"),
        ("03-mov-mp4/mp4parse_short-cenc.mp4", "encrypted video (cenc)"),
        ("03-mov-mp4/mp4ff_hvc1_init.mp4", "no video track with samples"),
        ("03-mov-mp4/ax_sample_fragmented_uuid.mp4", "has no media"),
        ("03-mov-mp4/mp4ff_vvc_400kbps_2s.mp4", "VVC video 'vvc1'"),
        ("03-mov-mp4/mp4parse_tiny_av1.mp4", "AV1 video 'av01'"),
        ("03-mov-mp4/shiguredo_black-vp9-video.mp4", "VP9 video 'vp09'"),
        ("03-mov-mp4/quicktime_mpeg4part2.mp4", "MPEG-4 Visual video 'mp4v'"),
        ("03-mov-mp4/mp4ff_opus.mp4", "no video track"),
      ])
    func refused(path: String, reason: String) throws {
      let error = #expect(throws: LivePhotoError.self) {
        try LivePhotoMaker().make(from: Corpus.file(path), into: PairDestination(folder: folder.root))
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains(reason), "\(text)")
      #expect(try folder.names() == [])
    }
  }
#endif
