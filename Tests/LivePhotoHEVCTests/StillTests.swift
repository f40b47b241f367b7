#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEVC stills")
  struct StillTests {
    static let formats: [PixelFormat] = [.yuv400, .yuv420, .yuv422, .yuv444].flatMap { chroma in
      [8, 10, 12].map { PixelFormat(chroma, bitDepth: $0) }
    }

    /// Decodes with our own decoder.
    static func decode(_ still: HEVCStill) throws -> PlanarImage {
      var decoder = try HEVCDecoder()
      return try decoder.decodeStill(
        parameterSets: still.parameterSets, sample: still.accessUnit.span, framing: .lengthPrefixed(.four))
    }

    @Test("come back in every format, close but not identical", arguments: formats)
    func roundTrip(format: PixelFormat) throws {
      let color = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
      let image = PlanarImage.synthetic(width: 134, height: 98, format: format, color: color)
      let still = try HEVCEncoder(rateFactor: 18).encodeStill(image)
      let decoded = try Self.decode(still)
      #expect(decoded.format == format)
      #expect(decoded.color == color)
      #expect((decoded.width, decoded.height) == (134, 98))
      // Two-sided: 12 bits of noise cannot be kept at this rate, and a perfect copy would mean that nothing was coded.
      let ratio = psnr(image, decoded)
      #expect(ratio > 36 && ratio < 60, "\(ratio) dB")
    }

    @Test("name the profile that players and the brand 'heic' ask for", arguments: formats)
    func profile(format: PixelFormat) throws {
      let image = PlanarImage.synthetic(width: 64, height: 64, format: format)
      for preset in [HEVCPreset.ultrafast, .veryfast, .slow] {
        let still = try HEVCEncoder(rateFactor: 30, preset: preset).encodeStill(image)
        let profile = try still.configuration().profileTierLevel.profile
        switch (format.chroma, format.bitDepth) {
        case (.yuv420, 8): #expect(profile == 3, "Main Still Picture")
        case (.yuv420, 10): #expect(profile == 2, "Main 10")
        default: #expect(profile == 4, "format range extensions")
        }
        let units = try NALFraming.lengthPrefixed(.four).units(in: still.accessUnit.span)
        // One IDR picture and nothing else: no SEI with x265's options, no parameter sets.
        #expect(units.count == 1)
        #expect(try HEVCNALUnitHeader(parsing: still.accessUnit.span.extracting(4..<6)).type.isIDR)
        #expect(
          try still.configuration().parameterSets.map { try HEVCNALUnitHeader(parsing: $0.span).type } == [
            .vps, .sps, .pps,
          ])
      }
    }

    @Test("say nothing of colours where nothing is known, but the range", arguments: [false, true])
    func unspecifiedColor(isFullRange: Bool) throws {
      let color = ColorDescription(isFullRange: isFullRange)
      let image = PlanarImage.synthetic(width: 64, height: 64, format: PixelFormat(.yuv420), color: color)
      let still = try HEVCEncoder(rateFactor: 30).encodeStill(image)
      #expect(try still.configuration().sequenceParameterSet().format.color == color)
    }

    @Test(
      "crop to any size that chroma allows",
      arguments: [
        (2, 2), (62, 64), (64, 62), (2, 514), (64, 64), (66, 64), (70, 70), (126, 514), (514, 126), (512, 512),
      ])
    func sizes(width: Int, height: Int) throws {
      let image = PlanarImage.synthetic(width: width, height: height, format: PixelFormat(.yuv420))
      let decoded = try Self.decode(HEVCEncoder(rateFactor: 20).encodeStill(image))
      #expect((decoded.width, decoded.height) == (width, height))
      #expect(psnr(image, decoded) > 36)
    }

    @Test("of full chroma, or none, crop to odd sizes", arguments: [ChromaFormat.yuv400, .yuv444])
    func oddSizes(chroma: ChromaFormat) throws {
      for (width, height) in [(1, 1), (1, 65), (63, 3), (67, 65)] {
        let image = PlanarImage.synthetic(width: width, height: height, format: PixelFormat(chroma, bitDepth: 10))
        let isKept = try Self.decode(HEVCEncoder(rateFactor: 20, isLossless: true).encodeStill(image)) == image
        #expect(isKept, "\(width)x\(height)")
      }
    }

    @Test("are refused where they end within a sample of chroma", arguments: [(62, 63), (64, 63), (65, 64), (64, 1)])
    func refusals(width: Int, height: Int) throws {
      let image = PlanarImage.synthetic(width: width, height: height, format: PixelFormat(.yuv420))
      let error = #expect(throws: HEVCError.self) { try HEVCEncoder(rateFactor: 20).encodeStill(image) }
      guard case .unsupported = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test("are refused at depths and rates that do not exist")
    func badSettings() throws {
      let odd = PlanarImage(width: 64, height: 64, format: PixelFormat(.yuv420, bitDepth: 9))
      #expect(throws: HEVCError.unsupported("8, 10 or 12 bits")) { try HEVCEncoder(rateFactor: 20).encodeStill(odd) }
      let image = PlanarImage(width: 64, height: 64, format: PixelFormat(.yuv420))
      for rate in [-1, 52, Double.nan] {
        #expect(throws: HEVCError.unsupported("the rate factor is 0 to 51")) {
          try HEVCEncoder(rateFactor: rate).encodeStill(image)
        }
      }
    }

    @Test("have the same bytes whatever came before and however many threads there are")
    func determinism() throws {
      let image = PlanarImage.synthetic(width: 320, height: 256, format: PixelFormat(.yuv420))
      let other = PlanarImage.synthetic(width: 128, height: 128, format: PixelFormat(.yuv444, bitDepth: 10), seed: 9)
      let plain = try HEVCEncoder(rateFactor: 22).encodeStill(image)
      _ = try HEVCEncoder(rateFactor: 22, preset: .ultrafast).encodeStill(other)
      let again = try HEVCEncoder(rateFactor: 22).encodeStill(image)
      let isSame = again == plain
      #expect(isSame)
      let wave = try HEVCEncoder(rateFactor: 22, isWavefront: true, threads: .count(1)).encodeStill(image)
      for threads in [Threads.count(2), .count(3), .allCores] {
        let again = try HEVCEncoder(rateFactor: 22, isWavefront: true, threads: threads).encodeStill(image)
        let isSame = again == wave
        #expect(isSame)
      }
    }

    @Test("decode to the same samples in FFmpeg", .judged(by: .ffmpeg))
    func ffmpegAgrees() throws {
      let image = PlanarImage.synthetic(width: 134, height: 98, format: PixelFormat(.yuv420))
      let still = try HEVCEncoder(rateFactor: 20).encodeStill(image)
      let units = try NALFraming.lengthPrefixed(.four).units(in: still.accessUnit.span).map {
        Array(still.accessUnit[$0])
      }
      let folder = try TemporaryFolder()
      let path = try folder.write(NALFraming.annexB.joined(still.parameterSets + units), as: "still.hevc")
      let samples = try ffmpegFrame(0, of: path, pixelFormat: "yuv420p")
      let decoded = try Self.decode(still)
      let isSame = samples.map { UInt16($0) } == decoded.planes.flatMap(\.packedSamples)
      #expect(isSame)
    }

    @Test("leave nothing behind after hundreds of encoders and decoders")
    func leaks() throws {
      let image = PlanarImage.synthetic(width: 64, height: 64, format: PixelFormat(.yuv420))
      func cycle(_ count: Int) throws {
        for _ in 0..<count { _ = try Self.decode(HEVCEncoder(rateFactor: 30, preset: .ultrafast).encodeStill(image)) }
      }
      try cycle(20)
      let before = try residentKilobytes()
      try cycle(400)
      // A leaked encoder would be some 300 kB; other tests of this process come and go at the same time.
      #expect(try residentKilobytes() - before < 60_000)
    }
  }

  /// The memory that this process has in use.
  private func residentKilobytes() throws -> Int {
    let status = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
#endif
