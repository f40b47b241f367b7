/// Eight samples of 9 to 14 bits, as 32-bit integers.
enum DeepKind8: DeepKind {
  typealias Register = SIMD8<Int32>

  @inline(__always) static var count: Int { 8 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> SIMD8<Int16> {
    // SAFETY: the caller has as many samples there; so below.
    unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD8<Int16>.self)
  }

  @inline(__always)
  static func store(_ samples: SIMD8<Int16>, _ output: UnsafeMutablePointer<UInt16>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: samples, as: SIMD8<Int16>.self)
  }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt16>) -> Register {
    Registers.widen(Registers.quads(unsafe loadPacked(source)))
  }

  @inline(__always) static func fill(_ value: Int) -> Register { SIMD8(repeating: Int32(truncatingIfNeeded: value)) }
  @inline(__always) static func packInRange(_ a: Register) -> SIMD8<Int16> { Registers.narrow(a.lowHalf, a.highHalf) }

  @inline(__always) static func add(_ a: Register, _ b: Register) -> Register { a &+ b }
  @inline(__always) static func subtract(_ a: Register, _ b: Register) -> Register { a &- b }
  @inline(__always) static func multiply(_ a: Register, _ b: Register) -> Register { a &* b }
  @inline(__always) static func and(_ a: Register, _ b: Register) -> Register { a & b }
  @inline(__always) static func or(_ a: Register, _ b: Register) -> Register { a | b }
  @inline(__always) static func without(_ a: Register, _ b: Register) -> Register { a & ~b }

  @inline(__always)
  static func less(_ a: Register, _ b: Register) -> Register {
    // SAFETY: a mask is a vector of 0 and -1.
    unsafe unsafeBitCast(a .< b, to: Register.self)
  }

  @inline(__always)
  static func least(_ a: Register, _ b: Register) -> Register { a.replacing(with: b, where: b .< a) }

  @inline(__always)
  static func greatest(_ a: Register, _ b: Register) -> Register { a.replacing(with: b, where: b .> a) }

  @inline(__always) static func shiftRight(_ a: Register, _ count: Int) -> Register { a &>> fill(count) }

  @inline(__always)
  static func isAnySet(_ a: Register) -> Bool {
    Registers.isAnySet(Registers.quads(a.lowHalf | a.highHalf))
  }

  @inline(__always)
  static func center(_ a: Register, _ b: Register, _ c: Register) -> Register {
    (a &- b &* fill(5) &+ c &* fill(20) &+ fill(512)) &>> 10
  }

  @inline(__always)
  static func weighted(_ a: Register, _ b: Register, _ weights: PairWeights) -> Register {
    let sum = a &* fill(weights.weight) &+ b &* fill(weights.otherWeight)
    return shiftRight(sum &+ fill(1 &<< weights.shift), weights.shift &+ 1) &+ fill(weights.offset)
  }
}

/// Four samples of 9 to 14 bits, as 32-bit integers.
enum DeepKind4: SmallDeepKind {
  @inline(__always) static var count: Int { 4 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> SIMD8<Int16> {
    // SAFETY: the caller has as many samples there; so below.
    Registers.words(Quads(unsafe UnsafeRawPointer(source).loadUnaligned(as: Int64.self), 0))
  }

  @inline(__always)
  static func store(_ samples: SIMD8<Int16>, _ output: UnsafeMutablePointer<UInt16>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: Registers.quads(samples)[0], as: Int64.self)
  }
}

/// Two samples of 9 to 14 bits, as 32-bit integers; the other lanes hold anything.
enum DeepKind2: SmallDeepKind {
  @inline(__always) static var count: Int { 2 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> SIMD8<Int16> {
    // SAFETY: the caller has as many samples there; so below.
    let both = unsafe UnsafeRawPointer(source).loadUnaligned(as: Int32.self)
    return Registers.words(Registers.quads(SIMD4(both, 0, 0, 0)))
  }

  @inline(__always)
  static func store(_ samples: SIMD8<Int16>, _ output: UnsafeMutablePointer<UInt16>) {
    let both = Registers.longs(Registers.quads(samples))[0]
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: both, as: Int32.self)
  }
}

/// What the numbers of lanes have in common; stored samples are words, which hold at most 14 bits.
protocol DeepKind: LaneKind where Sample == UInt16, Packed == SIMD8<Int16> {}

extension DeepKind {
  /// No sum is made that needs another bit.
  @inline(__always)
  static func mean(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> { (a | b) &- (a ^ b) &>> 1 }

  @inline(__always)
  static func pack(_ a: Register, _ maximum: Register) -> SIMD8<Int16> {
    Registers.maximum(Registers.minimum(packInRange(a), packInRange(maximum)), SIMD8<Int16>())
  }
}

/// What the numbers of lanes that 16 bytes hold have in common.
protocol SmallDeepKind: DeepKind where Register == SIMD4<Int32> {}

extension SmallDeepKind {
  @inline(__always)
  static func load(_ source: UnsafePointer<UInt16>) -> Register {
    Registers.widen(Registers.quads(unsafe loadPacked(source))).lowHalf
  }

  @inline(__always) static func fill(_ value: Int) -> Register { SIMD4(repeating: Int32(truncatingIfNeeded: value)) }
  @inline(__always) static func packInRange(_ a: Register) -> SIMD8<Int16> { Registers.narrow(a, a) }

  @inline(__always) static func add(_ a: Register, _ b: Register) -> Register { a &+ b }
  @inline(__always) static func subtract(_ a: Register, _ b: Register) -> Register { a &- b }
  @inline(__always) static func multiply(_ a: Register, _ b: Register) -> Register { a &* b }
  @inline(__always) static func and(_ a: Register, _ b: Register) -> Register { a & b }
  @inline(__always) static func or(_ a: Register, _ b: Register) -> Register { a | b }
  @inline(__always) static func without(_ a: Register, _ b: Register) -> Register { a & ~b }

  @inline(__always)
  static func less(_ a: Register, _ b: Register) -> Register {
    // SAFETY: a mask is a vector of 0 and -1.
    unsafe unsafeBitCast(a .< b, to: Register.self)
  }

  @inline(__always)
  static func least(_ a: Register, _ b: Register) -> Register { a.replacing(with: b, where: b .< a) }

  @inline(__always)
  static func greatest(_ a: Register, _ b: Register) -> Register { a.replacing(with: b, where: b .> a) }

  @inline(__always) static func shiftRight(_ a: Register, _ count: Int) -> Register { a &>> fill(count) }
  @inline(__always) static func isAnySet(_ a: Register) -> Bool { Registers.isAnySet(Registers.quads(a)) }

  @inline(__always)
  static func center(_ a: Register, _ b: Register, _ c: Register) -> Register {
    (a &- b &* fill(5) &+ c &* fill(20) &+ fill(512)) &>> 10
  }

  @inline(__always)
  static func weighted(_ a: Register, _ b: Register, _ weights: PairWeights) -> Register {
    let sum = a &* fill(weights.weight) &+ b &* fill(weights.otherWeight)
    return shiftRight(sum &+ fill(1 &<< weights.shift), weights.shift &+ 1) &+ fill(weights.offset)
  }
}
