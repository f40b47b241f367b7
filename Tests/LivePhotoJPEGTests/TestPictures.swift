import LivePhotoJPEG
import TestSupport

/// A picture made up for a test: RGB, row by row.
struct TestPicture {
  let width: Int
  let height: Int
  let rgb: [UInt8]

  enum Content: Int, CaseIterable {
    /// Slopes with a little noise, as photos have.
    case smooth
    /// Every value random.
    case noise
    /// Bars of full and no red, green and blue.
    case saturated
    /// Black and white in stripes and squares of changing size: the largest coefficients there are.
    case binary
  }

  init(_ content: Content, width: Int, height: Int, seed: UInt64 = 1) {
    var random = SplitMix64(seed: seed &+ UInt64(width * 131 + height))
    self.width = width
    self.height = height
    var rgb: [UInt8] = []
    rgb.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        switch content {
        case .smooth:
          let noise = Int(random.next() % 9) - 4
          rgb.append(clamp(40 + x * 150 / max(8, width) + noise))
          rgb.append(clamp(220 - y * 160 / max(8, height) + noise))
          rgb.append(clamp(90 + (x + y) * 100 / max(16, width + height) - noise))
        case .noise:
          for _ in 0..<3 { rgb.append(UInt8(truncatingIfNeeded: random.next())) }
        case .saturated:
          let color = (x / 3 + y / 5) % 8
          for bit in 0..<3 { rgb.append(color >> bit & 1 == 1 ? 255 : 0) }
        case .binary:
          let step = 1 + (x / 16 + y / 16) % 5
          let isWhite = (x / step + (y / 16 % 2 == 0 ? 0 : y / step)).isMultiple(of: 2)
          for _ in 0..<3 { rgb.append(isWhite ? 255 : 0) }
        }
      }
    }
    self.rgb = rgb
  }

  /// The pixels in `layout`, each row followed by `padding` bytes of rubbish.
  func bytes(_ layout: PixelLayout, padding: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let at = (y * width + x) * 3
        let (r, g, b) = (rgb[at], rgb[at + 1], rgb[at + 2])
        switch layout {
        case .rgb: bytes += [r, g, b]
        case .bgr: bytes += [b, g, r]
        case .rgba: bytes += [r, g, b, UInt8(truncatingIfNeeded: x * 7)]
        case .bgra: bytes += [b, g, r, UInt8(truncatingIfNeeded: y * 11)]
        case .gray: bytes.append(g)
        }
      }
      bytes += [UInt8](repeating: 0xA5, count: padding)
    }
    return bytes
  }

  /// The picture as a PPM file, or (green alone) as a PGM file.
  func netpbm(gray: Bool = false) -> [UInt8] {
    Array("\(gray ? "P5" : "P6")\n\(width) \(height)\n255\n".utf8) + (gray ? bytes(.gray) : rgb)
  }

  func encoded(_ encoder: JPEGEncoder, layout: PixelLayout = .rgb, metadata: JPEGMetadata = JPEGMetadata()) throws
    -> [UInt8]
  {
    try encoder.encode(
      PixelView(bytes(layout).span, width: width, height: height, layout: layout), metadata: metadata)
  }
}

private func clamp(_ value: Int) -> UInt8 { UInt8(max(0, min(255, value))) }
