import LivePhotoJPEGKernels

/// The inverse transform of libjpeg's accurate integer setting ("islow"), bit for bit: Loeffler, Ligtenberg and
/// Moschytz's with 13 fractional bits, in 32-bit arithmetic.
enum InverseTransform {
  /// Multiplies a block of coefficients with its divisors and writes 8 rows of 8 samples at `start`, with vectors where
  /// they hold the values.
  ///
  /// - Parameter words: the divisors again, as 16 bits; empty where one of them has more than 15.
  /// - Precondition: there are 64 divisors of either kind, and the rows lie in `samples`.
  static func block(
    _ block: borrowing CoefficientBlock, _ divisors: Span<Int32>, words: Span<Int16>,
    _ samples: inout MutableSpan<UInt8>, _ start: Int, _ stride: Int
  ) {
    if !vectors(block, words, &samples, start, stride) { plain(block, divisors, &samples, start, stride) }
  }

  /// The same with vectors alone.
  ///
  /// - Returns: whether they hold the values; else nothing is written.
  static func vectors(
    _ block: borrowing CoefficientBlock, _ divisors: Span<Int16>, _ samples: inout MutableSpan<UInt8>, _ start: Int,
    _ stride: Int
  ) -> Bool {
    precondition(start >= 0 && stride >= 0 && start &+ 7 &* stride &+ 8 <= samples.count, "rows of the samples")
    guard divisors.count == 64 else { return false }
    return unsafe block.span.withUnsafeBufferPointer { coefficients in
      unsafe divisors.withUnsafeBufferPointer { divisors in
        unsafe samples.withUnsafeMutableBufferPointer { samples in
          guard let coefficients = coefficients.baseAddress, let divisors = divisors.baseAddress,
            let samples = samples.baseAddress
          else { return false }
          // SAFETY: there are 64 of each, and the rows lie in the samples, as was checked.
          return unsafe SIMDInverseTransform.block(coefficients, divisors, samples + start, stride)
        }
      }
    }
  }

  /// The same for all values, without vectors.
  static func plain(
    _ block: borrowing CoefficientBlock, _ divisors: Span<Int32>, _ samples: inout MutableSpan<UInt8>, _ start: Int,
    _ stride: Int
  ) {
    var work = InlineArray<64, Int32>(repeating: 0)
    for column in 0..<8 {
      @inline(__always) func input(_ row: Int) -> Int32 {
        Int32(block[row &* 8 &+ column]) &* divisors[row &* 8 &+ column]
      }
      // The first pass keeps two more fractional bits, which the second takes away.
      let output = pass(
        (input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7)), shift: 11)
      work[column] = output.0
      work[8 &+ column] = output.1
      work[16 &+ column] = output.2
      work[24 &+ column] = output.3
      work[32 &+ column] = output.4
      work[40 &+ column] = output.5
      work[48 &+ column] = output.6
      work[56 &+ column] = output.7
    }
    for row in 0..<8 {
      let at = row &* 8
      let output = pass(
        (
          work[at], work[at &+ 1], work[at &+ 2], work[at &+ 3], work[at &+ 4], work[at &+ 5], work[at &+ 6],
          work[at &+ 7]
        ), shift: 18)
      let target = start &+ row &* stride
      samples[target] = sample(output.0)
      samples[target &+ 1] = sample(output.1)
      samples[target &+ 2] = sample(output.2)
      samples[target &+ 3] = sample(output.3)
      samples[target &+ 4] = sample(output.4)
      samples[target &+ 5] = sample(output.5)
      samples[target &+ 6] = sample(output.6)
      samples[target &+ 7] = sample(output.7)
    }
  }

  /// The same for a block that has only a DC coefficient.
  static func flat(
    _ dc: Int16, _ divisor: Int32, _ samples: inout MutableSpan<UInt8>, _ start: Int, _ stride: Int
  ) {
    let value = sample((Int32(dc) &* divisor &* 4 &+ 16) >> 5)
    for row in 0..<8 {
      for column in 0..<8 { samples[start &+ row &* stride &+ column] = value }
    }
  }

  @inline(__always)
  private static func sample(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, value &+ 128)))
  }

  private typealias Vector = (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32)

  @inline(__always)
  private static func pass(_ x: Vector, shift: Int32) -> Vector {
    typealias C = AccurateConstants
    let z1 = (x.2 &+ x.6) &* C.c0541
    let e2 = z1 &- x.6 &* C.c1847, e3 = z1 &+ x.2 &* C.c0765
    let e0 = (x.0 &+ x.4) &<< 13, e1 = (x.0 &- x.4) &<< 13
    let even = (e0 &+ e3, e1 &+ e2, e1 &- e2, e0 &- e3)

    let z5 = (x.7 &+ x.3 &+ x.5 &+ x.1) &* C.c1175
    let z3 = z5 &- (x.7 &+ x.3) &* C.c1961, z4 = z5 &- (x.5 &+ x.1) &* C.c0390
    let w1 = (x.7 &+ x.1) &* C.c0899, w2 = (x.5 &+ x.3) &* C.c2562
    let odd = (
      x.1 &* C.c1501 &- w1 &+ z4, x.3 &* C.c3072 &- w2 &+ z3, x.5 &* C.c2053 &- w2 &+ z4, x.7 &* C.c0298 &- w1 &+ z3
    )
    @inline(__always) func scaled(_ value: Int32) -> Int32 { (value &+ 1 &<< (shift &- 1)) &>> shift }
    return (
      scaled(even.0 &+ odd.0), scaled(even.1 &+ odd.1), scaled(even.2 &+ odd.2), scaled(even.3 &+ odd.3),
      scaled(even.3 &- odd.3), scaled(even.2 &- odd.2), scaled(even.1 &- odd.1), scaled(even.0 &- odd.0)
    )
  }
}
