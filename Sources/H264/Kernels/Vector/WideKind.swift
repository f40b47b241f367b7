#if KERNELS_V3
  internal import _Builtin_intrinsics.intel

  /// Sixteen samples of 8 bits, as words.
  enum ByteKind16: LaneKind {
    typealias Register = SIMD16<Int16>
    private typealias Wide = SIMD4<Int64>

    @inline(__always) static var count: Int { 16 }

    @inline(__always)
    static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads { unsafe ByteRow16.loadPacked(source) }

    @inline(__always)
    static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
      unsafe ByteRow16.store(samples, output)
    }

    @inline(__always) static func mean(_ a: Quads, _ b: Quads) -> Quads { Registers.mean(a, b) }

    @inline(__always)
    static func load(_ source: UnsafePointer<UInt8>) -> Register {
      // SAFETY: the caller has as many samples there.
      widened(unsafe loadPacked(source))
    }

    @inline(__always) static func widened(_ a: Quads) -> Register { words(_mm256_cvtepu8_epi16(a)) }

    @inline(__always)
    static func fill(_ value: Int) -> Register { SIMD16(repeating: Int16(truncatingIfNeeded: value)) }

    @inline(__always) static func pack(_ a: Register, _ maximum: Register) -> Quads { packInRange(a) }
    @inline(__always) static func packInRange(_ a: Register) -> Quads { Registers.narrow(a.lowHalf, a.highHalf) }
  }

  extension ByteKind16 {
    // SAFETY: both types are 32 bytes of integers; so below.
    @inline(__always)
    private static func words(_ a: Wide) -> Register { unsafe unsafeBitCast(a, to: Register.self) }

    @inline(__always)
    private static func wide(_ a: Register) -> Wide { unsafe unsafeBitCast(a, to: Wide.self) }

    @inline(__always) static func add(_ a: Register, _ b: Register) -> Register { a &+ b }
    @inline(__always) static func subtract(_ a: Register, _ b: Register) -> Register { a &- b }
    @inline(__always) static func multiply(_ a: Register, _ b: Register) -> Register { a &* b }
    @inline(__always) static func and(_ a: Register, _ b: Register) -> Register { words(wide(a) & wide(b)) }
    @inline(__always) static func or(_ a: Register, _ b: Register) -> Register { words(wide(a) | wide(b)) }
    @inline(__always) static func without(_ a: Register, _ b: Register) -> Register { words(wide(a) & ~wide(b)) }

    @inline(__always)
    static func less(_ a: Register, _ b: Register) -> Register { words(_mm256_cmpgt_epi16(wide(b), wide(a))) }

    @inline(__always)
    static func least(_ a: Register, _ b: Register) -> Register { words(_mm256_min_epi16(wide(a), wide(b))) }

    @inline(__always)
    static func greatest(_ a: Register, _ b: Register) -> Register { words(_mm256_max_epi16(wide(a), wide(b))) }

    @inline(__always)
    static func shiftRight(_ a: Register, _ count: Int) -> Register {
      words(_mm256_sra_epi16(wide(a), Quads(Int64(count), 0)))
    }

    @inline(__always) static func isAnySet(_ a: Register) -> Bool { _mm256_testz_si256(wide(a), wide(a)) == 0 }

    /// See ``ByteKind``.
    @inline(__always)
    static func center(_ a: Register, _ b: Register, _ c: Register) -> Register {
      let quarter = words(_mm256_adds_epi16(wide((a &- b) &>> 2 &- b), wide(c)))
      return (quarter &>> 2 &+ c &+ 32) &>> 6
    }

    @inline(__always)
    static func weighted(_ a: Register, _ b: Register, _ weights: PairWeights) -> Register {
      let (w, o) = (Int16(truncatingIfNeeded: weights.weight), Int16(truncatingIfNeeded: weights.otherWeight))
      let factors = wide(SIMD16(w, o, w, o, w, o, w, o, w, o, w, o, w, o, w, o))
      let rounding = Wide(repeating: (1 << 32 | 1) &<< Int64(weights.shift)),
        shift = Quads(Int64(weights.shift &+ 1), 0)
      let low = _mm256_madd_epi16(_mm256_unpacklo_epi16(wide(a), wide(b)), factors)
      let high = _mm256_madd_epi16(_mm256_unpackhi_epi16(wide(a), wide(b)), factors)
      let sums = _mm256_packs_epi32(
        _mm256_sra_epi32(_mm256_add_epi32(low, rounding), shift),
        _mm256_sra_epi32(_mm256_add_epi32(high, rounding), shift))
      return words(sums) &+ fill(weights.offset)
    }
  }
#endif
