internal import LivePhotoCore

/// Reads words and numbers separated by white space, with comments from `#` to the end of a line.
struct TokenReader {
  private let bytes: [UInt8]

  /// Where the next word is looked for.
  private(set) var position: Int

  init(_ bytes: [UInt8], at position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The place of the next byte.
  var place: Place { Place(offset: position) }

  /// The next word of up to 32 characters.
  mutating func token(_ name: String) throws(ParseError) -> String {
    skipSpace()
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]), position - start < 32 { position += 1 }
    guard position > start else { throw .missing(name, at: place) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The next word as a number of up to nine digits.
  mutating func number(_ name: String) throws(ParseError) -> Int {
    skipSpace()
    let start = position
    var value = 0
    while position < bytes.count, case let digit = bytes[position] &- 0x30, digit < 10, position - start < 9 {
      value = value * 10 + Int(digit)
      position += 1
    }
    guard position > start, position == bytes.count || Self.isSpace(bytes[position]) || bytes[position] == 0x23 else {
      position = start
      throw .invalid(
        name, found: (try? token(name)).map { "'\($0)'" } ?? "nothing", expected: "a number of up to nine digits",
        at: Place(offset: start))
    }
    return value
  }

  /// Steps over the byte that ends a header.
  mutating func skipByte() throws(ParseError) {
    guard position < bytes.count else { throw .truncated(needed: 1, available: 0, at: place) }
    position += 1
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      if bytes[position] == 0x23 {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      } else if Self.isSpace(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
