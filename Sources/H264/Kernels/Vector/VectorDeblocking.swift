/// The deblocking filters, eight lines across an edge at a time; the samples of a line or those of a row lie side by
/// side.
// SAFETY: the caller has four samples of luma and two of chroma on both sides of the edge; so in all of this.
extension LaneVector where Kind: EdgeKind {
  /// See ``Deblock``.
  @inline(__always)
  static func deblockLuma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let thresholds = EdgeThresholds<Kind>(alpha, beta), maximum = Self(repeating: maximum)
    unsafe eachPiece(of: edge, across, along, segments &* length, reach: 4) { edge, across, along, index, count in
      let clipping = unsafe Self(clipping: clipping, index, length, count)
      guard along == 1 else {
        var samples = unsafe Kind.loadLines(edge - 4, along)
        if samples.filter(thresholds, clipping) {
          unsafe Kind.storeNearLines(samples.near, edge - 2, along, maximum.register)
        }
        return
      }
      var samples = unsafe EdgeSamples<Kind>(rows: edge, across)
      if samples.filter(thresholds, clipping) { unsafe samples.near.store(edge, across, maximum) }
    }
  }

  /// See ``DeblockStrongly``.
  @inline(__always)
  static func deblockLumaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    // What is stored is made of means, none of which is above the largest sample.
    let thresholds = EdgeThresholds<Kind>(alpha, beta), maximum = Self(repeating: Int(Int16.max))
    unsafe eachPiece(of: edge, across, along, length, reach: 4) { edge, across, along, _, _ in
      guard along == 1 else {
        var samples = unsafe Kind.loadLines(edge - 4, along)
        if samples.filterStrongly(thresholds) { unsafe Kind.storeLines(samples, edge - 4, along, maximum.register) }
        return
      }
      var samples = unsafe EdgeSamples<Kind>(rows: edge, across)
      guard samples.filterStrongly(thresholds) else { return }
      unsafe samples.near.store(edge, across, maximum)
      unsafe Kind.store(samples.p2.packedInRange, edge - 3 &* across)
      unsafe Kind.store(samples.q2.packedInRange, edge + 2 &* across)
    }
  }

  /// See ``Deblock``.
  @inline(__always)
  static func deblockChroma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let thresholds = EdgeThresholds<Kind>(alpha, beta), maximum = Self(repeating: maximum)
    unsafe eachPiece(of: edge, across, along, segments &* length, reach: 2) { edge, across, along, index, count in
      let clipping = unsafe Self(clipping: clipping, index, length, count)
      unsafe change(edge, across, along, maximum) { $0.filter(thresholds, clipping) }
    }
  }

  /// See ``DeblockStrongly``.
  @inline(__always)
  static func deblockChromaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    let thresholds = EdgeThresholds<Kind>(alpha, beta), maximum = Self(repeating: Int(Int16.max))
    unsafe eachPiece(of: edge, across, along, length, reach: 2) { edge, across, along, _, _ in
      unsafe change(edge, across, along, maximum) { $0.filterStrongly(thresholds) }
    }
  }

  /// Filters the two samples on either side of eight lines.
  @inline(__always)
  private static func change(
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
  private static func eachPiece(
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
