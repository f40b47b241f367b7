#if KERNELS_V3
  internal import _Builtin_intrinsics.intel

  /// Sixteen samples of 8 bits, as words in one register of 32 bytes.
  struct ByteLanes16 {
    typealias Register = SIMD4<Int64>

    var value: SIMD16<Int16>

    @inline(__always) init(_ value: SIMD16<Int16>) { self.value = value }

    // SAFETY: both types are 32 bytes of integers; so below.
    @inline(__always)
    private init(_ register: Register) { value = unsafe unsafeBitCast(register, to: SIMD16<Int16>.self) }

    @inline(__always) private var register: Register { unsafe unsafeBitCast(value, to: Register.self) }
  }

  extension ByteLanes16: SampleLanes {
    @inline(__always) static var count: Int { 16 }

    @inline(__always)
    static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
      // SAFETY: the caller has as many samples there; so below.
      unsafe UnsafeRawPointer(source).loadUnaligned(as: Quads.self)
    }

    @inline(__always)
    static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
      unsafe UnsafeMutableRawPointer(output).storeBytes(of: samples, as: Quads.self)
    }

    @inline(__always) static func mean(_ a: Quads, _ b: Quads) -> Quads { Registers.mean(a, b) }

    @inline(__always)
    init(loading source: UnsafePointer<UInt8>) { self.init(_mm256_cvtepu8_epi16(unsafe Self.loadPacked(source))) }

    @inline(__always) init(repeating value: Int) { self.init(SIMD16(repeating: Int16(truncatingIfNeeded: value))) }

    @inline(__always)
    func packed(_ maximum: Self) -> Quads { packedInRange }

    @inline(__always)
    var packedInRange: Quads { Registers.narrow(value.lowHalf, value.highHalf) }

    @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(a.value &+ b.value) }
    @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(a.value &- b.value) }
    @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(a.value &* b.value) }
    @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(a.register & b.register) }
    @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(a.register | b.register) }
    @inline(__always) static func without(_ a: Self, _ b: Self) -> Self { Self(a.register & ~b.register) }

    @inline(__always)
    static func less(_ a: Self, _ b: Self) -> Self { Self(_mm256_cmpgt_epi16(b.register, a.register)) }

    @inline(__always)
    static func least(_ a: Self, _ b: Self) -> Self { Self(_mm256_min_epi16(a.register, b.register)) }

    @inline(__always)
    static func greatest(_ a: Self, _ b: Self) -> Self { Self(_mm256_max_epi16(a.register, b.register)) }

    @inline(__always)
    func shiftedRight(_ count: Int) -> Self { Self(_mm256_sra_epi16(register, Quads(Int64(count), 0))) }

    @inline(__always) var isAnySet: Bool { _mm256_testz_si256(register, register) == 0 }

    /// See ``ByteLanes``.
    @inline(__always)
    static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
      let quarter = Self(_mm256_adds_epi16(Self((a &- b).value &>> 2 &- b.value).register, c.register))
      return Self((quarter.value &>> 2 &+ c.value &+ 32) &>> 6)
    }

    @inline(__always)
    func weighted(with other: Self, _ weights: PairWeights) -> Self {
      let (w, o) = (Int16(truncatingIfNeeded: weights.weight), Int16(truncatingIfNeeded: weights.otherWeight))
      let factors = Self(SIMD16(w, o, w, o, w, o, w, o, w, o, w, o, w, o, w, o)).register
      let rounding = Register(repeating: (1 << 32 | 1) &<< Int64(weights.shift)),
        shift = Quads(Int64(weights.shift &+ 1), 0)
      let low = _mm256_madd_epi16(_mm256_unpacklo_epi16(register, other.register), factors)
      let high = _mm256_madd_epi16(_mm256_unpackhi_epi16(register, other.register), factors)
      let words = Self(
        _mm256_packs_epi32(
          _mm256_sra_epi32(_mm256_add_epi32(low, rounding), shift),
          _mm256_sra_epi32(_mm256_add_epi32(high, rounding), shift)))
      return words &+ Self(repeating: weights.offset)
    }
  }
#endif
