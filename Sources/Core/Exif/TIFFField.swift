/// A TIFF field: a tag, a type and the values' bytes.
public struct TIFFField: Sendable, Equatable {
  /// The tag.
  public var tag: TIFFTag
  /// The type of each value.
  public let type: TIFFType
  /// The order of the bytes of each integer.
  public let byteOrder: ByteOrder

  /// A view of the block: directories that claim all of it for each of their entries cost no memory.
  private let content: ArraySlice<UInt8>

  /// A field from bytes in the given order; bytes beyond the last whole value are left off.
  public init(_ tag: TIFFTag, _ type: TIFFType, bytes: [UInt8], byteOrder: ByteOrder = .big) {
    self.init(tag, type, content: bytes[...], byteOrder: byteOrder)
  }

  init(_ tag: TIFFTag, _ type: TIFFType, content: ArraySlice<UInt8>, byteOrder: ByteOrder) {
    self.tag = tag
    self.type = type
    self.content = content.dropLast(content.count % type.size)
    self.byteOrder = byteOrder
  }

  /// The values as they stand in the file, in ``byteOrder``.
  public var bytes: [UInt8] { Array(content) }

  /// The size of all values in bytes.
  public var size: Int { content.count }

  /// The number of values.
  public var count: Int { size / type.size }

  /// The values' bytes in another order.
  func bytes(in order: ByteOrder) -> [UInt8] {
    let bytes = bytes, unit = type.unit
    guard order != byteOrder, unit > 1 else { return bytes }
    return bytes.indices.map { index in
      let within = index % unit
      return bytes[index - within + (unit - 1 - within)]
    }
  }
}

// MARK: Reading values

extension TIFFField {
  /// The text up to the first NUL, for the types that hold text (bytes and undefined ones included); else nil.
  public var text: String? {
    switch type {
    case .ascii, .utf8, .byte, .undefined: String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
    default: nil
    }
  }

  /// The values of an unsigned integer type; nil for any other.
  public var unsignedIntegers: [UInt64]? {
    switch type {
    case .byte, .short, .long, .long8, .directory, .directory8, .undefined: units
    default: nil
    }
  }

  /// The values of an integer type, signed or not; nil for any other or when one does not fit.
  public var integers: [Int64]? {
    switch type {
    case .signedByte, .signedShort, .signedLong, .signedLong8: units.map(signExtended)
    default:
      unsignedIntegers.flatMap { values in
        let fitting = values.compactMap { Int64(exactly: $0) }
        return fitting.count == values.count ? fitting : nil
      }
    }
  }

  /// The values of a rational type, whose denominators may be zero; nil for any other type.
  public var rationals: [TIFFRational]? {
    guard type == .rational || type == .signedRational else { return nil }
    let parts = units.map { type.isSigned ? signExtended($0) : Int64($0) }
    return stride(from: 0, to: parts.count - 1, by: 2).map { TIFFRational(parts[$0], parts[$0 + 1]) }
  }

  private var units: [UInt64] {
    let ordered = bytes(in: .big), unit = type.unit
    return stride(from: 0, to: ordered.count, by: unit).map { start in
      ordered[start..<start + unit].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private func signExtended(_ value: UInt64) -> Int64 {
    let shift = 64 - 8 * type.unit
    return Int64(bitPattern: value << UInt64(shift)) >> Int64(shift)
  }
}

/// A fraction of two integers, as TIFF's RATIONAL and SRATIONAL.
public struct TIFFRational: Hashable, Sendable {
  /// The numerator.
  public var numerator: Int64
  /// The denominator; 0 in fields that say "unknown" or "infinite".
  public var denominator: Int64

  /// A fraction.
  public init(_ numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The value, or nil when the denominator is zero.
  public var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

// MARK: Making fields

extension TIFFField {
  /// Text, with its NUL.
  public static func ascii(_ tag: TIFFTag, _ text: String) -> TIFFField {
    TIFFField(tag, .ascii, bytes: Array(text.utf8) + [0])
  }

  /// Unsigned bytes.
  public static func bytes(_ tag: TIFFTag, _ values: [UInt8]) -> TIFFField { TIFFField(tag, .byte, bytes: values) }

  /// Bytes that only the tag's definition explains.
  public static func undefined(_ tag: TIFFTag, _ bytes: [UInt8]) -> TIFFField {
    TIFFField(tag, .undefined, bytes: bytes)
  }

  /// One unsigned 16-bit integer.
  public static func short(_ tag: TIFFTag, _ value: UInt16) -> TIFFField {
    var writer = ByteWriter()
    writer.writeUInt16(value)
    return TIFFField(tag, .short, bytes: writer.bytes)
  }

  /// One unsigned 32-bit integer.
  public static func long(_ tag: TIFFTag, _ value: UInt32) -> TIFFField {
    var writer = ByteWriter()
    writer.writeUInt32(value)
    return TIFFField(tag, .long, bytes: writer.bytes)
  }

  /// Unsigned fractions.
  public static func rationals(_ tag: TIFFTag, _ values: [(numerator: UInt32, denominator: UInt32)]) -> TIFFField {
    var writer = ByteWriter()
    for (numerator, denominator) in values {
      writer.writeUInt32(numerator)
      writer.writeUInt32(denominator)
    }
    return TIFFField(tag, .rational, bytes: writer.bytes)
  }
}
