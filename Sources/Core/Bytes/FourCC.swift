/// A four-character code: the type of a box, brand, handler, sample entry or item.
public struct FourCC: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  /// The four bytes as they stand in a file, first byte in the highest bits.
  public var rawValue: UInt32

  /// Wraps the big-endian value of a code.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A code from a literal of four characters, such as `"moov"`: see ``init(_:)``.
  public init(stringLiteral value: StaticString) {
    self.init(value.description)
  }

  /// A code from text: the Latin-1 values of its first four characters, padded with spaces; `©` is 0xA9.
  ///
  /// A character beyond Latin-1 becomes `?`.
  public init(_ text: String) {
    var value: UInt32 = 0
    var scalars = text.unicodeScalars.makeIterator()
    for _ in 0..<4 { value = value << 8 | (scalars.next().map { $0.value < 0x100 ? $0.value : 0x3F } ?? 0x20) }
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
      default:
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return text
  }
}
