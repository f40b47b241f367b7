/// How neighbouring samples are loaded and stored.
///
/// Kinds have no values, and ``LaneVector`` is generic: for a value of a fixed size, the compiler makes a function that
/// copies it, which the linker could give to modules that run anywhere.
protocol PackedKind {
  associatedtype Sample: BitwiseCopyable
  /// The samples as they are stored.
  associatedtype Packed

  static var count: Int { get }

  static func loadPacked(_ source: UnsafePointer<Sample>) -> Packed
  static func store(_ samples: Packed, _ output: UnsafeMutablePointer<Sample>)
  /// The rounded means.
  static func mean(_ a: Packed, _ b: Packed) -> Packed
}

/// Neighbouring samples in a register, each in a lane with a sign and room for sums.
///
/// What is done to samples of one size is written once for all numbers of lanes; each operation is of a plain type, since
/// the compiler takes generic vectors apart.
protocol LaneKind: PackedKind {
  associatedtype Register

  static func load(_ source: UnsafePointer<Sample>) -> Register
  static func fill(_ value: Int) -> Register
  /// The samples nearest to the values; those of 8 bits end at 255.
  static func pack(_ a: Register, _ maximum: Register) -> Packed
  /// The values, all of which are samples.
  static func packInRange(_ a: Register) -> Packed

  static func add(_ a: Register, _ b: Register) -> Register
  static func subtract(_ a: Register, _ b: Register) -> Register
  static func multiply(_ a: Register, _ b: Register) -> Register
  static func and(_ a: Register, _ b: Register) -> Register
  static func or(_ a: Register, _ b: Register) -> Register
  /// `a`'s bits that are not set in `b`.
  static func without(_ a: Register, _ b: Register) -> Register
  /// All bits of the lanes where `a` is less.
  static func less(_ a: Register, _ b: Register) -> Register
  static func least(_ a: Register, _ b: Register) -> Register
  static func greatest(_ a: Register, _ b: Register) -> Register
  static func shiftRight(_ a: Register, _ count: Int) -> Register
  static func isAnySet(_ a: Register) -> Bool

  /// `(a - 5 * b + 20 * c + 512) >> 10`, of sums of pairs of sums of the six-tap filter, as far as the nearest sample
  /// depends on it.
  static func center(_ a: Register, _ b: Register, _ c: Register) -> Register
  /// The samples weighted together with others, before they are clipped.
  static func weighted(_ a: Register, _ b: Register, _ weights: PairWeights) -> Register
}

/// The numbers of a bidirectional weighted prediction (ITU-T H.264, 8-299), as ``WeightPair`` takes them.
struct PairWeights {
  var shift: Int
  var weight: Int
  var otherWeight: Int
  var offset: Int
}
