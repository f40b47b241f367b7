/// The alphabets of deflate (RFC 1951, 3.2.5 to 3.2.7), for both directions.
enum DeflateAlphabet {
  /// The longest code, and the longest one of code lengths.
  static let longestCode = 15, longestLengthCode = 7
  /// Codes of literals and lengths, and of distances, that a block may have.
  static let literalCount = 286, distanceCount = 30
  /// The symbol that ends a block.
  static let endOfBlock = 256
  /// The longest match, and the farthest.
  static let longestMatch = 258, window = 32_768

  /// The first length and the number of extra bits of the symbols 257 to 285.
  static let lengths: [(base: Int, extra: Int)] =
    ranges(from: 3, extras: (0..<28).map { max(0, $0 / 4 - 1) }) + [(258, 0)]

  /// The first distance and the number of extra bits of the symbols 0 to 29.
  static let distances: [(base: Int, extra: Int)] =
    ranges(from: 1, extras: (0..<30).map { max(0, $0 / 2 - 1) })

  /// The order in which the lengths of the codes of code lengths are stored.
  static let lengthCodeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  /// The code lengths of fixed blocks; two symbols of each alphabet are never used.
  static let fixedLiterals: [UInt8] = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
  static let fixedDistances = [UInt8](repeating: 5, count: 32)

  private static func ranges(from first: Int, extras: [Int]) -> [(base: Int, extra: Int)] {
    var base = first
    return extras.map { extra in
      defer { base += 1 << extra }
      return (base, extra)
    }
  }
}
