#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// Eight samples of 8 bits as values of 16 bits, and back: what the compiler does not find in plain vector code.
enum WideSamples {
  /// The bytes of `value`, the lowest first.
  @inline(__always)
  static func of(_ value: UInt64) -> SIMD8<Int16> {
    #if arch(x86_64)
      // SAFETY: both types are 16 bytes of integers.
      return unsafe unsafeBitCast(
        _mm_unpacklo_epi8(_mm_cvtsi64_si128(Int64(bitPattern: value)), _mm_setzero_si128()), to: SIMD8<Int16>.self)
    #else
      var samples = SIMD8<Int16>()
      for lane in 0..<8 { samples[lane] = Int16(truncatingIfNeeded: value &>> UInt64(8 &* lane) & 0xFF) }
      return samples
    #endif
  }

  /// Values of 0 to 255 as bytes.
  @inline(__always)
  static func bytes(_ samples: SIMD8<Int16>) -> UInt64 {
    #if arch(x86_64)
      // SAFETY: both types are 16 bytes of integers.
      let wide = unsafe unsafeBitCast(samples, to: __m128i.self)
      return UInt64(bitPattern: _mm_cvtsi128_si64(_mm_packus_epi16(wide, wide)))
    #else
      var value: UInt64 = 0
      for lane in 0..<8 { value |= UInt64(UInt8(truncatingIfNeeded: samples[lane])) &<< UInt64(8 &* lane) }
      return value
    #endif
  }
}
