import LivePhotoCore
import TestSupport
import Testing

@testable import LivePhotoJPEG

@Suite("JPEG inverse transform: vectors give the plain code's samples")
struct InverseTransformTests {
  /// A block with `count` coefficients of magnitudes up to `largest`.
  private func block(_ random: inout SplitMix64, count: Int, largest: Int) -> CoefficientBlock {
    var block = CoefficientBlock(repeating: 0)
    for _ in 0..<count {
      let value = Int.random(in: -largest...largest, using: &random)
      block[Int.random(in: 0..<64, using: &random)] = Int16(clamping: value)
    }
    return block
  }

  private func samples(_ block: CoefficientBlock, _ divisors: [Int32], words: [Int16]?) -> [UInt8] {
    var samples = [UInt8](repeating: 7, count: 7 * 11 + 8 + 3)
    var target = samples.mutableSpan
    if let words {
      InverseTransform.block(block, divisors.span, words: words.span, &target, 3, 11)
    } else {
      InverseTransform.plain(block, divisors.span, &target, 3, 11)
    }
    return samples
  }

  @Test(
    "sparse and full blocks of all magnitudes, those that 16 bits do not hold among them",
    arguments: [1, 20, 300, 1023, 4095, 4096, 32767, 32768])
  func magnitudes(largest: Int) {
    var random = SplitMix64(seed: UInt64(largest))
    for most in [1, 2, 16, 255, 4000, 32767] {
      let divisors = (0..<64).map { _ in Int32.random(in: 1...Int32(most), using: &random) }
      let words = divisors.map { Int16($0) }
      for count in [1, 3, 10, 64, 200] {
        for _ in 0..<20 {
          let block = block(&random, count: count, largest: largest)
          #expect(samples(block, divisors, words: words) == samples(block, divisors, words: nil))
        }
      }
    }
  }

  @Test("columns whose outputs are near the last one that 16 bits hold")
  func sums() {
    var random = SplitMix64(seed: 2)
    let divisors = [Int32](repeating: 1, count: 64), words = [Int16](repeating: 1, count: 64)
    var taken = 0
    for sum in stride(from: 5000, to: 6600, by: 7) {
      var block = CoefficientBlock(repeating: 0)
      let column = sum % 8
      var left = sum
      for row in 0..<8 {
        let part = row == 7 ? left : Int.random(in: 0...left, using: &random)
        block[row * 8 + column] = Int16(clamping: Bool.random(using: &random) ? part : -part)
        left -= part
      }
      #expect(samples(block, divisors, words: words) == samples(block, divisors, words: nil))
      var output = [UInt8](repeating: 0, count: 64)
      var target = output.mutableSpan
      let isTaken = InverseTransform.vectors(block, words.span, &target, 0, 8)
      taken += isTaken ? 1 : 0
    }
    // The vectors are in use, and leave alone what they cannot hold.
    #expect(taken > 50 && taken < 200)
  }

  @Test("divisors of more than 15 bits are left to the plain code")
  func largeDivisors() {
    var random = SplitMix64(seed: 3)
    let divisors = (0..<64).map { _ in Int32.random(in: 1...65535, using: &random) }
    let block = block(&random, count: 20, largest: 2000)
    #expect(samples(block, divisors, words: []) == samples(block, divisors, words: nil))
  }
}
