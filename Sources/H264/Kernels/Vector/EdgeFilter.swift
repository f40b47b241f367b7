/// The samples on both sides of a piece of an edge, a lane for each line across it (ITU-T H.264, 8.7.2).
struct EdgeSamples<Kind: LaneKind> {
  typealias Lanes = LaneVector<Kind>

  var p3: Lanes, p2: Lanes, p1: Lanes, p0: Lanes
  var q0: Lanes, q1: Lanes, q2: Lanes, q3: Lanes
}

/// The two samples on either side, which are all that the filters of chroma need.
struct NearEdgeSamples<Kind: LaneKind> {
  typealias Lanes = LaneVector<Kind>

  var p1: Lanes, p0: Lanes, q0: Lanes, q1: Lanes
}

/// The thresholds of an edge, in all lanes.
struct EdgeThresholds<Kind: LaneKind> {
  typealias Lanes = LaneVector<Kind>

  let alpha: Lanes
  let beta: Lanes
  /// (α >> 2) + 2.
  let flat: Lanes

  @inline(__always)
  init(_ alpha: Int, _ beta: Int) {
    self.alpha = Lanes(repeating: alpha)
    self.beta = Lanes(repeating: beta)
    flat = Lanes(repeating: alpha &>> 2 &+ 2)
  }
}

extension NearEdgeSamples {
  /// The lines that are filtered (8-468).
  @inline(__always)
  func filtered(_ thresholds: EdgeThresholds<Kind>) -> Lanes {
    Lanes.less(Lanes.absoluteDifference(p0, q0), thresholds.alpha)
      & Lanes.less(Lanes.absoluteDifference(p1, p0), thresholds.beta)
      & Lanes.less(Lanes.absoluteDifference(q1, q0), thresholds.beta)
  }

  /// Moves p0 and q0 towards each other by at most `limit` (8-475 to 8-477), without clipping them.
  @inline(__always)
  mutating func moveTogether(_ limit: Lanes) {
    let step = (q0 &- p0) &* Lanes(repeating: 4) &+ (p1 &- q1) &+ Lanes(repeating: 4)
    let delta = step.shiftedRight(3).clamped(limit)
    (p0, q0) = (p0 &+ delta, q0 &- delta)
  }

  /// Filters chroma of a strength below 4 (8.7.2.3); whether any sample may have changed.
  @inline(__always)
  mutating func filter(_ thresholds: EdgeThresholds<Kind>, _ clipping: Lanes) -> Bool {
    let mask = filtered(thresholds) & Lanes.less(Lanes(repeating: -1), clipping)
    guard mask.isAnySet else { return false }
    moveTogether((clipping &+ Lanes(repeating: 1)) & mask)
    return true
  }

  /// Filters chroma of strength 4 (8.7.2.4); whether any sample may have changed.
  @inline(__always)
  mutating func filterStrongly(_ thresholds: EdgeThresholds<Kind>) -> Bool {
    let mask = filtered(thresholds)
    guard mask.isAnySet else { return false }
    let (p, q) = (weakP, weakQ)
    (p0, q0) = (Lanes.select(p, p0, where: mask), Lanes.select(q, q0, where: mask))
    return true
  }

  /// What p0 becomes where only itself is changed (8-481).
  @inline(__always) var weakP: Lanes { (p1 &+ p1 &+ p0 &+ q1 &+ Lanes(repeating: 2)).shiftedRight(2) }

  /// What q0 becomes where only itself is changed (8-488).
  @inline(__always) var weakQ: Lanes { (q1 &+ q1 &+ q0 &+ p1 &+ Lanes(repeating: 2)).shiftedRight(2) }
}

extension EdgeSamples {
  @inline(__always)
  var near: NearEdgeSamples<Kind> { NearEdgeSamples(p1: p1, p0: p0, q0: q0, q1: q1) }

  /// Filters luma of a strength below 4 (8.7.2.3); whether any of p1 to q1 may have changed.
  @inline(__always)
  mutating func filter(_ thresholds: EdgeThresholds<Kind>, _ clipping: Lanes) -> Bool {
    var near = self.near
    let mask = near.filtered(thresholds) & Lanes.less(Lanes(repeating: -1), clipping)
    guard mask.isAnySet else { return false }
    let smoothP = mask & Lanes.less(Lanes.absoluteDifference(p2, p0), thresholds.beta)
    let smoothQ = mask & Lanes.less(Lanes.absoluteDifference(q2, q0), thresholds.beta)
    let mean = (p0 &+ q0 &+ Lanes(repeating: 1)).shiftedRight(1)
    let p = (p2 &+ mean &- p1 &- p1).shiftedRight(1), q = (q2 &+ mean &- q1 &- q1).shiftedRight(1)
    p1 = p1 &+ p.clamped(clipping & smoothP)
    q1 = q1 &+ q.clamped(clipping & smoothQ)
    // Masks count as -1.
    near.moveTogether((clipping &- smoothP &- smoothQ) & mask)
    (p0, q0) = (near.p0, near.q0)
    return true
  }

  /// Filters luma of strength 4 (8.7.2.4); whether any of p2 to q2 may have changed.
  @inline(__always)
  mutating func filterStrongly(_ thresholds: EdgeThresholds<Kind>) -> Bool {
    let near = self.near
    let mask = near.filtered(thresholds)
    guard mask.isAnySet else { return false }
    let flat = mask & Lanes.less(Lanes.absoluteDifference(p0, q0), thresholds.flat)
    let flatP = flat & Lanes.less(Lanes.absoluteDifference(p2, p0), thresholds.beta)
    let flatQ = flat & Lanes.less(Lanes.absoluteDifference(q2, q0), thresholds.beta)
    let old = self, both = p0 &+ q0 &+ Lanes(repeating: 2)
    p0 = Lanes.select(near.weakP, p0, where: mask)
    q0 = Lanes.select(near.weakQ, q0, where: mask)
    Self.smooth(&p0, &p1, &p2, old.p1, old.p2, old.p3, old.q1, both, where: flatP)
    Self.smooth(&q0, &q1, &q2, old.q1, old.q2, old.q3, old.p1, both, where: flatQ)
    return true
  }

  /// Smooths three samples of a side (8-478 to 8-480); `both` is the sum of p0, q0 and 2, `far` the other side's second.
  @inline(__always)
  private static func smooth(
    _ s0: inout Lanes, _ s1: inout Lanes, _ s2: inout Lanes, _ old1: Lanes, _ old2: Lanes, _ old3: Lanes,
    _ far: Lanes, _ both: Lanes, where mask: Lanes
  ) {
    let sum = both &+ old1
    let first = sum &+ sum &+ old2 &+ far
    let second = sum &+ old2
    let third = second &+ old3 &+ old3 &+ old2 &+ old2 &+ Lanes(repeating: 2)
    s0 = Lanes.select(first.shiftedRight(3), s0, where: mask)
    s1 = Lanes.select(second.shiftedRight(2), s1, where: mask)
    s2 = Lanes.select(third.shiftedRight(3), s2, where: mask)
  }
}
