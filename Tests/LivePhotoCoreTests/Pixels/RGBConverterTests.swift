import LivePhotoCore
import TestSupport
import Testing

/// The vector code of the conversion to RGB against the plain code beside it.
@Suite struct RGBConverterTests {
  static let matrices: [UInt16] = [0, 1, 2, 4, 5, 6, 7, 9]

  /// Below, at and above one and several groups of sixteen pixels.
  static let widths = [1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 63, 64, 65, 70]

  @Test(arguments: ChromaFormat.allCases, [8, 9, 10, 12, 15, 16])
  func vectorsGiveWhatPlainCodeGives(chroma: ChromaFormat, bitDepth: Int) throws {
    var random = SplitMix64(seed: UInt64(bitDepth) << 8 | UInt64(chroma.rawValue))
    let format = PixelFormat(chroma, bitDepth: bitDepth)
    for matrix in Self.matrices where matrix != 0 || chroma == .yuv444 {
      for isFullRange in [false, true] {
        let color = ColorDescription(matrix: matrix, isFullRange: isFullRange)
        for (index, width) in Self.widths.enumerated() {
          let height = 1 + index % 5
          let image = Self.image(width, height, format, color, &random, isExtreme: index % 3 == 0)
          try Self.compare(image)
        }
      }
    }
  }

  /// All pairs of chroma samples with lumas from end to end.
  @Test(arguments: matrices, [false, true]) func allColoursOf8Bits(matrix: UInt16, isFullRange: Bool) throws {
    let chroma = (0..<65536).map { UInt8($0 >> 8) }, other = (0..<65536).map { UInt8($0 & 255) }
    for luma: UInt8 in [0, 1, 15, 16, 17, 77, 128, 180, 235, 254, 255] {
      let planes = [[UInt8](repeating: luma, count: 65536), chroma, other].map {
        Plane(width: 256, height: 256, samples: .bytes($0))
      }
      let color = ColorDescription(matrix: matrix, isFullRange: isFullRange)
      try Self.compare(
        PlanarImage(width: 256, height: 256, format: PixelFormat(.yuv444), color: color, planes: planes))
    }
  }

  private static func compare(_ image: PlanarImage) throws {
    let converter = try #require(RGBConverter(image.format, color: image.color))
    // Rows further apart than they are long: what lies between has to stay as it is.
    let stride = image.width * converter.pixelSize + 6
    var vector = [UInt8](repeating: 0xA5, count: stride * image.height), plain = vector
    // SAFETY: both outputs have room for all rows.
    unsafe image.withPointers { source in
      unsafe vector.withUnsafeMutableBytes {
        guard let base = $0.baseAddress else { return }
        unsafe converter.convert(source, width: image.width, height: image.height, to: base, stride: stride)
      }
      unsafe plain.withUnsafeMutableBytes {
        guard let base = $0.baseAddress else { return }
        unsafe converter.convertPlainly(source, width: image.width, height: image.height, to: base, stride: stride)
      }
    }
    #expect(vector == plain, "\(image.width)x\(image.height) \(image.format) \(image.color)")
    let inside = (0..<image.height).flatMap { plain[$0 * stride..<($0 + 1) * stride - 6] }
    let raster = try #require(image.raster())
    switch raster.samples {
    case .bytes(let bytes): #expect(bytes == inside)
    case .words(let words): #expect(words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } == inside)
    }
  }

  /// Any samples, or only those at both ends; of deep pictures also such as their depth does not allow.
  private static func image(
    _ width: Int, _ height: Int, _ format: PixelFormat, _ color: ColorDescription, _ random: inout SplitMix64,
    isExtreme: Bool
  ) -> PlanarImage {
    let ends = [0, 1, format.maximum - 1, format.maximum].map { UInt16($0) }
    let planes = (0..<format.chroma.planeCount).map { index in
      let size = format.chroma.planeSize(index, width: width, height: height)
      let stride = size.width + 3
      let samples = (0..<stride * size.height).map { _ in
        isExtreme ? ends[Int.random(in: 0..<4, using: &random)] : UInt16.random(in: 0...UInt16.max, using: &random)
      }
      return Plane(
        width: size.width, height: size.height, stride: stride,
        samples: format.bitDepth > 8 ? .words(samples) : .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }))
    }
    return PlanarImage(width: width, height: height, format: format, color: color, planes: planes)
  }
}
