/// Decodes a prefix code of at most 16 bits in one or two look-ups.
@safe struct PrefixTable {
  /// By the first eight bits: the length in the high byte, the value in the low one; 0 where the code is longer.
  private let short: Table<UInt16>
  /// By the first 16 bits, whose high ones are zeros.
  private let long: Table<UInt16>

  /// A table of codes, each of `lengths[i]` bits and standing for `values[i]`; a length of 0 says that there is none.
  init(lengths: [UInt8], codes: [UInt8], values: [UInt8]) {
    var short = [UInt16](repeating: 0, count: 256)
    var long: [UInt16] = []
    for (index, length) in lengths.enumerated() where length > 0 {
      let entry = UInt16(length) << 8 | UInt16(values[index]), code = Int(codes[index])
      if length <= 8 {
        let first = code << (8 - Int(length))
        for position in first..<first + 1 << (8 - Int(length)) { short[position] = entry }
      } else {
        let first = code << (16 - Int(length)), end = first + 1 << (16 - Int(length))
        while long.count < end { long.append(0) }
        for position in first..<end { long[position] = entry }
      }
    }
    self.short = Table(short)
    self.long = Table(long.isEmpty ? [0] : long)
  }

  /// Reads a value; nil where no code begins like that.
  @inline(__always)
  func read(_ bits: inout SliceBits) -> Int? {
    let next = bits.peek(16)
    var entry = short[next >> 8]
    if entry == 0 {
      guard next < long.count else { return nil }
      entry = long[next]
      guard entry != 0 else { return nil }
    }
    bits.skip(Int(entry >> 8))
    return Int(entry & 0xFF)
  }

  /// Gives the memory back.
  func free() {
    short.free()
    long.free()
  }
}
