/// A picture of interleaved RGB or grey samples, full range, with or without alpha; rows follow each other without a
/// gap.
///
/// What the colours are of (sRGB unless something says otherwise) is not part of it. Alpha is not premultiplied.
public struct RasterImage: Sendable, Equatable {
  /// Pixels a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The samples of a pixel.
  public let channels: Channels
  /// Bits a sample, 8 to 16; the largest value is 2^`bitDepth` - 1.
  public let bitDepth: Int
  /// The samples: bytes at 8 bits, else words.
  public var samples: Plane.Samples

  /// Which samples a pixel has, in their order; the raw value is their number.
  public enum Channels: Int, Sendable, CaseIterable {
    /// Grey.
    case gray = 1
    /// Grey and alpha.
    case grayAlpha = 2
    /// Red, green, blue.
    case rgb = 3
    /// Red, green, blue, alpha.
    case rgba = 4

    /// Whether there is alpha.
    public var hasAlpha: Bool { rawValue % 2 == 0 }
    /// Whether there is colour.
    public var hasColor: Bool { rawValue >= 3 }
  }

  /// A picture over given samples.
  ///
  /// - Precondition: there are `width` × `height` × `channels` samples, of the width that `bitDepth` asks for.
  public init(width: Int, height: Int, channels: Channels, bitDepth: Int = 8, samples: Plane.Samples) {
    precondition((8...16).contains(bitDepth), "8 to 16 bits a sample")
    let isWide = if case .words = samples { true } else { false }
    precondition(isWide == (bitDepth > 8), "samples of the wrong width")
    precondition(samples.count == width * height * channels.rawValue, "samples that do not fit the size")
    self.width = width
    self.height = height
    self.channels = channels
    self.bitDepth = bitDepth
    self.samples = samples
  }

  /// The largest sample value.
  public var maximum: Int { (1 << bitDepth) - 1 }

  /// The sample `channel` of the pixel in column `x` of row `y`.
  public subscript(x: Int, y: Int, channel: Int) -> UInt16 {
    let index = (y * width + x) * channels.rawValue + channel
    return switch samples {
    case .bytes(let bytes): UInt16(bytes[index])
    case .words(let words): words[index]
    }
  }
}

extension Plane.Samples {
  /// The number of samples.
  public var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .words(let words): words.count
    }
  }
}

extension RasterImage {
  /// The picture as it is shown in `orientation`.
  public func turned(_ orientation: Orientation) -> RasterImage {
    guard orientation != .up else { return self }
    let (width, height) = orientation.swapsAxes ? (height, width) : (width, height)
    return gathered(pixelSteps(orientation), width: width, height: height)
  }

  /// The index of the pixel that is shown first, and how far it is to the next one to the right and below.
  private func pixelSteps(_ orientation: Orientation) -> PixelGathering.Steps {
    // Where the corner and the two directions of the shown picture lie in the stored one.
    func stored(_ x: Int, _ y: Int) -> Int {
      let last = (x: width - 1, y: height - 1)
      let (turnedX, turnedY) =
        switch orientation.quarterTurns {
        case 0: (x, y)
        case 1: (y, last.y - x)
        case 2: (last.x - x, last.y - y)
        default: (last.x - y, x)
        }
      return turnedY * width + (orientation.isMirrored ? last.x - turnedX : turnedX)
    }
    let start = stored(0, 0)
    return PixelGathering.Steps(start: start, right: stored(1, 0) - start, down: stored(0, 1) - start)
  }

  private func gathered(_ steps: PixelGathering.Steps, width: Int, height: Int) -> RasterImage {
    let count = channels.rawValue
    let samples: Plane.Samples =
      switch samples {
      case .bytes(let bytes):
        .bytes(PixelGathering.gather(bytes, channels: count, steps, width: width, height: height))
      case .words(let words):
        .words(PixelGathering.gather(words, channels: count, steps, width: width, height: height))
      }
    return RasterImage(width: width, height: height, channels: channels, bitDepth: bitDepth, samples: samples)
  }

  /// The part of the picture in `columns` and `rows`, which are clamped to it.
  public func cropped(columns: Range<Int>, rows: Range<Int>) -> RasterImage {
    let columns = columns.clamped(to: 0..<width), rows = rows.clamped(to: 0..<height)
    let steps = PixelGathering.Steps(start: rows.lowerBound * width + columns.lowerBound, right: 1, down: width)
    return gathered(steps, width: columns.count, height: rows.count)
  }

  /// The picture without alpha, laid over white.
  public func flattened() -> RasterImage {
    guard let opaque = Channels(rawValue: channels.rawValue - 1), channels.hasAlpha else { return self }
    let samples: Plane.Samples =
      switch samples {
      case .bytes(let bytes): .bytes(Self.flatten(bytes, channels.rawValue, maximum))
      case .words(let words): .words(Self.flatten(words, channels.rawValue, maximum))
      }
    return RasterImage(width: width, height: height, channels: opaque, bitDepth: bitDepth, samples: samples)
  }

  private static func flatten<T: FixedWidthInteger>(_ source: [T], _ channels: Int, _ maximum: Int) -> [T] {
    var result: [T] = []
    result.reserveCapacity(source.count / channels * (channels - 1))
    for pixel in stride(from: 0, to: source.count, by: channels) {
      let alpha = Int(source[pixel + channels - 1])
      let white = (maximum - alpha) * maximum
      for channel in 0..<channels - 1 {
        result.append(T(truncatingIfNeeded: (Int(source[pixel + channel]) * alpha + white + maximum / 2) / maximum))
      }
    }
    return result
  }
}

extension RasterImage {
  /// The picture with fewer bits a sample, each value rounded to the nearest; one of fewer bits stays as it is.
  ///
  /// - Precondition: `depth` is 8 to 16.
  public func reduced(to depth: Int) -> RasterImage {
    guard depth < bitDepth, case .words(let words) = samples else { return self }
    let from = Int(maximum), to = (1 << depth) - 1
    let scaled = words.lazy.map { (Int($0) * to + from / 2) / from }
    return RasterImage(
      width: width, height: height, channels: channels, bitDepth: depth,
      samples: depth == 8
        ? .bytes(scaled.map { UInt8(truncatingIfNeeded: $0) }) : .words(scaled.map { UInt16(truncatingIfNeeded: $0) }))
  }
}
