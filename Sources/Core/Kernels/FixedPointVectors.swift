#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// Fractional bits of one half of a factor: factors have twice as many (``YCbCrMatrix/fraction``).
private let half: Int32 = 12

/// A factor of ``YCbCrMatrix`` as two numbers of 16 bits, the sum of which is high × 2^12 + low.
struct SplitFactor: Sendable {
  let high: Int16
  /// 0 to 4095.
  let low: Int16

  /// Halves of a factor of less than eight.
  init(_ factor: Int) {
    high = Int16(truncatingIfNeeded: factor >> Int(half))
    low = Int16(truncatingIfNeeded: factor & 4095)
  }
}

/// Eight sums of products in fixed point, each high × 2^12 + low, so that 32 bits are enough for either.
///
/// For samples of 16 bits and factors below three, high stays below 2^30 and low below 2^29.
struct SplitSums {
  var high: SIMD8<Int32>
  var low: SIMD8<Int32>

  /// Eight times the same value.
  init(_ value: Int) {
    high = SIMD8(repeating: Int32(truncatingIfNeeded: value >> Int(half)))
    low = SIMD8(repeating: Int32(truncatingIfNeeded: value & 4095))
  }

  @inline(__always)
  init(high: SIMD8<Int32>, low: SIMD8<Int32>) { (self.high, self.low) = (high, low) }

  /// The products of eight samples and a factor.
  @inline(__always)
  init(_ samples: SIMD8<Int16>, _ factor: SplitFactor) {
    high = Self.products(samples, factor.high)
    low = Self.products(samples, factor.low)
  }

  @inline(__always)
  private static func products(_ a: SIMD8<Int16>, _ b: Int16) -> SIMD8<Int32> {
    #if arch(x86_64)
      // The compiler multiplies samples that it has seen widened one by one.
      let b = SIMD8(repeating: b), low = a &* b
      // SAFETY: the types are 16 bytes of integers.
      let high = unsafe unsafeBitCast(
        _mm_mulhi_epi16(unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)),
        to: SIMD8<Int16>.self)
      return unsafe SIMD8(
        lowHalf: unsafeBitCast(
          SIMD8(low[0], high[0], low[1], high[1], low[2], high[2], low[3], high[3]), to: SIMD4<Int32>.self),
        highHalf: unsafeBitCast(
          SIMD8(low[4], high[4], low[5], high[5], low[6], high[6], low[7], high[7]), to: SIMD4<Int32>.self))
    #else
      var products = SIMD8<Int32>()
      for lane in 0..<8 { products[lane] = Int32(a[lane]) &* Int32(b) }
      return products
    #endif
  }

  @inline(__always)
  static func + (a: SplitSums, b: SplitSums) -> SplitSums { SplitSums(high: a.high &+ b.high, low: a.low &+ b.low) }

  /// The whole parts, rounded down.
  @inline(__always)
  var floors: SIMD8<Int32> { (high &+ (low &>> half)) &>> half }

  /// The first four, or the last four, each twice.
  @inline(__always)
  func spread(_ part: Int) -> SplitSums {
    SplitSums(high: Self.spread(high, part), low: Self.spread(low, part))
  }

  @inline(__always)
  private static func spread(_ a: SIMD8<Int32>, _ part: Int) -> SIMD8<Int32> {
    part == 0
      ? SIMD8(a[0], a[0], a[1], a[1], a[2], a[2], a[3], a[3]) : SIMD8(a[4], a[4], a[5], a[5], a[6], a[6], a[7], a[7])
  }
}
