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

/// The multipliers of the 32-bit transform with 13 fractional bits, named after their first digits; the
/// decoder has the same.
package enum AccurateConstants {
  @inlinable package static var c0298: Int32 { 2446 }
  @inlinable package static var c0390: Int32 { 3196 }
  @inlinable package static var c0541: Int32 { 4433 }
  @inlinable package static var c0765: Int32 { 6270 }
  @inlinable package static var c0899: Int32 { 7373 }
  @inlinable package static var c1175: Int32 { 9633 }
  @inlinable package static var c1501: Int32 { 12299 }
  @inlinable package static var c1847: Int32 { 15137 }
  @inlinable package static var c1961: Int32 { 16069 }
  @inlinable package static var c2053: Int32 { 16819 }
  @inlinable package static var c2562: Int32 { 20995 }
  @inlinable package static var c3072: Int32 { 25172 }
}
