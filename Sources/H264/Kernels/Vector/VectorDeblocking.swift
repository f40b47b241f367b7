/// The deblocking filters, eight lines across an edge at a time; the samples of a line or those of a row lie side by
/// side.
// SAFETY: the caller has four samples of luma and two of chroma on both sides of the edge; so in all of this.
extension EdgeLanes {
  /// See ``Deblock``.
  @inline(__always)
  static func deblockLuma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let thresholds = EdgeThresholds<Self>(alpha, beta), maximum = Self(repeating: maximum)
    unsafe eachPiece(of: edge, across, along, segments &* length, reach: 4) { edge, across, along, index, count in
      let clipping = unsafe Self(clipping: clipping, index, length, count)
      guard along == 1 else {
        var samples = unsafe loadLines(edge - 4, along)
        if samples.filter(thresholds, clipping) {
          unsafe storeNearLines(samples.near, edge - 2, along, maximum)
        }
        return
      }
      var samples = unsafe EdgeSamples<Self>(rows: edge, across)
      if samples.filter(thresholds, clipping) { unsafe samples.near.store(edge, across, maximum) }
    }
  }

  /// See ``DeblockStrongly``.
  @inline(__always)
  static func deblockLumaStrongly(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    // What is stored is made of means, none of which is above the largest sample.
    let thresholds = EdgeThresholds<Self>(alpha, beta), maximum = Self(repeating: Int(Int16.max))
    unsafe eachPiece(of: edge, across, along, length, reach: 4) { edge, across, along, _, _ in
      guard along == 1 else {
        var samples = unsafe loadLines(edge - 4, along)
        if samples.filterStrongly(thresholds) { unsafe storeLines(samples, edge - 4, along, maximum) }
        return
      }
      var samples = unsafe EdgeSamples<Self>(rows: edge, across)
      guard samples.filterStrongly(thresholds) else { return }
      unsafe samples.near.store(edge, across, maximum)
      unsafe store(samples.p2.packedInRange, edge - 3 &* across)
      unsafe store(samples.q2.packedInRange, edge + 2 &* across)
    }
  }

  /// See ``Deblock``.
  @inline(__always)
  static func deblockChroma(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    let thresholds = EdgeThresholds<Self>(alpha, beta), maximum = Self(repeating: maximum)
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
    let thresholds = EdgeThresholds<Self>(alpha, beta), maximum = Self(repeating: Int(Int16.max))
    unsafe eachPiece(of: edge, across, along, length, reach: 2) { edge, across, along, _, _ in
      unsafe change(edge, across, along, maximum) { $0.filterStrongly(thresholds) }
    }
  }

  /// Filters the two samples on either side of eight lines.
  @inline(__always)
  private static func change(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ maximum: Self,
    _ filter: (inout NearEdgeSamples<Self>) -> Bool
  ) {
    guard along == 1 else {
      var samples = unsafe loadNearLines(edge - 2, along)
      if filter(&samples) { unsafe storeNearLines(samples, edge - 2, along, maximum) }
      return
    }
    var samples = unsafe NearEdgeSamples<Self>(rows: edge, across)
    guard filter(&samples) else { return }
    unsafe store(samples.p0.packed(maximum), edge - across)
    unsafe store(samples.q0.packed(maximum), edge)
  }

  /// Calls `body` for each eight lines; those that are left over, or lie otherwise in memory, it gets as a copy.
  @inline(__always)
  private static func eachPiece(
    of edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ count: Int, reach: Int,
    _ body: (
      _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ index: Int, _ count: Int
    ) -> Void
  ) {
    let isPlain = along == 1 || across == 1
    var index = 0
    while index < count {
      let piece = unsafe edge + index &* along, lines = min(count &- index, 8)
      if isPlain && lines == 8 {
        unsafe body(piece, across, along, index, 8)
      } else {
        unsafe withCopy(of: piece, across, along, lines, reach) { unsafe body($0, 8, 1, index, lines) }
      }
      index &+= 8
    }
  }

  /// Calls `body` with a copy of up to eight lines in rows of eight, and copies back what it makes of them.
  @inline(never)
  private static func withCopy(
    of edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ lines: Int, _ reach: Int,
    _ body: (UnsafeMutablePointer<Sample>) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Sample.self, capacity: 64) { copy in
      guard let start = copy.baseAddress else { return }
      unsafe start.initialize(repeating: 0, count: 64)
      for row in -reach..<reach {
        for line in 0..<lines { unsafe start[(4 &+ row) &* 8 &+ line] = edge[row &* across &+ line &* along] }
      }
      unsafe body(start + 32)
      for row in -reach..<reach {
        for line in 0..<lines { unsafe edge[row &* across &+ line &* along] = start[(4 &+ row) &* 8 &+ line] }
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
    unsafe Lanes.store(p1.packed(maximum), edge - 2 &* across)
    unsafe Lanes.store(p0.packed(maximum), edge - across)
    unsafe Lanes.store(q0.packed(maximum), edge)
    unsafe Lanes.store(q1.packed(maximum), edge + across)
  }
}
