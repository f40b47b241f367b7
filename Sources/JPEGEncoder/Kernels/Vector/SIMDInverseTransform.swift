#if !KERNELS_V3
  /// The inverse transform of the decoder on one block, where 16 bits hold its values between the passes.
  ///
  /// As in ``SIMDAccurateTransform``, the products of one input are gathered into one factor; in 32 bits that wrap, the
  /// sums are those of the plain code.
  package enum SIMDInverseTransform {
    private typealias C = AccurateConstants

    /// The largest sum of a column's magnitudes whose outputs, which are at most 4 · 1.39 times as large, fit in 16 bits.
    private static let largestSum: Int16 = 5800

    /// Multiplies coefficients with their divisors and writes 8 rows of 8 samples.
    ///
    /// - Parameters:
    ///   - coefficients: 64, row by row, and as many divisors.
    ///   - samples: where the rows go, `stride` bytes from each other.
    /// - Returns: whether it could be done here; else nothing is written.
    package static func block(
      _ coefficients: UnsafePointer<Int16>, _ divisors: UnsafePointer<Int16>, _ samples: UnsafeMutablePointer<UInt8>,
      _ stride: Int
    ) -> Bool {
      var excess = Words()
      // SAFETY: the caller passes 64 of each.
      var rows = unsafe dequantized(coefficients, divisors, &excess)
      // Of magnitudes below 4096, eight make a sum of 16 bits.
      excess |= outside(rows)
      guard excess == Words() else { return false }
      let room = Words(repeating: largestSum) &- magnitudes(rows)
      guard (room &>> 15) == Words() else { return false }
      // The first pass keeps two more fractional bits, which the second takes away.
      pass(&rows, shift: 11)
      rows.transpose()
      pass(&rows, shift: 18)
      rows.transpose()
      unsafe store(rows, samples, stride)
      return true
    }

    /// The products; `excess` is not 0 where one of them has more than 16 bits.
    @inline(__always)
    private static func dequantized(
      _ coefficients: UnsafePointer<Int16>, _ divisors: UnsafePointer<Int16>, _ excess: inout Words
    ) -> BlockRows {
      @inline(__always)
      func row(_ index: Int) -> Words {
        let value = unsafe UnsafeRawPointer(coefficients + index &* 8).loadUnaligned(as: Words.self)
        let divisor = unsafe UnsafeRawPointer(divisors + index &* 8).loadUnaligned(as: Words.self)
        let product = value &* divisor
        excess |= VectorOperations.multiplyHigh(value, divisor) ^ (product &>> 15)
        return product
      }
      return BlockRows(
        r0: row(0), r1: row(1), r2: row(2), r3: row(3), r4: row(4), r5: row(5), r6: row(6), r7: row(7))
    }

    /// Lanes that are not 0 where a value is not -4096 to 4095.
    @inline(__always)
    private static func outside(_ rows: BlockRows) -> Words {
      @inline(__always) func test(_ row: Words) -> Words { (row &+ 4096) & ~8191 }
      let first = test(rows.r0) | test(rows.r1) | (test(rows.r2) | test(rows.r3))
      return first | (test(rows.r4) | test(rows.r5) | (test(rows.r6) | test(rows.r7)))
    }

    /// The sums of magnitudes of each column.
    @inline(__always)
    private static func magnitudes(_ rows: BlockRows) -> Words {
      @inline(__always)
      func magnitude(_ row: Words) -> Words {
        let sign = row &>> 15
        return (row ^ sign) &- sign
      }
      let first = magnitude(rows.r0) &+ magnitude(rows.r1) &+ (magnitude(rows.r2) &+ magnitude(rows.r3))
      return first
        &+ (magnitude(rows.r4) &+ magnitude(rows.r5) &+ (magnitude(rows.r6) &+ magnitude(rows.r7)))
    }

    /// One dimension of Loeffler, Ligtenberg and Moschytz's inverse transform, across the rows.
    @inline(__always)
    private static func pass(_ rows: inout BlockRows, shift: Int32) {
      let (outer, inner) = (Pair(rows.r0, rows.r4), Pair(rows.r2, rows.r6))
      let (e0, e1) = (outer.weighed(8192, 8192), outer.weighed(8192, -8192))
      let e2 = inner.weighed(C.c0541, C.c0541 - C.c1847), e3 = inner.weighed(C.c0541 + C.c0765, C.c0541)
      let even = (e0 + e3, e1 + e2, e1 - e2, e0 - e3)

      let (first, last) = (Pair(rows.r1, rows.r3), Pair(rows.r5, rows.r7))
      let o0 =
        first.weighed(C.c1501 - C.c0899 + C.c1175 - C.c0390, C.c1175)
        + last.weighed(C.c1175 - C.c0390, C.c1175 - C.c0899)
      let o1 =
        first.weighed(C.c1175, C.c3072 - C.c2562 + C.c1175 - C.c1961)
        + last.weighed(C.c1175 - C.c2562, C.c1175 - C.c1961)
      let o2 =
        first.weighed(C.c1175 - C.c0390, C.c1175 - C.c2562)
        + last.weighed(C.c2053 - C.c2562 + C.c1175 - C.c0390, C.c1175)
      let o3 =
        first.weighed(C.c1175 - C.c0899, C.c1175 - C.c1961)
        + last.weighed(C.c1175, C.c0298 - C.c0899 + C.c1175 - C.c1961)
      (rows.r0, rows.r7) = (Products.descaled(even.0 + o0, shift), Products.descaled(even.0 - o0, shift))
      (rows.r1, rows.r6) = (Products.descaled(even.1 + o1, shift), Products.descaled(even.1 - o1, shift))
      (rows.r2, rows.r5) = (Products.descaled(even.2 + o2, shift), Products.descaled(even.2 - o2, shift))
      (rows.r3, rows.r4) = (Products.descaled(even.3 + o3, shift), Products.descaled(even.3 - o3, shift))
    }

    /// Stores values around 0 as samples.
    @inline(__always)
    private static func store(_ rows: BlockRows, _ samples: UnsafeMutablePointer<UInt8>, _ stride: Int) {
      @inline(__always)
      func put(_ first: Words, _ second: Words, _ index: Int) {
        // Bytes of -128 to 127 with their top bits turned are those of 0 to 255.
        let bytes = VectorOperations.narrow(first, second) ^ Quads(repeating: Int64(bitPattern: 0x8080_8080_8080_8080))
        // SAFETY: the caller has room for eight rows of eight samples.
        unsafe UnsafeMutableRawPointer(samples + index &* stride).storeBytes(of: bytes[0], as: Int64.self)
        unsafe UnsafeMutableRawPointer(samples + (index &+ 1) &* stride).storeBytes(of: bytes[1], as: Int64.self)
      }
      put(rows.r0, rows.r1, 0)
      put(rows.r2, rows.r3, 2)
      put(rows.r4, rows.r5, 4)
      put(rows.r6, rows.r7, 6)
    }
  }
#endif
