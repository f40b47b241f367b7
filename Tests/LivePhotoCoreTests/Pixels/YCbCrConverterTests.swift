import Dispatch
import LivePhotoCore
import TestSupport
import Testing

/// The vector code of the conversion from RGB against the plain code beside it.
@Suite struct YCbCrConverterTests {
  static let matrices = RGBConverterTests.matrices

  @Test(arguments: ChromaFormat.allCases, [8, 9, 10, 12, 13, 14, 16])
  func vectorsGiveWhatPlainCodeGives(chroma: ChromaFormat, bitDepth: Int) throws {
    var random = SplitMix64(seed: UInt64(bitDepth) << 8 | UInt64(chroma.rawValue))
    for matrix in Self.matrices where matrix != 0 || chroma == .yuv444 {
      for isFullRange in [false, true] {
        let color = ColorDescription(matrix: matrix, isFullRange: isFullRange)
        for (index, width) in RGBConverterTests.widths.enumerated() {
          for channels in [RasterImage.Channels.gray, .rgb] {
            let raster = Self.picture(
              width, 1 + index % 5, channels, bitDepth, &random, isExtreme: (index + channels.rawValue) % 2 == 0)
            try Self.compare(raster, chroma, color)
          }
        }
      }
    }
  }

  /// Every colour of 6 bits a channel, spread over 8 bits so that both ends are among them, and every grey.
  @Test(arguments: matrices, [false, true]) func coloursFromEndToEnd(matrix: UInt16, isFullRange: Bool) throws {
    let color = ColorDescription(matrix: matrix, isFullRange: isFullRange)
    let levels = (0..<64).map { UInt8($0 << 2 | $0 >> 4) }
    let samples = levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
    let colors = RasterImage(width: 512, height: 512, channels: .rgb, samples: .bytes(samples))
    let grays = RasterImage(width: 256, height: 1, channels: .gray, samples: .bytes((0...255).map { UInt8($0) }))
    try Self.compare(colors, .yuv444, color)
    try Self.compare(grays, .yuv444, color)
    if matrix != 0 {
      try Self.compare(colors, .yuv420, color)
      try Self.compare(grays, .yuv400, color)
    }
  }

  @Test(arguments: ChromaFormat.allCases, [8, 10, 16]) func bandsChangeNothing(
    chroma: ChromaFormat, bitDepth: Int
  ) throws {
    var random = SplitMix64(seed: 77)
    for (width, height) in [(1, 1), (33, 2), (50, 7), (18, 64), (70, 131)] {
      let raster = Self.picture(width, height, .rgb, bitDepth, &random, isExtreme: false)
      let whole = try #require(PlanarImage(raster, chroma: chroma, color: .jfif))
      for bands in [0, 2, 3, 5, 64, 1000] {
        let parts = try #require(
          PlanarImage(raster, chroma: chroma, color: .jfif, bands: bands) {
            DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
          })
        #expect(parts == whole, "\(width)x\(height) in \(bands)")
      }
    }
  }

  @Test(arguments: ChromaFormat.allCases) func nothingBecomesNothing(chroma: ChromaFormat) throws {
    for (width, height) in [(0, 0), (0, 3), (3, 0)] {
      let raster = RasterImage(width: width, height: height, channels: .rgb, samples: .bytes([]))
      let image = try #require(PlanarImage(raster, chroma: chroma, color: .jfif))
      #expect((image.width, image.height, image.planes.count) == (width, height, chroma.planeCount))
    }
  }

  private static func compare(_ raster: RasterImage, _ chroma: ChromaFormat, _ color: ColorDescription) throws {
    let converter = try #require(YCbCrConverter(raster, chroma: chroma, color: color))
    let image = try #require(PlanarImage(raster, chroma: chroma, color: color))
    switch raster.samples {
    case .bytes(let bytes): compare(image, converter, bytes, raster)
    case .words(let words): compare(image, converter, words, raster)
    }
  }

  /// The planes of a picture, with room behind each that has to stay as it is, against what both codes make.
  private static func compare<Sample: FixedWidthInteger & BitwiseCopyable>(
    _ image: PlanarImage, _ converter: YCbCrConverter, _ source: [Sample], _ raster: RasterImage
  ) {
    let counts = image.planes.map { $0.width * $0.height }, guardSize = 16
    let untouched = [Sample](repeating: 0x5A, count: counts.reduce(0, +) + guardSize * counts.count)
    let outputs = [true, false].map { isPlain in
      var output = untouched
      // SAFETY: the planes lie in the output, one behind the other.
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe source.withUnsafeBytes { source in
          guard let base = source.baseAddress, var next = output.baseAddress else { return }
          var planes = unsafe [UnsafeMutableRawPointer]()
          for count in counts {
            unsafe planes.append(UnsafeMutableRawPointer(next))
            unsafe next += count + guardSize
          }
          unsafe converter.convert(0..<raster.height, of: base, to: planes, plainly: isPlain)
        }
      }
      return output
    }
    let name = "\(raster.width)x\(raster.height) \(raster.channels) \(image.format) \(image.color)"
    #expect(outputs[0] == outputs[1], "\(name)")
    var made: [Sample] = []
    for plane in image.planes {
      switch plane.samples {
      case .bytes(let bytes): made += bytes.map { Sample(truncatingIfNeeded: $0) }
      case .words(let words): made += words.map { Sample(truncatingIfNeeded: $0) }
      }
      made += [Sample](repeating: 0x5A, count: guardSize)
    }
    #expect(made == outputs[0], "\(name)")
  }

  /// Any samples, or only those at both ends.
  private static func picture(
    _ width: Int, _ height: Int, _ channels: RasterImage.Channels, _ bitDepth: Int, _ random: inout SplitMix64,
    isExtreme: Bool
  ) -> RasterImage {
    let maximum = UInt16((1 << bitDepth) - 1), ends = [0, 1, maximum - 1, maximum]
    let samples = (0..<width * height * channels.rawValue).map { _ in
      isExtreme ? ends[Int.random(in: 0..<4, using: &random)] : UInt16.random(in: 0...maximum, using: &random)
    }
    return RasterImage(
      width: width, height: height, channels: channels, bitDepth: bitDepth,
      samples: bitDepth > 8 ? .words(samples) : .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }))
  }
}
