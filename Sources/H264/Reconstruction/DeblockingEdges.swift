import LivePhotoCore
import LivePhotoH264Kernels

/// Filtering of edges whose strengths are known.
extension DeblockingFilter {
  /// The thresholds of an edge of a plane.
  private struct Thresholds {
    var alpha: Int
    var beta: Int
    var index: Int
  }

  private func thresholds(_ target: Target, _ other: Int, _ plane: Int) -> Thresholds {
    var p = Int(store.quantizers[other]), q = Int(store.quantizers[target.index])
    if plane > 0 {
      let lowest = -6 * (geometry.chromaDepth - 8)
      let offset = plane == 1 ? target.filter.chromaOffsets.0 : target.filter.chromaOffsets.1
      p = ChromaQuantizer.value(p + offset, lowest: lowest)
      q = ChromaQuantizer.value(q + offset, lowest: lowest)
    }
    let mean = (p + q + 1) >> 1, scale = geometry.depth(plane) - 8
    let a = min(max(mean + target.filter.alphaOffset, 0), 51), b = min(max(mean + target.filter.betaOffset, 0), 51)
    return Thresholds(
      alpha: Int(DeblockingTables.alpha[a]) << scale, beta: Int(DeblockingTables.beta[b]) << scale, index: a)
  }

  /// The first sample of a macroblock in a plane, and the step from row to row.
  private func block(_ target: Target, _ plane: Int) -> PixelBlock<Sample> {
    let row = geometry.width * geometry.blockWidth(plane)
    let y = geometry.blockHeight(plane) * target.y >> 4
    let isField = target.structure.isField
    let first = isField ? 2 * y + target.structure.parity : y
    return PixelBlock(
      table: frame.planes[plane], start: first * row + target.x * geometry.blockWidth(plane),
      stride: isField ? 2 * row : row)
  }

  /// Filters an edge of all planes; strengths are those of its quarters.
  func apply(
    _ found: InlineArray<4, Int>, _ target: Target, with other: Int, edge: Int, isVertical: Bool, isLuma: Bool
  ) {
    guard found[0] | found[1] | found[2] | found[3] != 0 else { return }
    for plane in 0..<geometry.chroma.planeCount {
      let isLikeLuma = plane == 0 || geometry.chroma == .yuv444
      if isLikeLuma {
        guard isLuma else { continue }
        filter(found, target, other, plane, at: 4 * edge, length: 4, isVertical: isVertical, isStrongOnLuma: true)
        continue
      }
      let shift = geometry.chroma.chromaShift
      let isHalved = isVertical ? shift.x == 1 : shift.y == 1
      // Blocks of chroma of 4x4 have edges at each second edge of luma where chroma is halved.
      guard !isHalved || edge & 1 == 0 else { continue }
      let isAlongHalved = isVertical ? shift.y == 1 : shift.x == 1
      filter(
        found, target, other, plane, at: isHalved ? 2 * edge : 4 * edge, length: isAlongHalved ? 2 : 4,
        isVertical: isVertical, isStrongOnLuma: false)
    }
  }

  private func filter(
    _ found: InlineArray<4, Int>, _ target: Target, _ other: Int, _ plane: Int, at offset: Int, length: Int,
    isVertical: Bool, isStrongOnLuma isLikeLuma: Bool
  ) {
    let limits = thresholds(target, other, plane)
    guard limits.alpha > 0, limits.beta > 0 else { return }
    let whole = block(target, plane)
    let block = isVertical ? whole.at(offset, 0) : whole.at(0, offset)
    let across = isVertical ? 1 : block.stride, along = isVertical ? block.stride : 1
    let reach = isLikeLuma ? 4 : 2
    // The samples on both sides of the edge have to be in the plane.
    let first = block.start - reach * across
    let last = block.start + (reach - 1) * across + (4 * length - 1) * along
    precondition(first >= 0 && last < block.table.count)
    if found[0] == 4 {
      // SAFETY: the samples were checked to be in the plane.
      let edge = unsafe block.table.base + block.start
      let kernel = unsafe isLikeLuma ? kernels.deblockLumaStrongly : kernels.deblockChromaStrongly
      return unsafe kernel(edge, across, along, 4 * length, limits.alpha, limits.beta)
    }
    let scale = geometry.depth(plane) - 8
    for part in 0..<4 {
      clipping[part] =
        found[part] == 0 ? -1 : Int32(DeblockingTables.clipping[found[part] - 1][limits.index]) << Int32(scale)
    }
    // SAFETY: the samples were checked to be in the plane; four values of clipping are set.
    let edge = unsafe block.table.base + block.start
    let kernel = unsafe isLikeLuma ? kernels.deblockLuma : kernels.deblockChroma
    unsafe kernel(
      edge, across, along, 4, length, limits.alpha, limits.beta, clipping.base, 1 << geometry.depth(plane) - 1)
  }

  /// Filters the left edge row by row; rows of strength 0 are left as they are.
  func applyRows(_ found: [Int], _ target: Target, with other: Int) {
    for plane in 0..<geometry.chroma.planeCount {
      let isLikeLuma = plane == 0 || geometry.chroma == .yuv444
      let limits = thresholds(target, other, plane)
      guard limits.alpha > 0, limits.beta > 0 else { continue }
      let block = block(target, plane), rows = geometry.blockHeight(plane), scale = geometry.depth(plane) - 8
      for y in 0..<rows {
        let strength = found[y * 16 / rows + (rows == 8 ? rowShift(target, y) : 0)]
        guard strength > 0 else { continue }
        let start = block.start + y * block.stride
        precondition(start >= 4 && start + 4 <= block.table.count)
        // SAFETY: four samples on both sides were checked to be in the plane; one value of clipping is set.
        let edge = unsafe block.table.base + start
        if strength == 4 {
          let kernel = unsafe isLikeLuma ? kernels.deblockLumaStrongly : kernels.deblockChromaStrongly
          unsafe kernel(edge, 1, block.stride, 1, limits.alpha, limits.beta)
        } else {
          clipping[0] = Int32(DeblockingTables.clipping[strength - 1][limits.index]) << Int32(scale)
          let kernel = unsafe isLikeLuma ? kernels.deblockLuma : kernels.deblockChroma
          unsafe kernel(
            edge, 1, block.stride, 1, 1, limits.alpha, limits.beta, clipping.base, 1 << geometry.depth(plane) - 1)
        }
      }
    }
  }

  /// From the row of luma at twice the height to one that has the same neighbour as a row of chroma.
  private func rowShift(_ target: Target, _ y: Int) -> Int {
    // A frame's rows belong to the fields beside it in turn, in chroma as in luma.
    target.kind.isField ? 0 : y & 1
  }
}
