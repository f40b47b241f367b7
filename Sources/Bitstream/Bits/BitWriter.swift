internal import LivePhotoCore

/// Writes bit fields and Exp-Golomb codes into a raw byte sequence payload, most significant bit first
/// (ITU-T H.265, 7.2 and 9.2): what ``BitReader`` reads.
struct BitWriter {
  /// The bytes so far; the bits of the last one that are not written yet are 0.
  private(set) var bytes: [UInt8] = []
  /// The bits of the last byte that are written, 1 to 8.
  private var used = 8

  /// Writes the lowest `count` bits of `value`; `count` is 0 to 32.
  mutating func write(_ value: UInt32, count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: value >> UInt32(bit) & 1) << UInt8(7 - used)
      used += 1
    }
  }

  /// Writes a flag.
  mutating func write(_ flag: Bool) { write(flag ? 1 : 0, count: 1) }

  /// Writes an unsigned Exp-Golomb code, `ue(v)`.
  ///
  /// - Precondition: `value` is below 2³² − 1.
  mutating func writeUE(_ value: UInt32) {
    let code = value + 1
    let width = 32 - code.leadingZeroBitCount
    write(0, count: width - 1)
    write(code, count: width)
  }

  /// Writes the next `count` bits of `reader`.
  mutating func copy(_ count: Int, from reader: inout BitReader) throws(ParseError) {
    var left = count
    while left > 0 {
      let part = min(left, 32)
      write(try reader.readBits(part), count: part)
      left -= part
    }
  }
}
