/// A time, or a duration, as an exact fraction of seconds: `value / timescale`.
///
/// Comparison is exact: 1/2 equals 300/600, and no product overflows.
public struct RationalTime: Sendable {
  /// The numerator, in units of 1/``timescale`` seconds.
  public let value: Int64
  /// Units a second; always positive.
  public let timescale: Int64

  /// A time of `value / timescale` seconds.
  ///
  /// - Precondition: `timescale` is positive. Use ``init(exactly:timescale:)`` for one from a file.
  public init(_ value: Int64, _ timescale: Int64) {
    precondition(timescale > 0, "a time scale is positive")
    self.value = value
    self.timescale = timescale
  }

  /// A time of `value / timescale` seconds, or nil when `timescale` is not positive.
  public init?(exactly value: Int64, timescale: Int64) {
    guard timescale > 0 else { return nil }
    self.init(value, timescale)
  }

  /// No time at all.
  public static let zero = RationalTime(0, 1)

  /// The time in seconds, as near as a double comes to it.
  public var seconds: Double { Double(value) / Double(timescale) }
}

/// What to do with a remainder when a time is expressed in another scale.
public enum TimeRounding: Sendable {
  /// To the tick before or at the time.
  case down
  /// To the tick at or after the time.
  case up
  /// To the nearest tick, halves upwards.
  case nearest
}

extension RationalTime {
  /// The number of whole ticks of `1/timescale` seconds that express this time, rounded as asked.
  ///
  /// - Returns: nil when the result does not fit in 64 bits or `timescale` is not positive.
  public func ticks(in timescale: Int64, rounding: TimeRounding) -> Int64? {
    guard timescale > 0 else { return nil }
    if timescale == self.timescale { return value }
    let magnitude = value.magnitude.multipliedFullWidth(by: timescale.magnitude)
    guard magnitude.high < self.timescale.magnitude else { return nil }
    let (quotient, remainder) = self.timescale.magnitude.dividingFullWidth(magnitude)
    let negative = value < 0
    let carry: Bool
    switch rounding {
    case .down: carry = negative && remainder > 0
    case .up: carry = !negative && remainder > 0
    case .nearest:
      let rest = self.timescale.magnitude - remainder
      carry = negative ? remainder > rest : remainder >= rest && remainder > 0
    }
    let (rounded, overflow) = quotient.addingReportingOverflow(carry ? 1 : 0)
    guard !overflow else { return nil }
    return negative ? Int64(exactly: 0 - Int128(rounded)) : Int64(exactly: rounded)
  }

  /// This time in another scale, rounded as asked; nil when it does not fit.
  public func rescaled(to timescale: Int64, rounding: TimeRounding) -> RationalTime? {
    ticks(in: timescale, rounding: rounding).flatMap { RationalTime(exactly: $0, timescale: timescale) }
  }

  /// The exact sum, in lowest terms where the scales differ; nil when it does not fit in 64 bits.
  public func adding(_ other: RationalTime) -> RationalTime? { combined(with: Int128(other.value), other.timescale) }

  /// The exact difference, in lowest terms where the scales differ; nil when it does not fit in 64 bits.
  public func subtracting(_ other: RationalTime) -> RationalTime? {
    combined(with: -Int128(other.value), other.timescale)
  }

  private func combined(with value: Int128, _ timescale: Int64) -> RationalTime? {
    if timescale == self.timescale {
      return Int64(exactly: Int128(self.value) + value).map { RationalTime($0, timescale) }
    }
    // Two products of at most 63 and 64 bits: their sum fits in 128.
    let sum = Int128(self.value) * Int128(timescale) + value * Int128(self.timescale)
    return RationalTime(reducing: sum, Int128(timescale) * Int128(self.timescale))
  }

  private init?(reducing numerator: Int128, _ denominator: Int128) {
    var a = numerator.magnitude, b = denominator.magnitude
    while b != 0 { (a, b) = (b, a % b) }
    let divisor = Int128(max(a, 1))
    guard let value = Int64(exactly: numerator / divisor), let timescale = Int64(exactly: denominator / divisor),
      timescale > 0
    else { return nil }
    self.init(value, timescale)
  }
}

extension RationalTime: Comparable, Hashable {
  /// Whether both are the same instant, whatever their scales.
  public static func == (a: RationalTime, b: RationalTime) -> Bool { a.cross(b).0 == a.cross(b).1 }

  /// Whether `a` is before `b`.
  public static func < (a: RationalTime, b: RationalTime) -> Bool { a.cross(b).0 < a.cross(b).1 }

  /// Hashes the fraction in lowest terms, so that equal times have equal hashes.
  public func hash(into hasher: inout Hasher) {
    let lowest = RationalTime(reducing: Int128(value), Int128(timescale)) ?? self
    hasher.combine(lowest.value)
    hasher.combine(lowest.timescale)
  }

  private func cross(_ other: RationalTime) -> (Int128, Int128) {
    (Int128(value) * Int128(other.timescale), Int128(other.value) * Int128(timescale))
  }
}

extension RationalTime: CustomStringConvertible {
  /// The fraction as text: `780/600`.
  public var description: String { "\(value)/\(timescale)" }
}
