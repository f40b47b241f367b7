#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  /// HEIC pictures that are written as they are decoded, beside the same pictures decoded whole.
  @Suite struct BandTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ChromaFormat.allCases, [8, 10])
    func planesAreWrittenInTheirPlaces(chroma: ChromaFormat, bitDepth: Int) throws {
      let image = PlanarImage.synthetic(
        width: 201, height: 131, format: PixelFormat(chroma, bitDepth: bitDepth),
        color: ColorDescription(matrix: 6, isFullRange: true))
      for tiles in [HEICTiles.side(64), .none] {
        let bytes = try HEICEncoder(preset: .ultrafast, tiles: tiles).encode(image).materialized()
        let source = try folder.write(bytes, as: "in.heic")
        let decoded = try HEICDecoder().decode(HEIFFile(parsing: MemorySource(bytes))).image
        let header = Y4MHeader(for: decoded)
        let expected = try header.bytes() + header.frame(decoded)
        for threads in [Threads.count(1), .count(3)] {
          let report = try PictureDecoder(threads: threads).decode(
            source, as: .y4m, to: folder.path("out.y4m"), overwrite: true)
          #expect((report.width, report.height, report.frames) == (201, 131, 1))
          let isSame = try readFile(folder.path("out.y4m")) == expected
          #expect(isSame, "\(tiles)")
        }
      }
    }

    @Test func rgbIsNotWrittenAsPlanes() throws {
      let raster = RasterImage(
        width: 64, height: 64, channels: .rgb, samples: .bytes((0..<64 * 64 * 3).map { UInt8($0 & 255) }))
      let color = ColorDescription(matrix: 0, isFullRange: true)
      let image = try #require(PlanarImage(raster, chroma: .yuv444, color: color))
      let source = try folder.write(try HEICEncoder(isLossless: true).encode(image).materialized(), as: "in.heic")
      #expect(throws: LivePhotoError.self) { try PictureDecoder().decode(source, as: .y4m, to: folder.path("out.y4m")) }
      #expect(throws: (any Error).self) { try readFile(folder.path("out.y4m")) }
    }

    @Test func aDamagedTileLeavesNothingBehind() throws {
      let image = PlanarImage.synthetic(width: 192, height: 192, format: PixelFormat(.yuv420))
      let bytes = try HEICEncoder(preset: .ultrafast, tiles: .side(64)).encode(image).materialized()
      let source = try folder.write(Array(bytes.dropLast(40)), as: "in.heic")
      for (format, name) in [(DecodedFormat.y4m, "out.y4m"), (.ppm, "out.ppm")] {
        #expect(throws: LivePhotoError.self) { try PictureDecoder().decode(source, as: format, to: folder.path(name)) }
        #expect(throws: (any Error).self) { try readFile(folder.path(name)) }
      }
    }
  }
#endif
