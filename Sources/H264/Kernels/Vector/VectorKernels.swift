/// The numbers of lanes in which blocks of one size of samples are worked on.
protocol LaneFamily<Sample> {
  associatedtype Sample: AddableSample
  /// The most that one register holds as they are stored.
  associatedtype Row: PackedKind where Row.Sample == Sample
  /// The most that one register holds with room for sums.
  associatedtype Wide: LaneKind where Wide.Sample == Sample
  /// The most lines of an edge that are filtered at once.
  associatedtype Edge: EdgeKind where Edge.Sample == Sample
  associatedtype Eight: EdgeKind where Eight.Sample == Sample
  associatedtype Four: LaneKind where Four.Sample == Sample
  associatedtype Two: LaneKind where Two.Sample == Sample
}

/// Samples of 8 bits.
enum ByteFamily: LaneFamily {
  #if KERNELS_V3
    typealias Wide = ByteKind16
    typealias Edge = ByteKind16
  #else
    typealias Wide = ByteKind8
    typealias Edge = ByteKind8
  #endif
  typealias Sample = UInt8
  typealias Row = ByteRow16
  typealias Eight = ByteKind8
  typealias Four = ByteKind4
  typealias Two = ByteKind2
}

/// Samples of 9 to 14 bits.
enum DeepFamily: LaneFamily {
  typealias Sample = UInt16
  typealias Row = DeepKind8
  typealias Wide = DeepKind8
  typealias Edge = DeepKind8
  typealias Eight = DeepKind8
  typealias Four = DeepKind4
  typealias Two = DeepKind2
}

/// The kernels that work on blocks of several widths.
enum VectorKernels<Family: LaneFamily> {
  typealias Sample = Family.Sample

  // SAFETY: each kernel says what its caller promises; so in all of this.

  @inline(__always)
  static func predictLuma(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int, _ maximum: Int
  ) {
    @inline(__always)
    func predict<Kind: LaneKind>(_ kind: Kind.Type, _ x: Int) where Kind.Sample == Sample {
      unsafe VectorLuma<Kind>(
        output: output + x, outputStride: outputStride, source: source + x, stride: sourceStride, height: height,
        maximum: LaneVector(repeating: maximum)
      ).predict(xFraction, yFraction)
    }
    switch width {
    case 16 where xFraction | yFraction == 0:
      for x in stride(from: 0, to: 16, by: Family.Row.count) {
        unsafe Family.Row.copy(output + x, outputStride, source + x, sourceStride, height)
      }
    case 16: for x in stride(from: 0, to: 16, by: Family.Wide.count) { predict(Family.Wide.self, x) }
    case 8: predict(Family.Eight.self, 0)
    default: predict(Family.Four.self, 0)
    }
  }

  @inline(__always)
  static func predictChroma(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int
  ) {
    switch width {
    case 8:
      unsafe LaneVector<Family.Eight>.predictChroma(
        output, outputStride, source, sourceStride, height, xFraction, yFraction)
    case 4:
      unsafe LaneVector<Family.Four>.predictChroma(
        output, outputStride, source, sourceStride, height, xFraction, yFraction)
    default:
      unsafe LaneVector<Family.Two>.predictChroma(
        output, outputStride, source, sourceStride, height, xFraction, yFraction)
    }
  }

  @inline(__always)
  static func average(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int
  ) {
    switch width {
    case 16:
      for x in Swift.stride(from: 0, to: 16, by: Family.Row.count) {
        unsafe Family.Row.average(block + x, stride, other + x, otherStride, height)
      }
    case 8: unsafe Family.Eight.average(block, stride, other, otherStride, height)
    case 4: unsafe Family.Four.average(block, stride, other, otherStride, height)
    default: unsafe Family.Two.average(block, stride, other, otherStride, height)
    }
  }

  @inline(__always)
  static func weight(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ width: Int, _ height: Int, _ shift: Int, _ weight: Int,
    _ offset: Int, _ maximum: Int
  ) {
    switch width {
    case 16:
      for x in Swift.stride(from: 0, to: 16, by: Family.Wide.count) {
        unsafe LaneVector<Family.Wide>.weight(block + x, stride, height, shift, weight, offset, maximum)
      }
    case 8: unsafe LaneVector<Family.Eight>.weight(block, stride, height, shift, weight, offset, maximum)
    case 4: unsafe LaneVector<Family.Four>.weight(block, stride, height, shift, weight, offset, maximum)
    default: unsafe LaneVector<Family.Two>.weight(block, stride, height, shift, weight, offset, maximum)
    }
  }

  @inline(__always)
  static func weightPair(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int, _ weights: PairWeights, _ maximum: Int
  ) {
    switch width {
    case 16:
      for x in Swift.stride(from: 0, to: 16, by: Family.Wide.count) {
        unsafe LaneVector<Family.Wide>.weightPair(block + x, stride, other + x, otherStride, height, weights, maximum)
      }
    case 8: unsafe LaneVector<Family.Eight>.weightPair(block, stride, other, otherStride, height, weights, maximum)
    case 4: unsafe LaneVector<Family.Four>.weightPair(block, stride, other, otherStride, height, weights, maximum)
    default: unsafe LaneVector<Family.Two>.weightPair(block, stride, other, otherStride, height, weights, maximum)
    }
  }
}
