/// A look-up table for one prefix code of deflate: a first table of so many bits, and further ones for longer codes.
///
/// An entry says in its low byte how many bits to take, extra bits included; bits 8 to 11 are the code's own length,
/// which the extra bits follow; from bit 16 on stands the literal, the first length or distance, or the place of a
/// further table, whose bits bits 8 to 11 then count.
struct InflateTable {
  static let literal: UInt32 = 0x8000_0000
  /// No literal, length or distance: one of the three below, and never without this.
  static let exception: UInt32 = 0x8000
  static let furtherTable: UInt32 = 0x4000
  static let endOfBlock: UInt32 = 0x2000
  static let invalid: UInt32 = 0x1000

  /// Bits of the first tables of literals and distances.
  static let literalBits = 11, distanceBits = 9

  /// Bits of the first table.
  let bits: Int
  let entries: [UInt32]

  /// What is coded.
  enum Alphabet {
    case codeLengths, literals, distances

    /// Bits of the first table: enough that most codes need no second.
    var tableBits: Int {
      switch self {
      case .codeLengths: DeflateAlphabet.longestLengthCode
      case .literals: InflateTable.literalBits
      case .distances: InflateTable.distanceBits
      }
    }

    /// Entries of symbols, without the lengths of their codes.
    fileprivate var entries: [UInt32] {
      switch self {
      case .codeLengths: InflateTable.lengthCodeEntries
      case .literals: InflateTable.literalEntries
      case .distances: InflateTable.distanceEntries
      }
    }
  }

  /// The table for the code whose symbols have these lengths, 0 for those that are not used.
  ///
  /// - Returns: nil where more codes than there is room for, or fewer: zlib allows a single code of one bit, and for
  ///   distances none at all.
  init?(_ alphabet: Alphabet, lengths: some Collection<UInt8>) {
    var counts = [Int](repeating: 0, count: DeflateAlphabet.longestCode + 1)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    let longest = counts.lastIndex { $0 > 0 } ?? 0
    var left = 1
    for count in counts.dropFirst() {
      left = left << 1 - count
      guard left >= 0 else { return nil }
    }
    let mayBeIncomplete = longest == 0 && alphabet == .distances || longest == 1 && alphabet != .codeLengths
    guard left == 0 || mayBeIncomplete else { return nil }
    bits = alphabet.tableBits
    entries = Self.entries(Self.sorted(lengths, counts), counts, longest, alphabet.entries, bits)
  }

  /// The symbols in the order of their codes: by length, then by number.
  private static func sorted(_ lengths: some Collection<UInt8>, _ counts: [Int]) -> [UInt16] {
    var places = [Int](repeating: 0, count: counts.count)
    for length in 1..<counts.count - 1 { places[length + 1] = places[length] + counts[length] }
    var symbols = [UInt16](repeating: 0, count: counts.reduce(0, +))
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[places[Int(length)]] = UInt16(symbol)
      places[Int(length)] += 1
    }
    return symbols
  }

  private static func entries(
    _ symbols: [UInt16], _ counts: [Int], _ longest: Int, _ meanings: [UInt32], _ bits: Int
  ) -> [UInt32] {
    var entries = [UInt32](repeating: exception | invalid, count: 1 << bits)
    var counts = counts
    var code = 0, length = 0, next = 0
    /// The prefix whose further table is being filled, and where that table begins.
    var prefix = -1, start = 0, furtherBits = 0
    while next < symbols.count {
      while counts[length] == 0 {
        length += 1
        code <<= 1
      }
      let meaning = meanings[Int(symbols[next])]
      let reversed = Int((UInt16(truncatingIfNeeded: code) << UInt16(16 - length)).bitReversed)
      if length <= bits {
        let entry = meaning &+ UInt32(length << 8 | length)
        for index in stride(from: reversed, to: 1 << bits, by: 1 << length) { entries[index] = entry }
      } else {
        if reversed & (1 << bits - 1) != prefix {
          prefix = reversed & (1 << bits - 1)
          start = entries.count
          furtherBits = sizeOfFurtherTable(length - bits, counts, longest - bits, bits)
          entries += repeatElement(exception | invalid, count: 1 << furtherBits)
          entries[prefix] = exception | furtherTable | UInt32(start << 16 | furtherBits << 8 | bits)
        }
        let rest = length - bits
        let entry = meaning &+ UInt32(rest << 8 | rest)
        for index in stride(from: reversed >> bits, to: 1 << furtherBits, by: 1 << rest) {
          entries[start + index] = entry
        }
      }
      counts[length] -= 1
      code += 1
      next += 1
    }
    return entries
  }

  /// Bits of the table for all codes with one prefix, the shortest of which has `shortest` bits more.
  private static func sizeOfFurtherTable(_ shortest: Int, _ counts: [Int], _ longest: Int, _ bits: Int) -> Int {
    var size = shortest
    var left = 1 << size
    while size < longest {
      left -= counts[size + bits]
      if left <= 0 { break }
      size += 1
      left <<= 1
    }
    return size
  }

  private static let lengthCodeEntries = (0..<19).map { UInt32($0) << 16 }
  private static let literalEntries: [UInt32] =
    (0..<256).map { literal | UInt32($0) << 16 } + [exception | endOfBlock]
    + DeflateAlphabet.lengths.map { UInt32($0.base << 16 | $0.extra) } + [exception | invalid, exception | invalid]
  private static let distanceEntries: [UInt32] =
    DeflateAlphabet.distances.map { UInt32($0.base << 16 | $0.extra) } + [exception | invalid, exception | invalid]

  /// The tables of fixed blocks (RFC 1951, 3.2.6), both complete codes.
  static let fixedLiterals = InflateTable(.literals, lengths: DeflateAlphabet.fixedLiterals)
  static let fixedDistances = InflateTable(.distances, lengths: DeflateAlphabet.fixedDistances)
}

extension UInt16 {
  /// The bits in the opposite order: codes are stored from their first bit on, numbers from their last.
  var bitReversed: UInt16 {
    var value = self
    value = value >> 1 & 0x5555 | (value & 0x5555) << 1
    value = value >> 2 & 0x3333 | (value & 0x3333) << 2
    value = value >> 4 & 0x0F0F | (value & 0x0F0F) << 4
    return value.byteSwapped
  }
}
