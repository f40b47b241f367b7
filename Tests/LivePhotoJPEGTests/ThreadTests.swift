import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder: the bytes do not depend on threads")
struct ThreadTests {
  /// Sizes of several bands in every sampling, odd in both directions; narrow, wide, and too small to be divided.
  static let sizes = [(1, 1), (17, 40), (523, 301), (9, 2900), (3001, 37), (640, 480)]

  @Test("interleaved pixels, all samplings, restarts and kinds of tables", arguments: JPEGSubsampling.allCases)
  func pixels(_ subsampling: JPEGSubsampling) throws {
    for (index, (width, height)) in Self.sizes.enumerated() {
      let content = TestPicture.Content.allCases[index % 4]
      let picture = TestPicture(content, width: width, height: height)
      let layout: PixelLayout = subsampling == .gray ? .gray : .rgba
      let pixels = picture.bytes(layout, padding: 3)
      let view = PixelView(
        pixels.span, width: width, height: height, stride: width * layout.bytesPerPixel + 3, layout: layout)
      for interval: JPEGRestartInterval? in [nil, .mcus(1), .mcus(7), .rows(1), .rows(3)] {
        for isOptimized in [false, true] {
          var encoder = JPEGEncoder(quality: 80, subsampling: subsampling)
          encoder.restartInterval = interval
          encoder.optimizesHuffmanTables = isOptimized
          let expected = try encoder.encode(view)
          for threads in [2, 3, 8] {
            encoder.threads = .count(threads)
            #expect(
              try encoder.encode(view) == expected,
              "\(width)x\(height) on \(threads) threads, restart \(String(describing: interval)), \(isOptimized)")
          }
        }
      }
    }
  }

  @Test("planes, as they are and converted")
  func planes() throws {
    for format in [PixelFormat(.yuv444), PixelFormat(.yuv422), PixelFormat(.yuv420), PixelFormat(.yuv400)] {
      for matrix: UInt16 in [6, 1] {
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: matrix, isFullRange: true)
        let image = PlanarImage.synthetic(width: 611, height: 403, format: format, color: color)
        for subsampling: JPEGSubsampling? in [nil, .yuv411] {
          var encoder = JPEGEncoder(quality: 96, subsampling: subsampling)
          let expected = try encoder.encode(image)
          encoder.threads = .count(3)
          #expect(try encoder.encode(image) == expected, "\(format) to \(String(describing: subsampling))")
        }
      }
    }
  }

  @Test("bits that have to be shifted by every number of places", arguments: 1...40)
  func shifts(_ seed: Int) throws {
    let picture = TestPicture(.noise, width: 272, height: 240, seed: UInt64(seed))
    var encoder = JPEGEncoder(quality: 100, subsampling: .yuv444)
    let expected = try picture.encoded(encoder)
    encoder.threads = .allCores
    #expect(try picture.encoded(encoder) == expected)
    encoder.threads = .count(8)
    #expect(try picture.encoded(encoder) == expected)
  }
}
