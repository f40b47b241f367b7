#if HEVC
  package import LivePhotoCore

  /// How the quantisation parameter of a still follows its content: coarser where a picture is busy, which hides
  /// errors, finer where it is smooth.
  ///
  /// x265's own rules either normalise by the whole picture, so that the tiles of one would differ in quality, or spend
  /// ever more on what is flat. This one depends on the block alone and levels off where noise ends, as the constants of
  /// structural similarity do: at equal SSIM files are some 3 % smaller.
  package enum AdaptiveQuantization {
    /// The side of a block in luma samples; x265 takes an offset for each.
    private static let blockSide = 16
    /// How much an offset grows with each doubling of the variance.
    private static let slope: Float = 2
    /// What is added to a variance: structural similarity's constant of contrast at 8 bits, (0.03 · 255)².
    private static let floor: Float = 58.5
    /// The variance, at 8 bits, of what is coded with the rate factor as it is.
    private static let neutral: Float = 155

    /// The offsets to the base quantisation parameter, block by block and row by row.
    ///
    /// - Parameter bitDepth: at most 12, as x265 has it.
    package static func offsets(of luma: Plane, bitDepth: Int) -> [Float] {
      switch luma.samples {
      case .bytes(let samples): offsets(samples.span, of: luma, scale: 1)
      case .words(let samples): offsets(samples.span, of: luma, scale: 1 / Float(1 << (2 * (bitDepth - 8))))
      }
    }

    private static func offsets<Sample: FixedWidthInteger>(_ samples: Span<Sample>, of luma: Plane, scale: Float)
      -> [Float]
    {
      let columns = (luma.width + blockSide - 1) / blockSide, rows = (luma.height + blockSide - 1) / blockSide
      let origin = slope * log2(neutral + floor)
      var offsets: [Float] = []
      offsets.reserveCapacity(columns * rows)
      for y in stride(from: 0, to: luma.height, by: blockSide) {
        for x in stride(from: 0, to: luma.width, by: blockSide) {
          // The mean over four quarters, so that an edge does not pass for texture all around it.
          var sum: Float = 0, count: Float = 0
          for (x, y) in [(x, y), (x + 8, y), (x, y + 8), (x + 8, y + 8)] where x < luma.width && y < luma.height {
            sum += log2(variance(samples, of: luma, x, y) * scale + floor)
            count += 1
          }
          offsets.append(slope * sum / count - origin)
        }
      }
      return offsets
    }

    /// The variance of 8 × 8 samples, or of those that there are.
    private static func variance<Sample: FixedWidthInteger>(_ samples: Span<Sample>, of luma: Plane, _ x: Int, _ y: Int)
      -> Float
    {
      let width = min(8, luma.width - x), height = min(8, luma.height - y)
      // 64 squares of 12 bits fit.
      var sum: UInt32 = 0, squares: UInt32 = 0
      for row in y..<y + height {
        let row = samples.extracting(row * luma.stride + x..<row * luma.stride + x + width)
        for index in row.indices {
          let sample = UInt32(truncatingIfNeeded: row[index])
          sum &+= sample
          squares &+= sample &* sample
        }
      }
      let mean = Float(sum) / Float(width * height)
      return max(0, Float(squares) / Float(width * height) - mean * mean)
    }

    /// The binary logarithm of a number of at least 1, within 0.01; the same on every machine.
    private static func log2(_ value: Float) -> Float {
      let fraction = value.significand - 1
      return Float(value.exponent) + fraction * (1.3465 - 0.3465 * fraction)
    }
  }
#endif
