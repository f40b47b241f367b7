/// The deblocking filter in plain scalar code (ITU-T H.264, 8.7.2).
enum ReferenceDeblocking {
  /// Filters a luma edge of a strength below 4 (8.7.2.3); see ``Deblock``.
  static func filterLuma<Sample: KernelSample>(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    for index in 0..<segments * length {
      // SAFETY: the caller's edge has that many samples, four on both sides (of chroma two), and a tC0 for each segment.
      let limit = unsafe Int(clipping[index / length])
      let line = unsafe EdgeLine(edge + index * along, across)
      guard limit >= 0, line.isFiltered(alpha, beta) else { continue }
      let (p0, p1, p2) = (line[-1], line[-2], line[-3]), (q0, q1, q2) = (line[0], line[1], line[2])
      let smoothP = abs(p2 - p0) < beta, smoothQ = abs(q2 - q0) < beta
      line.moveTogether(limit + (smoothP ? 1 : 0) + (smoothQ ? 1 : 0), maximum)
      let mean = (p0 + q0 + 1) >> 1
      if smoothP { line.set(-2, p1 + clamp((p2 + mean - 2 * p1) >> 1, limit)) }
      if smoothQ { line.set(1, q1 + clamp((q2 + mean - 2 * q1) >> 1, limit)) }
    }
  }

  /// Filters a luma edge of strength 4 (8.7.2.4); see ``DeblockStrongly``.
  static func filterLumaStrongly<Sample: KernelSample>(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    for index in 0..<length {
      let line = unsafe EdgeLine(edge + index * along, across)
      guard line.isFiltered(alpha, beta) else { continue }
      let (p0, p1, p2, p3) = (line[-1], line[-2], line[-3], line[-4])
      let (q0, q1, q2, q3) = (line[0], line[1], line[2], line[3])
      let isFlat = abs(p0 - q0) < alpha >> 2 + 2
      if isFlat && abs(p2 - p0) < beta {
        line.set(-1, (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3)
        line.set(-2, (p2 + p1 + p0 + q0 + 2) >> 2)
        line.set(-3, (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3)
      } else {
        line.set(-1, (2 * p1 + p0 + q1 + 2) >> 2)
      }
      if isFlat && abs(q2 - q0) < beta {
        line.set(0, (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3)
        line.set(1, (p0 + q0 + q1 + q2 + 2) >> 2)
        line.set(2, (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3)
      } else {
        line.set(0, (2 * q1 + q0 + p1 + 2) >> 2)
      }
    }
  }

  /// Filters a chroma edge of a strength below 4 (8.7.2.3); see ``Deblock``.
  static func filterChroma<Sample: KernelSample>(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    for index in 0..<segments * length {
      let limit = unsafe Int(clipping[index / length])
      let line = unsafe EdgeLine(edge + index * along, across)
      guard limit >= 0, line.isFiltered(alpha, beta) else { continue }
      line.moveTogether(limit + 1, maximum)
    }
  }

  /// Filters a chroma edge of strength 4 (8.7.2.4); see ``DeblockStrongly``.
  static func filterChromaStrongly<Sample: KernelSample>(
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    for index in 0..<length {
      let line = unsafe EdgeLine(edge + index * along, across)
      guard line.isFiltered(alpha, beta) else { continue }
      let (p0, p1, q0, q1) = (line[-1], line[-2], line[0], line[1])
      line.set(-1, (2 * p1 + p0 + q1 + 2) >> 2)
      line.set(0, (2 * q1 + q0 + p1 + 2) >> 2)
    }
  }

  fileprivate static func clamp(_ value: Int, _ limit: Int) -> Int { min(max(value, -limit), limit) }
}

/// The samples of one line across an edge: q0 to q3 at 0 to 3, p0 to p3 at -1 to -4.
// SAFETY: made only where the caller of a kernel has the samples on both sides.
@safe private struct EdgeLine<Sample: KernelSample> {
  let start: UnsafeMutablePointer<Sample>
  let across: Int

  @inline(__always)
  init(_ start: UnsafeMutablePointer<Sample>, _ across: Int) {
    unsafe self.start = unsafe start
    self.across = across
  }

  // SAFETY: the filters ask for samples that the caller of the kernel has.
  @inline(__always)
  subscript(_ index: Int) -> Int { unsafe Int(start[index * across]) }

  @inline(__always)
  func set(_ index: Int, _ value: Int) { unsafe start[index * across] = Sample(truncatingIfNeeded: value) }

  /// Whether the step across the edge looks like one of coding (8-468).
  @inline(__always)
  func isFiltered(_ alpha: Int, _ beta: Int) -> Bool {
    abs(self[-1] - self[0]) < alpha && abs(self[-2] - self[-1]) < beta && abs(self[1] - self[0]) < beta
  }

  /// Moves p0 and q0 towards each other by at most `limit` (8-475 to 8-477).
  @inline(__always)
  func moveTogether(_ limit: Int, _ maximum: Int) {
    let (p0, p1, q0, q1) = (self[-1], self[-2], self[0], self[1])
    let step = ReferenceDeblocking.clamp(((q0 - p0) << 2 + (p1 - q1) + 4) >> 3, limit)
    set(-1, min(max(p0 + step, 0), maximum))
    set(0, min(max(q0 - step, 0), maximum))
  }
}
