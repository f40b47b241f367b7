/// Eight samples of 9 to 14 bits, as 32-bit integers.
struct DeepLanes8 {
  var value: SIMD8<Int32>

  @inline(__always) init(_ value: SIMD8<Int32>) { self.value = value }
}

/// Four samples of 9 to 14 bits, as 32-bit integers.
struct DeepLanes4 {
  var value: SIMD4<Int32>

  @inline(__always) init(_ value: SIMD4<Int32>) { self.value = value }
}

/// Two samples of 9 to 14 bits, as 32-bit integers.
struct DeepLanes2 {
  var value: SIMD2<Int32>

  @inline(__always) init(_ value: SIMD2<Int32>) { self.value = value }
}

extension DeepLanes8: SampleLanes {
  typealias Packed = SIMD8<Int32>

  @inline(__always) static var count: Int { 8 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Packed {
    // SAFETY: the caller has as many samples there; so below.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD8<UInt16>.self)
    return SIMD8(Int32(a[0]), Int32(a[1]), Int32(a[2]), Int32(a[3]), Int32(a[4]), Int32(a[5]), Int32(a[6]), Int32(a[7]))
  }

  @inline(__always)
  static func store(_ samples: Packed, _ output: UnsafeMutablePointer<UInt16>) {
    let a = samples
    let narrow = SIMD8(
      UInt16(truncatingIfNeeded: a[0]), UInt16(truncatingIfNeeded: a[1]), UInt16(truncatingIfNeeded: a[2]),
      UInt16(truncatingIfNeeded: a[3]), UInt16(truncatingIfNeeded: a[4]), UInt16(truncatingIfNeeded: a[5]),
      UInt16(truncatingIfNeeded: a[6]), UInt16(truncatingIfNeeded: a[7]))
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: narrow, as: SIMD8<UInt16>.self)
  }

  @inline(__always) static func mean(_ a: Packed, _ b: Packed) -> Packed { (a &+ b &+ 1) &>> 1 }

  @inline(__always) init(loading source: UnsafePointer<UInt16>) { self.init(unsafe Self.loadPacked(source)) }
  @inline(__always) init(repeating value: Int) { self.init(SIMD8(repeating: Int32(truncatingIfNeeded: value))) }

  @inline(__always)
  func packed(_ maximum: Self) -> Packed { Self.greatest(Self.least(self, maximum), Self(repeating: 0)).value }
  @inline(__always) var packedInRange: Packed { value }

  @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(a.value &+ b.value) }
  @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(a.value &- b.value) }
  @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(a.value &* b.value) }
  @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(a.value & b.value) }
  @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(a.value | b.value) }
  @inline(__always) static func without(_ a: Self, _ b: Self) -> Self { Self(a.value & ~b.value) }

  @inline(__always)
  static func less(_ a: Self, _ b: Self) -> Self {
    // SAFETY: a mask is a vector of 0 and -1.
    Self(unsafe unsafeBitCast(a.value .< b.value, to: SIMD8<Int32>.self))
  }

  @inline(__always)
  static func least(_ a: Self, _ b: Self) -> Self { Self(a.value.replacing(with: b.value, where: b.value .< a.value)) }

  @inline(__always)
  static func greatest(_ a: Self, _ b: Self) -> Self {
    Self(a.value.replacing(with: b.value, where: b.value .> a.value))
  }

  @inline(__always)
  func shiftedRight(_ count: Int) -> Self { Self(value &>> SIMD8(repeating: Int32(truncatingIfNeeded: count))) }

  @inline(__always) var isAnySet: Bool { value != SIMD8() }

  @inline(__always)
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
    let five = b &* Self(repeating: 5), twenty = c &* Self(repeating: 20)
    return Self((a &- five &+ twenty &+ Self(repeating: 512)).value &>> 10)
  }

  @inline(__always)
  func weighted(with other: Self, _ weights: PairWeights) -> Self {
    let sum = self &* Self(repeating: weights.weight) &+ other &* Self(repeating: weights.otherWeight)
    return (sum &+ Self(repeating: 1 &<< weights.shift)).shiftedRight(weights.shift &+ 1)
      &+ Self(repeating: weights.offset)
  }
}

extension DeepLanes4: SampleLanes {
  typealias Packed = SIMD4<Int32>

  @inline(__always) static var count: Int { 4 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Packed {
    // SAFETY: the caller has as many samples there; so below.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self)
    return SIMD4(Int32(a[0]), Int32(a[1]), Int32(a[2]), Int32(a[3]))
  }

  @inline(__always)
  static func store(_ samples: Packed, _ output: UnsafeMutablePointer<UInt16>) {
    let a = samples
    let narrow = SIMD4(
      UInt16(truncatingIfNeeded: a[0]), UInt16(truncatingIfNeeded: a[1]), UInt16(truncatingIfNeeded: a[2]),
      UInt16(truncatingIfNeeded: a[3]))
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: narrow, as: SIMD4<UInt16>.self)
  }

  @inline(__always) static func mean(_ a: Packed, _ b: Packed) -> Packed { (a &+ b &+ 1) &>> 1 }

  @inline(__always) init(loading source: UnsafePointer<UInt16>) { self.init(unsafe Self.loadPacked(source)) }
  @inline(__always) init(repeating value: Int) { self.init(SIMD4(repeating: Int32(truncatingIfNeeded: value))) }

  @inline(__always)
  func packed(_ maximum: Self) -> Packed { Self.greatest(Self.least(self, maximum), Self(repeating: 0)).value }
  @inline(__always) var packedInRange: Packed { value }

  @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(a.value &+ b.value) }
  @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(a.value &- b.value) }
  @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(a.value &* b.value) }
  @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(a.value & b.value) }
  @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(a.value | b.value) }
  @inline(__always) static func without(_ a: Self, _ b: Self) -> Self { Self(a.value & ~b.value) }

  @inline(__always)
  static func less(_ a: Self, _ b: Self) -> Self {
    // SAFETY: a mask is a vector of 0 and -1.
    Self(unsafe unsafeBitCast(a.value .< b.value, to: SIMD4<Int32>.self))
  }

  @inline(__always)
  static func least(_ a: Self, _ b: Self) -> Self { Self(a.value.replacing(with: b.value, where: b.value .< a.value)) }

  @inline(__always)
  static func greatest(_ a: Self, _ b: Self) -> Self {
    Self(a.value.replacing(with: b.value, where: b.value .> a.value))
  }

  @inline(__always)
  func shiftedRight(_ count: Int) -> Self { Self(value &>> SIMD4(repeating: Int32(truncatingIfNeeded: count))) }

  @inline(__always) var isAnySet: Bool { value != SIMD4() }

  @inline(__always)
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
    let five = b &* Self(repeating: 5), twenty = c &* Self(repeating: 20)
    return Self((a &- five &+ twenty &+ Self(repeating: 512)).value &>> 10)
  }

  @inline(__always)
  func weighted(with other: Self, _ weights: PairWeights) -> Self {
    let sum = self &* Self(repeating: weights.weight) &+ other &* Self(repeating: weights.otherWeight)
    return (sum &+ Self(repeating: 1 &<< weights.shift)).shiftedRight(weights.shift &+ 1)
      &+ Self(repeating: weights.offset)
  }
}

extension DeepLanes2: SampleLanes {
  typealias Packed = SIMD2<Int32>

  @inline(__always) static var count: Int { 2 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Packed {
    // SAFETY: the caller has as many samples there; so below.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD2<UInt16>.self)
    return SIMD2(Int32(a[0]), Int32(a[1]))
  }

  @inline(__always)
  static func store(_ samples: Packed, _ output: UnsafeMutablePointer<UInt16>) {
    let a = samples
    let narrow = SIMD2(UInt16(truncatingIfNeeded: a[0]), UInt16(truncatingIfNeeded: a[1]))
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: narrow, as: SIMD2<UInt16>.self)
  }

  @inline(__always) static func mean(_ a: Packed, _ b: Packed) -> Packed { (a &+ b &+ 1) &>> 1 }

  @inline(__always) init(loading source: UnsafePointer<UInt16>) { self.init(unsafe Self.loadPacked(source)) }
  @inline(__always) init(repeating value: Int) { self.init(SIMD2(repeating: Int32(truncatingIfNeeded: value))) }

  @inline(__always)
  func packed(_ maximum: Self) -> Packed { Self.greatest(Self.least(self, maximum), Self(repeating: 0)).value }
  @inline(__always) var packedInRange: Packed { value }

  @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(a.value &+ b.value) }
  @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(a.value &- b.value) }
  @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(a.value &* b.value) }
  @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(a.value & b.value) }
  @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(a.value | b.value) }
  @inline(__always) static func without(_ a: Self, _ b: Self) -> Self { Self(a.value & ~b.value) }

  @inline(__always)
  static func less(_ a: Self, _ b: Self) -> Self {
    // SAFETY: a mask is a vector of 0 and -1.
    Self(unsafe unsafeBitCast(a.value .< b.value, to: SIMD2<Int32>.self))
  }

  @inline(__always)
  static func least(_ a: Self, _ b: Self) -> Self { Self(a.value.replacing(with: b.value, where: b.value .< a.value)) }

  @inline(__always)
  static func greatest(_ a: Self, _ b: Self) -> Self {
    Self(a.value.replacing(with: b.value, where: b.value .> a.value))
  }

  @inline(__always)
  func shiftedRight(_ count: Int) -> Self { Self(value &>> SIMD2(repeating: Int32(truncatingIfNeeded: count))) }

  @inline(__always) var isAnySet: Bool { value != SIMD2() }

  @inline(__always)
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
    let five = b &* Self(repeating: 5), twenty = c &* Self(repeating: 20)
    return Self((a &- five &+ twenty &+ Self(repeating: 512)).value &>> 10)
  }

  @inline(__always)
  func weighted(with other: Self, _ weights: PairWeights) -> Self {
    let sum = self &* Self(repeating: weights.weight) &+ other &* Self(repeating: weights.otherWeight)
    return (sum &+ Self(repeating: 1 &<< weights.shift)).shiftedRight(weights.shift &+ 1)
      &+ Self(repeating: weights.offset)
  }
}
