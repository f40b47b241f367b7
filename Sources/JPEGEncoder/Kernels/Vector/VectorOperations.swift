#if arch(x86_64)
  #if KERNELS_V3
    internal import _Builtin_intrinsics.intel
  #else
    internal import _Builtin_intrinsics.intel.sse2
  #endif
#endif

#if KERNELS_V3
  /// A row of two blocks.
  typealias Words = SIMD16<Int16>
  typealias Longs = SIMD8<Int32>
  typealias Quads = SIMD4<Int64>
#else
  /// A row of one block.
  typealias Words = SIMD8<Int16>
  typealias Longs = SIMD4<Int32>
  typealias Quads = SIMD2<Int64>
#endif

/// The operations that the compiler does not reliably find in plain vector code, and their plain form for other
/// processors.
///
/// Wide vectors are worked on in halves of 16 bytes, one for each block. Vectors of bytes are ``Quads``: of more than 16
/// bytes, the compiler makes loops.
enum VectorOperations {
  /// Blocks in a vector of ``Words``.
  @inline(__always) static var blocks: Int { Words.scalarCount / 8 }
}

#if arch(x86_64)
  // SAFETY: all vectors of one size are as many bytes of integers; so everywhere below.
  extension VectorOperations {
    @inline(__always) private static func register(_ a: Words) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
    @inline(__always) private static func register(_ a: Longs) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
    @inline(__always) private static func words(_ a: Quads) -> Words { unsafe unsafeBitCast(a, to: Words.self) }
    @inline(__always) private static func longs(_ a: Quads) -> Longs { unsafe unsafeBitCast(a, to: Longs.self) }

    /// The high halves of the products.
    @inline(__always)
    static func multiplyHigh(_ a: Words, _ b: Words) -> Words {
      #if KERNELS_V3
        words(_mm256_mulhi_epi16(register(a), register(b)))
      #else
        words(_mm_mulhi_epi16(register(a), register(b)))
      #endif
    }

    /// The sums of the products of neighbouring lanes.
    @inline(__always)
    static func multiplyAdd(_ a: Words, _ b: Words) -> Longs {
      #if KERNELS_V3
        longs(_mm256_madd_epi16(register(a), register(b)))
      #else
        longs(_mm_madd_epi16(register(a), register(b)))
      #endif
    }

    /// Values of 16 bits: `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: Longs, _ b: Longs) -> Words {
      #if KERNELS_V3
        words(_mm256_packs_epi32(register(a), register(b)))
      #else
        words(_mm_packs_epi32(register(a), register(b)))
      #endif
    }

    /// Values of 8 bits, the nearest to `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: Words, _ b: Words) -> Quads {
      #if KERNELS_V3
        _mm256_packs_epi16(register(a), register(b))
      #else
        _mm_packs_epi16(register(a), register(b))
      #endif
    }

    /// Values of 0 to 255 as bytes: `a`'s, then `b`'s.
    @inline(__always)
    static func narrowUnsigned(_ a: Words, _ b: Words) -> Quads {
      #if KERNELS_V3
        _mm256_packus_epi16(register(a), register(b))
      #else
        _mm_packus_epi16(register(a), register(b))
      #endif
    }

    /// All bits of each byte that is 0.
    @inline(__always)
    static func zeros(_ a: Quads) -> Quads {
      #if KERNELS_V3
        _mm256_cmpeq_epi8(a, Quads())
      #else
        _mm_cmpeq_epi8(a, Quads())
      #endif
    }

    /// The sums of all bytes, cut to eight bits.
    @inline(__always)
    static func addBytes(_ a: Quads, _ b: Quads) -> Quads {
      #if KERNELS_V3
        _mm256_add_epi8(a, b)
      #else
        _mm_add_epi8(a, b)
      #endif
    }

    /// The top bit of each byte.
    @inline(__always)
    static func topBits(_ a: Quads) -> UInt32 {
      #if KERNELS_V3
        UInt32(bitPattern: _mm256_movemask_epi8(a))
      #else
        UInt32(bitPattern: _mm_movemask_epi8(a))
      #endif
    }
  }
#else
  extension VectorOperations {
    /// The high halves of the products.
    @inline(__always)
    static func multiplyHigh(_ a: Words, _ b: Words) -> Words {
      var product = Words()
      for lane in 0..<8 { product[lane] = Int16(truncatingIfNeeded: (Int32(a[lane]) &* Int32(b[lane])) &>> 16) }
      return product
    }

    /// The sums of the products of neighbouring lanes.
    @inline(__always)
    static func multiplyAdd(_ a: Words, _ b: Words) -> Longs {
      var sum = Longs()
      for lane in 0..<4 {
        sum[lane] = Int32(a[lane * 2]) &* Int32(b[lane * 2]) &+ Int32(a[lane * 2 + 1]) &* Int32(b[lane * 2 + 1])
      }
      return sum
    }

    /// Values of 16 bits: `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: Longs, _ b: Longs) -> Words {
      var words = Words()
      for lane in 0..<4 {
        words[lane] = Int16(truncatingIfNeeded: a[lane])
        words[lane + 4] = Int16(truncatingIfNeeded: b[lane])
      }
      return words
    }

    /// Values of 8 bits, the nearest to `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: Words, _ b: Words) -> Quads {
      var bytes = SIMD16<UInt8>()
      for lane in 0..<8 {
        bytes[lane] = UInt8(truncatingIfNeeded: max(-128, min(127, a[lane])))
        bytes[lane + 8] = UInt8(truncatingIfNeeded: max(-128, min(127, b[lane])))
      }
      return quads(bytes)
    }

    /// Values of 0 to 255 as bytes: `a`'s, then `b`'s.
    @inline(__always)
    static func narrowUnsigned(_ a: Words, _ b: Words) -> Quads {
      var bytes = SIMD16<UInt8>()
      for lane in 0..<8 {
        bytes[lane] = UInt8(truncatingIfNeeded: a[lane])
        bytes[lane + 8] = UInt8(truncatingIfNeeded: b[lane])
      }
      return quads(bytes)
    }

    /// All bits of each byte that is 0.
    @inline(__always)
    static func zeros(_ a: Quads) -> Quads {
      // SAFETY: a mask is a vector of 0 and -1.
      unsafe quads(unsafeBitCast(bytes(a) .== SIMD16<UInt8>(), to: SIMD16<UInt8>.self))
    }

    /// The sums of all bytes, cut to eight bits.
    @inline(__always)
    static func addBytes(_ a: Quads, _ b: Quads) -> Quads { quads(bytes(a) &+ bytes(b)) }

    // SAFETY: both types are 16 bytes of integers.
    @inline(__always) private static func quads(_ a: SIMD16<UInt8>) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
    @inline(__always) private static func bytes(_ a: Quads) -> SIMD16<UInt8> {
      unsafe unsafeBitCast(a, to: SIMD16<UInt8>.self)
    }

    /// The top bit of each byte.
    @inline(__always)
    static func topBits(_ a: Quads) -> UInt32 {
      var bits: UInt32 = 0
      for lane in 0..<16 { bits |= UInt32(bytes(a)[lane] &>> 7) &<< UInt32(lane) }
      return bits
    }
  }
#endif
