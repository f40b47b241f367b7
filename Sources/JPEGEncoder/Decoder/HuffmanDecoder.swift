import LivePhotoCore

/// A Huffman table made ready for decoding (ITU-T T.81, F.2.2.3), with a lookup by the next bits.
struct HuffmanDecoder {
  /// Codes up to this many bits are found by one lookup.
  static let lookupBits = 10

  /// By the next ``lookupBits`` bits, `length << 8 | symbol`; 0 for longer codes.
  let lookup: [UInt16]
  /// The largest code of each length; -1 where there is none.
  let largest: [Int]
  /// For each length, what to add to a code to get its symbol's index.
  let offsets: [Int]
  /// The symbols in the order of their codes.
  let symbols: [UInt8]

  /// - Throws: ``ParseError/invalid(_:found:expected:at:)`` when there are more codes than bits can tell apart.
  init(_ table: HuffmanTable, _ place: Place) throws(ParseError) {
    var lookup = [UInt16](repeating: 0, count: 1 << Self.lookupBits)
    var largest = [Int](repeating: -1, count: 17)
    var offsets = [Int](repeating: 0, count: 17)
    var code = 0, index = 0
    for length in 1...16 {
      let count = Int(table.counts[length - 1])
      guard code + count <= 1 << length else {
        throw .invalid(
          "Huffman table", found: "more codes of \(length) bits than there are", expected: "fewer", at: place)
      }
      offsets[length] = index - code
      if count > 0 { largest[length] = code + count - 1 }
      for _ in 0..<count {
        if length <= Self.lookupBits {
          let free = Self.lookupBits - length
          for entry in code << free..<(code + 1) << free {
            lookup[entry] = UInt16(length) << 8 | UInt16(table.symbols[index])
          }
        }
        code += 1
        index += 1
      }
      code <<= 1
    }
    self.lookup = lookup
    self.largest = largest
    self.offsets = offsets
    symbols = table.symbols
  }
}
