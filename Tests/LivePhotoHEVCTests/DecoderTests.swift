#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEVC decoder")
  struct DecoderTests {
    /// The stream of a movie with start codes, and its parameter sets before every random access picture.
    static func annexB(_ path: String) throws -> [UInt8] {
      try Judge.ffmpeg.ask(
        ["-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy", "-bsf:v", "hevc_mp4toannexb", "-f", "hevc", "-"]
      ).output
    }

    /// The first pictures of a stream, by our decoder, as FFmpeg lays out raw video.
    static func decode(_ stream: [UInt8], count: Int) throws -> [UInt8] {
      var decoder = try HEVCDecoder(threads: .count(2))
      var samples: [UInt8] = []
      var taken = 0
      func take(_ picture: HEVCPicture) {
        #expect(picture.damage == nil)
        guard taken < count else { return }
        taken += 1
        for plane in picture.image.planes {
          switch plane.samples {
          case .bytes(let bytes): samples += bytes
          case .words(let words): unsafe words.withUnsafeBytes { unsafe samples += $0 }
          }
        }
      }
      for unit in try NALFraming.annexB.units(in: stream.span) {
        try decoder.decode(unit: stream.span.extracting(unit))
        while let picture = try decoder.nextPicture() { take(picture) }
        if taken >= count { break }
      }
      try decoder.finish()
      while let picture = try decoder.nextPicture() { take(picture) }
      return samples
    }

    /// HEVC of cameras, of 8 and 10 bits, with open groups of pictures and repeated parameter sets.
    @Test(
      "gives FFmpeg's samples, bit for bit", .needsCorpus, .judged(by: .ffmpeg),
      arguments: [
        Corpus.path("01-livephotos/iphone15plus", ".MOV"), Corpus.path("01-livephotos/iphone17pro", ".MOV"),
        "03-mov-mp4/iphone_hevc_shortclip.mov", "03-mov-mp4/ax_dolbyVision-hdr.MOV", "03-mov-mp4/ax_h265_bframes.mp4",
        "03-mov-mp4/ax_hlg10-color-test.mp4", "03-mov-mp4/ax_sample_unrecognized_hevc_sei.mp4",
        "03-mov-mp4/ax_water_180_mvhevc_5frames.mov", "03-mov-mp4/mp4ff_stereo_spatial.mp4",
        "03-mov-mp4/mp4parse_hevc_white_frame.mp4",
      ])
    func exact(path: String) throws {
      let count = 4
      let samples = try Self.decode(Self.annexB(Corpus.file(path)), count: count)
      // All that is coded, as it is coded: no edit list, no turning, no change of format or range.
      let expected = try Judge.ffmpeg.ask(
        ["-v", "error", "-ignore_editlist", "1", "-noautorotate", "-i", Corpus.file(path), "-map", "0:v:0"]
          + ["-fps_mode", "passthrough", "-frames:v", "\(count)", "-f", "rawvideo", "-"]
      ).output
      #expect(samples.count == expected.count)
      let isSame = samples == expected
      #expect(isSame)
    }

    /// Parameter sets that are pushed again before a CRA spoil its RASL pictures in libde265, unless they are passed over.
    @Test("gives FFmpeg's samples of open groups of pictures", .judged(by: .x265, .ffmpeg))
    func openGroups() throws {
      let folder = try TemporaryFolder()
      let frames = (0..<24).flatMap { index in
        SequenceTests.frame(index / 3).planes.flatMap(\.packedSamples).map { UInt8(truncatingIfNeeded: $0) }
      }
      let input = try folder.write(frames, as: "in.yuv"), output = folder.path("out.hevc")
      try Judge.x265.ask(
        ["--input", input, "--input-res", "128x96", "--fps", "30", "--open-gop", "--keyint", "8", "--min-keyint", "8"]
          + ["--bframes", "4", "--repeat-headers", "--no-info", "--log-level", "none", "-o", output])
      let samples = try Self.decode(readFile(output), count: 24)
      let expected = try Judge.ffmpeg.ask(
        ["-v", "error", "-i", output, "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
      ).output
      #expect(samples.count == expected.count && samples.count == 24 * 128 * 96 * 3 / 2)
      let isSame = samples == expected
      #expect(isSame)
    }

    @Test("refuses a picture beyond the limits before it allocates")
    func limits() throws {
      let image = PlanarImage.synthetic(width: 128, height: 128, format: PixelFormat(.yuv420))
      let still = try HEVCEncoder(rateFactor: 30).encodeStill(image)
      var limits = Limits.standard
      limits.pixels = 128 * 128 - 1
      var decoder = try HEVCDecoder(limits: limits)
      var error: HEVCError?
      do { try decoder.decode(still.parameterSets) } catch let thrown { error = thrown }
      guard case .parse(.beyondLimit) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("survives damage: an error or a picture, never a crash")
    func damage() throws {
      let image = PlanarImage.synthetic(width: 128, height: 96, format: PixelFormat(.yuv420))
      let still = try HEVCEncoder(rateFactor: 24).encodeStill(image)
      let stream = try NALFraming.lengthPrefixed(.four).joined(still.parameterSets) + still.accessUnit
      var decoder = try HEVCDecoder(limits: Self.smallLimits)
      var pictures = 0
      for copy in damagedCopies(of: stream, count: 300, seed: 7) + truncations(of: stream, count: 100) {
        let picture = try? decoder.decodeStill(
          parameterSets: [], sample: copy.span, framing: .lengthPrefixed(.four))
        if picture != nil { pictures += 1 }
      }
      #expect(pictures < 400)
    }

    /// libde265 prints lines about some parameter sets; they must not reach it.
    @Test("says nothing on standard error about damaged parameter sets")
    func silence() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let image = PlanarImage.synthetic(width: 128, height: 96, format: PixelFormat(.yuv420))
        let still = try HEVCEncoder(rateFactor: 24).encodeStill(image)
        var decoder = try HEVCDecoder(limits: DecoderTests.smallLimits)
        for index in 0..<3 {
          for copy in damagedCopies(of: still.parameterSets[index], count: 400, seed: UInt64(index)) {
            var sets = still.parameterSets
            sets[index] = copy
            _ = try? decoder.decodeStill(
              parameterSets: sets, sample: still.accessUnit.span, framing: .lengthPrefixed(.four))
          }
        }
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.isEmpty)
    }

    static var smallLimits: Limits {
      var limits = Limits.standard
      limits.pixels = 1 << 20
      return limits
    }

    @Test("says so when there is no picture")
    func nothing() throws {
      var decoder = try HEVCDecoder()
      var error: HEVCError?
      do {
        _ = try decoder.decodeStill(parameterSets: [], sample: [UInt8]().span, framing: .lengthPrefixed(.four))
      } catch let thrown { error = thrown }
      #expect(error == .noPicture)
    }

    @Test("refuses units and lengths that are not whole", arguments: [[0x40], [0, 0, 0, 9, 0x40, 1]] as [[UInt8]])
    func malformed(bytes: [UInt8]) throws {
      var decoder = try HEVCDecoder()
      var error: HEVCError?
      do { try decoder.decode(sample: bytes.span, framing: .lengthPrefixed(.four)) } catch let thrown { error = thrown }
      guard case .parse = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
#endif
