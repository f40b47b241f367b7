#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEIC encoder, band by band")
  struct BandTests {
    private static func encode(
      _ image: PlanarImage, _ encoder: HEICEncoder, orientation: Orientation = .up, rows: Int = .max
    ) throws -> [UInt8] {
      try encoder.encode(
        width: image.width, height: image.height, format: image.format, color: image.color, orientation: orientation
      ) { feed in
        while feed.remainingRows > 0, image.height - feed.remainingRows < rows {
          feed.append(
            image.cropped(
              x: 0, y: image.height - feed.remainingRows, width: image.width,
              height: min(feed.bandHeight, feed.remainingRows)))
        }
      }.materialized()
    }

    @Test(
      "a picture fed in bands is coded as the whole one is, on any number of threads",
      arguments: [(300, 420), (257, 131), (64, 64), (33, 31), (700, 60), (60, 700)])
    func same(width: Int, height: Int) throws {
      let image = PlanarImage.synthetic(
        width: width, height: height, format: PixelFormat(.yuv420), color: EncoderTests.color)
      for tiles in [HEICTiles.side(64), .side(128), .none] {
        var encoder = HEICEncoder(preset: .ultrafast, tiles: tiles)
        let whole = try encoder.encode(image, orientation: .right).materialized()
        for threads in [1, 2, 5] {
          encoder.threads = .count(threads)
          #expect(try Self.encode(image, encoder, orientation: .right) == whole, "\(tiles), \(threads) threads")
        }
      }
    }

    @Test("ten bits, grey and full chroma are fed alike")
    func formats() throws {
      for format in [PixelFormat(.yuv420, bitDepth: 10), PixelFormat(.yuv400), PixelFormat(.yuv444)] {
        let image = PlanarImage.synthetic(width: 150, height: 200, format: format, color: EncoderTests.color)
        #expect(try Self.encode(image, EncoderTests.encoder) == EncoderTests.encoder.encode(image).materialized())
      }
    }

    @Test("a picture whose last rows do not come is an error, on any number of threads")
    func missing() throws {
      let image = PlanarImage.synthetic(
        width: 150, height: 400, format: PixelFormat(.yuv420), color: EncoderTests.color)
      for threads in [1, 2, 5] {
        let encoder = HEICEncoder(preset: .ultrafast, tiles: .side(128), threads: .count(threads))
        for rows in [0, 128, 384] {
          #expect(throws: HEICError.unsupported("a picture whose last rows are missing")) {
            try Self.encode(image, encoder, rows: rows)
          }
        }
      }
    }
  }
#endif
