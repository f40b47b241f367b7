import LivePhotoH264Kernels
import TestSupport
import Testing

@Suite("H.264 kernels: every form gives the reference's samples")
struct KernelTests {
  @Test("luma at all sixteen positions", arguments: KernelContent.allCases)
  func luma(_ content: KernelContent) {
    for depth in kernelDepths { Self.compareLuma(depth, content) }
  }

  private static func compareLuma<Depth: KernelDepth>(_ depth: Depth, _ content: KernelContent) {
    var comparison = KernelComparison(depth, seed: 1)
    let output = comparison.picture(.noise), source = comparison.picture(content)
    for (width, height) in [4, 8, 16].flatMap({ w in [4, 8, 16].map { (w, $0) } }) {
      for position in 0..<16 {
        let (x, y) = (position & 3, position >> 2)
        unsafe comparison.expectEqual(output, from: source, "\(width)x\(height) at \(x), \(y)") {
          kernels, out, source in
          unsafe kernels.predictLuma(
            out, output.stride, source, output.stride, width, height, x, y, depth.maximum)
        }
      }
    }
  }

  @Test("chroma at all 64 positions", arguments: KernelContent.allCases)
  func chroma(_ content: KernelContent) {
    for depth in kernelDepths { Self.compareChroma(depth, content) }
  }

  private static func compareChroma<Depth: KernelDepth>(_ depth: Depth, _ content: KernelContent) {
    var comparison = KernelComparison(depth, seed: 2)
    let output = comparison.picture(.noise), source = comparison.picture(content)
    for (width, height) in [2, 4, 8].flatMap({ w in [2, 4, 8, 16].map { (w, $0) } }) {
      for position in 0..<64 {
        let (x, y) = (position & 7, position >> 3)
        unsafe comparison.expectEqual(output, from: source, "\(width)x\(height) at \(x), \(y)") {
          kernels, out, source in
          unsafe kernels.predictChroma(out, output.stride, source, output.stride, width, height, x, y)
        }
      }
    }
  }

  @Test("means and weights of blocks", arguments: KernelContent.allCases)
  func weights(_ content: KernelContent) {
    for depth in kernelDepths { Self.compareWeights(depth, content) }
  }

  private static func compareWeights<Depth: KernelDepth>(_ depth: Depth, _ content: KernelContent) {
    var comparison = KernelComparison(depth, seed: 3)
    let block = comparison.picture(content), other = comparison.picture(content), stride = block.stride
    let scale = (depth.maximum + 1) / 256
    for (width, height) in [2, 4, 8, 16].flatMap({ w in [2, 4, 8, 16].map { (w, $0) } }) {
      unsafe comparison.expectEqual(block, from: other, "mean of \(width)x\(height)") {
        unsafe $0.average($1, stride, $2, stride, width, height)
      }
      for shift in 0...7 {
        for (weight, otherWeight, offset) in [
          (-128, -128, -128), (127, 127, 127), (128, 128, 127), (-128, 128, 0), (1, 0, 3), (0, 0, -4),
          (1 << shift, 1 << shift, 0), (Int.random(in: -128...127, using: &comparison.random), 64, 20),
        ] {
          let offset = offset * scale, name = "\(width)x\(height), \(shift), \(weight), \(otherWeight), \(offset)"
          unsafe comparison.expectEqual(block, "weight: \(name)") {
            unsafe $0.weight($1, stride, width, height, shift, weight, offset, depth.maximum)
          }
          unsafe comparison.expectEqual(block, from: other, "weights: \(name)") {
            unsafe $0.weightPair(
              $1, stride, $2, stride, width, height, shift, weight, otherWeight, offset, depth.maximum)
          }
        }
      }
    }
  }

  @Test("transforms of coefficients of all sizes, which are zero afterwards", arguments: KernelContent.allCases)
  func transforms(_ content: KernelContent) {
    for depth in kernelDepths { Self.compareTransforms(depth, content) }
  }

  private static func compareTransforms<Depth: KernelDepth>(_ depth: Depth, _ content: KernelContent) {
    var comparison = KernelComparison(depth, seed: 4)
    let block = comparison.picture(content), stride = block.stride
    for bits in [3, 8, 12, 15, 20, 31] {
      for share in [1, 4, 20] {
        let limit = Int32(truncatingIfNeeded: 1 << bits - 1)
        let given: [Int32] = (0..<64).map { _ in
          Int.random(in: 0..<share, using: &comparison.random) > 0
            ? 0 : Int32.random(in: -limit...limit, using: &comparison.random)
        }
        for size in [4, 8] {
          unsafe comparison.expectEqual(block, "\(size)x\(size) of \(bits) bits, 1 of \(share)") { kernels, out in
            var coefficients = given
            unsafe coefficients.withUnsafeMutableBufferPointer { buffer in
              guard let start = buffer.baseAddress else { return }
              let add = unsafe size == 4 ? kernels.add4x4 : kernels.add8x8
              unsafe add(out, stride, start, depth.maximum)
            }
            #expect(coefficients[..<(size * size)].allSatisfy { $0 == 0 })
            #expect(coefficients[(size * size)...] == given[(size * size)...])
          }
          unsafe comparison.expectEqual(block, "\(size)x\(size) of \(given[0]) alone") { kernels, out in
            let add = unsafe size == 4 ? kernels.addDC4x4 : kernels.addDC8x8
            unsafe add(out, stride, given[0], depth.maximum)
          }
        }
      }
    }
  }

  @Test("edges, upright and level, whole and in pieces", arguments: KernelContent.allCases)
  func edges(_ content: KernelContent) {
    for depth in kernelDepths { Self.compareEdges(depth, content) }
  }

  private static func compareEdges<Depth: KernelDepth>(_ depth: Depth, _ content: KernelContent) {
    var comparison = KernelComparison(depth, seed: 5)
    let scale = (depth.maximum + 1) / 256
    for (alpha, beta, limit) in [(4, 2, 0), (15, 6, 1), (80, 12, 4), (255, 18, 25), (0, 0, 3), (255, 18, 0)] {
      let (alpha, beta) = (alpha * scale, beta * scale)
      for (segments, length) in [(4, 4), (4, 2), (4, 1), (8, 2), (8, 1), (2, 8), (1, 16), (4, 3), (2, 2), (1, 2)] {
        let picture = comparison.picture(content), stride = picture.stride, maximum = depth.maximum
        let clipping: [Int32] = (0..<segments).map { _ in
          Int32(
            Bool.random(using: &comparison.random) ? -1 : Int.random(in: 0...limit, using: &comparison.random) * scale)
        }
        // Along a row, a column, and every second row, as fields are filtered.
        for (across, along) in [(stride, 1), (1, stride), (1, 2 * stride), (2 * stride, 1)] {
          let name = "\(segments) of \(length), \(alpha), \(beta), \(clipping), \(across), \(along)"
          unsafe comparison.expectEqual(picture, "normal: \(name)") { kernels, edge in
            for isLuma in [true, false] {
              let deblock = unsafe isLuma ? kernels.deblockLuma : kernels.deblockChroma
              unsafe clipping.withUnsafeBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                unsafe deblock(edge, across, along, segments, length, alpha, beta, start, maximum)
              }
            }
          }
          unsafe comparison.expectEqual(picture, "strong: \(name)") { kernels, edge in
            unsafe kernels.deblockChromaStrongly(edge, across, along, segments * length, alpha, beta)
            unsafe kernels.deblockLumaStrongly(edge, across, along, segments * length, alpha, beta)
          }
        }
      }
    }
  }
}
