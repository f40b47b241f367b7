#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// Paeth's predictor (PNG, 9.4): of left, up and corner the one nearest to left + up - corner.
enum PaethPredictor {
  /// The predictor of eight samples, each of 8 bits.
  @inline(__always)
  static func of(_ left: SIMD8<Int16>, _ up: SIMD8<Int16>, _ corner: SIMD8<Int16>) -> SIMD8<Int16> {
    sum(.zero, left, up, corner)
  }

  /// The predictor and `value` together.
  ///
  /// With t = 3 · corner - left - up the predictor is the smaller of left and up where t is not below the larger one, the
  /// larger where t is not above the smaller one, else the corner: two comparisons, and few operations that have to
  /// wait for the left sample, which is what a row takes its time for.
  @inline(__always)
  static func sum(
    _ value: SIMD8<Int16>, _ left: SIMD8<Int16>, _ up: SIMD8<Int16>, _ corner: SIMD8<Int16>
  ) -> SIMD8<Int16> {
    let threshold = (corner &* 3 &- up) &- left
    let low = least(left, up), high = most(left, up)
    // Both hold only where all three are the same.
    let takesLow = ~isGreater(high, threshold), takesHigh = ~isGreater(threshold, low)
    return (value &+ corner) &+ ((low &- corner) & takesLow &+ (high &- corner) & takesHigh)
  }

  #if arch(x86_64)
    @inline(__always)
    private static func least(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { apply(a, b, _mm_min_epi16) }

    @inline(__always)
    private static func most(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { apply(a, b, _mm_max_epi16) }

    /// All ones where `a` is greater, else 0.
    @inline(__always)
    private static func isGreater(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { apply(a, b, _mm_cmpgt_epi16) }

    @inline(__always)
    private static func apply(
      _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ operation: (__m128i, __m128i) -> __m128i
    ) -> SIMD8<Int16> {
      // SAFETY: both types are 16 bytes of integers.
      unsafe unsafeBitCast(
        operation(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)), to: SIMD8<Int16>.self)
    }
  #else
    @inline(__always)
    private static func least(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { pointwiseMin(a, b) }

    @inline(__always)
    private static func most(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { pointwiseMax(a, b) }

    /// All ones where `a` is greater, else 0.
    @inline(__always)
    private static func isGreater(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { (b &- a) &>> 15 }
  #endif
}
