/// The multipliers of the 16-bit transform, with 16 fractional bits.
///
/// Those above one half are less by one, since a
/// signed 16-bit factor ends there: the kernels add the operand once more.
enum FastConstants {
  /// cos 6π/16.
  static let c6: Int32 = 25080
  /// cos 4π/16, less one.
  static let c4: Int32 = 46341 - 65536
  /// cos 2π/16 - cos 6π/16, less one.
  static let c2MinusC6: Int32 = 35468 - 65536
  /// cos 2π/16 + cos 6π/16, less one.
  static let c2PlusC6: Int32 = 85627 - 65536
}

/// The multipliers of the 32-bit transform with 13 fractional bits, named after their first digits.
enum AccurateConstants {
  static let c0298: Int32 = 2446
  static let c0390: Int32 = 3196
  static let c0541: Int32 = 4433
  static let c0765: Int32 = 6270
  static let c0899: Int32 = 7373
  static let c1175: Int32 = 9633
  static let c1501: Int32 = 12299
  static let c1847: Int32 = 15137
  static let c1961: Int32 = 16069
  static let c2053: Int32 = 16819
  static let c2562: Int32 = 20995
  static let c3072: Int32 = 25172
}
