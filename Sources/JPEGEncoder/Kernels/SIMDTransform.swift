/// The 16-bit transform on two neighbouring blocks at once, one in each half of a vector.
///
/// Written for what the compiler makes of it: a multiplication is one `pmulhw`, a transposition 24 unpack
/// instructions (each stage through another element type, or they fall apart into single inserts), a quantisation
/// one addition and one multiplication.
enum SIMDTransform {
  typealias Vector = SIMD16<Int16>

  /// Eight rows (or columns) of both blocks.
  struct Rows {
    var r0: Vector, r1: Vector, r2: Vector, r3: Vector, r4: Vector, r5: Vector, r6: Vector, r7: Vector
  }

  static func transform(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int16>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    for pair in 0..<pairs {
      // SAFETY: the caller passes eight rows of `pairs * 16` samples, a whole table, and room for as many blocks.
      var rows = unsafe load(samples + pair * 16, stride)
      pass(&rows)
      transpose(&rows)
      pass(&rows)
      let bits = unsafe quantize(&rows, table, coefficients + pair * 128)
      unsafe bitmaps[pair * 2] = natural(bits[0], zigzag)
      unsafe bitmaps[pair * 2 + 1] = natural(bits[1], zigzag)
    }
  }

  /// Samples around 0, doubled for one bit of guard.
  @inline(__always)
  private static func load(_ samples: UnsafePointer<UInt8>, _ stride: Int) -> Rows {
    @inline(__always)
    func row(_ index: Int) -> Vector {
      let bytes = unsafe UnsafeRawPointer(samples + index * stride).loadUnaligned(as: SIMD16<UInt8>.self)
      var wide = Vector()
      for lane in 0..<16 { wide[lane] = Int16(bytes[lane]) }
      return (wide &- 128) &<< 1
    }
    return Rows(r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6), r7: row(7))
  }

  /// The high half of each product: `x` times a constant with 16 fractional bits, rounded down.
  @inline(__always)
  private static func multiply(_ x: Vector, _ constant: Int32) -> Vector {
    var product = Vector()
    for lane in 0..<16 { product[lane] = Int16(truncatingIfNeeded: (Int32(x[lane]) &* constant) &>> 16) }
    return product
  }

  /// One dimension of Arai, Agui and Nakajima's transform, across the rows.
  @inline(__always)
  private static func pass(_ rows: inout Rows) {
    let (s0, d0) = (rows.r0 &+ rows.r7, rows.r0 &- rows.r7)
    let (s1, d1) = (rows.r1 &+ rows.r6, rows.r1 &- rows.r6)
    let (s2, d2) = (rows.r2 &+ rows.r5, rows.r2 &- rows.r5)
    let (s3, d3) = (rows.r3 &+ rows.r4, rows.r3 &- rows.r4)

    let (e0, e3) = (s0 &+ s3, s0 &- s3)
    let (e1, e2) = (s1 &+ s2, s1 &- s2)
    rows.r0 = e0 &+ e1
    rows.r4 = e0 &- e1
    let sum = e2 &+ e3
    let z1 = sum &+ multiply(sum, FastConstants.c4)
    rows.r2 = e3 &+ z1
    rows.r6 = e3 &- z1

    let (o0, o1, o2) = (d3 &+ d2, d2 &+ d1, d1 &+ d0)
    let z5 = multiply(o0 &- o2, FastConstants.c6)
    let z2 = o0 &+ multiply(o0, FastConstants.c2MinusC6) &+ z5
    let z4 = o2 &+ multiply(o2, FastConstants.c2PlusC6) &+ z5
    let z3 = o1 &+ multiply(o1, FastConstants.c4)
    let (z11, z13) = (d0 &+ z3, d0 &- z3)
    rows.r5 = z13 &+ z2
    rows.r3 = z13 &- z2
    rows.r1 = z11 &+ z4
    rows.r7 = z11 &- z4
  }

  /// Stores quantised coefficients, both blocks one after the other; returns which are not 0, in natural order.
  @inline(__always)
  private static func quantize(
    _ rows: inout Rows, _ table: UnsafePointer<Int16>, _ coefficients: UnsafeMutablePointer<Int16>
  ) -> SIMD2<UInt64> {
    var bits = Vector()
    @inline(__always)
    func row(_ u: Int, _ values: Vector) {
      let offset = unsafe UnsafeRawPointer(table + u * 16).loadUnaligned(as: Vector.self)
      let factor = unsafe UnsafeRawPointer(table + 128 + u * 16).loadUnaligned(as: Vector.self)
      let sum = values &+ offset
      var quantized = Vector()
      for lane in 0..<16 {
        quantized[lane] = Int16(truncatingIfNeeded: (Int32(sum[lane]) &* Int32(factor[lane])) &>> 16)
      }
      unsafe UnsafeMutableRawPointer(coefficients + u * 8).storeBytes(of: quantized.lowHalf, as: SIMD8<Int16>.self)
      unsafe UnsafeMutableRawPointer(coefficients + 64 + u * 8).storeBytes(
        of: quantized.highHalf, as: SIMD8<Int16>.self)
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
    var bytes = SIMD16<UInt8>()
    for lane in 0..<16 { bytes[lane] = UInt8(truncatingIfNeeded: bits[lane]) }
    // SAFETY: both types are 16 bytes of integers.
    return unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
  }

  /// A bitmap in zigzag order from one in natural order.
  @inline(__always)
  static func natural(_ bits: UInt64, _ zigzag: UnsafePointer<UInt64>) -> UInt64 {
    var order: UInt64 = 0
    // SAFETY: the table has 256 entries for each of the eight bytes.
    for byte in 0..<8 { unsafe order |= zigzag[byte << 8 | Int(bits >> UInt64(byte * 8) & 255)] }
    return order
  }
}

extension SIMDTransform {
  /// Transposes each of the two blocks.
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
  private static func interleave16(_ a: Vector, _ b: Vector) -> (SIMD8<Int32>, SIMD8<Int32>) {
    let low = Vector(
      a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11])
    let high = Vector(
      a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
    // SAFETY: all these types are 32 bytes of integers; so below.
    return unsafe (unsafeBitCast(low, to: SIMD8<Int32>.self), unsafeBitCast(high, to: SIMD8<Int32>.self))
  }

  @inline(__always)
  private static func interleave32(_ a: SIMD8<Int32>, _ b: SIMD8<Int32>) -> (SIMD4<Int64>, SIMD4<Int64>) {
    let low = SIMD8<Int32>(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5])
    let high = SIMD8<Int32>(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7])
    return unsafe (unsafeBitCast(low, to: SIMD4<Int64>.self), unsafeBitCast(high, to: SIMD4<Int64>.self))
  }

  @inline(__always)
  private static func interleave64(_ a: SIMD4<Int64>, _ b: SIMD4<Int64>) -> (Vector, Vector) {
    let low = SIMD4<Int64>(a[0], b[0], a[2], b[2])
    let high = SIMD4<Int64>(a[1], b[1], a[3], b[3])
    return unsafe (unsafeBitCast(low, to: Vector.self), unsafeBitCast(high, to: Vector.self))
  }
}
