/// Products of 32 bits for all lanes of a row.
struct Products {
  var low: Longs, high: Longs

  @inline(__always)
  static func + (a: Products, b: Products) -> Products { Products(low: a.low &+ b.low, high: a.high &+ b.high) }

  @inline(__always)
  static func - (a: Products, b: Products) -> Products { Products(low: a.low &- b.low, high: a.high &- b.high) }

  /// The row without its last `shift` bits, rounded; values beyond 16 bits become the nearest one.
  @inline(__always)
  static func descaled(_ a: Products, _ shift: Int32) -> Words {
    let half = Int32(1) &<< (shift &- 1)
    return VectorOperations.narrow((a.low &+ half) &>> shift, (a.high &+ half) &>> shift)
  }

  /// The same of a sum.
  @inline(__always)
  static func descaled(_ a: Products, _ b: Products, _ shift: Int32) -> Words { descaled(a + b, shift) }
}

/// Neighbouring lanes of two rows, ready for multiply-adds.
struct Pair {
  let low: Words, high: Words

  @inline(__always)
  init(_ a: Words, _ b: Words) { (low, high) = BlockRows.interleave(a, b) }

  /// `a` times `x` plus `b` times `y`.
  @inline(__always)
  func weighed(_ x: Int32, _ y: Int32) -> Products {
    // SAFETY: the types are as many bytes of integers; the weights alternate.
    let weights = unsafe unsafeBitCast(Longs(repeating: x & 0xFFFF | y &<< 16), to: Words.self)
    return Products(
      low: VectorOperations.multiplyAdd(low, weights), high: VectorOperations.multiplyAdd(high, weights))
  }
}
