#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import TestSupport
  import Testing

  /// The frame that is chosen by what it shows, in clips made so that it is known.
  @Suite("A frame that is chosen") struct ChosenFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// One frame of FFmpeg's test picture, which stands still, through filters, for two seconds.
    private func clip(_ filters: String, size: String = "320x192") throws -> String {
      let path = folder.path("clip.mov")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=\(size):rate=25,trim=end_frame=1,loop=loop=49:size=1,\(filters)",
        "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params", "log-level=none:keyint=12",
        "-tag:v", "hvc1", path,
      ])
      return path
    }

    private func best(_ filters: String, size: String = "320x192") throws -> LivePhotoPair {
      try LivePhotoMaker().make(
        from: clip(filters, size: size), still: .best, into: PairDestination(folder: folder.root, stem: "pair"))
    }

    @Test(
      "as the best is sharp, well exposed and of a still moment", .judged(by: .currentFFmpeg),
      arguments: [
        // All but a few frames are out of focus.
        ("boxblur=3:enable='not(between(t,1.19,1.33))'", "320x192", 1.2, 1.32),
        // The middle is black, and so is the end.
        ("drawbox=color=black:t=fill:enable='between(t,0.7,1.1)+gt(t,1.5)'", "320x192", 0.2, 1.48),
        // The clip fades out before the middle, and in long behind it.
        ("fade=t=out:st=0.5:d=0.4", "320x192", 0.2, 0.52),
        // The camera moves for most of the time.
        ("crop=320:192:x='if(lt(t,1.3),mod(n*37,300),100)':y=60", "640x384", 1.32, 1.8),
        // Too bright at first.
        ("eq=brightness=0.7:enable='lt(t,1.1)'", "320x192", 1.12, 1.8),
        ("eq=brightness=-0.75:enable='gt(t,0.8)'", "320x192", 0.2, 0.8),
        // Nothing but the place counts.
        ("null", "320x192", 0.96, 1.04),
      ])
    func best(filters: String, size: String, from: Double, to: Double) throws {
      let pair = try best(filters, size: size)
      #expect(pair.stillReason == .best)
      #expect(try #require(pair.stillScore) > 0.2)
      #expect((from - 1e-6...to + 1e-6).contains(pair.stillTime.seconds), "\(pair.stillTime)")
    }

    @Test("as the best is the middle where all are of one grey", .judged(by: .currentFFmpeg)) func nothingIsGood()
      throws
    {
      let pair = try best("drawbox=color=gray:t=fill")
      #expect(pair.stillReason == .middle && pair.stillScore == nil && pair.stillTime == RationalTime(1, 1))
    }

    @Test("as the best is in the part that is kept", .judged(by: .currentFFmpeg)) func part() throws {
      let pair = try LivePhotoMaker().make(
        from: clip("null"), still: .best, cut: ClipCut(start: RationalTime(3, 2), length: .time(RationalTime(2, 5))),
        into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(pair.stillReason == .best && pair.cut != nil)
      #expect((0.1...0.3).contains(pair.stillTime.seconds))
    }

    /// A scene that a camera moves over, and a photo of a moment: of a larger field, brighter, of another shape.
    private static let scene = "crop=400:240:x='n*8':y='20+n*2'"

    private func photo(frame: Int, _ filters: String) throws -> String {
      let path = folder.path("photo.jpg")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=800x480:rate=25,trim=end_frame=1,loop=loop=49:size=1,\(Self.scene),select='eq(n,\(frame))',\(filters)",
        "-frames:v", "1", path,
      ])
      return path
    }

    @Test(
      "as like the photo is of its moment", .judged(by: .currentFFmpeg),
      arguments: [
        (6, "null", 0), (37, "eq=gamma=1.4:contrast=0.8", 0), (20, "crop=330:240", 0),
        (44, "scale=1200:720,eq=brightness=0.1", 90),
        (12, "boxblur=1", 180),
      ])
    func match(frame: Int, filters: String, rotation: Int) throws {
      let flat = try clip(Self.scene + ",crop=320:192", size: "800x480")
      let movie = folder.path("turned.mov")
      // The video is stored turned against the photo, and its matrix turns it back.
      let turns = ["0": "null", "90": "transpose=1", "180": "hflip,vflip"]["\(rotation)"] ?? "null"
      let stored = folder.path("stored.mov")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-i", flat, "-vf", turns, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none", "-tag:v", "hvc1", stored,
      ])
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-display_rotation", "\(rotation)", "-i", stored, "-c", "copy", movie,
      ])
      let pair = try PairMaker().pair(
        photo: photo(frame: frame, filters), movie: movie, still: .match,
        into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(pair.stillReason == .match)
      #expect(try #require(pair.stillScore) > 0.9)
      #expect(abs(pair.stillTime.seconds * 25 - Double(frame)) < 1.5, "\(pair.stillTime)")
    }

    @Test(
      "as like the photo is the middle where none is like it, and the movie's own where it has one",
      .judged(by: .currentFFmpeg))
    func order() throws {
      let movie = try clip(Self.scene, size: "800x480"), photo = folder.path("other.jpg")
      try Judge.currentFFmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=400x300", "-frames:v", "1", photo,
      ])
      let pair = try PairMaker().pair(
        photo: photo, movie: movie, still: .match, into: PairDestination(folder: folder.root, stem: "a"))
      #expect(pair.stillReason == .middle && pair.stillTime == RationalTime(1, 1))
      #expect(try #require(pair.stillScore) < 0.8)
      let marked = try PairMaker().pair(
        photo: photo, movie: movie, still: .at(.time(RationalTime(1, 2))),
        into: PairDestination(folder: folder.root, stem: "b"))
      let again = try PairMaker().pair(
        photo: photo, movie: marked.movie, still: .match, into: PairDestination(folder: folder.root, stem: "c"))
      #expect(again.stillReason == .ownStillTime && again.stillTime == marked.stillTime && again.stillScore == nil)
    }
  }
#endif
