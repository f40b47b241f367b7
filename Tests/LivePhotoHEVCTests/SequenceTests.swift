#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEVC sequences")
  struct SequenceTests {
    static let format = PixelFormat(.yuv420)

    static func frame(_ index: Int) -> PlanarImage {
      .synthetic(width: 128, height: 96, format: format, seed: UInt64(index))
    }

    /// Encodes frames at times that tell them apart.
    static func encode(_ count: Int, bPictures: Int?, idr: Set<Int> = []) throws -> ([[UInt8]], [HEVCAccessUnit]) {
      var session = try HEVCEncoder(rateFactor: 24).session(
        width: 128, height: 96, format: format, rate: (30, 1), bPictures: bPictures)
      var units: [HEVCAccessUnit] = []
      for index in 0..<count {
        units += try session.encode(frame(index), at: Int64(index) * 20, isIDR: idr.contains(index))
      }
      units += try session.finish()
      return (session.parameterSets, units)
    }

    @Test("come back in order, each picture with its tag", arguments: [0, 3, nil] as [Int?], [1, 2])
    func order(bPictures: Int?, threads: Int) throws {
      let (sets, units) = try Self.encode(12, bPictures: bPictures, idr: [7])
      #expect(units.map(\.presentation).sorted() == (0..<12).map { $0 * 20 })
      #expect(units.allSatisfy { $0.decoding <= $0.presentation })
      #expect(units.map(\.decoding) == units.map(\.decoding).sorted())
      #expect(units.filter(\.isIDR).map(\.presentation) == [0, 140])

      var decoder = try HEVCDecoder(threads: .count(threads))
      try decoder.decode(sets)
      var pictures: [HEVCPicture] = []
      for unit in units {
        try decoder.decode(sample: unit.bytes.span, framing: .lengthPrefixed(.four), tag: unit.presentation)
        while let picture = try decoder.nextPicture() { pictures.append(picture) }
      }
      try decoder.finish()
      while let picture = try decoder.nextPicture() { pictures.append(picture) }
      #expect(pictures.map(\.tag) == (0..<12).map { $0 * 20 })
      for (index, picture) in pictures.enumerated() {
        #expect(picture.damage == nil)
        let ratio = psnr(Self.frame(index), picture.image)
        #expect(ratio > 30 && ratio < 60, "picture \(index): \(ratio) dB")
      }
    }

    @Test("are Main, with no accidental profile, and players see the colours")
    func profile() throws {
      var session = try HEVCEncoder(rateFactor: 30).session(
        width: 128, height: 96, format: PixelFormat(.yuv420, bitDepth: 10),
        color: ColorDescription(primaries: 9, transfer: 18, matrix: 9), rate: (30000, 1001))
      let configuration = try session.configuration()
      #expect(configuration.profileTierLevel.profile == 2)
      let format = try configuration.sequenceParameterSet().format
      #expect(format.color == ColorDescription(primaries: 9, transfer: 18, matrix: 9))
      #expect(format.frameDuration == RationalTime(1001, 30000))
      _ = try session.finish()
    }

    @Test("refuse a key interval that would make x265 name a still profile")
    func keyInterval() {
      #expect(throws: HEVCError.self) {
        _ = try HEVCEncoder(rateFactor: 30).session(
          width: 64, height: 64, format: Self.format, rate: (30, 1), keyInterval: 1)
      }
    }

    @Test("refuse a picture of another size or format")
    func mismatch() throws {
      var session = try HEVCEncoder(rateFactor: 30).session(width: 128, height: 96, format: Self.format, rate: (30, 1))
      for image in [
        PlanarImage(width: 128, height: 98, format: Self.format),
        PlanarImage(width: 128, height: 96, format: PixelFormat(.yuv444)),
        PlanarImage(width: 128, height: 96, format: PixelFormat(.yuv420, bitDepth: 10)),
      ] {
        var error: HEVCError?
        do { _ = try session.encode(image, at: 0) } catch let thrown { error = thrown }
        #expect(error == .unsupported("the picture has another size or format than the encoder"))
      }
    }
  }
#endif
