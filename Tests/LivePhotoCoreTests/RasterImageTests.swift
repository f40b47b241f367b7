import LivePhotoCore
import Testing

@Suite struct RasterImageTests {
  /// A picture whose samples all differ in small pictures.
  func picture(_ width: Int, _ height: Int, _ channels: RasterImage.Channels, bitDepth: Int = 8) -> RasterImage {
    let values = (0..<width * height * channels.rawValue).map { $0 * 37 % (1 << bitDepth) }
    let samples: Plane.Samples =
      bitDepth > 8 ? .words(values.map { UInt16($0) }) : .bytes(values.map { UInt8($0) })
    return RasterImage(width: width, height: height, channels: channels, bitDepth: bitDepth, samples: samples)
  }

  /// Where Exif says that a stored pixel is shown (Exif 2.32, 4.6.4 Orientation).
  func shown(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ orientation: Orientation) -> (Int, Int) {
    switch orientation {
    case .up: (x, y)
    case .upMirrored: (width - 1 - x, y)
    case .down: (width - 1 - x, height - 1 - y)
    case .downMirrored: (x, height - 1 - y)
    case .leftMirrored: (y, x)
    case .right: (height - 1 - y, x)
    case .rightMirrored: (height - 1 - y, width - 1 - x)
    case .left: (y, width - 1 - x)
    }
  }

  @Test(arguments: Orientation.allCases, [8, 10])
  func isTurnedAsExifSays(orientation: Orientation, bitDepth: Int) {
    // Smaller than the squares that are turned one after the other, and larger.
    for (width, height) in [(3, 2), (70, 45)] {
      for channels in RasterImage.Channels.allCases {
        let stored = picture(width, height, channels, bitDepth: bitDepth)
        let turned = stored.turned(orientation)
        #expect((turned.width, turned.height) == (orientation.swapsAxes ? (height, width) : (width, height)))
        var same = 0
        for y in 0..<height {
          for x in 0..<width {
            let (shownX, shownY) = shown(x, y, width, height, orientation)
            for channel in 0..<channels.rawValue where turned[shownX, shownY, channel] == stored[x, y, channel] {
              same += 1
            }
          }
        }
        #expect(same == stored.samples.count)
        #expect(turned.turned(orientation.inverse) == stored)
      }
    }
  }

  @Test(arguments: Orientation.allCases) func aSinglePixelIsTurned(orientation: Orientation) {
    #expect(picture(1, 1, .rgba).turned(orientation) == picture(1, 1, .rgba))
  }

  @Test func isCropped() {
    let stored = picture(5, 4, .gray)
    let part = stored.cropped(columns: 1..<4, rows: 2..<9)
    #expect((part.width, part.height) == (3, 2))
    for y in 0..<2 { for x in 0..<3 { #expect(part[x, y, 0] == stored[x + 1, y + 2, 0]) } }
  }

  /// Colours under full transparency stay as they are, and both parts together are the picture again.
  @Test func alphaIsTakenOffAndPutBack() throws {
    let gray = RasterImage(width: 2, height: 2, channels: .grayAlpha, samples: .bytes([9, 0, 8, 255, 7, 1, 6, 128]))
    let parts = try #require(gray.separatingAlpha())
    #expect(parts.colors == RasterImage(width: 2, height: 2, channels: .gray, samples: .bytes([9, 8, 7, 6])))
    #expect(parts.alpha == Plane(width: 2, height: 2, samples: .bytes([0, 255, 1, 128])))
    #expect(parts.colors.withAlpha(parts.alpha, bitDepth: 8) == gray)
    let deep = RasterImage(
      width: 1, height: 2, channels: .rgba, bitDepth: 10, samples: .words([1, 2, 3, 1023, 4, 5, 6, 0]))
    let deepParts = try #require(deep.separatingAlpha())
    #expect(deepParts.colors.samples == .words([1, 2, 3, 4, 5, 6]))
    #expect(deepParts.colors.withAlpha(deepParts.alpha, bitDepth: 10) == deep)
    #expect(parts.colors.separatingAlpha() == nil)
  }

  @Test func alphaIsLaidOverWhite() {
    let stored = RasterImage(
      width: 3, height: 1, channels: .rgba, samples: .bytes([10, 20, 30, 255, 10, 20, 30, 0, 0, 100, 255, 128]))
    let expected: [UInt8] = [10, 20, 30, 255, 255, 255, 127, 177, 255]
    #expect(stored.flattened() == RasterImage(width: 3, height: 1, channels: .rgb, samples: .bytes(expected)))
    #expect(picture(2, 2, .gray).flattened() == picture(2, 2, .gray))
  }

  /// The formulas of H.273 in floating point.
  func reference(_ y: Double, _ cb: Double, _ cr: Double, _ color: ColorDescription, _ depth: Int) -> [Int] {
    let weights = color.lumaWeights ?? (0, 0)
    let unit = Double(1 << (depth - 8)), maximum = Double((1 << depth) - 1)
    let level = color.isFullRange ? y / maximum : (y - 16 * unit) / (219 * unit)
    let range = color.isFullRange ? maximum : 224 * unit
    let blueness = (cb - 128 * unit) / range, redness = (cr - 128 * unit) / range
    let red = level + 2 * (1 - weights.red) * redness, blue = level + 2 * (1 - weights.blue) * blueness
    let green = (level - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
    return [red, green, blue].map { Int((min(max($0, 0), 1) * maximum).rounded()) }
  }

  static let colors = [
    ColorDescription.unspecified, .jfif, ColorDescription(matrix: 1), ColorDescription(matrix: 9, isFullRange: true),
    ColorDescription(matrix: 9),
  ]

  @Test(arguments: colors, [8, 10, 16])
  func planesBecomeRGBAsTheStandardSays(color: ColorDescription, bitDepth: Int) throws {
    let steps = [0, 1, 15, 16, 60, 127, 128, 129, 200, 235, 240, 254, 255].map { $0 << (bitDepth - 8) }
    let triples = steps.flatMap { y in steps.flatMap { cb in steps.map { [y, cb, $0] } } }
    let planes = (0..<3).map { index in
      let samples: Plane.Samples =
        bitDepth > 8 ? .words(triples.map { UInt16($0[index]) }) : .bytes(triples.map { UInt8($0[index]) })
      return Plane(width: triples.count, height: 1, samples: samples)
    }
    let image = PlanarImage(
      width: triples.count, height: 1, format: PixelFormat(.yuv444, bitDepth: bitDepth), color: color, planes: planes)
    let raster = try #require(image.raster())
    for (x, triple) in triples.enumerated() {
      let expected = reference(Double(triple[0]), Double(triple[1]), Double(triple[2]), color, bitDepth)
      for channel in 0..<3 where abs(Int(raster[x, 0, channel]) - expected[channel]) > 0 {
        // Only a value within a rounding error of a half may fall to the other side.
        #expect(abs(Int(raster[x, 0, channel]) - expected[channel]) <= 1, "\(triple) \(channel)")
      }
    }
  }

  @Test(arguments: colors, [8, 12])
  func rgbSurvivesPlanesOfFullChroma(color: ColorDescription, bitDepth: Int) throws {
    let raster = picture(17, 13, .rgb, bitDepth: bitDepth)
    let planes = try #require(PlanarImage(raster, chroma: .yuv444, color: color))
    let back = try #require(planes.raster())
    for y in 0..<13 {
      for x in 0..<17 {
        // Rounding three samples to limited-range steps moves a colour by up to two of its own.
        for channel in 0..<3 { #expect(abs(Int(back[x, y, channel]) - Int(raster[x, y, channel])) <= 2) }
      }
    }
  }

  @Test(arguments: [ChromaFormat.yuv420, .yuv422, .yuv444, .yuv400], [(1, 1), (2, 3), (7, 5), (8, 8)])
  func greyStaysGreyAtAnySize(chroma: ChromaFormat, size: (Int, Int)) throws {
    let gray = picture(size.0, size.1, .gray)
    let planes = try #require(PlanarImage(gray, chroma: chroma, color: .jfif))
    let back = try #require(planes.raster())
    for y in 0..<size.1 {
      for x in 0..<size.0 {
        for channel in 0..<back.channels.rawValue { #expect(back[x, y, channel] == gray[x, y, 0]) }
      }
    }
  }

  @Test func chromaIsTheMeanOfItsPixels() throws {
    // Red, black / black, black: chroma of a quarter of pure red's (T.871: Cb 84.97, Cr 255.5 for full red).
    let samples: [UInt8] = [255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let raster = RasterImage(width: 2, height: 2, channels: .rgb, samples: .bytes(samples))
    let planes = try #require(PlanarImage(raster, chroma: .yuv420, color: .jfif))
    #expect(planes.planes[0].samples == .bytes([76, 0, 0, 0]))
    #expect(planes.planes[1].samples == .bytes([117]))
    #expect(planes.planes[2].samples == .bytes([160]))
  }

  @Test func identityPlanesAreGreenBlueRed() throws {
    let color = ColorDescription(matrix: 0, isFullRange: true)
    let raster = picture(4, 3, .rgb)
    let planes = try #require(PlanarImage(raster, chroma: .yuv444, color: color))
    #expect(planes.planes[0][1, 0] == raster[1, 0, 1])
    #expect(planes.planes[2][1, 0] == raster[1, 0, 0])
    #expect(planes.raster() == raster)
    #expect(PlanarImage(raster, chroma: .yuv420, color: color) == nil)
  }

  @Test(arguments: [UInt16(8), 10, 11]) func otherMatricesAreRefused(matrix: UInt16) {
    let color = ColorDescription(matrix: matrix)
    #expect(PlanarImage(picture(2, 2, .rgb), chroma: .yuv444, color: color) == nil)
    #expect(PlanarImage(width: 2, height: 2, format: PixelFormat(.yuv444), color: color).raster() == nil)
  }

  @Test func rowsMayBeLongerThanThePicture() throws {
    var planes = [Plane(width: 2, height: 2, stride: 3, samples: .bytes([10, 20, 99, 30, 40]))]
    let gray = PlanarImage(width: 2, height: 2, format: PixelFormat(.yuv400), color: .jfif, planes: planes)
    #expect(gray.raster()?.samples == .bytes([10, 20, 30, 40]))
    planes += [
      Plane(width: 1, height: 1, stride: 5, samples: .bytes([128])), Plane(width: 1, height: 1, bitDepth: 8, fill: 128),
    ]
    let color = PlanarImage(width: 2, height: 2, format: PixelFormat(.yuv420), color: .jfif, planes: planes)
    #expect(color.raster()?.samples == .bytes([10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40]))
  }
}
