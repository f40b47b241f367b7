/// The zigzag order of coefficients (ITU-T T.81, figure A.6) and the orders that kernels keep them in.
///
/// Kernels store a block transposed: coefficient (u, v), horizontal and vertical frequency, at `u * 8 + v`. Which
/// coefficients are not zero is kept beside it as a bitmap in zigzag order, whose lowest bit does not speak of the DC
/// coefficient: it says whether any other is beyond -64 to 63.
package enum Zigzag {
  /// The natural (row by row) index `v * 8 + u` of each zigzag position.
  package static let natural: [UInt8] = {
    var order: [UInt8] = []
    for diagonal in 0..<15 {
      let cells = (max(0, diagonal - 7)...min(7, diagonal)).map { (row: $0, column: diagonal - $0) }
      for cell in diagonal.isMultiple(of: 2) ? cells.reversed() : cells {
        order.append(UInt8(cell.row * 8 + cell.column))
      }
    }
    return order
  }()

  /// The index in a stored (transposed) block of each zigzag position.
  package static let stored: [UInt8] = natural.map { $0 % 8 * 8 + $0 / 8 }

  /// For each of the eight bytes of a bitmap in the order that coefficients are stored in, and each value of it, the same
  /// bits in zigzag order.
  package static let bitmaps: [UInt64] = {
    var bit = [UInt64](repeating: 0, count: 64)
    for (position, index) in stored.enumerated() { bit[Int(index)] = 1 << UInt64(position) }
    return (0..<8 * 256).map { entry in
      (0..<8).reduce(0) { entry >> $1 & 1 == 1 ? $0 | bit[entry / 256 * 8 + $1] : $0 }
    }
  }()
}
