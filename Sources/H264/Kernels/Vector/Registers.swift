#if arch(x86_64)
  #if KERNELS_V3
    internal import _Builtin_intrinsics.intel
  #else
    internal import _Builtin_intrinsics.intel.sse2
  #endif
#endif

/// Sixteen bytes, as the processor's instructions take them.
typealias Quads = SIMD2<Int64>

/// The operations that the compiler does not reliably find in plain vector code, and their plain form for other
/// processors.
enum Registers {
  // SAFETY: all vectors of one size are as many bytes of integers; so everywhere below.
  @inline(__always) static func quads(_ a: SIMD8<Int16>) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
  @inline(__always) static func quads(_ a: SIMD4<Int32>) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
  @inline(__always) static func quads(_ a: SIMD16<UInt8>) -> Quads { unsafe unsafeBitCast(a, to: Quads.self) }
  @inline(__always) static func words(_ a: Quads) -> SIMD8<Int16> { unsafe unsafeBitCast(a, to: SIMD8<Int16>.self) }
  @inline(__always) static func longs(_ a: Quads) -> SIMD4<Int32> { unsafe unsafeBitCast(a, to: SIMD4<Int32>.self) }
  @inline(__always) static func bytes(_ a: Quads) -> SIMD16<UInt8> { unsafe unsafeBitCast(a, to: SIMD16<UInt8>.self) }
}

#if arch(x86_64)
  extension Registers {
    /// The first eight bytes in turns.
    @inline(__always)
    static func interleave(_ a: Quads, _ b: Quads) -> Quads { _mm_unpacklo_epi8(a, b) }

    /// The first eight bytes as words.
    @inline(__always)
    static func widenLow(_ a: Quads) -> SIMD8<Int16> { words(_mm_unpacklo_epi8(a, Quads())) }

    /// The last eight bytes as words.
    @inline(__always)
    static func widenHigh(_ a: Quads) -> SIMD8<Int16> { words(_mm_unpackhi_epi8(a, Quads())) }

    /// Unsigned words as 32-bit integers.
    @inline(__always)
    static func widen(_ a: Quads) -> SIMD8<Int32> {
      #if KERNELS_V3
        unsafe unsafeBitCast(_mm256_cvtepu16_epi32(a), to: SIMD8<Int32>.self)
      #else
        SIMD8(lowHalf: longs(_mm_unpacklo_epi16(a, Quads())), highHalf: longs(_mm_unpackhi_epi16(a, Quads())))
      #endif
    }

    /// The sums, or what 16 bits hold that is nearest.
    @inline(__always)
    static func addSaturated(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      words(_mm_adds_epi16(quads(a), quads(b)))
    }

    @inline(__always)
    static func minimum(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      words(_mm_min_epi16(quads(a), quads(b)))
    }

    @inline(__always)
    static func maximum(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      words(_mm_max_epi16(quads(a), quads(b)))
    }

    /// The sums of the products of neighbouring lanes.
    @inline(__always)
    static func multiplyAdd(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
      longs(_mm_madd_epi16(quads(a), quads(b)))
    }

    /// `a` shifted right by as many bits for all lanes.
    @inline(__always)
    static func shiftRight(_ a: SIMD8<Int16>, _ count: Int) -> SIMD8<Int16> {
      words(_mm_sra_epi16(quads(a), Quads(Int64(count), 0)))
    }

    /// `a` shifted right by as many bits for all lanes.
    @inline(__always)
    static func shiftRight(_ a: SIMD4<Int32>, _ count: Int) -> SIMD4<Int32> {
      longs(_mm_sra_epi32(quads(a), Quads(Int64(count), 0)))
    }

    /// The values of 16 bits nearest to `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
      words(_mm_packs_epi32(quads(a), quads(b)))
    }

    /// The bytes nearest to `a`'s values, then `b`'s.
    @inline(__always)
    static func narrow(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> Quads { _mm_packus_epi16(quads(a), quads(b)) }

    /// The rounded means of bytes.
    @inline(__always)
    static func mean(_ a: Quads, _ b: Quads) -> Quads { _mm_avg_epu8(a, b) }

    /// Whether any bit is set.
    @inline(__always)
    static func isAnySet(_ a: Quads) -> Bool { _mm_movemask_epi8(_mm_cmpeq_epi8(a, Quads())) != 0xFFFF }
  }
#else
  extension Registers {
    /// The first eight bytes in turns.
    @inline(__always)
    static func interleave(_ a: Quads, _ b: Quads) -> Quads {
      let (a, b) = (bytes(a), bytes(b))
      return quads(
        SIMD16(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]))
    }

    /// The first eight bytes as words.
    @inline(__always)
    static func widenLow(_ a: Quads) -> SIMD8<Int16> {
      let (a, z) = (bytes(a), UInt8(0))
      return words(
        quads(SIMD16(a[0], z, a[1], z, a[2], z, a[3], z, a[4], z, a[5], z, a[6], z, a[7], z)))
    }

    /// The last eight bytes as words.
    @inline(__always)
    static func widenHigh(_ a: Quads) -> SIMD8<Int16> {
      let (a, z) = (bytes(a), UInt8(0))
      return words(
        quads(SIMD16(a[8], z, a[9], z, a[10], z, a[11], z, a[12], z, a[13], z, a[14], z, a[15], z)))
    }

    /// Unsigned words as 32-bit integers.
    @inline(__always)
    static func widen(_ a: Quads) -> SIMD8<Int32> {
      let a = words(a)
      @inline(__always) func lane(_ index: Int) -> Int32 { Int32(UInt16(bitPattern: a[index])) }
      return SIMD8(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
    }

    /// The sums, or what 16 bits hold that is nearest.
    @inline(__always)
    static func addSaturated(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      let sum = a &+ b
      // Only a sum whose sign is neither's has run over.
      let over = ((a ^ sum) & (b ^ sum)) &>> 15, limit = (a &>> 15) ^ Int16.max
      return sum & ~over | limit & over
    }

    @inline(__always)
    static func minimum(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { a.replacing(with: b, where: b .< a) }

    @inline(__always)
    static func maximum(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { a.replacing(with: b, where: b .> a) }

    /// The sums of the products of neighbouring lanes.
    @inline(__always)
    static func multiplyAdd(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
      var sum = SIMD4<Int32>()
      for lane in 0..<4 {
        sum[lane] = Int32(a[lane * 2]) &* Int32(b[lane * 2]) &+ Int32(a[lane * 2 + 1]) &* Int32(b[lane * 2 + 1])
      }
      return sum
    }

    /// `a` shifted right by as many bits for all lanes.
    @inline(__always)
    static func shiftRight(_ a: SIMD8<Int16>, _ count: Int) -> SIMD8<Int16> {
      a &>> SIMD8(repeating: Int16(truncatingIfNeeded: count))
    }

    /// `a` shifted right by as many bits for all lanes.
    @inline(__always)
    static func shiftRight(_ a: SIMD4<Int32>, _ count: Int) -> SIMD4<Int32> {
      a &>> SIMD4(repeating: Int32(truncatingIfNeeded: count))
    }

    /// The values of 16 bits nearest to `a`'s, then `b`'s.
    @inline(__always)
    static func narrow(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
      var words = SIMD8<Int16>()
      for lane in 0..<4 {
        words[lane] = Int16(truncatingIfNeeded: max(-32768, min(32767, a[lane])))
        words[lane + 4] = Int16(truncatingIfNeeded: max(-32768, min(32767, b[lane])))
      }
      return words
    }

    /// The bytes nearest to `a`'s values, then `b`'s.
    @inline(__always)
    static func narrow(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> Quads {
      var bytes = SIMD16<UInt8>()
      for lane in 0..<8 {
        bytes[lane] = UInt8(truncatingIfNeeded: max(0, min(255, a[lane])))
        bytes[lane + 8] = UInt8(truncatingIfNeeded: max(0, min(255, b[lane])))
      }
      return quads(bytes)
    }

    /// The rounded means of bytes.
    @inline(__always)
    static func mean(_ a: Quads, _ b: Quads) -> Quads {
      let (a, b) = (bytes(a), bytes(b))
      // No sum is needed that eight bits do not hold.
      return quads((a | b) &- (a ^ b) &>> 1)
    }

    /// Whether any bit is set.
    @inline(__always)
    static func isAnySet(_ a: Quads) -> Bool { a[0] | a[1] != 0 }
  }
#endif
