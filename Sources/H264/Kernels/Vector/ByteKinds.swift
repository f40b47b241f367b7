/// Sixteen samples of 8 bits, to be copied and averaged.
enum ByteRow16: PackedKind {
  @inline(__always) static var count: Int { 16 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    // SAFETY: the caller has as many samples there; so in all of this.
    unsafe UnsafeRawPointer(source).loadUnaligned(as: Quads.self)
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: samples, as: Quads.self)
  }

  @inline(__always) static func mean(_ a: Quads, _ b: Quads) -> Quads { Registers.mean(a, b) }
}

/// Eight samples of 8 bits, as words.
enum ByteKind8: ByteKind {
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

/// Four samples of 8 bits, as words; the other lanes hold anything.
enum ByteKind4: ByteKind {
  @inline(__always) static var count: Int { 4 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    // SAFETY: the caller has as many samples there; so below.
    Registers.quads(SIMD4(unsafe UnsafeRawPointer(source).loadUnaligned(as: Int32.self), 0, 0, 0))
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: Registers.longs(samples)[0], as: Int32.self)
  }
}

/// Two samples of 8 bits, as words; the other lanes hold anything.
enum ByteKind2: ByteKind {
  @inline(__always) static var count: Int { 2 }

  @inline(__always)
  static func loadPacked(_ source: UnsafePointer<UInt8>) -> Quads {
    // SAFETY: the caller has as many samples there; so below.
    Registers.quads(SIMD4(Int32(unsafe UnsafeRawPointer(source).loadUnaligned(as: UInt16.self)), 0, 0, 0))
  }

  @inline(__always)
  static func store(_ samples: Quads, _ output: UnsafeMutablePointer<UInt8>) {
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: Registers.words(samples)[0], as: Int16.self)
  }
}

/// What the numbers of lanes that one register holds have in common.
protocol ByteKind: LaneKind where Sample == UInt8, Packed == Quads, Register == SIMD8<Int16> {}

extension ByteKind {
  @inline(__always) static func mean(_ a: Quads, _ b: Quads) -> Quads { Registers.mean(a, b) }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt8>) -> Register { Registers.widenLow(unsafe loadPacked(source)) }

  @inline(__always) static func fill(_ value: Int) -> Register { SIMD8(repeating: Int16(truncatingIfNeeded: value)) }
  @inline(__always) static func pack(_ a: Register, _ maximum: Register) -> Quads { Registers.narrow(a, a) }
  @inline(__always) static func packInRange(_ a: Register) -> Quads { Registers.narrow(a, a) }

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

  @inline(__always) static func least(_ a: Register, _ b: Register) -> Register { Registers.minimum(a, b) }
  @inline(__always) static func greatest(_ a: Register, _ b: Register) -> Register { Registers.maximum(a, b) }
  @inline(__always) static func shiftRight(_ a: Register, _ count: Int) -> Register { Registers.shiftRight(a, count) }
  @inline(__always) static func isAnySet(_ a: Register) -> Bool { Registers.isAnySet(Registers.quads(a)) }

  /// Divides in steps so that 16 bits are enough: what is cut off on the way makes no difference, nor does the one
  /// saturated sum, which is far outside of a sample's range.
  @inline(__always)
  static func center(_ a: Register, _ b: Register, _ c: Register) -> Register {
    let quarter = Registers.addSaturated((a &- b) &>> 2 &- b, c)
    return (quarter &>> 2 &+ c &+ 32) &>> 6
  }

  @inline(__always)
  static func weighted(_ a: Register, _ b: Register, _ weights: PairWeights) -> Register {
    let (w, o) = (Int16(truncatingIfNeeded: weights.weight), Int16(truncatingIfNeeded: weights.otherWeight))
    let factors = SIMD8(w, o, w, o, w, o, w, o), rounding = SIMD4(repeating: Int32(1) &<< Int32(weights.shift))
    let low = Registers.multiplyAdd(SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), factors)
    let high = Registers.multiplyAdd(SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]), factors)
    let words = Registers.narrow(
      Registers.shiftRight(low &+ rounding, weights.shift &+ 1),
      Registers.shiftRight(high &+ rounding, weights.shift &+ 1))
    return words &+ SIMD8(repeating: Int16(truncatingIfNeeded: weights.offset))
  }
}
