import LivePhotoH264Kernels

/// A block of samples in a plane, and the samples around it.
struct PixelBlock<Sample: KernelSample> {
  let table: Table<Sample>
  /// The first sample.
  let start: Int
  /// From a row to the next: two rows of the plane where it belongs to one field.
  let stride: Int

  @inline(__always)
  subscript(x: Int, y: Int) -> Int { Int(truncatingIfNeeded: table[start + y * stride + x]) }

  /// The block so many samples further.
  @inline(__always)
  func at(_ x: Int, _ y: Int) -> PixelBlock { PixelBlock(table: table, start: start + y * stride + x, stride: stride) }

  @inline(__always)
  func set(_ x: Int, _ y: Int, _ value: Int) { table[start + y * stride + x] = Sample(truncatingIfNeeded: value) }

  /// Sets all samples of a row.
  @inline(__always)
  func fillRow(_ y: Int, width: Int, with value: Int) {
    table.fill(start + y * stride..<start + y * stride + width, with: Sample(truncatingIfNeeded: value))
  }

  /// The first sample for a kernel, once all samples of the block are known to be in the plane.
  @inline(__always)
  func pointer(width: Int, height: Int) -> UnsafeMutablePointer<Sample> {
    precondition(start >= 0 && start + (height - 1) * stride + width <= table.count)
    // SAFETY: the block was checked.
    return unsafe table.base + start
  }
}

extension SliceDecoder {
  /// The samples of the macroblock in a plane.
  @inline(__always)
  mutating func block(of plane: Int) -> PixelBlock<Sample> {
    let row = geometry.width * geometry.blockWidth(plane)
    let isField = place.structure.isField
    let y = geometry.blockHeight(plane) * (place.y >> 4)
    let first = isField ? 2 * y + place.structure.parity : y
    return PixelBlock(
      table: target.planes[plane], start: first * row + place.x * geometry.blockWidth(plane),
      stride: isField ? 2 * row : row)
  }

  /// The largest sample of a plane.
  @inline(__always)
  mutating func maximum(_ plane: Int) -> Int { 1 << geometry.depth(plane) - 1 }
}
