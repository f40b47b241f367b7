/// Eight samples of 9 to 14 bits, as 32-bit integers.
enum DeepKind8: LaneKind {
  typealias Register = SIMD8<Int32>

  @inline(__always) static var count: Int { 8 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Register {
    // SAFETY: the caller has as many samples there; so below.
    Registers.widen(unsafe UnsafeRawPointer(source).loadUnaligned(as: Quads.self))
  }

  @inline(__always)
  static func store(_ samples: Register, _ output: UnsafeMutablePointer<UInt16>) {
    let words = Registers.narrow(samples.lowHalf, samples.highHalf)
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: words, as: SIMD8<Int16>.self)
  }

  @inline(__always) static func mean(_ a: Register, _ b: Register) -> Register { (a &+ b &+ 1) &>> 1 }
  @inline(__always) static func load(_ source: UnsafePointer<UInt16>) -> Register { unsafe loadPacked(source) }
  @inline(__always) static func fill(_ value: Int) -> Register { SIMD8(repeating: Int32(truncatingIfNeeded: value)) }

  @inline(__always)
  static func pack(_ a: Register, _ maximum: Register) -> Register { greatest(least(a, maximum), Register()) }

  @inline(__always) static func packInRange(_ a: Register) -> Register { a }

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
  @inline(__always) static func isAnySet(_ a: Register) -> Bool { a != Register() }

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
enum DeepKind4: LaneKind {
  typealias Register = SIMD4<Int32>

  @inline(__always) static var count: Int { 4 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Register {
    // SAFETY: the caller has as many samples there; so below.
    Registers.widen(Quads(unsafe UnsafeRawPointer(source).loadUnaligned(as: Int64.self), 0)).lowHalf
  }

  @inline(__always)
  static func store(_ samples: Register, _ output: UnsafeMutablePointer<UInt16>) {
    let words = Registers.quads(Registers.narrow(samples, samples))
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: words[0], as: Int64.self)
  }

  @inline(__always) static func mean(_ a: Register, _ b: Register) -> Register { (a &+ b &+ 1) &>> 1 }
  @inline(__always) static func load(_ source: UnsafePointer<UInt16>) -> Register { unsafe loadPacked(source) }
  @inline(__always) static func fill(_ value: Int) -> Register { SIMD4(repeating: Int32(truncatingIfNeeded: value)) }

  @inline(__always)
  static func pack(_ a: Register, _ maximum: Register) -> Register { greatest(least(a, maximum), Register()) }

  @inline(__always) static func packInRange(_ a: Register) -> Register { a }

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
  @inline(__always) static func isAnySet(_ a: Register) -> Bool { a != Register() }

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

/// Two samples of 9 to 14 bits, as 32-bit integers.
enum DeepKind2: LaneKind {
  typealias Register = SIMD2<Int32>

  @inline(__always) static var count: Int { 2 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt16>) -> Register {
    // SAFETY: the caller has as many samples there; so below.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD2<UInt16>.self)
    return SIMD2(Int32(a[0]), Int32(a[1]))
  }

  @inline(__always)
  static func store(_ samples: Register, _ output: UnsafeMutablePointer<UInt16>) {
    let a = samples
    let narrow = SIMD2(UInt16(truncatingIfNeeded: a[0]), UInt16(truncatingIfNeeded: a[1]))
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: narrow, as: SIMD2<UInt16>.self)
  }

  @inline(__always) static func mean(_ a: Register, _ b: Register) -> Register { (a &+ b &+ 1) &>> 1 }
  @inline(__always) static func load(_ source: UnsafePointer<UInt16>) -> Register { unsafe loadPacked(source) }
  @inline(__always) static func fill(_ value: Int) -> Register { SIMD2(repeating: Int32(truncatingIfNeeded: value)) }

  @inline(__always)
  static func pack(_ a: Register, _ maximum: Register) -> Register { greatest(least(a, maximum), Register()) }

  @inline(__always) static func packInRange(_ a: Register) -> Register { a }

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
  @inline(__always) static func isAnySet(_ a: Register) -> Bool { a != Register() }

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
