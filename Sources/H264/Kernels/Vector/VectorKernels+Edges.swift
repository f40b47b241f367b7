/// The kernels that filter edges.
// SAFETY: each kernel says what its caller promises; so in all of this.
extension VectorKernels {
  private typealias Edge = LaneVector<Family.Edge>
  private typealias Eight = LaneVector<Family.Eight>

  /// Whether the whole of an edge is filtered at once.
  @inline(__always)
  private static func isWhole(_ across: Int, _ along: Int, _ count: Int) -> Bool {
    Family.Edge.count > Family.Eight.count && count == Family.Edge.count && (along == 1 || across == 1)
  }

  @inline(__always)
  static func deblockLuma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let count = segments &* length
    if isWhole(across, along, count) {
      let limits = unsafe Edge(Family.Edge.limits(clipping, 0, length, count))
      unsafe Edge.filterLuma(edge, across, along, EdgeThresholds(alpha, beta), limits, Edge(repeating: maximum))
      return
    }
    let thresholds = EdgeThresholds<Family.Eight>(alpha, beta), maximum = Eight(repeating: maximum)
    unsafe Eight.eachPiece(of: edge, across, along, count, reach: 4) { edge, across, along, index, count in
      let limits = unsafe Eight(Family.Eight.limits(clipping, index, length, count))
      unsafe Eight.filterLuma(edge, across, along, thresholds, limits, maximum)
    }
  }

  @inline(__always)
  static func deblockLumaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    if isWhole(across, along, length) {
      unsafe Edge.filterLumaStrongly(edge, across, along, EdgeThresholds(alpha, beta))
      return
    }
    let thresholds = EdgeThresholds<Family.Eight>(alpha, beta)
    unsafe Eight.eachPiece(of: edge, across, along, length, reach: 4) { edge, across, along, _, _ in
      unsafe Eight.filterLumaStrongly(edge, across, along, thresholds)
    }
  }

  @inline(__always)
  static func deblockChroma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let thresholds = EdgeThresholds<Family.Eight>(alpha, beta), maximum = Eight(repeating: maximum)
    unsafe Eight.eachPiece(of: edge, across, along, segments &* length, reach: 2) { edge, across, along, index, count in
      let limits = unsafe Eight(Family.Eight.limits(clipping, index, length, count))
      unsafe Eight.filterChroma(edge, across, along, maximum) { $0.filter(thresholds, limits) }
    }
  }

  @inline(__always)
  static func deblockChromaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    let thresholds = EdgeThresholds<Family.Eight>(alpha, beta)
    unsafe Eight.eachPiece(of: edge, across, along, length, reach: 2) { edge, across, along, _, _ in
      unsafe Eight.filterChroma(edge, across, along, Eight.unlimited) { $0.filterStrongly(thresholds) }
    }
  }
}
