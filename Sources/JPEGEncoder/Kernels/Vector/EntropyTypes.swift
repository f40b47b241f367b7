/// One block of an MCU: where the first MCU's lies, how many blocks on the next MCU's is, which prediction
/// (component) and which tables (0 luma, 1 chroma) it uses.
package typealias MCUBlock = (
  coefficients: UnsafePointer<Int16>, bitmaps: UnsafePointer<UInt64>, step: Int, component: Int, table: Int
)

/// The tables that symbols are looked up in; each holds luma's, then chroma's.
///
/// An entry of the first two has a Huffman code and value bits in its top bits, and their number in the lowest six.
///
/// - `symbols`: 16 × 128 entries, for a run of 0 to 15 zeros before a value of -64 to 63. A value of 0 is the end of the
///   block after a run of 0, and 16 zeros after one of 15.
/// - `differences`: 4096 entries for a DC difference, by its low 12 bits.
/// - `codes`: the 256 Huffman codes of the AC table alone, `code << 5 | length`.
/// - `order`: ``Zigzag/stored``.
package typealias EntropyTables = (
  symbols: UnsafePointer<UInt64>, differences: UnsafePointer<UInt64>, codes: UnsafePointer<UInt32>,
  order: UnsafePointer<UInt8>
)

/// Where a string of bits goes on: whole bytes before `out`, then the top `count` bits (0 to 7) of `bits`.
package typealias BitPosition = (out: UnsafeMutablePointer<UInt8>, bits: UInt64, count: Int)
