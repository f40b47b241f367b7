#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("Overlays")
  struct OverlayTests {
    static let identity = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)

    /// A file of one picture, coded without loss.
    static func file(
      _ width: Int, _ height: Int, orientation: Orientation = .up, alpha: PlanarImage? = nil, bitDepth: Int = 8
    ) throws -> HEIFFile {
      let picture = PlanarImage.synthetic(
        width: width, height: height, format: PixelFormat(.yuv444, bitDepth: bitDepth), color: identity)
      let encoder = HEICEncoder(isLossless: true, preset: .ultrafast)
      let plan = try encoder.encode(
        picture, orientation: orientation, companions: alpha.map { [.alpha($0)] } ?? [])
      return try HEIFFile(parsing: MemorySource(plan.materialized()))
    }

    /// The payload of an overlay (ISO/IEC 23008-12, 6.6.2.2).
    static func payload(
      _ width: Int, _ height: Int, fill: [UInt16] = [0x1234, 0x8000, 0xFFFF, 0xFFFF], at offsets: [(Int, Int)],
      isWide: Bool = false
    ) -> [UInt8] {
      var writer = ByteWriter()
      writer.writeUInt8(0)
      writer.writeUInt8(isWide ? 1 : 0)
      for value in fill { writer.writeUInt16(value) }
      for value in [width, height] + offsets.flatMap({ [$0.0, $0.1] }) {
        if isWide {
          writer.writeUInt32(UInt32(truncatingIfNeeded: value))
        } else {
          writer.writeUInt16(UInt16(truncatingIfNeeded: value))
        }
      }
      return writer.bytes
    }

    /// The pictures of several files under an overlay, which is the primary item.
    static func overlay(_ payload: [UInt8], _ width: Int, _ height: Int, of files: [HEIFFile]) throws -> [UInt8] {
      var builder = try HEIFBuilder(copying: files[0])
      var sources = [try #require(files[0].primaryItem).id]
      for file in files.dropFirst() {
        sources.append(try builder.copyItem(try #require(file.primaryItem).id, from: file))
      }
      let overlay = builder.addItem("iovl", content: .inline(payload))
      builder.addProperty(.spatialExtents(width: UInt32(width), height: UInt32(height)), to: overlay)
      builder.addReference("dimg", from: overlay, to: sources)
      builder.primaryItem = overlay
      return try builder.plan().materialized()
    }

    @Test(
      "lay pictures over each other as pillow-heif does, beyond the edges too", .judged(by: .python),
      arguments: [false, true])
    func composition(isWide: Bool) throws {
      let files = [try Self.file(80, 64), try Self.file(96, 70, orientation: .right), try Self.file(64, 64)]
      let payload = Self.payload(120, 100, at: [(-10, -5), (70, 20), (30, 60)], isWide: isWide)
      let bytes = try Self.overlay(payload, 120, 100, of: files)
      let raster = try #require(decoded(bytes).image.raster())
      let folder = try TemporaryFolder()
      _ = try folder.write(bytes, as: "a.heic")
      let shown = try #require(try pillow(["a.heic"], in: folder)["a.heic"])
      #expect((shown.width, shown.height) == (raster.width, raster.height))
      let isSame = raster.samples == .bytes(shown.rgb)
      #expect(isSame)
      // The bare canvas, the first picture from its sixth row on, and the last one over the second.
      #expect((0..<3).map { raster[119, 2, $0] } == [0x12, 0x80, 0xFF])
      let first = try #require(decoded(files[0].source.read(0..<files[0].source.count)).image.raster())
      #expect((0..<3).map { raster[20, 11, $0] } == (0..<3).map { first[30, 16, $0] })
    }

    @Test("blend a picture by its alpha")
    func alpha() throws {
      var mask = PlanarImage(width: 64, height: 64, format: PixelFormat(.yuv400), fill: [255])
      for x in 0..<64 { for y in 0..<32 { mask.planes[0][x, y] = x < 32 ? 0 : 100 } }
      let file = try Self.file(64, 64, alpha: mask)
      let picture = try #require(decoded(file.source.read(0..<file.source.count)).image.raster())
      let blend = try #require(
        decoded(Self.overlay(Self.payload(64, 64, at: [(0, 0)]), 64, 64, of: [file])).image.raster())
      for (x, y, alpha) in [(5, 5, 0), (50, 5, 100), (50, 50, 255), (5, 50, 255)] {
        for (channel, fill) in [0x12, 0x80, 0xFF].enumerated() {
          let expected = (Int(picture[x, y, channel]) * alpha + fill * (255 - alpha) + 127) / 255
          #expect(Int(blend[x, y, channel]) == expected, "\(x), \(y), \(channel)")
        }
      }
    }

    /// Three times two hundred references ask for eight million pictures.
    @Test("of overlays are laid too, and refused where they multiply")
    func overlaysOfOverlays() throws {
      func nested(_ count: Int) throws -> [UInt8] {
        var builder = try HEIFBuilder(copying: try Self.file(64, 64))
        let payload = Self.payload(64, 64, at: Array(repeating: (0, 0), count: count))
        for _ in 0..<3 {
          let source = try #require(builder.primaryItem)
          let overlay = builder.addItem("iovl", content: .inline(payload))
          builder.addProperty(.spatialExtents(width: 64, height: 64), to: overlay)
          builder.addReference("dimg", from: overlay, to: Array(repeating: source, count: count))
          builder.primaryItem = overlay
        }
        return try builder.plan().materialized()
      }
      let file = try Self.file(64, 64)
      let isSame =
        try decoded(nested(1)).image.raster() == decoded(file.source.read(0..<file.source.count)).image.raster()
      #expect(isSame)
      let many = try nested(200)
      #expect(ownError { _ = try decoded(many) }?.contains("pixels that an overlay is made of") == true)
    }

    @Test("are refused where they ask for too much or say too little")
    func hostile() throws {
      let file = try Self.file(64, 64)
      let whole = Self.payload(64, 64, at: [(0, 0)])
      for payload in [Array(whole.dropLast()), [1] + whole.dropFirst(), Self.payload(0, 64, at: [(0, 0)])] {
        let bytes = try Self.overlay(payload, 64, 64, of: [file])
        #expect(ownError { _ = try decoded(bytes) } != nil)
      }
      let vast = try Self.overlay(Self.payload(60_000, 60_000, at: [(0, 0)]), 64, 64, of: [file])
      #expect(ownError { _ = try decoded(vast) }?.contains("pixels") == true)
      let far = try Self.overlay(
        Self.payload(64, 64, at: [(Int(Int32.min), Int(Int32.max))], isWide: true), 64, 64, of: [file])
      #expect(try decoded(far).image.raster()?[0, 0, 1] == 0x80)
      let deep = try Self.overlay(Self.payload(64, 64, at: [(0, 0)]), 64, 64, of: [try Self.file(64, 64, bitDepth: 10)])
      #expect(ownError { _ = try decoded(deep) }?.contains("8 bits") == true)
    }
  }
#endif
