/// Eight samples of 8 bits, as words.
struct ByteLanes8 {
  var value: SIMD8<Int16>

  @inline(__always) init(_ value: SIMD8<Int16>) { self.value = value }
}

/// Four samples of 8 bits, as words; the other lanes hold anything.
struct ByteLanes4 {
  var value: SIMD8<Int16>

  @inline(__always) init(_ value: SIMD8<Int16>) { self.value = value }
}

/// Two samples of 8 bits, as words; the other lanes hold anything.
struct ByteLanes2 {
  var value: SIMD8<Int16>

  @inline(__always) init(_ value: SIMD8<Int16>) { self.value = value }
}

extension ByteLanes8: ByteLanes {
  @inline(__always) static var count: Int { 8 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    // SAFETY: the caller has as many samples there; so below.
    Quads(unsafe UnsafeRawPointer(source).loadUnaligned(as: Int64.self), 0)
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: samples[0], as: Int64.self)
  }
}

extension ByteLanes4: ByteLanes {
  @inline(__always) static var count: Int { 4 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    let low = unsafe UnsafeRawPointer(source).loadUnaligned(as: Int32.self)
    return Registers.quads(SIMD4(low, 0, 0, 0))
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: Registers.longs(samples)[0], as: Int32.self)
  }
}

extension ByteLanes2: ByteLanes {
  @inline(__always) static var count: Int { 2 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    let low = unsafe UnsafeRawPointer(source).loadUnaligned(as: UInt16.self)
    return Registers.quads(SIMD4(Int32(low), 0, 0, 0))
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: Registers.words(samples)[0], as: Int16.self)
  }
}

/// What the numbers of lanes that one register holds have in common.
protocol ByteLanes: SampleLanes where Sample == UInt8, Packed == Quads {
  var value: SIMD8<Int16> { get }

  init(_ value: SIMD8<Int16>)
}

extension ByteLanes {
  @inline(__always) static func mean(_ a: Quads, _ b: Quads) -> Quads { Registers.mean(a, b) }

  @inline(__always)
  init(loading source: UnsafePointer<UInt8>) {
    self.init(Registers.widenLow(unsafe Self.loadPacked(source)))
  }

  @inline(__always) init(repeating value: Int) { self.init(SIMD8(repeating: Int16(truncatingIfNeeded: value))) }

  @inline(__always) func packed(_ maximum: Self) -> Quads { Registers.narrow(value, value) }
  @inline(__always) var packedInRange: Quads { Registers.narrow(value, value) }

  @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(a.value &+ b.value) }
  @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(a.value &- b.value) }
  @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(a.value &* b.value) }
  @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(a.value & b.value) }
  @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(a.value | b.value) }
  @inline(__always) static func without(_ a: Self, _ b: Self) -> Self { Self(a.value & ~b.value) }

  @inline(__always)
  static func less(_ a: Self, _ b: Self) -> Self {
    // SAFETY: a mask is a vector of 0 and -1.
    Self(unsafe unsafeBitCast(a.value .< b.value, to: SIMD8<Int16>.self))
  }

  @inline(__always) static func least(_ a: Self, _ b: Self) -> Self { Self(Registers.minimum(a.value, b.value)) }
  @inline(__always) static func greatest(_ a: Self, _ b: Self) -> Self { Self(Registers.maximum(a.value, b.value)) }
  @inline(__always) func shiftedRight(_ count: Int) -> Self { Self(Registers.shiftRight(value, count)) }
  @inline(__always) var isAnySet: Bool { Registers.isAnySet(Registers.quads(value)) }

  /// Divides in steps so that 16 bits are enough: what is cut off on the way makes no difference, nor does the one
  /// saturated sum, which is far outside of a sample's range.
  @inline(__always)
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
    let quarter = Registers.addSaturated((a.value &- b.value) &>> 2 &- b.value, c.value)
    return Self((quarter &>> 2 &+ c.value &+ 32) &>> 6)
  }

  @inline(__always)
  func weighted(with other: Self, _ weights: PairWeights) -> Self {
    let (w, o) = (Int16(truncatingIfNeeded: weights.weight), Int16(truncatingIfNeeded: weights.otherWeight))
    let factors = SIMD8(w, o, w, o, w, o, w, o), rounding = SIMD4(repeating: Int32(1) &<< Int32(weights.shift))
    let (a, b) = (value, other.value)
    let low = Registers.multiplyAdd(SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), factors)
    let high = Registers.multiplyAdd(SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]), factors)
    let words = Registers.narrow(
      Registers.shiftRight(low &+ rounding, weights.shift &+ 1),
      Registers.shiftRight(high &+ rounding, weights.shift &+ 1))
    return Self(words &+ SIMD8(repeating: Int16(truncatingIfNeeded: weights.offset)))
  }
}
