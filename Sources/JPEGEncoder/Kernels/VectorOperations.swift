#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// The operations that the compiler does not find in plain vector code, and their plain form for other processors.
enum VectorOperations {
  /// The sums of the products of neighbouring lanes (`pmaddwd`).
  @inline(__always)
  static func multiplyAdd(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    #if arch(x86_64)
      // SAFETY: all these types are 16 bytes of integers.
      return unsafe unsafeBitCast(
        _mm_madd_epi16(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)), to: SIMD4<Int32>.self)
    #else
      var sum = SIMD4<Int32>()
      for lane in 0..<4 {
        sum[lane] = Int32(a[lane * 2]) &* Int32(b[lane * 2]) &+ Int32(a[lane * 2 + 1]) &* Int32(b[lane * 2 + 1])
      }
      return sum
    #endif
  }

  /// Eight values of 16 bits (`packssdw`).
  @inline(__always)
  static func words(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
    #if arch(x86_64)
      // SAFETY: as above.
      return unsafe unsafeBitCast(
        _mm_packs_epi32(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)), to: SIMD8<Int16>.self)
    #else
      var words = SIMD8<Int16>()
      for lane in 0..<4 {
        words[lane] = Int16(truncatingIfNeeded: a[lane])
        words[lane + 4] = Int16(truncatingIfNeeded: b[lane])
      }
      return words
    #endif
  }

  /// Sixteen values of 0 to 255 as bytes (`packssdw`, `packuswb`).
  @inline(__always)
  static func bytes(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> SIMD16<UInt8> {
    #if arch(x86_64)
      // SAFETY: as above.
      return unsafe unsafeBitCast(
        _mm_packus_epi16(
          _mm_packs_epi32(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)),
          _mm_packs_epi32(unsafeBitCast(c, to: __m128i.self), unsafeBitCast(d, to: __m128i.self))),
        to: SIMD16<UInt8>.self)
    #else
      var bytes = SIMD16<UInt8>()
      for lane in 0..<4 {
        bytes[lane] = UInt8(truncatingIfNeeded: a[lane])
        bytes[lane + 4] = UInt8(truncatingIfNeeded: b[lane])
        bytes[lane + 8] = UInt8(truncatingIfNeeded: c[lane])
        bytes[lane + 12] = UInt8(truncatingIfNeeded: d[lane])
      }
      return bytes
    #endif
  }
}
