#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("Adaptive quantisation of stills")
  struct AdaptiveQuantizationTests {
    /// A plane of which each sample is given by its place.
    static func plane(_ width: Int, _ height: Int, bitDepth: Int = 8, _ sample: (Int, Int) -> Int) -> Plane {
      var plane = Plane(width: width, height: height, bitDepth: bitDepth)
      for y in 0..<height { for x in 0..<width { plane[x, y] = UInt16(sample(x, y)) } }
      return plane
    }

    /// The rule in the library's own words: two for each doubling of the variance and what is added to it.
    static func offset(variance: Double) -> Float { Float(2 * (log2(variance + 58.5) - log2(155 + 58.5))) }

    @Test("is finest where nothing happens, and neutral at ordinary texture", arguments: [8, 10, 12])
    func levels(bitDepth: Int) throws {
      let unit = 1 << (bitDepth - 8)
      let flat = AdaptiveQuantization.offsets(
        of: Self.plane(16, 16, bitDepth: bitDepth) { _, _ in 77 * unit }, bitDepth: bitDepth)
      #expect(flat.count == 1 && abs(flat[0] - Self.offset(variance: 0)) < 0.05)
      // Two values, each in half of the samples: the variance is the square of half their difference.
      for (difference, variance) in [(25, 156.25), (80, 1600), (200, 10000)] {
        let board = Self.plane(16, 16, bitDepth: bitDepth) { x, y in (20 + (x + y) % 2 * difference) * unit }
        let offsets = AdaptiveQuantization.offsets(of: board, bitDepth: bitDepth)
        #expect(abs(offsets[0] - Self.offset(variance: variance)) < 0.05, "\(offsets) for \(variance)")
      }
    }

    @Test("takes an edge for less than texture of the same variance")
    func edge() {
      let edge = AdaptiveQuantization.offsets(of: Self.plane(16, 16) { x, _ in x < 5 ? 20 : 220 }, bitDepth: 8)
      let texture = AdaptiveQuantization.offsets(
        of: Self.plane(16, 16) { x, y in (x + y) % 3 == 0 ? 20 : 220 }, bitDepth: 8)
      #expect(edge[0] < texture[0] - 4)
    }

    @Test(
      "has one offset for each block that is at least in part in the picture", arguments: [(1, 1), (17, 40), (134, 98)])
    func counts(width: Int, height: Int) {
      let flat = Self.plane(width, height) { _, _ in 9 }
      let offsets = AdaptiveQuantization.offsets(of: flat, bitDepth: 8)
      #expect(offsets.count == ((width + 15) / 16) * ((height + 15) / 16))
      #expect(Set(offsets).count == 1, "blocks cut off by the edge are judged by what there is of them")
    }

    @Test(
      "spends its bits where errors are seen", arguments: [PixelFormat(.yuv420), PixelFormat(.yuv444, bitDepth: 10)])
    func spending(format: PixelFormat) throws {
      var noise = SplitMix64(seed: 5)
      let unit = 1 << (format.bitDepth - 8)
      let luma = Self.plane(256, 128, bitDepth: format.bitDepth) { x, _ in
        let swing = x < 128 ? 4 : 60
        return (100 + Int.random(in: -swing...swing, using: &noise)) * unit
      }
      let planes = (0...2).map { index in
        let size = format.chroma.planeSize(index, width: 256, height: 128)
        return index == 0
          ? luma : Plane(width: size.width, height: size.height, bitDepth: format.bitDepth, fill: UInt16(128 * unit))
      }
      let image = PlanarImage(width: 256, height: 128, format: format, color: .unspecified, planes: planes)
      let still = try HEVCEncoder(rateFactor: 24).encodeStill(image)
      let decoded = try StillTests.decode(still)
      func error(_ columns: Range<Int>) -> Double {
        var sum = 0.0
        for y in 0..<128 {
          for x in columns {
            let difference = Double(image.planes[0][x, y]) - Double(decoded.planes[0][x, y])
            sum += difference * difference
          }
        }
        return sum / Double(128 * columns.count * unit * unit)
      }
      #expect(error(0..<128) * 3 < error(128..<256))
    }
  }
#endif
