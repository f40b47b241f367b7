/// The string that ties the two halves of a Live Photo: a UUID, written in upper case.
///
/// It stands in the still's Apple MakerNote (tag 0x0011) and in the movie's `com.apple.quicktime.content.identifier`.
/// Importers compare it as a string, so one that was read is kept as it was.
public struct ContentIdentifier: Hashable, Sendable {
  /// The identifier as it stands in the file.
  public let text: String

  /// An identifier as read from a file, well-formed or not.
  public init(asRead text: String) { self.text = text }

  /// An identifier from a UUID in either case, which is written in upper case.
  ///
  /// - Returns: nil when `text` is not of the form 8-4-4-4-12 hexadecimal digits.
  public init?(uuid text: String) {
    guard Self.isUUID(text) else { return nil }
    self.text = text.uppercased()
  }

  /// A new random identifier (RFC 9562, version 4).
  public static func random() -> ContentIdentifier {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// A new identifier from the given source of random bits.
  public static func random(using generator: inout some RandomNumberGenerator) -> ContentIdentifier {
    let high = (generator.next() as UInt64) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = (generator.next() as UInt64) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = [high, low].map { value in
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return ContentIdentifier(asRead: text)
  }

  /// Whether the text is a UUID in upper case, as cameras write it.
  public var isWellFormed: Bool { Self.isUUID(text) && text == text.uppercased() }

  private static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
      }
    }
  }
}

extension ContentIdentifier: CustomStringConvertible {
  /// The text itself.
  public var description: String { text }
}
