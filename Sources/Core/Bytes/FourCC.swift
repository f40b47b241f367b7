/// A four-character code: the type of a box, brand, handler, sample entry or item.
public struct FourCC: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  /// The four bytes as they stand in a file, first byte in the highest bits.
  public var rawValue: UInt32

  /// Wraps the big-endian value of a code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A code from a literal of four ASCII characters, such as `"moov"`.
  ///
  /// A literal that is shorter is padded with spaces; what is beyond four bytes is ignored.
  public init(stringLiteral value: StaticString) {
    self.init(value.description)
  }

  /// A code from text: its first four UTF-8 bytes, padded with spaces.
  public init(_ text: String) {
    var value: UInt32 = 0
    var utf8 = text.utf8.makeIterator()
    for _ in 0..<4 { value = value << 8 | UInt32(utf8.next() ?? 0x20) }
    rawValue = value
  }
}

extension FourCC: CustomStringConvertible {
  /// The code as text where it is printable ASCII (`©` for the classic 0xA9), else as hexadecimal.
  public var description: String {
    var text = ""
    for shift in [24, 16, 8, 0] as [UInt32] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      switch byte {
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      case 0xA9: text.append("©")
      default: return "0x" + String(rawValue, radix: 16)
      }
    }
    return text
  }
}
