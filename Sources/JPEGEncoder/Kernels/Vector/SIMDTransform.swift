/// The 16-bit transform on as many blocks as a vector has rows of.
///
/// Samples are not made signed first: only the first coefficient would differ, and its offset in the table takes that
/// away.
package enum SIMDTransform {
  package static func transform(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int16>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    for block in Swift.stride(from: 0, to: pairs &* 2, by: VectorOperations.blocks) {
      // SAFETY: the caller passes eight rows of `pairs * 16` samples, a whole table, and room for as many blocks.
      var rows = unsafe BlockRows(loading: samples + block &* 8, stride)
      double(&rows)
      pass(&rows)
      rows.transpose()
      pass(&rows)
      unsafe quantize(&rows, table)
      unsafe rows.store(coefficients + block &* 64, bitmaps + block, zigzag)
    }
  }

  /// One bit of guard.
  @inline(__always)
  private static func double(_ rows: inout BlockRows) {
    (rows.r0, rows.r1, rows.r2, rows.r3) = (rows.r0 &<< 1, rows.r1 &<< 1, rows.r2 &<< 1, rows.r3 &<< 1)
    (rows.r4, rows.r5, rows.r6, rows.r7) = (rows.r4 &<< 1, rows.r5 &<< 1, rows.r6 &<< 1, rows.r7 &<< 1)
  }

  /// `x` times a constant with 16 fractional bits, rounded down.
  @inline(__always)
  private static func multiply(_ x: Words, _ constant: Int16) -> Words {
    VectorOperations.multiplyHigh(x, Words(repeating: constant))
  }

  /// One dimension of Arai, Agui and Nakajima's transform, across the rows.
  @inline(__always)
  private static func pass(_ rows: inout BlockRows) {
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

  /// Divides each coefficient by its quantiser; the second eight of the table's rows are the first once more.
  @inline(__always)
  private static func quantize(_ rows: inout BlockRows, _ table: UnsafePointer<Int16>) {
    @inline(__always)
    func row(_ u: Int, _ values: inout Words) {
      // SAFETY: the table has eight rows of 16 offsets, and as many reciprocals.
      let offset = unsafe UnsafeRawPointer(table + u * 16).loadUnaligned(as: Words.self)
      let reciprocal = unsafe UnsafeRawPointer(table + 128 + u * 16).loadUnaligned(as: Words.self)
      values = VectorOperations.multiplyHigh(values &+ offset, reciprocal)
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
}
