/// Builds the tables of ``EntropyTables`` from the codes of Huffman tables.
package enum EntropyTableBuilder {
  /// Codes of one DC table, `code << 5 | length` by size, as 4096 entries by difference.
  package static func differences(_ codes: [UInt32]) -> [UInt32] {
    (0..<4096).map { low in symbol(codes, run: 0, value: low < 2048 ? low : low - 4096) }
  }

  /// Codes of one AC table, by run and size, as 16 × 128 entries by run and value.
  package static func symbols(_ codes: [UInt32]) -> [UInt32] {
    (0..<16 * 128).map { index in symbol(codes, run: index >> 7, value: index & 127 - 64) }
  }

  /// The code of a run and a value's size, and the value's bits behind it.
  private static func symbol(_ codes: [UInt32], run: Int, value: Int) -> UInt32 {
    let size = Int.bitWidth - abs(value).leadingZeroBitCount
    let code = codes[run << 4 | size]
    let bits = UInt32(value < 0 ? value + 1 << size - 1 : value)
    return ((code >> 5) << UInt32(size) | bits) << 5 | (code & 31 + UInt32(size))
  }
}
