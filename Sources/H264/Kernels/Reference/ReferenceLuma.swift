/// Interpolation of luma samples in plain scalar code (ITU-T H.264, 8.4.2.2.1).
enum ReferenceLuma {
  /// Predicts a block; see ``PredictLuma``.
  static func predict<Sample: KernelSample>(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int, _ maximum: Int
  ) {
    for y in 0..<height {
      for x in 0..<width {
        // SAFETY: the caller has two samples before and three behind the block, and room for it.
        unsafe output[y * outputStride + x] = Sample(
          truncatingIfNeeded: LumaNeighbourhood(source + y * sourceStride + x, sourceStride, maximum)
            .sample(xFraction, yFraction))
      }
    }
  }
}

/// The samples around a whole position G, and the interpolated ones between, named as in figure 8-4.
// SAFETY: made only where the caller of a kernel has the samples around.
@safe private struct LumaNeighbourhood<Sample: KernelSample> {
  let center: UnsafePointer<Sample>
  let stride: Int
  let maximum: Int

  @inline(__always)
  init(_ center: UnsafePointer<Sample>, _ stride: Int, _ maximum: Int) {
    unsafe self.center = unsafe center
    self.stride = stride
    self.maximum = maximum
  }

  /// The predicted sample, of table 8-12.
  @inline(__always)
  func sample(_ xFraction: Int, _ yFraction: Int) -> Int {
    switch (xFraction, yFraction) {
    case (0, 0): whole(0, 0)
    case (0, 1): mean(whole(0, 0), h)
    case (0, 2): h
    case (0, 3): mean(h, whole(0, 1))
    case (1, 0): mean(whole(0, 0), b)
    case (1, 1): mean(b, h)
    case (1, 2): mean(h, j)
    case (1, 3): mean(h, s)
    case (2, 0): b
    case (2, 1): mean(b, j)
    case (2, 2): j
    case (2, 3): mean(j, s)
    case (3, 0): mean(b, whole(1, 0))
    case (3, 1): mean(b, m)
    case (3, 2): mean(j, m)
    default: mean(s, m)
    }
  }

  // SAFETY: positions are at most two samples before and three behind a block's.
  @inline(__always)
  private func whole(_ x: Int, _ y: Int) -> Int { unsafe Int(center[y * stride + x]) }

  private var b: Int { half(horizontal(0)) }
  private var s: Int { half(horizontal(1)) }
  private var h: Int { half(vertical(0)) }
  private var m: Int { half(vertical(1)) }
  private var j: Int {
    clip((sixTap { horizontal($0) } + 512) >> 10)
  }

  /// The six-tap filter's sum along row `y`, between the columns 0 and 1.
  private func horizontal(_ y: Int) -> Int { sixTap { whole($0, y) } }

  /// The six-tap filter's sum along column `x`, between the rows 0 and 1.
  private func vertical(_ x: Int) -> Int { sixTap { whole(x, $0) } }

  private func sixTap(_ value: (Int) -> Int) -> Int {
    value(-2) - 5 * value(-1) + 20 * value(0) + 20 * value(1) - 5 * value(2) + value(3)
  }

  private func half(_ sum: Int) -> Int { clip((sum + 16) >> 5) }

  private func mean(_ a: Int, _ b: Int) -> Int { (a + b + 1) >> 1 }

  private func clip(_ value: Int) -> Int { min(max(value, 0), maximum) }
}
