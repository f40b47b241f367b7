/// The deblocking filters, as many lines across an edge at a time as there are lanes; the samples of a line or those of a
/// row lie side by side.
// SAFETY: the caller has four samples of luma and two of chroma on both sides of the edge; so in all of this.
extension LaneVector where Kind: EdgeKind {
  /// The largest value of a sample where what is stored is made of means, none of which is above it.
  @inline(__always) static var unlimited: Self { Self(repeating: Int(Int16.max)) }

  /// Filters luma of a strength below 4.
  @inline(__always)
  static func filterLuma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ thresholds: EdgeThresholds<Kind>,
    _ limits: Self, _ maximum: Self
  ) {
    guard along == 1 else {
      var samples = unsafe Kind.loadLines(edge - 4, along)
      if samples.filter(thresholds, limits) {
        unsafe Kind.storeNearLines(samples.near, edge - 2, along, maximum.register)
      }
      return
    }
    var samples = unsafe EdgeSamples<Kind>(rows: edge, across)
    if samples.filter(thresholds, limits) { unsafe samples.near.store(edge, across, maximum) }
  }

  /// Filters luma of strength 4.
  @inline(__always)
  static func filterLumaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ thresholds: EdgeThresholds<Kind>
  ) {
    guard along == 1 else {
      var samples = unsafe Kind.loadLines(edge - 4, along)
      if samples.filterStrongly(thresholds) {
        unsafe Kind.storeLines(samples, edge - 4, along, unlimited.register)
      }
      return
    }
    var samples = unsafe EdgeSamples<Kind>(rows: edge, across)
    guard samples.filterStrongly(thresholds) else { return }
    unsafe samples.near.store(edge, across, unlimited)
    unsafe Kind.store(samples.p2.packedInRange, edge - 3 &* across)
    unsafe Kind.store(samples.q2.packedInRange, edge + 2 &* across)
  }

  /// Filters chroma, where `filter` says how.
  @inline(__always)
  static func filterChroma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ maximum: Self,
    _ filter: (inout NearEdgeSamples<Kind>) -> Bool
  ) {
    guard along == 1 else {
      var samples = unsafe Kind.loadNearLines(edge - 2, along)
      if filter(&samples) { unsafe Kind.storeNearLines(samples, edge - 2, along, maximum.register) }
      return
    }
    var samples = unsafe NearEdgeSamples<Kind>(rows: edge, across)
    guard filter(&samples) else { return }
    unsafe Kind.store(samples.p0.packed(maximum), edge - across)
    unsafe Kind.store(samples.q0.packed(maximum), edge)
  }

  /// Calls `body` for each eight lines; those that are left over, or lie otherwise in memory, it gets as a copy.
  @inline(__always)
  static func eachPiece(
    of edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ count: Int, reach: Int,
    _ body: (
      _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ index: Int, _ count: Int
    ) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Sample.self, capacity: 64) { memory in
      guard let memory = memory.baseAddress else { return }
      let isPlain = along == 1 || across == 1, copy = unsafe memory + 32
      var index = 0
      while index < count {
        let piece = unsafe edge + index &* along, lines = min(count &- index, 8)
        let isCopied = !isPlain || lines < 8
        if isCopied {
          unsafe UnsafeMutableRawPointer(memory).initializeMemory(
            as: UInt8.self, repeating: 0, count: 64 * MemoryLayout<Sample>.stride)
          unsafe Self.copy(piece, across, along, to: copy, 8, 1, lines, reach)
        }
        unsafe body(isCopied ? copy : piece, isCopied ? 8 : across, isCopied ? 1 : along, index, lines)
        if isCopied { unsafe Self.copy(copy, 8, 1, to: piece, across, along, lines, reach) }
        index &+= 8
      }
    }
  }

  /// Copies lines of `reach` samples on both sides of an edge.
  @inline(never)
  private static func copy(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, to other: UnsafeMutablePointer<Sample>,
    _ otherAcross: Int, _ otherAlong: Int, _ lines: Int, _ reach: Int
  ) {
    for row in -reach..<reach {
      for line in 0..<lines {
        unsafe other[row &* otherAcross &+ line &* otherAlong] = edge[row &* across &+ line &* along]
      }
    }
  }
}

extension EdgeSamples {
  /// The samples of rows on both sides, from `edge` along.
  @inline(__always)
  init(rows edge: UnsafePointer<Lanes.Sample>, _ across: Int) {
    @inline(__always)
    func row(_ index: Int) -> Lanes { unsafe Lanes(loading: edge + index &* across) }
    self.init(
      p3: row(-4), p2: row(-3), p1: row(-2), p0: row(-1), q0: row(0), q1: row(1), q2: row(2), q3: row(3))
  }
}

extension NearEdgeSamples {
  /// The samples of rows on both sides, from `edge` along.
  @inline(__always)
  init(rows edge: UnsafePointer<Lanes.Sample>, _ across: Int) {
    @inline(__always)
    func row(_ index: Int) -> Lanes { unsafe Lanes(loading: edge + index &* across) }
    self.init(p1: row(-2), p0: row(-1), q0: row(0), q1: row(1))
  }

  /// Stores the samples as rows on both sides.
  @inline(__always)
  func store(_ edge: UnsafeMutablePointer<Lanes.Sample>, _ across: Int, _ maximum: Lanes) {
    unsafe Kind.store(p1.packed(maximum), edge - 2 &* across)
    unsafe Kind.store(p0.packed(maximum), edge - across)
    unsafe Kind.store(q0.packed(maximum), edge)
    unsafe Kind.store(q1.packed(maximum), edge + across)
  }
}
