import LivePhotoCore
import Testing

@Suite struct PixelTests {
  static let formats = ChromaFormat.allCases.flatMap { chroma in [8, 10, 16].map { PixelFormat(chroma, bitDepth: $0) } }

  @Test(arguments: formats) func oddSizesRoundUp(format: PixelFormat) {
    let image = PlanarImage(width: 5, height: 3, format: format)
    let chroma: [ChromaFormat: (Int, Int)] = [.yuv420: (3, 2), .yuv422: (3, 3), .yuv444: (5, 3)]
    #expect(image.planes.count == (format.chroma == .yuv400 ? 1 : 3))
    #expect((image.planes[0].width, image.planes[0].height) == (5, 3))
    if let size = chroma[format.chroma] { #expect((image.planes[2].width, image.planes[2].height) == size) }
    // Grey chroma is half of the range.
    for plane in image.planes.dropFirst() { #expect(plane[0, 0] == 1 << UInt16(format.bitDepth - 1)) }
    #expect(format.maximum == (1 << format.bitDepth) - 1)
  }

  @Test(arguments: [8, 10]) func samplesAreSetAndRead(bitDepth: Int) {
    var plane = Plane(width: 3, height: 2, bitDepth: bitDepth, fill: 7)
    plane[2, 1] = 200
    #expect(plane[2, 1] == 200 && plane[1, 1] == 7 && plane[2, 0] == 7)
    let image = PlanarImage(
      width: 3, height: 2, format: PixelFormat(.yuv400, bitDepth: bitDepth), color: .jfif, planes: [plane])
    #expect(image.planes[0] == plane)
  }

  @Test func stridesDoNotCount() {
    let tight = Plane(width: 2, height: 2, samples: .bytes([1, 2, 3, 4]))
    let wide = Plane(width: 2, height: 2, stride: 3, samples: .bytes([1, 2, 99, 3, 4]))
    #expect(tight.hasSameSamples(as: wide))
    #expect(wide[0, 1] == 3)
    var other = wide
    other[1, 1] = 5
    #expect(!tight.hasSameSamples(as: other))
    #expect(tight.hasSameSamples(as: Plane(width: 2, height: 2, samples: .words([1, 2, 3, 4]))))
    #expect(!tight.hasSameSamples(as: Plane(width: 4, height: 1, samples: .bytes([1, 2, 3, 4]))))
  }

  @Test func viewsBorrow() {
    let samples: [UInt8] = [1, 2, 0, 3, 4]
    let view = PlaneView(samples.span, width: 2, height: 2, stride: 3)
    #expect(view.samples[view.stride + 1] == 4)
  }

  @Test func programmingErrorsTrap() async {
    await #expect(processExitsWith: .failure) { _ = Plane(width: 2, height: 2, samples: .bytes([1, 2, 3])) }
    await #expect(processExitsWith: .failure) { _ = PixelFormat(.yuv420, bitDepth: 7) }
    await #expect(processExitsWith: .failure) {
      let plane = Plane(width: 2, height: 2, bitDepth: 8)
      _ = PlanarImage(width: 2, height: 2, format: PixelFormat(.yuv420), color: .jfif, planes: [plane, plane, plane])
    }
  }
}

@Suite struct ColorDescriptionTests {
  @Test func lumaWeightsAreThoseOfH273() throws {
    for (matrix, red, blue) in [
      (1, 0.2126, 0.0722), (2, 0.299, 0.114), (5, 0.299, 0.114), (6, 0.299, 0.114), (9, 0.2627, 0.0593),
    ] {
      let weights = try #require(ColorDescription(matrix: UInt16(matrix)).lumaWeights)
      #expect(weights == (red, blue))
    }
    for matrix in [0, 8, 14, 99] as [UInt16] { #expect(ColorDescription(matrix: matrix).lumaWeights == nil) }
  }

  @Test func hdrIsPQOrHLG() {
    #expect(ColorDescription(transfer: 16).isHDR && ColorDescription(transfer: 18).isHDR)
    #expect(!ColorDescription(transfer: 14).isHDR && !ColorDescription.jfif.isHDR)
    let unspecified = ColorDescription.unspecified
    #expect((unspecified.primaries, unspecified.transfer, unspecified.matrix) == (2, 2, 2) && !unspecified.isFullRange)
  }
}
