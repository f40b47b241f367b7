#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("Lossless coding")
  struct LosslessTests {
    static let encoder = HEICEncoder(isLossless: true, preset: .ultrafast, tiles: .side(128), threads: .count(2))
    static let color = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)
    static let sizes = [(1, 1), (64, 64), (65, 63), (257, 131), (258, 130)]

    /// FFmpeg's names of the formats, which show its samples as they are coded.
    static let formats: [(PixelFormat, ffmpeg: String)] = [
      (PixelFormat(.yuv420), "yuv420p"), (PixelFormat(.yuv420, bitDepth: 10), "yuv420p10le"),
      (PixelFormat(.yuv420, bitDepth: 12), "yuv420p12le"), (PixelFormat(.yuv422), "yuv422p"),
      (PixelFormat(.yuv444), "yuv444p"), (PixelFormat(.yuv444, bitDepth: 10), "yuv444p10le"),
      (PixelFormat(.yuv400), "gray"), (PixelFormat(.yuv400, bitDepth: 12), "gray12le"),
    ]

    @Test("planes come back bit for bit, here and from FFmpeg", .judged(by: .currentFFmpeg), arguments: formats)
    func planes(format: PixelFormat, pixels: String) throws {
      let folder = try TemporaryFolder()
      for (width, height) in Self.sizes {
        let image = PlanarImage.synthetic(width: width, height: height, format: format, color: Self.color)
        let bytes = try Self.encoder.encode(image).materialized()
        let isSame = try decoded(bytes).image == image
        #expect(isSame, "\(width)x\(height)")
        let hasWholeChroma = format.chroma == .yuv444 || format.chroma == .yuv400 || width % 2 == 0 && height % 2 == 0
        guard hasWholeChroma else { continue }
        let path = try folder.write(bytes, as: "\(width)x\(height).heic")
        let isTheirs = try ffmpegPicture(path, pixelFormat: pixels) == rawVideo(image)
        #expect(isTheirs, "\(width)x\(height)")
      }
    }

    @Test(
      "RGB comes back bit for bit as 4:4:4 of the identity matrix, here, from FFmpeg and from pillow-heif",
      .judged(by: .python, .currentFFmpeg), arguments: [8, 10, 12])
    func rgb(depth: Int) throws {
      let folder = try TemporaryFolder()
      for (width, height) in Self.sizes {
        let noise = PlanarImage.synthetic(
          width: width, height: height, format: PixelFormat(.yuv444, bitDepth: depth), color: Self.color)
        let picture = try #require(noise.raster())
        let identity = ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
        let image = try #require(PlanarImage(picture, chroma: .yuv444, color: identity))
        let bytes = try Self.encoder.encode(image).materialized()
        let back = try decoded(bytes).image.raster()
        let isSame = back == picture
        #expect(isSame, "\(width)x\(height)")
        let file = try HEIFFile(parsing: MemorySource(bytes))
        #expect(file.brands?.major == "heix")
        #expect(file.primaryItem.flatMap { file.colorDescription(of: $0.id) } == identity)
        let name = "\(width)x\(height).heic"
        let path = try folder.write(bytes, as: name)
        if depth == 8, case .bytes(let samples) = picture.samples {
          let isPillows = try pillow([name], in: folder)[name]?.rgb == samples
          #expect(isPillows, "\(name)")
        }
        let pixels = depth == 8 ? "gbrp" : "gbrp\(depth)le"
        let isTheirs = try ffmpegPicture(path, pixelFormat: pixels) == rawVideo(image)
        #expect(isTheirs, "\(name)")
      }
    }

    @Test("alpha is exact too, and bytes do not depend on threads")
    func alpha() throws {
      let image = PlanarImage.synthetic(width: 300, height: 200, format: PixelFormat(.yuv444), color: Self.color)
      let opacity = PlanarImage.synthetic(width: 300, height: 200, format: PixelFormat(.yuv400), seed: 4)
      let files = try [1, 3].map { threads in
        var encoder = Self.encoder
        encoder.threads = .count(threads)
        return try encoder.encode(image, companions: [.alpha(opacity)]).materialized()
      }
      let isSame = files[0] == files[1]
      #expect(isSame)
      let file = try HEIFFile(parsing: MemorySource(files[0]))
      let alpha = try #require(file.primaryItem.flatMap { file.auxiliaryImages(of: $0.id).first })
      let isExact = try HEICDecoder().decode(file, item: alpha.item.id).image.planes == opacity.planes
      #expect(isExact)
    }

    @Test("takes the pictures of every preset without loss", arguments: [HEVCPreset.ultrafast, .veryfast, .slow])
    func presets(preset: HEVCPreset) throws {
      let image = PlanarImage.synthetic(width: 128, height: 128, format: PixelFormat(.yuv420), color: Self.color)
      var encoder = Self.encoder
      encoder.preset = preset
      let isSame = try decoded(encoder.encode(image).materialized()).image == image
      #expect(isSame)
    }
  }
#endif
