import LivePhotoH264Kernels
import Testing

@Suite("H.264 kernels: the reference gives what ITU-T H.264 asks for")
struct ReferenceTests {
  private static let kernels = KernelSet<UInt8>.reference

  /// The samples of a 4x4 luma block predicted from `source`, rows of 9 samples that begin two before the block.
  private static func predictLuma(_ source: [UInt8], _ xFraction: Int, _ yFraction: Int) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 16)
    unsafe source.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let source = source.baseAddress, let output = output.baseAddress else { return }
        unsafe kernels.predictLuma(output, 4, source + 2 * 9 + 2, 9, 4, 4, xFraction, yFraction, 255)
      }
    }
    return output
  }

  @Test("luma beside a single bright sample: the filter's taps, in both directions and for both")
  func impulse() {
    // 32 at the block's second column and row: a half-sample position that is k columns before has the tap for k.
    var source = [UInt8](repeating: 100, count: 81)
    source[3 * 9 + 3] = 132
    // Taps for a sample at 1: between 0 and 1 it is the fourth (20), between 1 and 2 the third (20), then -5 and 1.
    #expect(
      Self.predictLuma(source, 2, 0) == [100, 100, 100, 100, 120, 120, 95, 101] + [UInt8](repeating: 100, count: 8))
    #expect(
      Self.predictLuma(source, 0, 2) == [100, 120, 100, 100, 100, 120, 100, 100, 100, 95, 100, 100, 100, 101, 100, 100])
    // In the centre 32 times the products of taps, over 1024.
    let taps = [20, 20, -5, 1]
    let center: [UInt8] = (0..<16).map { index in
      let product = taps[index >> 2] * taps[index & 3]
      return UInt8((100 * 1024 + 32 * product + 512) >> 10)
    }
    #expect(Self.predictLuma(source, 2, 2) == center)
    // Quarter samples are means with their neighbours: (132 + 120 + 1) >> 1, and so on.
    #expect(Self.predictLuma(source, 1, 0)[4..<8] == [110, 126, 98, 101])
    #expect(Self.predictLuma(source, 3, 0)[4..<8] == [126, 110, 98, 101])
    #expect(Self.predictLuma(source, 0, 1)[5] == 126)
    #expect(Self.predictLuma(source, 0, 3)[1] == 126)
    // e: the mean of b (120) and h (120); g: of b and m, the half sample to the right (100); p: of h and s (100); r.
    #expect(Self.predictLuma(source, 1, 1)[5] == 120)
    #expect(Self.predictLuma(source, 3, 1)[5] == 110)
    #expect(Self.predictLuma(source, 1, 3)[5] == 110)
    #expect(Self.predictLuma(source, 3, 3)[0] == 120)
    // j is 113 at the first sample; f and q are its means with b and s, i and k with h and m.
    #expect(center[0] == 113)
    #expect(Self.predictLuma(source, 2, 1)[0] == 107)
    #expect(Self.predictLuma(source, 2, 3)[0] == 117)
    #expect(Self.predictLuma(source, 1, 2)[0] == 107)
    #expect(Self.predictLuma(source, 3, 2)[0] == 117)
  }

  @Test("luma: sums beyond a sample's range are clipped")
  func clipping() {
    var source = [UInt8](repeating: 0, count: 81)
    for row in 0..<9 { (source[row * 9 + 3], source[row * 9 + 4]) = (255, 255) }
    // Columns 1 and 2 are bright: 40 * 255 / 32 between them, 15 * 255 / 32 beside them, -4 * 255 / 32 after them.
    #expect(Self.predictLuma(source, 2, 0)[..<4] == [120, 255, 120, 0])
  }

  @Test("chroma: the weights of the four samples around")
  func chroma() {
    let source: [UInt8] = [10, 50, 90, 20, 200, 30, 40, 60, 250]
    var output: [UInt8] = [0, 0, 0, 0]
    unsafe source.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let source = source.baseAddress, let output = output.baseAddress else { return }
        unsafe Self.kernels.predictChroma(output, 2, source, 3, 2, 2, 3, 5)
      }
    }
    // Weights 15, 9, 25 and 15: (150 + 450 + 500 + 3000 + 32) >> 6, and so on.
    #expect(output == [64, 110, 63, 133])
  }

  @Test("means and weights")
  func weights() {
    func changed(_ work: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> Void) -> [UInt8] {
      var block: [UInt8] = [0, 255, 100, 7], other: [UInt8] = [1, 254, 51, 200]
      unsafe block.withUnsafeMutableBufferPointer { block in
        unsafe other.withUnsafeMutableBufferPointer { other in
          guard let block = block.baseAddress, let other = other.baseAddress else { return }
          unsafe work(block, other)
        }
      }
      return block
    }
    #expect(unsafe changed { unsafe Self.kernels.average($0, 2, $1, 2, 2, 2) } == [1, 255, 76, 104])
    // (sample * 3 + 2) >> 2, less 5.
    #expect(
      unsafe changed { block, _ in unsafe Self.kernels.weight(block, 2, 2, 2, 2, 3, -5, 255) } == [0, 186, 70, 0])
    // sample * -1 + 120.
    #expect(
      unsafe changed { block, _ in unsafe Self.kernels.weight(block, 2, 2, 2, 0, -1, 120, 255) } == [120, 0, 20, 113])
    // (sample * 5 - other + 2) >> 2, and 1 more.
    #expect(
      unsafe changed { unsafe Self.kernels.weightPair($0, 2, $1, 2, 2, 2, 1, 5, -1, 1, 255) } == [1, 255, 113, 0])
  }

  /// What a transform of one coefficient of 64 adds to a block of 100.
  private static func transformed(_ index: Int, size: Int) -> [Int] {
    var coefficients = [Int32](repeating: 0, count: size * size)
    coefficients[index] = 64
    var block = [UInt8](repeating: 100, count: size * size)
    unsafe coefficients.withUnsafeMutableBufferPointer { coefficients in
      unsafe block.withUnsafeMutableBufferPointer { block in
        guard let coefficients = coefficients.baseAddress, let block = block.baseAddress else { return }
        let add = unsafe size == 4 ? kernels.add4x4 : kernels.add8x8
        unsafe add(block, size, coefficients, 255)
      }
    }
    return block.map { Int($0) - 100 }
  }

  @Test("4x4 transform: each coefficient gives the products of its row's and its column's function")
  func smallTransform() {
    // The columns of the matrix in 8.5.12.2, doubled.
    let functions = [[2, 2, 2, 2], [2, 1, -1, -2], [2, -2, -2, 2], [1, -2, 2, -1]]
    for index in 0..<16 {
      let (row, column) = (functions[index >> 2], functions[index & 3])
      // 64 * product / 4, rounded; what is not whole are halves and quarters.
      let expected: [Int] = (0..<16).map { place in (16 * row[place >> 2] * column[place & 3] + 32) >> 6 }
      #expect(Self.transformed(index, size: 4) == expected, "coefficient \(index)")
    }
  }

  @Test("8x8 transform: each coefficient gives the products of its row's and its column's function")
  func largeTransform() {
    // The functions that the steps of 8.5.13 amount to, times 8.
    let functions = [
      [8, 8, 8, 8, 8, 8, 8, 8], [12, 10, 6, 3, -3, -6, -10, -12], [8, 4, -4, -8, -8, -4, 4, 8],
      [10, -3, -12, -6, 6, 12, 3, -10], [8, -8, -8, 8, 8, -8, -8, 8], [6, -12, 3, 10, -10, -3, 12, -6],
      [4, -8, 8, -4, -4, 8, -8, 4], [3, -6, 10, -12, 12, -10, 6, -3],
    ]
    for index in 0..<64 {
      let (row, column) = (functions[index >> 3], functions[index & 7])
      // 64 * product / 64, all of them whole.
      let expected: [Int] = (0..<64).map { place in (row[place >> 3] * column[place & 7] + 32) >> 6 }
      #expect(Self.transformed(index, size: 8) == expected, "coefficient \(index)")
    }
  }

  /// A line across an edge between its fourth and fifth sample, filtered.
  private static func filtered(_ line: [UInt8], _ filter: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
    var line = line
    unsafe line.withUnsafeMutableBufferPointer { line in
      guard let start = line.baseAddress else { return }
      unsafe filter(start + 4)
    }
    return line
  }

  private static func normal(_ line: [UInt8], _ alpha: Int, _ beta: Int, _ limit: Int32, isLuma: Bool) -> [UInt8] {
    unsafe filtered(line) { edge in
      let limits = [limit]
      unsafe limits.withUnsafeBufferPointer { limits in
        guard let start = limits.baseAddress else { return }
        let deblock = unsafe isLuma ? kernels.deblockLuma : kernels.deblockChroma
        unsafe deblock(edge, 1, 8, 1, 1, alpha, beta, start, 255)
      }
    }
  }

  private static func strong(_ line: [UInt8], _ alpha: Int, _ beta: Int, isLuma: Bool) -> [UInt8] {
    unsafe filtered(line) { edge in
      let deblock = unsafe isLuma ? kernels.deblockLumaStrongly : kernels.deblockChromaStrongly
      unsafe deblock(edge, 1, 8, 1, alpha, beta)
    }
  }

  @Test("edges of a strength below 4")
  func normalEdges() {
    let step: [UInt8] = [60, 60, 60, 60, 70, 70, 70, 70]
    // The step asks for (40 - 10 + 4) >> 3 = 4; the sides are smooth, so that tC is 1 + 2; p1 and q1 move by at most 1.
    #expect(Self.normal(step, 20, 5, 1, isLuma: true) == [60, 60, 61, 63, 67, 69, 70, 70])
    #expect(Self.normal(step, 20, 5, 9, isLuma: true) == [60, 60, 62, 64, 66, 67, 70, 70])
    #expect(Self.normal(step, 20, 5, 0, isLuma: true) == [60, 60, 60, 62, 68, 70, 70, 70])
    // Chroma has tC0 + 1 and leaves p1 and q1.
    #expect(Self.normal(step, 20, 5, 1, isLuma: false) == [60, 60, 60, 62, 68, 70, 70, 70])
    // A rough side is not smoothed, nor does it raise the limit: |p2 - p0| is 5.
    let rough: [UInt8] = [60, 65, 60, 60, 70, 70, 70, 70]
    #expect(Self.normal(rough, 20, 5, 1, isLuma: true) == [60, 65, 60, 62, 68, 69, 70, 70])
    // Steps of alpha or beta are of the picture; a negative limit says so, too.
    for isLuma in [true, false] {
      #expect(Self.normal(step, 10, 5, 1, isLuma: isLuma) == step)
      #expect(Self.normal([60, 60, 55, 60, 70, 70, 70, 70], 20, 5, 1, isLuma: isLuma)[3] == 60)
      #expect(Self.normal([60, 60, 60, 60, 70, 75, 70, 70], 20, 5, 1, isLuma: isLuma)[4] == 70)
      #expect(Self.normal(step, 20, 5, -1, isLuma: isLuma) == step)
    }
  }

  @Test("edges of strength 4")
  func strongEdges() {
    let step: [UInt8] = [60, 60, 60, 60, 66, 66, 66, 66]
    // 6 is less than (20 >> 2) + 2: (60 * 5 + 66 * 3 + 4) >> 3, (60 * 3 + 66 + 2) >> 2, (60 * 7 + 66 + 4) >> 3.
    #expect(Self.strong(step, 20, 5, isLuma: true) == [60, 61, 62, 62, 64, 65, 65, 66])
    // But not than (16 >> 2) + 2: (60 * 3 + 66 + 2) >> 2 alone.
    #expect(Self.strong(step, 16, 5, isLuma: true) == [60, 60, 60, 62, 65, 66, 66, 66])
    #expect(Self.strong(step, 20, 5, isLuma: false) == [60, 60, 60, 62, 65, 66, 66, 66])
    // A rough side gets only its first sample changed.
    #expect(Self.strong([60, 65, 60, 60, 66, 66, 66, 66], 20, 5, isLuma: true) == [60, 65, 60, 62, 64, 65, 65, 66])
    #expect(Self.strong(step, 6, 5, isLuma: true) == step)
  }
}
