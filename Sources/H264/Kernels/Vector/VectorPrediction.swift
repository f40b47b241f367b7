// SAFETY: the caller's blocks have the rows and columns that are asked for; so in all of this.
extension PackedKind {
  /// Copies a block.
  @inline(__always)
  static func copy(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>, _ stride: Int,
    _ height: Int
  ) {
    for y in 0..<height { unsafe store(loadPacked(source + y &* stride), output + y &* outputStride) }
  }

  /// See ``Average``.
  @inline(__always)
  static func average(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ height: Int
  ) {
    for y in 0..<height {
      let row = unsafe block + y &* stride
      unsafe store(mean(loadPacked(row), loadPacked(other + y &* otherStride)), row)
    }
  }
}

/// Prediction of a column of as many samples as there are lanes, for the kernels of the same names.
extension LaneVector {
  /// See ``PredictChroma``.
  @inline(__always)
  static func predictChroma(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>, _ stride: Int,
    _ height: Int, _ xFraction: Int, _ yFraction: Int
  ) {
    let (right, below) = (Self(repeating: xFraction), Self(repeating: yFraction))
    let (eight, half) = (Self(repeating: 8), Self(repeating: 32))
    @inline(__always)
    func row(_ y: Int) -> Self {
      let row = unsafe source + y &* stride
      let a = unsafe Self(loading: row), b = unsafe Self(loading: row + 1)
      return a &* eight &+ (b &- a) &* right
    }
    var upper = row(0)
    for y in 0..<height {
      let lower = row(y &+ 1)
      let sum = upper &* eight &+ (lower &- upper) &* below &+ half
      // No mean is above the largest sample.
      unsafe Kind.store(sum.shiftedRight(6).packedInRange, output + y &* outputStride)
      upper = lower
    }
  }

  /// See ``Weight``.
  @inline(__always)
  static func weight(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ height: Int, _ shift: Int, _ weight: Int, _ offset: Int,
    _ maximum: Int
  ) {
    let (weight, offset, maximum) = (Self(repeating: weight), Self(repeating: offset), Self(repeating: maximum))
    let rounding = Self(repeating: shift == 0 ? 0 : 1 &<< (shift &- 1))
    for y in 0..<height {
      let row = unsafe block + y &* stride
      let value = unsafe (Self(loading: row) &* weight &+ rounding).shiftedRight(shift) &+ offset
      unsafe Kind.store(value.packed(maximum), row)
    }
  }

  /// See ``WeightPair``.
  @inline(__always)
  static func weightPair(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ height: Int, _ weights: PairWeights, _ maximum: Int
  ) {
    let maximum = Self(repeating: maximum)
    for y in 0..<height {
      let row = unsafe block + y &* stride
      let value = unsafe Self(loading: row).weighted(with: Self(loading: other + y &* otherStride), weights)
      unsafe Kind.store(value.packed(maximum), row)
    }
  }
}
