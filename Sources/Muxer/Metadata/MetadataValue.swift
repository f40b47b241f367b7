import LivePhotoCore

/// A value of metadata, in the movie, in a track or in a timed sample (QuickTime File Format, "Well-known types").
public enum MetadataValue: Equatable, Sendable {
  /// UTF-8 (type 1) or UTF-16 (type 2).
  case text(String)
  /// A signed integer of any width (types 21, 65, 66, 67, 74).
  case integer(Int64)
  /// An unsigned integer of any width (types 22, 75 to 78).
  case unsigned(UInt64)
  /// A floating-point number (types 23, 24).
  case real(Double)
  /// A point: x, y (type 70).
  case point(x: Double, y: Double)
  /// Dimensions (type 71).
  case dimensions(width: Double, height: Double)
  /// A rectangle (type 72).
  case rectangle(x: Double, y: Double, width: Double, height: Double)
  /// An affine transform of six numbers, or of nine, row by row (type 79).
  case affineTransform([Double])
  /// Four points: x and y of each (type 80).
  case quadrilateral([Double])
  /// A perspective transform of nine numbers, row by row (type 83).
  case perspectiveTransform([Double])
  /// A picture: JPEG (13), PNG (14) or BMP (27).
  case picture(PictureKind, [UInt8])
  /// Anything else, or a value whose length does not fit its type, as it stands in the file.
  case data(type: UInt32, [UInt8])

  /// The coding of a picture.
  public enum PictureKind: Sendable {
    /// JFIF or Exif.
    case jpeg
    /// PNG.
    case png
    /// Windows bitmap.
    case bmp
  }

  /// A value from its bytes and its well-known type.
  public init(type: UInt32, bytes: [UInt8]) {
    self = Self.parse(type, bytes) ?? .data(type: type, bytes)
  }

  private static func parse(_ type: UInt32, _ bytes: [UInt8]) -> MetadataValue? {
    switch type {
    case 1: .text(String(decoding: bytes, as: UTF8.self))
    case 2 where bytes.count % 2 == 0: .text(utf16(bytes))
    case 13: .picture(.jpeg, bytes)
    case 14: .picture(.png, bytes)
    case 27: .picture(.bmp, bytes)
    case 21, 65, 66, 67, 74: signed(bytes).map(MetadataValue.integer)
    case 22, 75, 76, 77, 78: unsigned(bytes).map(MetadataValue.unsigned)
    case 23 where bytes.count == 4, 24 where bytes.count == 8: numbers(bytes, count: 1).map { .real($0[0]) }
    case 70: numbers(bytes, count: 2).map { .point(x: $0[0], y: $0[1]) }
    case 71: numbers(bytes, count: 2).map { .dimensions(width: $0[0], height: $0[1]) }
    case 72: numbers(bytes, count: 4).map { .rectangle(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    case 79: (numbers(bytes, count: 9) ?? numbers(bytes, count: 6)).map(MetadataValue.affineTransform)
    case 80: numbers(bytes, count: 8).map(MetadataValue.quadrilateral)
    case 83: numbers(bytes, count: 9).map(MetadataValue.perspectiveTransform)
    default: nil
    }
  }

  private static func unsigned(_ bytes: [UInt8]) -> UInt64? {
    guard (1...8).contains(bytes.count) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func signed(_ bytes: [UInt8]) -> Int64? {
    guard let value = unsigned(bytes) else { return nil }
    let unused = Int64(64 - 8 * bytes.count)
    return (Int64(bitPattern: value) << unused) >> unused
  }

  /// `count` numbers, single or double as the length says.
  private static func numbers(_ bytes: [UInt8], count: Int) -> [Double]? {
    var cursor = ByteCursor(bytes.span)
    let isDouble = bytes.count == 8 * count
    guard isDouble || bytes.count == 4 * count else { return nil }
    var numbers: [Double] = []
    for _ in 0..<count {
      guard let raw = try? cursor.readUInt(width: isDouble ? 8 : 4) else { return nil }
      numbers.append(isDouble ? Double(bitPattern: raw) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw))))
    }
    return numbers
  }

  private static func utf16(_ bytes: [UInt8]) -> String {
    let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    if units.first == 0xFFFE { return String(decoding: units.dropFirst().map(\.byteSwapped), as: UTF16.self) }
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }
}

extension MetadataValue {
  /// The text, if the value is text.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The value as an integer, if it is one that fits.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .unsigned(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The value as a number, if it is an integer or a floating-point number.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}

extension MetadataValue: CustomStringConvertible {
  /// The value in one line; of bytes only their number.
  public var description: String {
    func list(_ numbers: [Double]) -> String { numbers.map { "\($0)" }.joined(separator: " ") }
    return switch self {
    case .text(let text): text
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .point(let x, let y): list([x, y])
    case .dimensions(let width, let height): "\(width)x\(height)"
    case .rectangle(let x, let y, let width, let height): list([x, y, width, height])
    case .affineTransform(let numbers), .quadrilateral(let numbers), .perspectiveTransform(let numbers): list(numbers)
    case .picture(let kind, let bytes): "\(kind) picture of \(bytes.count) bytes"
    case .data(let type, let bytes): "\(bytes.count) bytes of type \(type)"
    }
  }
}
