/// Writes bit fields and Exp-Golomb codes, most significant bit first: what the reader reads.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  mutating func write(_ value: UInt32, _ count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(7 - used)
      used += 1
    }
  }

  mutating func write(_ flag: Bool) { write(flag ? 1 : 0, 1) }

  mutating func writeUE(_ value: UInt32) {
    let code = UInt64(value) + 1
    let width = 64 - code.leadingZeroBitCount
    write(0, width - 1)
    write(1, 1)
    write(UInt32(truncatingIfNeeded: code & ((1 << UInt64(width - 1)) - 1)), width - 1)
  }

  mutating func writeSE(_ value: Int32) {
    writeUE(value > 0 ? UInt32(value) * 2 - 1 : UInt32(-Int64(value) * 2))
  }

  /// The stop bit and the zeros to the end of the byte.
  mutating func writeTrailingBits() {
    write(1, 1)
    used = 8
  }
}

/// Inserts the bytes that keep start codes out of a payload.
func escaped(_ payload: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var zeros = 0
  for byte in payload {
    if zeros == 2, byte <= 3 {
      result.append(3)
      zeros = 0
    }
    result.append(byte)
    zeros = byte == 0 ? zeros + 1 : 0
  }
  if zeros > 0, result.last == 0 { result.append(3) }
  return result
}
