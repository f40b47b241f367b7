import LivePhotoCore

/// A value of metadata as it stands in a file: its well-known type and its bytes (QuickTime File Format, "Well-known
/// types").
///
/// ```swift
/// var edit = MovieMetadataEdit()
/// edit.set(.utf8("2030-01-02T03:04:05+0100"), forKey: "com.apple.quicktime.creationdate")
/// edit.set(.signed(Int8(1)), forKey: "com.apple.quicktime.live-photo.auto")
/// ```
public struct EncodedMetadataValue: Equatable, Sendable {
  /// The type: 1 for UTF-8, 21 for a signed integer and so on; the highest eight bits are 0 in a well-known one.
  public var type: UInt32
  /// The value, big-endian where it is a number.
  public var bytes: [UInt8]

  /// Bytes of any type.
  public init(type: UInt32, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// A value in a type of the caller's; nil where the value does not fit it.
  public init?(_ value: MetadataValue, type: UInt32) {
    guard let bytes = value.encoded(as: type) else { return nil }
    self.init(type: type, bytes: bytes)
  }

  /// A value in the type that holds every value of its kind: UTF-8, integers of 8 bytes, doubles, and single
  /// precision for points, dimensions, rectangles and quadrilaterals.
  public init(_ value: MetadataValue) {
    let type = value.commonType
    self.init(type: type, bytes: value.encoded(as: type) ?? [])
  }

  /// Text as UTF-8 (type 1).
  public static func utf8(_ text: String) -> Self { Self(type: 1, bytes: Array(text.utf8)) }

  /// Text as big-endian UTF-16 without a byte order mark (type 2).
  public static func utf16(_ text: String) -> Self {
    Self(type: 2, bytes: text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] })
  }

  /// A signed integer of the width of its type, 1 to 8 bytes (type 21).
  public static func signed(_ value: some FixedWidthInteger & SignedInteger) -> Self {
    Self(type: 21, bytes: bigEndianBytes(value))
  }

  /// An unsigned integer of the width of its type, 1 to 8 bytes (type 22).
  public static func unsigned(_ value: some FixedWidthInteger & UnsignedInteger) -> Self {
    Self(type: 22, bytes: bigEndianBytes(value))
  }

  /// A single (type 23).
  public static func float32(_ value: Float) -> Self { Self(type: 23, bytes: bigEndianBytes(value.bitPattern)) }

  /// A double (type 24).
  public static func float64(_ value: Double) -> Self { Self(type: 24, bytes: bigEndianBytes(value.bitPattern)) }

  /// A whole JPEG (13), PNG (14) or BMP (27) file.
  public static func picture(_ kind: MetadataValue.PictureKind, _ bytes: [UInt8]) -> Self {
    Self(type: kind.type, bytes: bytes)
  }

  private static func bigEndianBytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    stride(from: T.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> T($0)) }
  }
}

extension MetadataValue.PictureKind {
  /// The well-known type.
  var type: UInt32 {
    switch self {
    case .jpeg: 13
    case .png: 14
    case .bmp: 27
    }
  }
}

extension MetadataValue {
  /// The type that holds every value of this kind.
  fileprivate var commonType: UInt32 {
    switch self {
    case .text: 1
    case .integer: 21
    case .unsigned: 22
    case .real: 24
    case .point: 70
    case .dimensions: 71
    case .rectangle: 72
    case .affineTransform: 79
    case .quadrilateral: 80
    case .perspectiveTransform: 83
    case .picture(let kind, _): kind.type
    case .data(let type, _): type
    }
  }

  /// The bytes of the value in a well-known type; nil where it does not fit.
  ///
  /// Integers of types 21 and 22 take 8 bytes. Of transforms, numbers are doubles, as cameras write them.
  func encoded(as type: UInt32) -> [UInt8]? {
    var writer = ByteWriter()
    switch (self, type) {
    case (.data(let own, let bytes), _): return own == type ? bytes : nil
    case (.text(let text), 1): return Array(text.utf8)
    case (.text(let text), 2): return EncodedMetadataValue.utf16(text).bytes
    case (.picture(let kind, let bytes), _): return kind.type == type ? bytes : nil
    case (.integer, 21...22), (.integer, 65...67), (.integer, 74...78), (.unsigned, 21...22), (.unsigned, 65...67),
      (.unsigned, 74...78):
      guard let bits = integerBits(as: type) else { return nil }
      writer.writeUInt(bits.value, width: bits.width)
    case (.real(let value), 23): writer.writeFloat32(Float(value))
    case (.real(let value), 24): writer.writeFloat64(value)
    default:
      guard let numbers = numbers(as: type) else { return nil }
      let isDouble = type == 79 || type == 83
      for number in numbers { if isDouble { writer.writeFloat64(number) } else { writer.writeFloat32(Float(number)) } }
    }
    return writer.bytes
  }

  /// An integer's bits and its bytes in a type; nil where it does not fit.
  private func integerBits(as type: UInt32) -> (value: UInt64, width: Int)? {
    let widths: [UInt32: Int] = [21: 8, 22: 8, 65: 1, 66: 2, 67: 4, 74: 8, 75: 1, 76: 2, 77: 4, 78: 8]
    guard let width = widths[type] else { return nil }
    let bits = UInt64(8 * width)
    if type == 22 || type >= 75 {
      let value: UInt64? =
        switch self {
        case .integer(let value): UInt64(exactly: value)
        case .unsigned(let value): value
        default: nil
        }
      guard let value, width == 8 || value < 1 << bits else { return nil }
      return (value, width)
    }
    guard let value = integer, width == 8 || (-(1 << (Int64(bits) - 1))..<(1 << (Int64(bits) - 1))).contains(value)
    else { return nil }
    return (UInt64(bitPattern: value), width)
  }

  private func numbers(as type: UInt32) -> [Double]? {
    switch (self, type) {
    case (.point(let x, let y), 70): [x, y]
    case (.dimensions(let width, let height), 71): [width, height]
    case (.rectangle(let x, let y, let width, let height), 72): [x, y, width, height]
    case (.affineTransform(let numbers), 79) where [6, 9].contains(numbers.count): numbers
    case (.quadrilateral(let numbers), 80) where numbers.count == 8: numbers
    case (.perspectiveTransform(let numbers), 83) where numbers.count == 9: numbers
    default: nil
    }
  }
}
