import LivePhotoCore

/// The luma of a picture, made small: what frames are compared by.
struct LumaPicture {
  let width: Int
  let height: Int
  /// Rows from top to bottom, black 0 and white 1.
  var samples: [Float]

  /// The average luma of squares so large that no side has more than `side` of them.
  init(_ image: PlanarImage, side: Int) {
    let factor = max(1, (max(image.width, image.height) + side - 1) / side)
    let depth = image.format.bitDepth
    let (black, white) = image.color.isFullRange ? (0, (1 << depth) - 1) : (16 << (depth - 8), 235 << (depth - 8))
    width = max(1, image.width / factor)
    height = max(1, image.height / factor)
    let plane = image.planes[0]
    samples =
      switch plane.samples {
      case .bytes(let bytes): Self.averages(bytes.span, plane, factor, width, height)
      case .words(let words): Self.averages(words.span, plane, factor, width, height)
      }
    let scale = 1 / Float(white - black)
    for index in samples.indices { samples[index] = min(max((samples[index] - Float(black)) * scale, 0), 1) }
  }

  private static func averages<Sample: FixedWidthInteger>(
    _ source: Span<Sample>, _ plane: Plane, _ factor: Int, _ width: Int, _ height: Int
  ) -> [Float] {
    var averages: [Float] = []
    averages.reserveCapacity(width * height)
    // A picture may be smaller than one square in one direction.
    let across = min(factor, plane.width), down = min(factor, plane.height)
    let scale = 1 / Float(across * down)
    for y in 0..<height {
      for x in 0..<width {
        var sum: UInt32 = 0
        for row in 0..<down {
          let start = (y * factor + row) * plane.stride + x * factor
          for index in start..<start + across { sum &+= UInt32(truncatingIfNeeded: source[index]) }
        }
        averages.append(Float(sum) * scale)
      }
    }
    return averages
  }

  private init(width: Int, height: Int, samples: [Float]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The picture in another size, each new sample the average of what it covers.
  func resized(width newWidth: Int, height newHeight: Int) -> LumaPicture {
    let columns = Self.weights(from: width, to: newWidth), rows = Self.weights(from: height, to: newHeight)
    var across: [Float] = []
    across.reserveCapacity(newWidth * height)
    for y in 0..<height {
      for column in columns {
        across.append(column.reduce(0) { $0 + samples[y * width + $1.index] * $1.weight })
      }
    }
    var result: [Float] = []
    result.reserveCapacity(newWidth * newHeight)
    for row in rows {
      for x in 0..<newWidth { result.append(row.reduce(0) { $0 + across[$1.index * newWidth + x] * $1.weight }) }
    }
    return LumaPicture(width: newWidth, height: newHeight, samples: result)
  }

  /// For each new sample the old ones that it covers, and how much of it each is.
  private static func weights(from count: Int, to newCount: Int) -> [[(index: Int, weight: Float)]] {
    let step = Float(count) / Float(newCount)
    return (0..<newCount).map { place in
      let start = Float(place) * step, end = start + step
      return (Int(start)...min(Int(end), count - 1)).map { index in
        (index, max(0, min(end, Float(index + 1)) - max(start, Float(index))) / step)
      }
    }
  }

  /// The part in the middle.
  func center(width newWidth: Int, height newHeight: Int) -> LumaPicture {
    let x = (width - newWidth) / 2, y = (height - newHeight) / 2
    let rows = (y..<y + newHeight).flatMap { samples[$0 * width + x..<$0 * width + x + newWidth] }
    return LumaPicture(width: newWidth, height: newHeight, samples: rows)
  }

  /// The mean of the samples.
  var mean: Float { samples.reduce(0, +) / Float(samples.count) }

  /// The mean distance of samples at the same places; 1 for pictures of different sizes.
  func distance(to other: LumaPicture) -> Float {
    guard samples.count == other.samples.count else { return 1 }
    var sum: Float = 0
    for index in samples.indices { sum += abs(samples[index] - other.samples[index]) }
    return sum / Float(samples.count)
  }
}
