#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoFiles
  import LivePhotoHEIC
  import TestSupport
  import Testing

  /// `encode` and `decode` of pictures that are turned, cropped or have alpha, as Pillow and pillow-heif see them.
  @Suite struct ConvertTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Whether the middle of a picture is all that it shows.
    enum Crop: CaseIterable { case whole, middle }

    /// A HEIC file of four tiles that is cropped, then turned.
    private func heic(_ orientation: Orientation, _ crop: Crop) throws -> String {
      let image = PlanarImage.synthetic(
        width: 96, height: 80, format: PixelFormat(.yuv420), color: ColorDescription(matrix: 6, isFullRange: true))
      let middle = CleanAperture(
        width: .init(64), height: .init(48), horizontalOffset: .init(0), verticalOffset: .init(0))
      let plan = try HEICEncoder(quality: 90, tiles: .side(64)).encode(
        image, orientation: orientation, cleanAperture: crop == .middle ? middle : nil)
      return try folder.write(try plan.materialized(), as: "in.heic")
    }

    /// What Pillow shows of a picture, upright and as RGB: a binary PPM.
    private func shown(_ path: String) throws -> RasterImage {
      let program = """
        import sys, pillow_heif
        from PIL import Image, ImageOps
        pillow_heif.register_heif_opener()
        ImageOps.exif_transpose(Image.open(sys.argv[1])).convert('RGB').save(sys.argv[2])
        """
      try python(program, [path, folder.path("shown.ppm")])
      return try RasterImage(netpbm: MemorySource(readFile(folder.path("shown.ppm"))))
    }

    private func expect(_ picture: RasterImage, isLike other: RasterImage, leastPSNR: Double) {
      #expect((picture.width, picture.height) == (other.width, other.height))
      guard case .bytes(let bytes) = picture.samples, case .bytes(let others) = other.samples,
        bytes.count == others.count
      else {
        Issue.record("not two pictures of 8 bits and one size")
        return
      }
      #expect(psnr(bytes, others, peak: 255) >= leastPSNR)
    }

    @Test(.judged(by: .python), arguments: Orientation.allCases, Crop.allCases)
    func whatIsDecodedIsUpright(orientation: Orientation, crop: Crop) throws {
      let source = try heic(orientation, crop), goal = folder.path("out.ppm")
      let report = try PictureDecoder().decode(source, as: .ppm, to: goal)
      let size = crop == .whole ? (96, 80) : (64, 48)
      #expect((report.width, report.height) == (orientation.swapsAxes ? (size.1, size.0) : size))
      let decoded = try RasterImage(netpbm: MemorySource(readFile(goal)))
      // Within rounding: chroma is repeated by both.
      expect(decoded, isLike: try shown(source), leastPSNR: 50)
      let stored = try PictureDecoder(isUpright: false).decode(source, as: .ppm, to: goal, overwrite: true)
      #expect((stored.width, stored.height) == (96, 80))
    }

    @Test(.judged(by: .python), arguments: Orientation.allCases, Crop.allCases)
    func whatIsEncodedLooksTheSame(orientation: Orientation, crop: Crop) throws {
      let source = try heic(orientation, crop)
      let before = try shown(source)
      for (format, name) in [(StillFormat.heic(quality: 90), "out.heic"), (.jpeg(quality: 95), "out.jpg")] {
        _ = try PictureEncoder().encode(source, as: format, to: folder.path(name))
        // The noise of the picture's chroma is interpolated in one and not in the other; turned wrongly it is 15 dB.
        expect(try shown(folder.path(name)), isLike: before, leastPSNR: 30)
      }
    }

    /// What is transparent becomes white in a JPEG, and what is half so is half way there.
    @Test(.judged(by: .python))
    func alphaIsLaidOverWhite() throws {
      let alphas: [UInt8] = [0, 128, 255]
      let pixels = (0..<48 * 48).flatMap { [200, 0, 0, alphas[$0 % 48 / 16]] as [UInt8] }
      let picture = RasterImage(width: 48, height: 48, channels: .rgba, samples: .bytes(pixels))
      let source = try folder.write(try picture.netpbm(.pam), as: "in.pam")
      let report = try PictureEncoder().encode(source, as: .jpeg(quality: 95), to: folder.path("out.jpg"))
      #expect(report.warnings.contains { $0.contains("over white") })
      let result = try shown(folder.path("out.jpg"))
      for (column, expected) in [(4, [255, 255, 255]), (24, [227, 127, 127]), (44, [200, 0, 0])] {
        for channel in 0..<3 {
          let value = Int(result[column, 20, channel])
          #expect(abs(value - expected[channel]) <= 6, "column \(column), channel \(channel): \(value)")
        }
      }
    }

    /// Samplings as djpeg and Pillow read them, and a file that made tables make smaller.
    @Test(.judged(by: .djpeg, .python), arguments: ChromaSampling.allCases)
    func jpegsHaveTheChromaThatWasAskedFor(sampling: ChromaSampling) throws {
      let source = try heic(.up, .whole)
      var sizes: [Int] = []
      for optimizes in [false, true] {
        var encoder = PictureEncoder()
        (encoder.subsampling, encoder.optimizesHuffmanTables) = (sampling, optimizes)
        sizes.append(try encoder.encode(source, as: .jpeg(), to: folder.path("out\(optimizes).jpg")).bytes)
      }
      #expect(sizes[1] < sizes[0])
      let pictures = try [false, true].map { try Judge.djpeg.ask([folder.path("out\($0).jpg")]).output }
      #expect(pictures[0] == pictures[1])
      let program = "import sys; from PIL import Image; print([l[1:3] for l in Image.open(sys.argv[1]).layer])"
      let factors =
        switch sampling {
        case .yuv444: "[(1, 1), (1, 1), (1, 1)]"
        case .yuv422: "[(2, 1), (1, 1), (1, 1)]"
        case .yuv420: "[(2, 2), (1, 1), (1, 1)]"
        case .yuv411: "[(4, 1), (1, 1), (1, 1)]"
        case .gray: "[(1, 1)]"
        }
      #expect(try python(program, [folder.path("outtrue.jpg")]).lines == [factors])
    }

    /// What cannot be written is refused, and nothing is left behind.
    @Test func outputsThatDoNotFit() throws {
      let source = try heic(.up, .whole)
      #expect(throws: LivePhotoError.self) { try PictureDecoder().decode(source, as: .ppm, to: source) }
      #expect(throws: LivePhotoError.self) {
        try PictureDecoder().decode(source, item: .alpha, as: .ppm, to: folder.path("out.ppm"))
      }
      #expect(throws: LivePhotoError.self) {
        try PictureEncoder().encode(source, as: .jpeg(quality: 101), to: folder.path("out.jpg"))
      }
      #expect(try folder.names() == ["in.heic"])
    }
  }
#endif
