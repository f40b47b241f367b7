/// The transforms of DC coefficients (ITU-T H.264, 8.5.10 and 8.5.11), in place, row by row.
enum DCTransform {
  /// The 16 of a macroblock that is predicted as a whole; `scale` is ``ScaleTables``' of the first position.
  static func transform4x4(_ dc: DCTable, scale: Int) {
    for row in 0..<4 { butterfly(dc, 4 * row, 1) }
    for column in 0..<4 { butterfly(dc, column, 4) }
    for index in 0..<16 { dc[index] = Int32(truncatingIfNeeded: (Int(dc[index]) &* scale &+ 32) >> 6) }
  }

  @inline(__always)
  private static func butterfly(_ dc: DCTable, _ start: Int, _ step: Int) {
    let a = dc[start], b = dc[start + step], c = dc[start + 2 * step], d = dc[start + 3 * step]
    dc[start] = a &+ b &+ c &+ d
    dc[start + step] = a &+ b &- c &- d
    dc[start + 2 * step] = a &- b &- c &+ d
    dc[start + 3 * step] = a &- b &+ c &- d
  }

  /// The four of chroma of 4:2:0.
  static func transform2x2(_ dc: DCTable, scale: Int) {
    let a = dc[0], b = dc[1], c = dc[2], d = dc[3]
    let sums = [a &+ b &+ c &+ d, a &- b &+ c &- d, a &+ b &- c &- d, a &- b &- c &+ d]
    for index in 0..<4 { dc[index] = Int32(truncatingIfNeeded: (Int(sums[index]) &* scale) >> 5) }
  }

  /// Puts the eight of chroma of 4:2:2 from coding order into rows of two (8-330).
  static func order422(_ dc: DCTable) {
    let order = [0, 2, 1, 5, 3, 6, 4, 7]
    let coded = (0..<8).map { dc[$0] }
    for index in 0..<8 { dc[index] = coded[order[index]] }
  }

  /// The eight of chroma of 4:2:2.
  static func transform2x4(_ dc: DCTable, scale: Int) {
    for column in 0..<2 { butterfly(dc, column, 2) }
    for row in 0..<4 {
      let a = dc[2 * row], b = dc[2 * row + 1]
      dc[2 * row] = a &+ b
      dc[2 * row + 1] = a &- b
    }
    for index in 0..<8 { dc[index] = Int32(truncatingIfNeeded: (Int(dc[index]) &* scale &+ 32) >> 6) }
  }
}

/// Sixteen coefficients.
struct DCTable {
  let table: Table<Int32>
  let start: Int

  @inline(__always)
  subscript(index: Int) -> Int32 {
    get { table[start + index] }
    nonmutating set { table[start + index] = newValue }
  }
}
