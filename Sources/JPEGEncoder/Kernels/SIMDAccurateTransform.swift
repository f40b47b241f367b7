/// The 32-bit transform, one block at a time.
///
/// Each output of the reference is a sum of products that is rounded once; here the products of one input are gathered
/// into one factor, so that two outputs' worth of work is a multiply-add of neighbouring lanes. Between the passes,
/// and for sums, 16 bits are enough.
enum SIMDAccurateTransform {
  private typealias Vector = SIMD8<Int16>
  private typealias C = AccurateConstants

  /// The eight rows of a block.
  private struct Rows {
    var r0: Vector, r1: Vector, r2: Vector, r3: Vector, r4: Vector, r5: Vector, r6: Vector, r7: Vector
  }

  static func transform(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int32>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    for block in 0..<pairs * 2 {
      // SAFETY: the caller passes eight rows of `pairs * 16` samples, a whole table, and room for as many blocks.
      var rows = unsafe load(samples + block * 8, stride)
      pass(&rows, isFirst: true)
      transpose(&rows)
      pass(&rows, isFirst: false)
      unsafe bitmaps[block] = SIMDTransform.natural(
        quantize(rows, table, coefficients + block * 64), zigzag)
    }
  }

  @inline(__always)
  private static func load(_ samples: UnsafePointer<UInt8>, _ stride: Int) -> Rows {
    @inline(__always)
    func row(_ index: Int) -> Vector {
      let bytes = unsafe UnsafeRawPointer(samples + index * stride).loadUnaligned(as: SIMD8<UInt8>.self)
      var wide = Vector()
      for lane in 0..<8 { wide[lane] = Int16(bytes[lane]) }
      return wide &- 128
    }
    return Rows(r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6), r7: row(7))
  }

  /// Products of 32 bits for the eight lanes.
  private struct Wide {
    var low: SIMD4<Int32>, high: SIMD4<Int32>
  }

  /// Neighbouring lanes of two vectors, ready for multiply-adds.
  private struct Pair {
    let low: Vector, high: Vector

    @inline(__always)
    init(_ a: Vector, _ b: Vector) {
      low = Vector(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
      high = Vector(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
    }

    /// `a` times `x` plus `b` times `y`.
    @inline(__always)
    func weighed(_ x: Int32, _ y: Int32) -> Wide {
      let (x, y) = (Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y))
      let weights = Vector(x, y, x, y, x, y, x, y)
      return Wide(
        low: VectorOperations.multiplyAdd(low, weights), high: VectorOperations.multiplyAdd(high, weights))
    }
  }

  @inline(__always)
  private static func descaled(_ a: Wide, _ shift: Int32) -> Vector {
    let half = Int32(1) &<< (shift &- 1)
    return VectorOperations.words((a.low &+ half) &>> shift, (a.high &+ half) &>> shift)
  }

  @inline(__always)
  private static func descaled(_ a: Wide, _ b: Wide, _ shift: Int32) -> Vector {
    descaled(Wide(low: a.low &+ b.low, high: a.high &+ b.high), shift)
  }

  /// One dimension of Loeffler, Ligtenberg and Moschytz's transform, across the rows.
  @inline(__always)
  private static func pass(_ rows: inout Rows, isFirst: Bool) {
    let (s0, d0) = (rows.r0 &+ rows.r7, rows.r0 &- rows.r7)
    let (s1, d1) = (rows.r1 &+ rows.r6, rows.r1 &- rows.r6)
    let (s2, d2) = (rows.r2 &+ rows.r5, rows.r2 &- rows.r5)
    let (s3, d3) = (rows.r3 &+ rows.r4, rows.r3 &- rows.r4)
    // The first pass keeps two more fractional bits, which the second takes away.
    let shift: Int32 = isFirst ? 11 : 15

    let (e0, e3) = (s0 &+ s3, s0 &- s3)
    let (e1, e2) = (s1 &+ s2, s1 &- s2)
    rows.r0 = isFirst ? (e0 &+ e1) &<< 2 : (e0 &+ e1 &+ 2) &>> 2
    rows.r4 = isFirst ? (e0 &- e1) &<< 2 : (e0 &- e1 &+ 2) &>> 2
    let even = Pair(e2, e3)
    rows.r2 = descaled(even.weighed(C.c0541, C.c0541 + C.c0765), shift)
    rows.r6 = descaled(even.weighed(C.c0541 - C.c1847, C.c0541), shift)

    let (first, last) = (Pair(d0, d1), Pair(d2, d3))
    rows.r1 = descaled(
      first.weighed(C.c1501 - C.c0899 + C.c1175 - C.c0390, C.c1175),
      last.weighed(C.c1175 - C.c0390, C.c1175 - C.c0899), shift)
    rows.r3 = descaled(
      first.weighed(C.c1175, C.c3072 - C.c2562 + C.c1175 - C.c1961),
      last.weighed(C.c1175 - C.c2562, C.c1175 - C.c1961), shift)
    rows.r5 = descaled(
      first.weighed(C.c1175 - C.c0390, C.c1175 - C.c2562),
      last.weighed(C.c2053 - C.c2562 + C.c1175 - C.c0390, C.c1175), shift)
    rows.r7 = descaled(
      first.weighed(C.c1175 - C.c0899, C.c1175 - C.c1961),
      last.weighed(C.c1175, C.c0298 - C.c0899 + C.c1175 - C.c1961), shift)
  }

  /// Stores quantised coefficients; returns which are not 0, in natural order.
  @inline(__always)
  private static func quantize(
    _ rows: Rows, _ table: UnsafePointer<Int32>, _ coefficients: UnsafeMutablePointer<Int16>
  ) -> UInt64 {
    var bits = Vector()
    @inline(__always)
    func row(_ u: Int, _ values: Vector) {
      let divisors = unsafe UnsafeRawPointer(table + u * 8).loadUnaligned(as: SIMD8<Int32>.self)
      let sign = values &>> 15
      let magnitudes = (values ^ sign) &- sign
      var dividends = SIMD8<Float>(), floats = SIMD8<Float>()
      for lane in 0..<8 {
        dividends[lane] = Float(Int32(magnitudes[lane]))
        floats[lane] = Float(divisors[lane])
      }
      // A quarter makes halves round up and moves nothing else; 1.5 · 2^23 leaves the integer in the low bits.
      let quotients = (dividends + 0.25) / floats + 12_582_912
      // SAFETY: both types are 32 bytes.
      let integers = unsafe unsafeBitCast(quotients, to: SIMD8<Int32>.self)
      var quantized = Vector()
      for lane in 0..<8 { quantized[lane] = Int16(truncatingIfNeeded: integers[lane]) }
      quantized = (quantized ^ sign) &- sign
      unsafe UnsafeMutableRawPointer(coefficients + u * 8).storeBytes(of: quantized, as: Vector.self)
      // SAFETY: a mask is a vector of 0 and -1.
      let isZero = unsafe unsafeBitCast(quantized .== Vector(), to: Vector.self)
      bits |= Vector(repeating: 1 << Int16(u)) & ~isZero
    }
    row(0, rows.r0)
    row(1, rows.r1)
    row(2, rows.r2)
    row(3, rows.r3)
    row(4, rows.r4)
    row(5, rows.r5)
    row(6, rows.r6)
    row(7, rows.r7)
    var bytes = SIMD8<UInt8>()
    for lane in 0..<8 { bytes[lane] = UInt8(truncatingIfNeeded: bits[lane]) }
    // SAFETY: both types are 8 bytes.
    return unsafe unsafeBitCast(bytes, to: UInt64.self)
  }

  /// Three stages of interleaving, each of elements twice as wide; see ``SIMDTransform``.
  @inline(__always)
  private static func transpose(_ rows: inout Rows) {
    let (a0, a1) = interleave16(rows.r0, rows.r1)
    let (a2, a3) = interleave16(rows.r2, rows.r3)
    let (a4, a5) = interleave16(rows.r4, rows.r5)
    let (a6, a7) = interleave16(rows.r6, rows.r7)
    let (b0, b1) = interleave32(a0, a2)
    let (b2, b3) = interleave32(a1, a3)
    let (b4, b5) = interleave32(a4, a6)
    let (b6, b7) = interleave32(a5, a7)
    (rows.r0, rows.r1) = interleave64(b0, b4)
    (rows.r2, rows.r3) = interleave64(b1, b5)
    (rows.r4, rows.r5) = interleave64(b2, b6)
    (rows.r6, rows.r7) = interleave64(b3, b7)
  }

  @inline(__always)
  private static func interleave16(_ a: Vector, _ b: Vector) -> (SIMD4<Int32>, SIMD4<Int32>) {
    let pair = Pair(a, b)
    // SAFETY: all these types are 16 bytes of integers; so below.
    return unsafe (unsafeBitCast(pair.low, to: SIMD4<Int32>.self), unsafeBitCast(pair.high, to: SIMD4<Int32>.self))
  }

  @inline(__always)
  private static func interleave32(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> (SIMD2<Int64>, SIMD2<Int64>) {
    let low = SIMD4(a[0], b[0], a[1], b[1]), high = SIMD4(a[2], b[2], a[3], b[3])
    return unsafe (unsafeBitCast(low, to: SIMD2<Int64>.self), unsafeBitCast(high, to: SIMD2<Int64>.self))
  }

  @inline(__always)
  private static func interleave64(_ a: SIMD2<Int64>, _ b: SIMD2<Int64>) -> (Vector, Vector) {
    let low = SIMD2(a[0], b[0]), high = SIMD2(a[1], b[1])
    return unsafe (unsafeBitCast(low, to: Vector.self), unsafeBitCast(high, to: Vector.self))
  }
}
