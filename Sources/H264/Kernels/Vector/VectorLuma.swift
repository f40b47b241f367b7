/// Interpolation of luma samples, a column of as many as there are lanes at a time (ITU-T H.264, 8.4.2.2.1).
///
/// Samples are named as in figure 8-4: `b` and `s` lie between columns, `h` and `m` between rows, `j` between both.
@safe struct VectorLuma<Kind: LaneKind> {
  typealias Lanes = LaneVector<Kind>

  let output: UnsafeMutablePointer<Lanes.Sample>
  let outputStride: Int
  let source: UnsafePointer<Lanes.Sample>
  let stride: Int
  let height: Int
  let maximum: Lanes
}

// SAFETY: the caller has two samples before and three behind the block in both directions, and room for it; so in all
// of this.
extension VectorLuma {
  /// Predicts the column for a position of 0 to 3 quarters.
  @inline(__always)
  func predict(_ xFraction: Int, _ yFraction: Int) {
    // Of two neighbours, the one that the sample between is averaged with.
    let right = xFraction == 3 ? 1 : 0, below = yFraction == 3 ? 1 : 0
    switch (xFraction, yFraction) {
    case (0, 0): unsafe Kind.copy(output, outputStride, source, stride, height)
    case (2, 0): predictHorizontally(nil)
    case (_, 0): predictHorizontally(right)
    case (0, 2): predictVertically(nil)
    case (0, _): predictVertically(below)
    case (2, 2): predictCenter { _, _ in nil }
    case (2, 1): predictCenter { upper, _ in upper }
    case (2, _): predictCenter { _, lower in lower }
    case (_, 2): predictCenterBetweenColumns(right)
    default: predictDiagonally(right, below)
    }
  }

  /// `b`, or its mean with the whole sample at `neighbour` columns to the right.
  @inline(__always)
  private func predictHorizontally(_ neighbour: Int?) {
    for y in 0..<height {
      var samples = half(horizontal(y))
      if let neighbour { samples = unsafe Kind.mean(samples, Kind.loadPacked(source + y &* stride + neighbour)) }
      put(samples, y)
    }
  }

  /// `h`, or its mean with the whole sample at `neighbour` rows below.
  @inline(__always)
  private func predictVertically(_ neighbour: Int?) {
    slide({ y in unsafe Lanes(loading: source + y &* stride) }) { y, a, b, c, d, e, f in
      var samples = half(Lanes.sixTap(a, b, c, d, e, f))
      if let neighbour { samples = unsafe Kind.mean(samples, Kind.loadPacked(source + (y &+ neighbour) &* stride)) }
      put(samples, y)
    }
  }

  /// The mean of `b` or `s` and `h` or `m`.
  @inline(__always)
  private func predictDiagonally(_ right: Int, _ below: Int) {
    slide({ y in unsafe Lanes(loading: source + y &* stride + right) }) { y, a, b, c, d, e, f in
      let vertical = half(Lanes.sixTap(a, b, c, d, e, f))
      put(Kind.mean(vertical, half(horizontal(y &+ below))), y)
    }
  }

  /// `j`, or its mean with what is chosen of the sums for `b` and `s`.
  @inline(__always)
  private func predictCenter(_ choice: (_ upper: Lanes, _ lower: Lanes) -> Lanes?) {
    slide({ y in horizontal(y) }) { y, a, b, c, d, e, f in
      var samples = Lanes.center(a &+ f, b &+ e, c &+ d).packed(maximum)
      if let sum = choice(c, d) { samples = Kind.mean(samples, half(sum)) }
      put(samples, y)
    }
  }

  /// The mean of `j` and `h` or `m`.
  @inline(__always)
  private func predictCenterBetweenColumns(_ right: Int) {
    predictCenter { _, _ in nil }
    slide({ y in unsafe Lanes(loading: source + y &* stride + right) }) { y, a, b, c, d, e, f in
      let center = unsafe Kind.loadPacked(output + y &* outputStride)
      put(Kind.mean(center, half(Lanes.sixTap(a, b, c, d, e, f))), y)
    }
  }

  /// Calls `body` for each row, with what `row` gives for it, the two before and the three behind.
  @inline(__always)
  private func slide(
    _ row: (Int) -> Lanes,
    _ body: (_ y: Int, _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ e: Lanes, _ f: Lanes)
      -> Void
  ) {
    var (a, b, c, d, e) = (row(-2), row(-1), row(0), row(1), row(2))
    for y in 0..<height {
      let f = row(y &+ 3)
      body(y, a, b, c, d, e, f)
      (a, b, c, d, e) = (b, c, d, e, f)
    }
  }

  /// The six-tap filter's sums along row `y`.
  @inline(__always)
  private func horizontal(_ y: Int) -> Lanes {
    let row = unsafe source + y &* stride
    return unsafe Lanes.sixTap(
      Lanes(loading: row - 2), Lanes(loading: row - 1), Lanes(loading: row), Lanes(loading: row + 1),
      Lanes(loading: row + 2), Lanes(loading: row + 3))
  }

  @inline(__always)
  private func half(_ sum: Lanes) -> Lanes.Packed {
    (sum &+ Lanes(repeating: 16)).shiftedRight(5).packed(maximum)
  }

  @inline(__always)
  private func put(_ samples: Lanes.Packed, _ y: Int) { unsafe Kind.store(samples, output + y &* outputStride) }
}
