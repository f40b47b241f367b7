/// Builds the tables of ``EntropyTables`` from the codes of Huffman tables.
package enum EntropyTableBuilder {
  /// Codes of one DC table, `code << 5 | length` by size, as 4096 entries by difference.
  package static func differences(_ codes: [UInt32]) -> [UInt64] {
    (0..<4096).map { low in symbol(codes, run: 0, value: low < 2048 ? low : low - 4096) }
  }

  /// Codes of one AC table, by run and size, as 16 × 128 entries by run and value.
  ///
  /// A value of 0 is the end of the block after a run of 0, and 16 zeros after one of 15.
  package static func symbols(_ codes: [UInt32]) -> [UInt64] {
    (0..<16 * 128).map { index in symbol(codes, run: index >> 7, value: index & 127 - 64) }
  }

  /// The code of a run and a value's size, and the value's bits behind it.
  private static func symbol(_ codes: [UInt32], run: Int, value: Int) -> UInt64 {
    let size = Int.bitWidth - abs(value).leadingZeroBitCount
    let code = codes[run << 4 | size]
    let length = UInt64(code & 31) + UInt64(size)
    guard length > 0 else { return 0 }
    let bits = UInt64(value < 0 ? value + 1 << size - 1 : value)
    return (UInt64(code >> 5) << UInt64(size) | bits) << (64 - length) | length
  }
}
