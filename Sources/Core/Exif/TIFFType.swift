/// The type of a TIFF field's values: TIFF 6.0, section 2; 16 to 18 are BigTIFF's, 129 is Exif 3.0's.
public enum TIFFType: UInt16, Sendable, CaseIterable {
  /// Unsigned bytes.
  case byte = 1
  /// Text ended by a NUL, which is counted.
  case ascii = 2
  /// Unsigned 16-bit integers.
  case short = 3
  /// Unsigned 32-bit integers.
  case long = 4
  /// Pairs of unsigned 32-bit integers, numerator first.
  case rational = 5
  /// Signed bytes.
  case signedByte = 6
  /// Bytes that only the tag's definition explains.
  case undefined = 7
  /// Signed 16-bit integers.
  case signedShort = 8
  /// Signed 32-bit integers.
  case signedLong = 9
  /// Pairs of signed 32-bit integers, numerator first.
  case signedRational = 10
  /// IEEE 754 singles.
  case float = 11
  /// IEEE 754 doubles.
  case double = 12
  /// Offsets of directories.
  case directory = 13
  /// Unsigned 64-bit integers, which Apple's MakerNote uses in a classic directory.
  case long8 = 16
  /// Signed 64-bit integers.
  case signedLong8 = 17
  /// 64-bit offsets of directories.
  case directory8 = 18
  /// UTF-8 text ended by a NUL, which is counted.
  case utf8 = 129

  /// The size of one value in bytes.
  public var size: Int {
    switch self {
    case .rational, .signedRational: 8
    default: unit
    }
  }

  /// The size of the integers whose bytes the byte order arranges.
  var unit: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined, .utf8: 1
    case .short, .signedShort: 2
    case .long, .rational, .signedLong, .signedRational, .float, .directory: 4
    case .double, .long8, .signedLong8, .directory8: 8
    }
  }

  /// Whether values are two's complement integers or pairs of them.
  var isSigned: Bool {
    switch self {
    case .signedByte, .signedShort, .signedLong, .signedRational, .signedLong8: true
    default: false
    }
  }
}
