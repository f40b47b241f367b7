import LivePhotoCore
import LivePhotoH264Kernels

/// What a slice says about filtering.
struct SliceFilter {
  /// `disable_deblocking_filter_idc`.
  var mode: Int
  var alphaOffset: Int
  var betaOffset: Int
  /// Offsets of the quantisers of Cb and Cr.
  var chromaOffsets: (Int, Int)
}

/// Filters the edges of blocks of a picture (ITU-T H.264, 8.7).
struct DeblockingFilter<Sample: KernelSample> {
  let geometry: Geometry
  let store: MacroblockStore
  let frame: FrameMemory<Sample>
  let kernels: KernelSet<Sample>
  let filters: [SliceFilter]
  let structure: PictureStructure
  let isAdaptive: Bool
  let strengths: BoundaryStrength<Sample>
  /// Memory for the clipping of 16 samples.
  let clipping: Table<Int32>

  /// A macroblock while it is filtered.
  struct Target {
    var index: Int
    var x: Int
    var kind: MacroblockKind
    var filter: SliceFilter
    /// Its field, or both.
    var structure: PictureStructure
    /// Its row in samples of luma, as ``MacroblockPlace/y``.
    var y: Int
  }

  /// Filters all macroblocks of the picture.
  func run() {
    let width = geometry.width
    if isAdaptive {
      for pair in 0..<geometry.macroblocks / 2 {
        let upper = pair / width * 2 * width + pair % width
        filter(upper)
        filter(upper + width)
      }
      return
    }
    for row in 0..<geometry.height / (structure.isField ? 2 : 1) {
      let stored = structure.isField ? 2 * row + structure.parity : row
      for x in 0..<width { filter(stored * width + x) }
    }
  }

  private func filter(_ index: Int) {
    let slice = store.slices[index]
    guard slice >= 0, Int(slice) < filters.count, filters[Int(slice)].mode != 1 else { return }
    let kind = store.kinds[index], row = index / geometry.width
    let isField = kind.isField
    let target = Target(
      index: index, x: index % geometry.width, kind: kind, filter: filters[Int(slice)],
      structure: isField ? (row & 1 == 1 ? .bottomField : .topField) : .frame, y: isField ? (row >> 1) * 16 : row * 16)
    filterLeft(target)
    filterInside(target, isVertical: true)
    filterTop(target)
    filterInside(target, isVertical: false)
  }

  /// Whether an edge to a neighbour is filtered.
  private func isFiltered(_ target: Target, to other: Int) -> Bool {
    other >= 0 && store.slices[other] >= 0
      && (target.filter.mode == 0 || store.slices[other] == store.slices[target.index])
  }

  // MARK: Edges inside

  private func filterInside(_ target: Target, isVertical: Bool) {
    let isLarge = target.kind.contains(.transform8x8)
    let isStill =
      !target.kind.isIntra && !target.kind.contains(.partitioned) && store.codedBlocks[target.index] == 0
    guard !isStill else { return }
    for edge in 1..<4 {
      // Between blocks of 8x8 that are transformed as one only chroma of 4:2:2 has edges.
      let isLuma = !(isLarge && edge & 1 == 1)
      guard isLuma || geometry.chroma == .yuv422 && !isVertical else { continue }
      var found: InlineArray<4, Int> = [0, 0, 0, 0]
      for part in 0..<4 {
        let q = isVertical ? part * 4 + edge : edge * 4 + part
        found[part] = strengths.strength(
          .init(index: target.index, raster: isVertical ? q - 1 : q - 4), .init(index: target.index, raster: q),
          isVertical: isVertical, isOuter: false)
      }
      apply(found, target, with: target.index, edge: edge, isVertical: isVertical, isLuma: isLuma)
    }
  }

  // MARK: The left edge

  private func filterLeft(_ target: Target) {
    guard target.x > 0 else { return }
    let width = geometry.width
    let left = target.index - 1
    guard isAdaptive, store.kinds[left].isField != target.kind.isField else {
      guard isFiltered(target, to: left) else { return }
      var found: InlineArray<4, Int> = [0, 0, 0, 0]
      for part in 0..<4 {
        found[part] = strengths.strength(
          .init(index: left, raster: part * 4 + 3), .init(index: target.index, raster: part * 4), isVertical: true,
          isOuter: true)
      }
      return apply(found, target, with: left, edge: 0, isVertical: true, isLuma: true)
    }
    let isLower = target.index / width & 1
    let pair = target.index - isLower * width - 1
    guard isFiltered(target, to: pair) else { return }
    // Each row has a neighbour of its own (8.7.1).
    for side in 0..<2 {
      let other = pair + side * width
      var rows = [Int](repeating: 0, count: 16)
      for y in 0..<16 {
        let isField = target.kind.isField
        // The row of the pair, then the macroblock to the left that has it, and its row there.
        let row = isField ? 2 * y + isLower : y + 16 * isLower
        let owner = isField ? row >> 4 : row & 1
        guard owner == side else { continue }
        let otherRow = isField ? row & 15 : row >> 1
        rows[y] = strengths.strength(
          .init(index: other, raster: otherRow >> 2 * 4 + 3), .init(index: target.index, raster: y >> 2 * 4),
          isVertical: true, isOuter: true)
      }
      applyRows(rows, target, with: other)
    }
  }

  // MARK: The upper edge

  private func filterTop(_ target: Target) {
    let width = geometry.width, row = target.index / width
    if isAdaptive {
      let isLower = row & 1 == 1
      let above = target.index - (isLower ? width : 0) - 2 * width
      if !target.kind.isField {
        if isLower { return filterTop(target, with: target.index - width) }
        guard isFiltered(target, to: above) else { return }
        if store.kinds[above].isField {
          for parity in 0..<2 { filterTopByField(target, with: above + parity * width, parity: parity) }
          return
        }
        return filterTop(target, with: above + width)
      }
      guard isFiltered(target, to: above) else { return }
      let other = store.kinds[above].isField && !isLower ? above : above + width
      return filterTop(target, with: other)
    }
    filterTop(target, with: target.index - (structure.isField ? 2 * width : width))
  }

  private func topStrengths(_ target: Target, _ other: Int) -> InlineArray<4, Int> {
    var found: InlineArray<4, Int> = [0, 0, 0, 0]
    for part in 0..<4 {
      found[part] = strengths.strength(
        .init(index: other, raster: 12 + part), .init(index: target.index, raster: part), isVertical: false,
        isOuter: true)
    }
    return found
  }

  private func filterTop(_ target: Target, with other: Int) {
    guard isFiltered(target, to: other) else { return }
    apply(topStrengths(target, other), target, with: other, edge: 0, isVertical: false, isLuma: true)
  }

  /// The rows of one field of a frame macroblock below a pair of fields.
  private func filterTopByField(_ target: Target, with other: Int, parity: Int) {
    var field = target
    field.structure = parity == 0 ? .topField : .bottomField
    field.y = target.y >> 1
    apply(topStrengths(target, other), field, with: other, edge: 0, isVertical: false, isLuma: true)
  }
}
