/// The multipliers of the 16-bit transform, with 16 fractional bits.
///
/// Those above one half are less by one, since a signed 16-bit factor ends there: the kernels add the operand once more.
enum FastConstants {
  /// cos 6π/16.
  static let c6: Int16 = 25080
  /// cos 4π/16, less one.
  static let c4: Int16 = -19195
  /// cos 2π/16 - cos 6π/16, less one.
  static let c2MinusC6: Int16 = -30068
  /// cos 2π/16 + cos 6π/16, less one.
  static let c2PlusC6: Int16 = 20091
}

/// The multipliers of the 32-bit transform with 13 fractional bits, named after their first digits.
///
/// Public, so that the decoder has them as constants: what is of the package is not inlined in another module.
public enum AccurateConstants {
  /// 0.298631336.
  @inlinable public static var c0298: Int32 { 2446 }
  /// 0.390180644.
  @inlinable public static var c0390: Int32 { 3196 }
  /// 0.541196100.
  @inlinable public static var c0541: Int32 { 4433 }
  /// 0.765366865.
  @inlinable public static var c0765: Int32 { 6270 }
  /// 0.899976223.
  @inlinable public static var c0899: Int32 { 7373 }
  /// 1.175875602.
  @inlinable public static var c1175: Int32 { 9633 }
  /// 1.501321110.
  @inlinable public static var c1501: Int32 { 12299 }
  /// 1.847759065.
  @inlinable public static var c1847: Int32 { 15137 }
  /// 1.961570560.
  @inlinable public static var c1961: Int32 { 16069 }
  /// 2.053119869.
  @inlinable public static var c2053: Int32 { 16819 }
  /// 2.562915447.
  @inlinable public static var c2562: Int32 { 20995 }
  /// 3.072711026.
  @inlinable public static var c3072: Int32 { 25172 }
}
