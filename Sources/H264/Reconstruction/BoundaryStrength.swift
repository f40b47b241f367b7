import LivePhotoH264Kernels

/// How strongly an edge is filtered (ITU-T H.264, 8.7.2.1).
struct BoundaryStrength<Sample: KernelSample> {
  let store: MacroblockStore
  let frame: FrameMemory<Sample>
  /// Whether macroblocks of the picture may be those of frames and of fields.
  let isAdaptive: Bool

  /// A block of 4x4 of a macroblock.
  struct Block {
    var index: Int
    var raster: Int
  }

  /// The strength of an edge between two blocks.
  ///
  /// - Parameters:
  ///   - isVertical: whether the edge is a vertical one.
  ///   - isOuter: whether it is the edge of a macroblock.
  @inline(__always)
  func strength(_ p: Block, _ q: Block, isVertical: Bool, isOuter: Bool) -> Int {
    let pKind = store.kinds[p.index], qKind = store.kinds[q.index]
    let isMixed = isOuter && isAdaptive && pKind.isField != qKind.isField
    if pKind.isIntra || qKind.isIntra {
      return isOuter && (isVertical || !pKind.isField && !qKind.isField) ? 4 : 3
    }
    let coefficients =
      store.codedBlocks[p.index] >> UInt16(p.raster) | store.codedBlocks[q.index] >> UInt16(q.raster)
    if coefficients & 1 == 1 { return 2 }
    if isMixed { return 1 }
    return moveAlike(p, q, limit: qKind.isField ? 2 : 4) ? 0 : 1
  }

  /// Whether two blocks refer to the same pictures, with about the same vectors.
  @inline(__always)
  private func moveAlike(_ p: Block, _ q: Block, limit: Int16) -> Bool {
    let pBlock = p.index * 4 + (p.raster >> 2 & 2) + (p.raster >> 1 & 1)
    let qBlock = q.index * 4 + (q.raster >> 2 & 2) + (q.raster >> 1 & 1)
    let p0 = frame.identities.first[pBlock], p1 = frame.identities.second[pBlock]
    let q0 = frame.identities.first[qBlock], q1 = frame.identities.second[qBlock]
    let isStraight = p0 == q0 && p1 == q1, isCrossed = p0 == q1 && p1 == q0
    guard isStraight || isCrossed else { return false }
    let pVector = p.index * 16 + p.raster, qVector = q.index * 16 + q.raster
    let pv0 = frame.vectors.first[pVector], pv1 = frame.vectors.second[pVector]
    let qv0 = frame.vectors.first[qVector], qv1 = frame.vectors.second[qVector]
    if isStraight, Self.isNear(pv0, qv0, limit), Self.isNear(pv1, qv1, limit) { return true }
    return isCrossed && Self.isNear(pv0, qv1, limit) && Self.isNear(pv1, qv0, limit)
  }

  @inline(__always)
  private static func isNear(_ a: SIMD2<Int16>, _ b: SIMD2<Int16>, _ limit: Int16) -> Bool {
    abs(Int(a.x) - Int(b.x)) < 4 && abs(Int(a.y) - Int(b.y)) < Int(limit)
  }
}
