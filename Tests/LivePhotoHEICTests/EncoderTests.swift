#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEIC encoder")
  struct EncoderTests {
    /// Sides at which something changes: a single sample, odd, below a coding tree unit (64), a tile (here 128) and one
    /// more or less, several tiles.
    static let sizes: [(Int, Int)] = [
      (1, 1), (2, 2), (31, 33), (63, 64), (64, 64), (65, 64), (70, 70), (127, 128), (129, 127), (1, 300), (257, 131),
    ]
    static let color = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    static let encoder = HEICEncoder(preset: .ultrafast, tiles: .side(128), threads: .count(2))

    static func encode(
      _ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.yuv420), color: ColorDescription = color
    ) throws -> (image: PlanarImage, file: [UInt8]) {
      let image = PlanarImage.synthetic(width: width, height: height, format: format, color: color)
      return (image, try encoder.encode(image).materialized())
    }

    @Test(
      "keeps every size and format, and what the samples mean",
      arguments: [
        PixelFormat(.yuv420), PixelFormat(.yuv420, bitDepth: 10), PixelFormat(.yuv420, bitDepth: 12),
        PixelFormat(.yuv400),
        PixelFormat(.yuv400, bitDepth: 10), PixelFormat(.yuv444), PixelFormat(.yuv444, bitDepth: 12),
        PixelFormat(.yuv422),
      ])
    func roundTrip(format: PixelFormat) throws {
      for (width, height) in Self.sizes {
        let (image, file) = try Self.encode(width, height, format)
        let picture = try decoded(file).image
        #expect((picture.width, picture.height) == (width, height))
        #expect(picture.format == format)
        #expect(picture.color == Self.color)
        // Two-sided: noise is not kept. A few samples can be met all but exactly.
        let ratio = psnr(image, picture)
        #expect(ratio > 33 && (ratio < 60 || width * height <= 300), "\(width)x\(height) \(format): \(ratio) dB")
      }
    }

    @Test(
      "makes files that pillow-heif, heif-convert and heif-info show alike",
      .judged(by: .python, .heifConvert, .heifInfo))
    func judges() throws {
      let folder = try TemporaryFolder()
      var names: [String] = []
      var ours: [String: RasterImage] = [:]
      for (width, height) in Self.sizes {
        let name = "\(width)x\(height).heic"
        let file = try Self.encode(width, height).file
        _ = try folder.write(file, as: name)
        names.append(name)
        ours[name] = try decoded(file).image.raster()
        let info = try Judge.heifInfo.ask([folder.path(name)]).text
        #expect(info.contains("image: \(width)x\(height) "), "\(info)")
      }
      let shown = try pillow(names, in: folder), converted = try heifConvert(names, in: folder)
      for name in names {
        let raster = try #require(ours[name])
        guard case .bytes(let samples) = raster.samples else { continue }
        let pillow = try #require(shown[name]), other = try #require(converted[name])
        #expect((pillow.width, pillow.height) == (raster.width, raster.height), "\(name)")
        #expect((other.width, other.height) == (raster.width, raster.height), "\(name)")
        // pillow-heif repeats chroma as we do, so only rounding differs; heif-convert may interpolate it.
        let largest = zip(samples, pillow.rgb).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(largest <= 1, "\(name): \(largest) levels")
        #expect(psnr(samples, other.rgb, peak: 255) > 30, "\(name)")
      }
    }

    @Test(
      "shows all eight orientations upright everywhere", .judged(by: .python, .heifConvert),
      arguments: [
        (96, 64), (130, 200),
      ])
    func orientations(width: Int, height: Int) throws {
      let folder = try TemporaryFolder()
      // Four quarters of different brightness tell the eight orientations apart.
      var image = PlanarImage(width: width, height: height, format: PixelFormat(.yuv420), color: Self.color)
      let levels: [UInt8] = [30, 90, 160, 230]
      let luma = (0..<width * height).map { levels[($0 / width * 2 / height) * 2 + $0 % width * 2 / width] }
      image.planes[0] = Plane(width: width, height: height, samples: .bytes(luma))
      var names: [String] = []
      for orientation in Orientation.allCases {
        let name = "\(orientation).heic"
        _ = try folder.write(Self.encoder.encode(image, orientation: orientation).materialized(), as: name)
        names.append(name)
      }
      let upright = try #require(image.raster())
      for shown in [try pillow(names, in: folder), try heifConvert(names, in: folder)] {
        for orientation in Orientation.allCases {
          let expected = upright.turned(orientation)
          let picture = try #require(shown["\(orientation).heic"])
          #expect((picture.width, picture.height) == (expected.width, expected.height), "\(orientation)")
          for (x, y) in [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)] {
            let at = (Int(x * Double(expected.width)), Int(y * Double(expected.height)))
            let difference = abs(Int(picture.pixel(x, y)[0]) - Int(expected[at.0, at.1, 0]))
            #expect(difference < 12, "\(orientation) at \(x), \(y)")
          }
        }
      }
    }

    @Test("writes a camera's graph: hidden tiles, shared properties, one grid")
    func graph() throws {
      let file = try HEIFFile(parsing: MemorySource(Self.encode(257, 131).file))
      let primary = try #require(file.primaryItem)
      #expect(primary.type == "grid" && !primary.isHidden)
      #expect(try file.gridLayout(of: primary.id) == GridLayout(rows: 2, columns: 3, width: 257, height: 131))
      let tiles = file.tiles(of: primary.id).compactMap { file.item($0) }
      #expect(tiles.count == 6 && tiles.allSatisfy { $0.isHidden && $0.type == "hvc1" })
      #expect(Set(tiles.map(\.associations)).count == 1)
      #expect(file.properties.filter { $0.type == "hvcC" }.count == 1)
      #expect(file.colorDescription(of: primary.id) == Self.color)
      #expect(file.bitsPerChannel(of: primary.id) == [8, 8, 8])
      #expect(file.brands?.major == "heic")
      #expect(file.brands?.contains("mif1") == true)
    }

    @Test(
      "names the brand that the profile allows",
      arguments: [
        (PixelFormat(.yuv420), "heic"), (PixelFormat(.yuv420, bitDepth: 10), "heix"), (PixelFormat(.yuv444), "heix"),
        (PixelFormat(.yuv400), "heix"),
      ] as [(PixelFormat, FourCC)])
    func brand(format: PixelFormat, brand: FourCC) throws {
      let file = try HEIFFile(parsing: MemorySource(Self.encode(64, 64, format).file))
      #expect(file.brands?.major == brand)
      let primary = try #require(file.primaryItem)
      #expect(primary.type == "hvc1")
      let record = try #require(file.hevcConfiguration(of: primary.id))
      var cursor = ByteCursor(record.span)
      let profile = try HEVCDecoderConfiguration(parsing: &cursor).profileTierLevel.profile
      #expect(profile == (format.chroma == .yuv420 ? (format.bitDepth == 8 ? 3 : 2) : 4))
    }

    /// MIAF wants whole chroma samples in each row and column of a grid (ISO/IEC 23000-22, 7.3.11.4.2).
    @Test(
      "claims MIAF where the grid is as MIAF asks",
      arguments: [
        (257, 131, ChromaFormat.yuv420, false), (258, 131, .yuv420, false), (258, 130, .yuv420, true),
        (257, 131, .yuv444, true), (257, 131, .yuv400, true), (257, 130, .yuv422, false), (258, 131, .yuv422, true),
        (64, 64, .yuv420, true), (63, 63, .yuv420, false),
      ])
    func miaf(width: Int, height: Int, chroma: ChromaFormat, isMIAF: Bool) throws {
      let file = try HEIFFile(parsing: MemorySource(Self.encode(width, height, PixelFormat(chroma)).file))
      #expect(file.brands?.contains("miaf") == isMIAF)
    }

    @Test("carries Exif, an ICC profile, crop and pixel shape", .judged(by: .exiftool))
    func metadata() throws {
      // A TIFF header and one entry: Make "ABC".
      let tiff: [UInt8] = [
        0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x0F, 0, 2, 0, 0, 0, 4, 0x41, 0x42, 0x43, 0, 0, 0, 0, 0,
      ]
      let profile = [UInt8](repeating: 7, count: 200)
      let aperture = CleanAperture(
        width: .init(100), height: .init(90), horizontalOffset: .init(0), verticalOffset: .init(0))
      let shape = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
      let image = PlanarImage.synthetic(width: 140, height: 130, format: PixelFormat(.yuv420), color: Self.color)
      let bytes = try Self.encoder.encode(
        image, orientation: .right, cleanAperture: aperture, pixelAspectRatio: shape,
        exif: ExifBlock(parsing: tiff), icc: profile
      ).materialized()
      let picture = try decoded(bytes)
      #expect(picture.icc == profile)
      #expect(picture.image.color == Self.color)
      #expect(picture.transforms == [.crop(aperture), .orient(.right)])
      let file = try HEIFFile(parsing: MemorySource(bytes))
      let primary = try #require(file.primaryItem)
      #expect(file.displaySize(of: primary.id).map { [$0.width, $0.height] } == [90, 100])
      #expect(file.properties(of: primary.id).contains(.pixelAspectRatio(shape)))
      #expect(try file.exif()?.block.bytes == tiff)
      let path = try TemporaryFolder()
      #expect(try tags(of: path.write(bytes, as: "a.heic"))["IFD0:Make"] == "ABC")
    }

    @Test("writes the same bytes for any number of threads", arguments: [HEICTiles.side(128), .none])
    func determinism(tiles: HEICTiles) throws {
      let image = PlanarImage.synthetic(width: 600, height: 520, format: PixelFormat(.yuv420), color: Self.color)
      let files = try [Threads.count(1), .count(2), .count(3), .allCores].map {
        try HEICEncoder(preset: .ultrafast, tiles: tiles, threads: $0).encode(image).materialized()
      }
      for file in files.dropFirst() {
        let isSame = file == files[0]
        #expect(isSame)
      }
    }

    @Test("costs and keeps more as the quality rises")
    func quality() throws {
      let image = PlanarImage.synthetic(width: 320, height: 256, format: PixelFormat(.yuv420), color: Self.color)
      var last = (size: 0, ratio: 0.0)
      for quality in [1, 30, 60, 80, 90, 100] {
        let file = try HEICEncoder(quality: quality, tiles: .none).encode(image).materialized()
        let ratio = psnr(image, try decoded(file).image)
        #expect(file.count > last.size && ratio > last.ratio, "quality \(quality)")
        last = (file.count, ratio)
      }
      #expect((16...22).contains(HEICEncoder.rateFactor(quality: 80)))
      #expect(HEICEncoder.rateFactor(quality: 0) == HEICEncoder.rateFactor(quality: 1))
    }

    @Test("says nothing on standard error, whatever it is given")
    func silence() async throws {
      let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let image = PlanarImage.synthetic(width: 200, height: 130, format: PixelFormat(.yuv420))
        let file = try HEICEncoder(tiles: .side(128), threads: .count(2)).encode(image).materialized()
        _ = try decoded(file)
        for copy in damagedCopies(of: file, count: 20, seed: 3) { _ = try? decoded(copy, limits: .small) }
      }
      #expect(result.standardErrorContent.isEmpty)
    }

    @Test("refuses what it cannot write, with a reason")
    func refusals() throws {
      let image = PlanarImage(width: 64, height: 64, format: PixelFormat(.yuv420))
      for side in [0, 32, 100, 8256] {
        #expect(ownError { _ = try HEICEncoder(tiles: .side(side)).encode(image) } != nil, "\(side)")
      }
      let deep = PlanarImage(width: 64, height: 64, format: PixelFormat(.yuv420, bitDepth: 16))
      #expect(ownError { _ = try HEICEncoder().encode(deep) } != nil)
      let empty = PlanarImage(width: 0, height: 0, format: PixelFormat(.yuv420))
      #expect(ownError { _ = try HEICEncoder().encode(empty) } != nil)
    }

    /// The bound that the default quality promises, on part of a camera's busy picture.
    @Test("keeps 40 dB of a camera's picture at the default quality", .needsCorpus)
    func cameraQuality() throws {
      let source = try decoded(Corpus.bytes("02-heif/iphone13pro_portrait_pug.heic")).image
      let image = source.cropped(x: 1500, y: 1000, width: 1024, height: 768)
      let file = try HEICEncoder(threads: .allCores).encode(image).materialized()
      let ratio = psnr(image, try decoded(file).image)
      #expect(ratio > 40 && ratio < 52, "\(ratio) dB")
      let bits = Double(file.count * 8) / Double(1024 * 768)
      #expect(bits > 0.3 && bits < 4, "\(bits) bits a pixel")
    }
  }

  extension Limits {
    /// For damaged files: nothing large.
    static var small: Limits {
      var limits = Limits.standard
      limits.pixels = 1 << 20
      return limits
    }
  }
#endif
