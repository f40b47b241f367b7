import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264Kernels

/// Prediction of a macroblock from other pictures (ITU-T H.264, 8.4.2).
extension SliceDecoder {
  /// A part of a macroblock that moves as one, in samples of luma.
  private struct Part {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The block of 4x4 that has its motion, in the working memory.
    var position: Int
  }

  /// Predicts the macroblock from the motion in the working memory.
  mutating func predictInter() {
    guard kind.contains(.partitioned) else { return predict(0, 0, 16, 16) }
    for block in 0..<4 {
      let x = (block & 1) * 2, y = block & 2
      if isUniform(x, y) {
        predict(4 * x, 4 * y, 8, 8)
      } else {
        for part in 0..<4 { predict(4 * (x + part & 1), 4 * (y + part >> 1), 4, 4) }
      }
    }
  }

  /// Whether a block of 8x8 moves as one.
  @inline(__always)
  private mutating func isUniform(_ x: Int, _ y: Int) -> Bool {
    let position = Self.position(x, y)
    for list in 0..<2 where work.references[list][position] >= 0 {
      let vectors = work.vectors[list], first = vectors[position]
      guard vectors[position + 1] == first, vectors[position + 8] == first, vectors[position + 9] == first else {
        return false
      }
    }
    return true
  }

  /// Predicts a part of the macroblock.
  private mutating func predict(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
    let part = Part(x: x, y: y, width: width, height: height, position: Self.position(x >> 2, y >> 2))
    let first = Int(work.references.first[part.position]), second = Int(work.references.second[part.position])
    for plane in 0..<geometry.chroma.planeCount {
      let isLikeLuma = plane == 0 || geometry.chroma == .yuv444
      let shift = isLikeLuma ? (x: 0, y: 0) : geometry.chroma.chromaShift
      let width = width >> shift.x, height = height >> shift.y
      let block = block(of: plane).at(x >> shift.x, y >> shift.y)
      if first >= 0, second >= 0 {
        let other = PixelBlock(table: work.prediction, start: 0, stride: 16)
        fetch(0, first, part, plane, into: block)
        fetch(1, second, part, plane, into: other)
        combine(block, other, plane, first, second, width, height)
      } else if first >= 0 || second >= 0 {
        let list = first >= 0 ? 0 : 1
        fetch(list, max(first, second), part, plane, into: block)
        weigh(block, plane, list, max(first, second), width, height)
      }
    }
  }

  // MARK: Fetching

  /// Predicts a part's plane from one picture.
  private mutating func fetch(
    _ list: Int, _ reference: Int, _ part: Part, _ plane: Int, into output: PixelBlock<Sample>
  ) {
    let entry = lists.entries[SliceReferences<Sample>.index(referenceMode, list, reference)]
    let vector = work.vectors[list][part.position]
    let table = plane == 0 ? entry.planes.0 : plane == 1 ? entry.planes.1 : entry.planes.2
    let isLikeLuma = plane == 0 || geometry.chroma == .yuv444
    let shift = isLikeLuma ? (x: 0, y: 0) : geometry.chroma.chromaShift
    let row = geometry.width * geometry.blockWidth(plane)
    let rows = geometry.height * geometry.blockHeight(plane)
    let isField = entry.structure.isField
    let source = ReferencePlane(
      table: table, start: entry.structure.parity * row, stride: isField ? 2 * row : row, width: row,
      height: isField ? rows / 2 : rows)
    var across = Int(vector.x), down = Int(vector.y)
    if isLikeLuma {
      let x = place.x * 16 + part.x + across >> 2, y = place.y + part.y + down >> 2
      fetchLuma(source, x, y, across & 3, down & 3, part, output, maximum(plane))
      return
    }
    // Fields of different parity lie a quarter of a sample of chroma apart (table 8-9).
    if shift.y == 1, isField { down += 2 * (place.structure.parity - entry.structure.parity) }
    let x = (place.x * 16 + part.x) >> 1 + across >> 3
    across &= 7
    let y: Int
    if shift.y == 1 {
      y = (place.y + part.y) >> 1 + down >> 3
      down &= 7
    } else {
      y = place.y + part.y + down >> 2
      down = (down & 3) << 1
    }
    fetchChroma(source, x, y, across, down, part.width >> 1, part.height >> shift.y, output)
  }

  @inline(__always)
  private mutating func fetchLuma(
    _ source: ReferencePlane<Sample>, _ x: Int, _ y: Int, _ xFraction: Int, _ yFraction: Int, _ part: Part,
    _ output: PixelBlock<Sample>, _ maximum: Int
  ) {
    // SAFETY: the output is checked to be in its plane; the window has the samples around the block that are read.
    let pixels = unsafe output.pointer(width: part.width, height: part.height)
    let window = unsafe source.window(
      x - 2, y - 2, part.width + 5, part.height + 5, edge: work.edge)
    unsafe kernels.predictLuma(
      pixels, output.stride, window.base + 2 * window.stride + 2, window.stride, part.width, part.height, xFraction,
      yFraction, maximum)
  }

  @inline(__always)
  private mutating func fetchChroma(
    _ source: ReferencePlane<Sample>, _ x: Int, _ y: Int, _ xFraction: Int, _ yFraction: Int, _ width: Int,
    _ height: Int, _ output: PixelBlock<Sample>
  ) {
    // SAFETY: the output is checked to be in its plane; the window has one sample more in both directions.
    let pixels = unsafe output.pointer(width: width, height: height)
    let window = unsafe source.window(x, y, width + 1, height + 1, edge: work.edge)
    unsafe kernels.predictChroma(
      pixels, output.stride, window.base, window.stride, width, height, xFraction, yFraction)
  }

  // MARK: Weighting

  /// The explicit weight of a reference; nil where there is none.
  @inline(__always)
  private mutating func weight(_ list: Int, _ reference: Int) -> PredictionWeight? {
    let weights = header.weights[list]
    guard !weights.isEmpty else { return nil }
    let index = isFieldMacroblock ? reference >> 1 : reference
    return index < weights.count ? weights[index] : nil
  }

  /// Weights a prediction from one picture (8.4.2.3).
  private mutating func weigh(
    _ block: PixelBlock<Sample>, _ plane: Int, _ list: Int, _ reference: Int, _ width: Int, _ height: Int
  ) {
    guard let weight = weight(list, reference) else { return }
    let shift = plane == 0 ? header.lumaWeightShift : header.chromaWeightShift
    let factor = Int(weight.weights[plane]), offset = Int(weight.offsets[plane]) << (geometry.depth(plane) - 8)
    if factor == 1 << shift, offset == 0 { return }
    // SAFETY: the block is checked to be in its plane.
    let pixels = unsafe block.pointer(width: width, height: height)
    unsafe kernels.weight(pixels, block.stride, width, height, shift, factor, offset, maximum(plane))
  }

  /// Joins predictions from two pictures (8.4.2.3).
  private mutating func combine(
    _ block: PixelBlock<Sample>, _ other: PixelBlock<Sample>, _ plane: Int, _ first: Int, _ second: Int, _ width: Int,
    _ height: Int
  ) {
    // SAFETY: both blocks are checked to be in their tables.
    let pixels = unsafe block.pointer(width: width, height: height)
    let others = unsafe UnsafePointer(other.pointer(width: width, height: height))
    if pps.biprediction == 2 {
      let weight = Int(lists.implicitWeights[(referenceMode * 32 + first) * 32 + second])
      if weight != 32 {
        return unsafe kernels.weightPair(
          pixels, block.stride, others, other.stride, width, height, 5, 64 - weight, weight, 0, maximum(plane))
      }
    } else if let one = weight(0, first), let two = weight(1, second) {
      let shift = plane == 0 ? header.lumaWeightShift : header.chromaWeightShift
      let scale = geometry.depth(plane) - 8
      let offset = (Int(one.offsets[plane]) << scale + Int(two.offsets[plane]) << scale + 1) >> 1
      return unsafe kernels.weightPair(
        pixels, block.stride, others, other.stride, width, height, shift, Int(one.weights[plane]),
        Int(two.weights[plane]), offset, maximum(plane))
    }
    unsafe kernels.average(pixels, block.stride, others, other.stride, width, height)
  }
}

/// A plane of a picture that is referred to: of a frame, or of a field.
@safe struct ReferencePlane<Sample: KernelSample> {
  let table: Table<Sample>
  let start: Int
  let stride: Int
  let width: Int
  let height: Int

  /// Samples from a place on, those beyond the picture taken from its border (8-239, 8-240).
  ///
  /// - Parameter edge: memory for 24 rows of 24 samples, for what reaches beyond.
  @inline(__always)
  func window(
    _ x: Int, _ y: Int, _ columns: Int, _ rows: Int, edge: Table<Sample>
  ) -> (base: UnsafePointer<Sample>, stride: Int) {
    if x >= 0, y >= 0, x + columns <= width, y + rows <= height {
      let first = start + y * stride + x
      precondition(first >= 0 && first + (rows - 1) * stride + columns <= table.count)
      // SAFETY: the samples were checked to be in the table.
      return unsafe (UnsafePointer(table.base + first), stride)
    }
    fill(edge, x, y, columns, rows)
    // SAFETY: the memory holds 24 rows of 24 samples, and blocks are at most 21 wide and high.
    return unsafe (UnsafePointer(edge.base), 24)
  }

  private func fill(_ edge: Table<Sample>, _ x: Int, _ y: Int, _ columns: Int, _ rows: Int) {
    for row in 0..<rows {
      let line = start + min(max(y + row, 0), height - 1) * stride
      for column in 0..<columns { edge[row * 24 + column] = table[line + min(max(x + column, 0), width - 1)] }
    }
  }
}
