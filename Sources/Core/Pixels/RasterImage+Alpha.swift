extension RasterImage {
  /// Whether nothing shines through: there is no alpha, or it is full everywhere.
  public var isOpaque: Bool {
    guard channels.hasAlpha else { return true }
    let alpha = stride(from: channels.rawValue - 1, to: samples.count, by: channels.rawValue)
    return switch samples {
    case .bytes(let bytes): alpha.allSatisfy { bytes[$0] == .max }
    case .words(let words): alpha.allSatisfy { Int(words[$0]) == maximum }
    }
  }

  /// The picture without alpha, its colours as they are, and its alpha; nil where it has none.
  public func separatingAlpha() -> (colors: RasterImage, alpha: Plane)? {
    guard let opaque = Channels(rawValue: channels.rawValue - 1), channels.hasAlpha else { return nil }
    let parts: (colors: Plane.Samples, alpha: Plane.Samples)
    switch samples {
    case .bytes(let bytes):
      let (colors, alpha) = separate(bytes)
      parts = (.bytes(colors), .bytes(alpha))
    case .words(let words):
      let (colors, alpha) = separate(words)
      parts = (.words(colors), .words(alpha))
    }
    return (
      RasterImage(width: width, height: height, channels: opaque, bitDepth: bitDepth, samples: parts.colors),
      Plane(width: width, height: height, samples: parts.alpha)
    )
  }

  private func separate<T>(_ samples: [T]) -> (colors: [T], alpha: [T]) {
    var (colors, alpha): ([T], [T]) = ([], [])
    alpha.reserveCapacity(width * height)
    colors.reserveCapacity(samples.count - width * height)
    for pixel in stride(from: 0, to: samples.count, by: channels.rawValue) {
      let last = pixel + channels.rawValue - 1
      colors.append(contentsOf: samples[pixel..<last])
      alpha.append(samples[last])
    }
    return (colors, alpha)
  }

  /// The picture with the samples of `plane`, of `depth` bits, as its alpha.
  ///
  /// - Parameter isPremultiplied: whether the colours were multiplied by alpha, which is then taken back.
  /// - Returns: nil where the plane is not of the picture's size, or the picture has alpha.
  public func withAlpha(_ plane: Plane, bitDepth depth: Int, isPremultiplied: Bool = false) -> RasterImage? {
    guard (plane.width, plane.height) == (width, height), !channels.hasAlpha,
      let channels = Channels(rawValue: channels.rawValue + 1)
    else { return nil }
    let samples: Plane.Samples =
      switch samples {
      case .bytes(let bytes): .bytes(interleave(bytes, plane, (1 << depth) - 1, isPremultiplied))
      case .words(let words): .words(interleave(words, plane, (1 << depth) - 1, isPremultiplied))
      }
    return RasterImage(width: width, height: height, channels: channels, bitDepth: bitDepth, samples: samples)
  }

  private func interleave<T: FixedWidthInteger>(
    _ colors: [T], _ plane: Plane, _ full: Int, _ isPremultiplied: Bool
  ) -> [T] {
    var result: [T] = []
    result.reserveCapacity(colors.count + width * height)
    var next = 0
    for y in 0..<height {
      for index in y * plane.stride..<y * plane.stride + width {
        let value =
          switch plane.samples {
          case .bytes(let bytes): Int(bytes[index])
          case .words(let words): Int(words[index])
          }
        let alpha = (min(value, full) * maximum + full / 2) / full
        for _ in 0..<channels.rawValue {
          let color = Int(colors[next])
          let plain = isPremultiplied && alpha > 0 ? min(maximum, (color * maximum + alpha / 2) / alpha) : color
          result.append(T(truncatingIfNeeded: plain))
          next += 1
        }
        result.append(T(truncatingIfNeeded: alpha))
      }
    }
    return result
  }
}
