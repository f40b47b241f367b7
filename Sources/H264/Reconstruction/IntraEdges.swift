import LivePhotoH264Kernels

/// The samples along the left and the upper edge of a block of 4x4 or 8x8, in one line: from the lowest on the left up to
/// the corner, then along the top to the right (ITU-T H.264, 8.3.1.2 and 8.3.2.2).
struct IntraEdges {
  private var line: InlineArray<25, Int> = .init(repeating: 0)
  /// The side of the block.
  let size: Int
  var hasLeft = false
  var hasTop = false
  var hasCorner = false

  init(size: Int) { self.size = size }

  /// A sample of the line; the corner is at `size`.
  @inline(__always) subscript(index: Int) -> Int {
    get { line[index] }
    set { line[index] = newValue }
  }
  /// A sample of the left edge, counted from the top.
  @inline(__always) func left(_ y: Int) -> Int { line[size - 1 - y] }
  /// A sample of the top edge, and of what lies to the right of it.
  @inline(__always) func top(_ x: Int) -> Int { line[size + 1 + x] }
  /// Three samples, weighted around one.
  @inline(__always) func smooth(_ index: Int) -> Int {
    (line[index - 1] + 2 * line[index] + line[index + 1] + 2) >> 2
  }
  /// The mean of a sample and the next.
  @inline(__always) func mean(_ index: Int) -> Int { (line[index] + line[index + 1] + 1) >> 1 }

  /// Takes the samples from around a block.
  mutating func read<Sample>(_ block: PixelBlock<Sample>, hasRight: Bool) {
    if hasLeft {
      for y in 0..<size { line[size - 1 - y] = block[-1, y] }
    }
    if hasCorner { line[size] = block[-1, -1] }
    guard hasTop else { return }
    for x in 0..<size { line[size + 1 + x] = block[x, -1] }
    for x in size..<2 * size { line[size + 1 + x] = hasRight ? block[x, -1] : line[2 * size] }
  }

  /// Smooths the line, as is done for blocks of 8x8 (8.3.2.2.1).
  mutating func filter() {
    let before = self
    let last = 3 * size
    if hasTop {
      line[size + 1] =
        hasCorner ? before.smooth(size + 1) : (3 * before[size + 1] + before[size + 2] + 2) >> 2
      for index in size + 2..<last { line[index] = before.smooth(index) }
      line[last] = (before[last - 1] + 3 * before[last] + 2) >> 2
    }
    if hasCorner {
      switch (hasLeft, hasTop) {
      case (true, true): line[size] = before.smooth(size)
      case (false, true): line[size] = (3 * before[size] + before[size + 1] + 2) >> 2
      case (true, false): line[size] = (3 * before[size] + before[size - 1] + 2) >> 2
      case (false, false): break
      }
    }
    if hasLeft {
      line[size - 1] =
        hasCorner ? before.smooth(size - 1) : (3 * before[size - 1] + before[size - 2] + 2) >> 2
      for index in 1..<size - 1 { line[index] = before.smooth(index) }
      line[0] = (before[1] + 3 * before[0] + 2) >> 2
    }
  }
}

extension IntraEdges {
  /// Predicts a block; false where the mode needs samples that are not there.
  ///
  /// - Parameter middle: the value that stands for missing samples.
  func predict<Sample>(_ block: PixelBlock<Sample>, mode: Int, middle: Int) -> Bool {
    switch mode {
    case 0, 3, 7: guard hasTop else { return false }
    case 1, 8: guard hasLeft else { return false }
    case 4, 5, 6: guard hasTop, hasLeft, hasCorner else { return false }
    default: break
    }
    if mode == 2 {
      let value = dc(middle)
      for y in 0..<size { block.fillRow(y, width: size, with: value) }
      return true
    }
    for y in 0..<size {
      for x in 0..<size { block.set(x, y, sample(mode, x, y)) }
    }
    return true
  }

  private func dc(_ middle: Int) -> Int {
    var sum = 0
    if hasTop { for x in 0..<size { sum += top(x) } }
    if hasLeft { for y in 0..<size { sum += left(y) } }
    switch (hasTop, hasLeft) {
    case (true, true): return (sum + size) / (2 * size)
    case (false, false): return middle
    default: return (sum + size / 2) / size
    }
  }

  /// A sample of a directional mode (8.3.1.2.1 to 8.3.1.2.9; 8.3.2.2.2 to 8.3.2.2.10).
  @inline(__always)
  private func sample(_ mode: Int, _ x: Int, _ y: Int) -> Int {
    switch mode {
    case 0: return top(x)
    case 1: return left(y)
    case 3:
      let index = size + 2 + x + y
      return index == 3 * size ? (line[index - 1] + 3 * line[index] + 2) >> 2 : smooth(index)
    case 4: return smooth(size + x - y)
    case 5:
      let z = 2 * x - y
      if z < -1 { return smooth(size + 1 - y + 2 * x) }
      let index = size + x - y >> 1
      return z & 1 == 0 ? mean(index) : smooth(index)
    case 6:
      let z = 2 * y - x
      if z < -1 { return smooth(size - 1 + x - 2 * y) }
      let index = size - (y - x >> 1)
      return z & 1 == 0 ? mean(index - 1) : smooth(index)
    case 7:
      let index = size + 1 + x + y >> 1
      return y & 1 == 0 ? mean(index) : smooth(index + 1)
    default:
      let z = x + 2 * y, last = 2 * size - 3
      if z > last { return left(size - 1) }
      if z == last { return (left(size - 2) + 3 * left(size - 1) + 2) >> 2 }
      let index = size - 1 - (y + x >> 1)
      return z & 1 == 0 ? mean(index - 1) : smooth(index - 1)
    }
  }
}
