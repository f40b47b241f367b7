/// Neighbouring samples, each in a lane with a sign and room for sums.
///
/// What is done to samples of one size is written once for all numbers of lanes; each operation is of a plain type, since
/// the compiler takes generic vectors apart.
protocol SampleLanes {
  associatedtype Sample: FixedWidthInteger & UnsignedInteger
  /// The samples as they are stored.
  associatedtype Packed

  static var count: Int { get }

  static func loadPacked(_ source: UnsafePointer<Sample>) -> Packed
  static func store(_ samples: Packed, _ output: UnsafeMutablePointer<Sample>)
  /// The rounded means.
  static func mean(_ a: Packed, _ b: Packed) -> Packed

  init(loading source: UnsafePointer<Sample>)
  init(repeating value: Int)
  /// The samples nearest to the values; those of 8 bits end at 255.
  func packed(_ maximum: Self) -> Packed
  /// The values, all of which are samples.
  var packedInRange: Packed { get }

  static func &+ (_ a: Self, _ b: Self) -> Self
  static func &- (_ a: Self, _ b: Self) -> Self
  static func &* (_ a: Self, _ b: Self) -> Self
  static func & (_ a: Self, _ b: Self) -> Self
  static func | (_ a: Self, _ b: Self) -> Self
  /// `a`'s bits that are not set in `b`.
  static func without(_ a: Self, _ b: Self) -> Self
  /// All bits of the lanes where `a` is less.
  static func less(_ a: Self, _ b: Self) -> Self
  static func least(_ a: Self, _ b: Self) -> Self
  static func greatest(_ a: Self, _ b: Self) -> Self
  func shiftedRight(_ count: Int) -> Self
  var isAnySet: Bool { get }

  /// `(a - 5 * b + 20 * c + 512) >> 10`, of sums of pairs of sums of the six-tap filter, as far as the nearest sample
  /// depends on it.
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self
  /// The samples weighted together with others, before they are clipped.
  func weighted(with other: Self, _ weights: PairWeights) -> Self
}

/// The numbers of a bidirectional weighted prediction (ITU-T H.264, 8-299), as ``WeightPair`` takes them.
struct PairWeights {
  var shift: Int
  var weight: Int
  var otherWeight: Int
  var offset: Int
}

extension SampleLanes {
  /// The six-tap filter's sum (ITU-T H.264, 8-241).
  @inline(__always)
  static func sixTap(_ a: Self, _ b: Self, _ c: Self, _ d: Self, _ e: Self, _ f: Self) -> Self {
    let inner = c &+ d, outer = b &+ e
    // -5 * outer + 20 * inner.
    return a &+ f &+ (inner &+ inner &+ inner &+ inner &- outer) &* Self(repeating: 5)
  }

  @inline(__always)
  static func absoluteDifference(_ a: Self, _ b: Self) -> Self { greatest(a, b) &- least(a, b) }

  @inline(__always)
  static func select(_ a: Self, _ b: Self, where mask: Self) -> Self { (a & mask) | without(b, mask) }

  @inline(__always)
  func clamped(_ limit: Self) -> Self {
    Self.greatest(Self.least(self, limit), Self(repeating: 0) &- limit)
  }
}
