import LivePhotoCore

/// A made picture in motion: a sun that crosses the sky above hills, with enough texture to give an encoder work.
///
/// The same frame number gives the same samples on every machine: all arithmetic is of integers.
struct DemoScene {
  /// Luma samples across and down; both even.
  let width: Int
  let height: Int
  /// Frames from sunrise to sunset.
  let frameCount: Int

  /// The colours of the samples: limited-range BT.709, as cameras and encoders use for such sizes.
  static let color = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

  /// Frame `index`, 8-bit 4:2:0.
  func frame(_ index: Int) -> PlanarImage {
    let sun = position(ofSunAt: index)
    var luma = [UInt8](), blue = [UInt8](), red = [UInt8]()
    luma.reserveCapacity(width * height)
    blue.reserveCapacity(width * height / 4)
    red.reserveCapacity(width * height / 4)
    for y in 0..<height {
      for x in 0..<width {
        let sample = sample(x, y, sun)
        luma.append(sample.y)
        if x % 2 == 0, y % 2 == 0 {
          blue.append(sample.cb)
          red.append(sample.cr)
        }
      }
    }
    return PlanarImage(
      width: width, height: height, format: PixelFormat(.yuv420), color: Self.color,
      planes: [
        Plane(width: width, height: height, samples: .bytes(luma)),
        Plane(width: width / 2, height: height / 2, samples: .bytes(blue)),
        Plane(width: width / 2, height: height / 2, samples: .bytes(red)),
      ])
  }

  /// The sun moves on a parabola from the left edge to the right one.
  private func position(ofSunAt index: Int) -> (x: Int, y: Int) {
    let x = width * (2 * index + 1) / (2 * max(frameCount, 1))
    let off = 2 * x - width
    return (x, height / 6 + off * off / max(width, 1) * height / (3 * max(width, 1)))
  }

  private func sample(_ x: Int, _ y: Int, _ sun: (x: Int, y: Int)) -> (y: UInt8, cb: UInt8, cr: UInt8) {
    let texture = Self.hash(x, y) % 12
    if y > ridge(x, base: height * 3 / 4, period: width / 3) {
      return (UInt8(52 + texture + (y * 24 / height)), 112, 116)
    }
    if y > ridge(x + width / 5, base: height * 3 / 5, period: width / 2) {
      return (UInt8(88 + texture / 2 + (y * 16 / height)), 122, 118)
    }
    let dx = x - sun.x, dy = y - sun.y, radius = height / 12
    let distance = dx * dx + dy * dy
    if distance < radius * radius { return (224, 96, 150) }
    let glow = max(0, 48 - distance * 48 / (radius * radius * 9))
    return (UInt8(140 + glow + y * 30 / height + texture / 6), UInt8(150 - glow / 2), UInt8(112 + glow / 2))
  }

  /// The height of a chain of hills above column `x`: parabolas side by side.
  private func ridge(_ x: Int, base: Int, period: Int) -> Int {
    let period = max(period, 2)
    let off = 2 * (x % period) - period
    return base + off * off * (height / 8) / (period * period)
  }

  /// A fixed scramble of a position.
  private static func hash(_ x: Int, _ y: Int) -> Int {
    var value = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663)
    value = (value ^ value >> 13) &* 0x5BD1_E995
    return Int(value >> 8 & 0xFFFF)
  }
}
