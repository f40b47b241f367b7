#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import TestSupport
  import Testing

  /// HEIF files that hold an image sequence and no item (ISO/IEC 23008-12, 7.2).
  @Suite("Image sequences") struct ImageSequenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A HEVC clip, and the same as a sequence: other brands, and a track of pictures instead of video.
    private func clipAndSequence() throws -> (clip: String, sequence: String) {
      let clip = folder.path("clip.mp4")
      try runChecked(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=128x96:rate=10:duration=0.5", "-pix_fmt", "yuv420p", "-c:v",
          "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1", "-brand", "mp42", clip,
        ])
      var bytes = try readFile(clip)
      for (old, new) in [("isom", "msf1"), ("mp42", "msf1"), ("iso2", "hevc"), ("mp41", "hevc"), ("vide", "pict")] {
        let places = bytes.indices.dropLast(3).filter { bytes[$0...].starts(with: old.utf8) }
        for place in places { bytes.replaceSubrange(place..<place + 4, with: new.utf8) }
      }
      return (clip, try folder.write(bytes, as: "sequence.heics"))
    }

    @Test("are read as movies: every picture is decoded", .judged(by: .ffmpeg, .currentFFmpeg))
    func decoded() throws {
      let (clip, sequence) = try clipAndSequence()
      let report = try PictureDecoder().decode(sequence, as: .y4m, to: folder.path("b.y4m"))
      #expect((report.width, report.height, report.frames) == (128, 96, 5))
      _ = try PictureDecoder().decode(clip, as: .y4m, to: folder.path("a.y4m"))
      let isSame = try readFile(folder.path("a.y4m")) == readFile(folder.path("b.y4m"))
      #expect(isSame)
      let frames = try Judge.currentFFmpeg.ask([
        "-v", "error", "-i", sequence, "-map", "0:v", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-",
      ]).output
      #expect(frames.count == 5 * 128 * 96 * 3 / 2)
      let tracks = try FileInspector().inspect(sequence).movie?.tracks
      #expect(
        tracks?.map(\.kind) == ["image sequence"] && tracks?.first?.codedSize == DisplaySize(width: 128, height: 96))
    }

    @Test("are no clip for a Live Photo and no picture to encode, and this is said", .judged(by: .ffmpeg))
    func refused() throws {
      let sequence = try clipAndSequence().sequence
      func reason(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return "none"
      }
      #expect(
        reason { _ = try LivePhotoMaker().make(from: sequence, into: PairDestination(folder: folder.root)) }.contains(
          "an image sequence is none"))
      #expect(
        reason { _ = try PictureEncoder().encode(sequence, as: .heic(), to: folder.path("a.heic")) }
          .contains("expected a picture"))
    }

    @Test("of another coding are refused by its name", .needsCorpus)
    func uncompressed() throws {
      let path = Corpus.file("02-heif/libheif_seq_seed.heif")
      let error = #expect(throws: LivePhotoError.self) {
        try PictureDecoder().decode(path, as: .y4m, to: folder.path("a.y4m"))
      }
      #expect(error.map { "\($0)" }?.contains("'uncv' is not decoded here") == true)
      #expect(try FileInspector().inspect(path).movie?.tracks.map(\.kind) == ["image sequence"])
    }
  }
#endif
