#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoHEIC
  import LivePhotoHEIF
  import TestSupport
  import Testing

  /// What `encode` keeps in a HEIC: alpha, and without loss every sample.
  @Suite struct ExactEncodingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A picture of every kind of pixels, written as PAM.
    private func pam(_ width: Int, _ height: Int, _ channels: RasterImage.Channels, bitDepth: Int = 8) throws
      -> (path: String, picture: RasterImage)
    {
      var generator = SplitMix64(seed: UInt64(width * 31 + channels.rawValue))
      let maximum = UInt64(1 << bitDepth)
      let values = (0..<width * height * channels.rawValue).map { index in
        UInt16((generator.next() % 16 + UInt64(index * 3)) % maximum)
      }
      let picture = RasterImage(
        width: width, height: height, channels: channels, bitDepth: bitDepth,
        samples: bitDepth == 8 ? .bytes(values.map { UInt8($0) }) : .words(values))
      return (try folder.write(try picture.netpbm(.pam), as: "in\(width)x\(height).pam"), picture)
    }

    private var lossless: PictureEncoder {
      var encoder = PictureEncoder(threads: .count(2))
      (encoder.isLossless, encoder.preset) = (true, .ultrafast)
      return encoder
    }

    /// The picture in a PAM file.
    private func picture(_ path: String) throws -> RasterImage { try RasterImage(netpbm: MemorySource(readFile(path))) }

    @Test(
      "RGB and grey with or without alpha come back bit for bit, here and from pillow-heif", .judged(by: .python),
      arguments: RasterImage.Channels.allCases)
    func losslessPixels(channels: RasterImage.Channels) throws {
      let heic = folder.path("out.heic"), back = folder.path("back.pam")
      for (width, height) in [(1, 1), (65, 64), (513, 511)] {
        let (source, before) = try pam(width, height, channels)
        let report = try lossless.encode(source, as: .heic(), to: heic, overwrite: true)
        #expect(report.warnings == [] && (report.width, report.height) == (width, height))
        _ = try PictureDecoder().decode(heic, as: .pam, to: back, overwrite: true)
        let isSame = try picture(back) == before
        #expect(isSame, "\(width)x\(height)")
        guard case .bytes(let bytes) = before.samples else { continue }
        let program = """
          import sys, pillow_heif
          from PIL import Image
          pillow_heif.register_heif_opener()
          image = Image.open(sys.argv[1])
          bands = {1: [0], 2: [0, 3], 3: [0, 1, 2], 4: [0, 1, 2, 3]}[int(sys.argv[3])]
          image = image.convert('RGBA')
          parts = [image.getchannel(band) for band in bands]
          merged = Image.merge({1: 'L', 2: 'LA', 3: 'RGB', 4: 'RGBA'}[len(parts)], parts)
          open(sys.argv[2], 'wb').write(merged.tobytes())
          """
        try python(program, [heic, folder.path("raw"), "\(channels.rawValue)"])
        let isPillows = try readFile(folder.path("raw")) == bytes
        #expect(isPillows, "\(width)x\(height)")
      }
    }

    @Test("deep pixels come back bit for bit; those of more bits than HEVC has are refused", arguments: [10, 12, 16])
    func losslessDepths(bitDepth: Int) throws {
      let heic = folder.path("out.heic"), back = folder.path("back.pam")
      let (source, before) = try pam(70, 66, .rgba, bitDepth: bitDepth)
      guard bitDepth <= 12 else {
        let error = #expect(throws: LivePhotoError.self) { try lossless.encode(source, as: .heic(), to: heic) }
        #expect(error?.description.contains("16") == true)
        _ = try PictureEncoder().encode(source, as: .heic(), to: heic)
        return
      }
      _ = try lossless.encode(source, as: .heic(), to: heic)
      _ = try PictureDecoder().decode(heic, as: .pam, to: back)
      let isSame = try picture(back) == before
      #expect(isSame)
    }

    /// The planes of a JPEG as its decoder gives them are the planes of the HEIC.
    @Test(.judged(by: .python)) func losslessPlanes() throws {
      let jpeg = folder.path("in.jpg"), heic = folder.path("out.heic"), again = folder.path("again.heic")
      let (source, _) = try pam(100, 84, .rgb)
      _ = try PictureEncoder().encode(source, as: .jpeg(), to: jpeg)
      #expect(try lossless.encode(jpeg, as: .heic(), to: heic).warnings == [])
      _ = try lossless.encode(heic, as: .heic(), to: again)
      var planes: [[UInt8]] = []
      for path in [jpeg, heic, again] {
        let goal = folder.path("\(planes.count).y4m")
        _ = try PictureDecoder().decode(path, as: .y4m, to: goal)
        planes.append(try readFile(goal))
      }
      let isSame = planes[0] == planes[1] && planes[0] == planes[2]
      #expect(isSame)
      #expect(throws: LivePhotoError.self) { try lossless.encode(source, as: .jpeg(), to: folder.path("b.jpg")) }
    }

    @Test(
      "alpha goes along at every quality and turn, from PAM and from HEIC", .judged(by: .python, .heifInfo),
      arguments: Orientation.allCases)
    func alpha(orientation: Orientation) throws {
      let color = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)
      let image = PlanarImage.synthetic(width: 96, height: 80, format: PixelFormat(.yuv420), color: color)
      let opacity = PlanarImage.synthetic(width: 96, height: 80, format: PixelFormat(.yuv400), seed: 5)
      let plan = try HEICEncoder(isLossless: true).encode(
        image, orientation: orientation, companions: [.alpha(opacity)])
      let source = try folder.write(try plan.materialized(), as: "in.heic")
      let copy = folder.path("copy.heic")
      #expect(try PictureEncoder().encode(source, as: .heic(quality: 90), to: copy).warnings == [])
      #expect(try Judge.heifInfo.ask([copy]).text.contains("alpha channel: yes"))
      let pam = folder.path("upright.pam"), again = folder.path("again.heic")
      _ = try PictureDecoder().decode(source, as: .pam, to: pam)
      #expect(try PictureEncoder().encode(pam, as: .heic(quality: 90), to: again).warnings == [])
      let program = """
        import sys, pillow_heif
        import numpy as np
        from PIL import Image
        pillow_heif.register_heif_opener()
        source, *others = [np.asarray(Image.open(path)).astype(int) for path in sys.argv[1:]]
        for other in others:
            assert source.shape == other.shape and source.shape[2] == 4
            assert np.abs(source - other)[..., 3].mean() < 2, np.abs(source - other)[..., 3].mean()
            assert np.abs(source - other)[..., :3].mean() < 8, np.abs(source - other)[..., :3].mean()
        """
      try python(program, [source, copy, again])
      // Planes stay as they are, so without loss nothing is lost.
      let exact = folder.path("exact.heic")
      _ = try lossless.encode(source, as: .heic(), to: exact)
      let files = try [source, exact].map { try HEIFFile(parsing: MemorySource(readFile($0))) }
      let pictures = try files.map { try HEICDecoder().decode($0).image }
      let alphas = try files.map { file in
        let item = try #require(file.primaryItem.flatMap { file.auxiliaryImages(of: $0.id).first })
        return try HEICDecoder().decode(file, item: item.item.id).image
      }
      #expect(files[0].orientation(of: try #require(files[0].primaryItem?.id)) == orientation)
      let isSame = pictures[0] == pictures[1] && alphas[0].planes == alphas[1].planes
      #expect(isSame)
    }

    @Test("a picture that is opaque everywhere gets no alpha") func opaque() throws {
      let picture = RasterImage(
        width: 64, height: 64, channels: .rgba, samples: .bytes([UInt8](repeating: 255, count: 64 * 64 * 4)))
      let source = try folder.write(try picture.netpbm(.pam), as: "in.pam"), heic = folder.path("out.heic")
      _ = try PictureEncoder().encode(source, as: .heic(), to: heic)
      let file = try HEIFFile(parsing: MemorySource(readFile(heic)))
      #expect(file.items.count == 1)
    }

    @Test("more work makes a smaller file of a like quality") func presets() throws {
      let image = PlanarImage.synthetic(
        width: 256, height: 256, format: PixelFormat(.yuv420), color: ColorDescription(matrix: 6, isFullRange: true))
      let raster = try #require(image.raster())
      let source = try folder.write(try raster.netpbm(.ppm), as: "in.ppm")
      var files: [StillPreset: [UInt8]] = [:]
      for preset in StillPreset.allCases {
        var encoder = PictureEncoder()
        encoder.preset = preset
        let goal = folder.path("\(preset).heic")
        _ = try encoder.encode(source, as: .heic(), to: goal)
        files[preset] = try readFile(goal)
      }
      #expect(Set(files.values).count == 4)
      let sizes = [StillPreset.veryfast, .slow].compactMap { files[$0]?.count }
      #expect(sizes[1] < sizes[0])
    }
  }
#endif
