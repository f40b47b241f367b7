/// The 32-bit transform on as many blocks as a vector has rows of.
///
/// Each output of the reference is a sum of products that is rounded once; here the products of one input are gathered
/// into one factor, so that two outputs' worth of work is a multiply-add of neighbouring lanes. Between the passes,
/// and for sums, 16 bits are enough.
package enum SIMDAccurateTransform {
  private typealias C = AccurateConstants

  package static func transform(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int32>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    for block in Swift.stride(from: 0, to: pairs &* 2, by: VectorOperations.blocks) {
      // SAFETY: the caller passes eight rows of `pairs * 16` samples, a whole table, and room for as many blocks.
      var rows = unsafe BlockRows(loading: samples + block &* 8, stride)
      center(&rows)
      pass(&rows, isFirst: true)
      rows.transpose()
      pass(&rows, isFirst: false)
      unsafe quantize(&rows, table)
      unsafe rows.store(coefficients + block &* 64, bitmaps + block, zigzag)
    }
  }

  /// Samples around 0.
  @inline(__always)
  private static func center(_ rows: inout BlockRows) {
    (rows.r0, rows.r1, rows.r2, rows.r3) = (rows.r0 &- 128, rows.r1 &- 128, rows.r2 &- 128, rows.r3 &- 128)
    (rows.r4, rows.r5, rows.r6, rows.r7) = (rows.r4 &- 128, rows.r5 &- 128, rows.r6 &- 128, rows.r7 &- 128)
  }

  /// One dimension of Loeffler, Ligtenberg and Moschytz's transform, across the rows.
  @inline(__always)
  private static func pass(_ rows: inout BlockRows, isFirst: Bool) {
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
    rows.r2 = Products.descaled(even.weighed(C.c0541, C.c0541 + C.c0765), shift)
    rows.r6 = Products.descaled(even.weighed(C.c0541 - C.c1847, C.c0541), shift)

    let (first, last) = (Pair(d0, d1), Pair(d2, d3))
    rows.r1 = Products.descaled(
      first.weighed(C.c1501 - C.c0899 + C.c1175 - C.c0390, C.c1175),
      last.weighed(C.c1175 - C.c0390, C.c1175 - C.c0899), shift)
    rows.r3 = Products.descaled(
      first.weighed(C.c1175, C.c3072 - C.c2562 + C.c1175 - C.c1961),
      last.weighed(C.c1175 - C.c2562, C.c1175 - C.c1961), shift)
    rows.r5 = Products.descaled(
      first.weighed(C.c1175 - C.c0390, C.c1175 - C.c2562),
      last.weighed(C.c2053 - C.c2562 + C.c1175 - C.c0390, C.c1175), shift)
    rows.r7 = Products.descaled(
      first.weighed(C.c1175 - C.c0899, C.c1175 - C.c1961),
      last.weighed(C.c1175, C.c0298 - C.c0899 + C.c1175 - C.c1961), shift)
  }

  /// Divides each coefficient by its quantiser, to the nearest integer.
  @inline(__always)
  private static func quantize(_ rows: inout BlockRows, _ table: UnsafePointer<Int32>) {
    @inline(__always)
    func row(_ u: Int, _ values: inout Words) {
      // SAFETY: the table has eight rows of eight divisors.
      let divisors = unsafe UnsafeRawPointer(table + u * 8).loadUnaligned(as: SIMD8<Int32>.self)
      #if KERNELS_V3
        values = Words(
          lowHalf: quotients(values.lowHalf, divisors), highHalf: quotients(values.highHalf, divisors))
      #else
        values = quotients(values, divisors)
      #endif
    }
    row(0, &rows.r0)
    row(1, &rows.r1)
    row(2, &rows.r2)
    row(3, &rows.r3)
    row(4, &rows.r4)
    row(5, &rows.r5)
    row(6, &rows.r6)
    row(7, &rows.r7)
  }

  @inline(__always)
  private static func quotients(_ values: SIMD8<Int16>, _ divisors: SIMD8<Int32>) -> SIMD8<Int16> {
    let sign = values &>> 15
    let magnitudes = (values ^ sign) &- sign
    var dividends = SIMD8<Float>(), floats = SIMD8<Float>()
    for lane in 0..<8 {
      dividends[lane] = Float(Int32(magnitudes[lane]))
      floats[lane] = Float(divisors[lane])
    }
    // A quarter makes halves round up and moves nothing else; 1.5 · 2^23 leaves the integer in the low bits.
    let sums = (dividends + 0.25) / floats + 12_582_912
    // SAFETY: both types are 32 bytes.
    let integers = unsafe unsafeBitCast(sums, to: SIMD8<Int32>.self)
    var quotients = SIMD8<Int16>()
    for lane in 0..<8 { quotients[lane] = Int16(truncatingIfNeeded: integers[lane]) }
    return (quotients ^ sign) &- sign
  }
}
