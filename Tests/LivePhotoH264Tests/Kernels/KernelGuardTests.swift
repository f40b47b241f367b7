import Foundation
import LivePhotoH264
import LivePhotoH264Kernels
import TestSupport
import Testing

@Suite("H.264 kernels: nothing around the samples that a kernel may read is read")
struct KernelGuardTests {
  /// Lends samples in front of memory that ends the process when it is read, or behind such memory.
  private static func withGuarded<Sample: KernelSample>(
    _ count: Int, isInFront: Bool, _ body: (UnsafeMutablePointer<Sample>) -> Void
  ) throws {
    let page = sysconf(Int32(_SC_PAGESIZE)), bytes = count * MemoryLayout<Sample>.stride
    let size = (bytes + page - 1) / page * page
    let memory = unsafe mmap(nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let start = unsafe try #require(memory)
    defer { unsafe munmap(start, size + page) }
    let isGuarded = unsafe mprotect(isInFront ? start + size : start, page, PROT_NONE) == 0
    try #require(isGuarded)
    let first = unsafe isInFront ? start + size - bytes : start + page
    unsafe body(first.bindMemory(to: Sample.self, capacity: count))
  }

  private static func predict<Depth: KernelDepth>(_ depth: Depth, isInFront: Bool) throws {
    var output = [Depth.Sample](repeating: 0, count: 256)
    for kernels in [depth.reference] + depth.sets.map(\.kernels) {
      for (width, height) in [(4, 4), (8, 4), (8, 8), (16, 8), (16, 16)] {
        let stride = width + 5
        try unsafe withGuarded(stride * (height + 5), isInFront: isInFront) { samples in
          for position in 0..<16 {
            unsafe output.withUnsafeMutableBufferPointer { output in
              guard let output = output.baseAddress else { return }
              unsafe kernels.predictLuma(
                output, width, samples + 2 * stride + 2, stride, width, height, position & 3, position >> 2,
                depth.maximum)
            }
          }
        }
      }
      for (width, height) in [(2, 2), (2, 4), (4, 4), (8, 8), (8, 16)] {
        let stride = width + 1
        try unsafe withGuarded(stride * (height + 1), isInFront: isInFront) { samples in
          unsafe output.withUnsafeMutableBufferPointer { output in
            guard let output = output.baseAddress else { return }
            unsafe kernels.predictChroma(output, width, samples, stride, width, height, 3, 5)
          }
        }
      }
    }
  }

  private static func change<Depth: KernelDepth>(_ depth: Depth, isInFront: Bool) throws {
    let clipping: [Int32] = [1, 2, 3, 4], alpha = depth.maximum, beta = depth.maximum
    for kernels in [depth.reference] + depth.sets.map(\.kernels) {
      for width in [2, 4, 8, 16] {
        try unsafe withGuarded(width * width, isInFront: isInFront) { block in
          unsafe kernels.average(block, width, block, width, width, width)
          unsafe kernels.weight(block, width, width, width, 5, 30, 1, depth.maximum)
          unsafe kernels.weightPair(block, width, block, width, width, width, 5, 30, 34, 1, depth.maximum)
        }
      }
      for (across, along) in [(16, 1), (1, 8)] {
        let edge = across == 1 ? 4 : 64
        try unsafe withGuarded(128, isInFront: isInFront) { block in
          unsafe clipping.withUnsafeBufferPointer { clipping in
            guard let clipping = clipping.baseAddress else { return }
            unsafe kernels.deblockLuma(block + edge, across, along, 4, 4, alpha, beta, clipping, depth.maximum)
          }
          unsafe kernels.deblockLumaStrongly(block + edge, across, along, 16, alpha, beta)
        }
      }
      for (across, along) in [(8, 1), (1, 4)] {
        let edge = across == 1 ? 2 : 16
        try unsafe withGuarded(32, isInFront: isInFront) { block in
          unsafe clipping.withUnsafeBufferPointer { clipping in
            guard let clipping = clipping.baseAddress else { return }
            unsafe kernels.deblockChroma(block + edge, across, along, 4, 2, alpha, beta, clipping, depth.maximum)
          }
          unsafe kernels.deblockChromaStrongly(block + edge, across, along, 8, alpha, beta)
        }
      }
    }
  }

  @Test("samples that end, and that begin, where memory does")
  func guarded() async {
    await #expect(processExitsWith: .success) {
      for isInFront in [true, false] {
        for depth in kernelDepths {
          try KernelGuardTests.predict(depth, isInFront: isInFront)
          try KernelGuardTests.change(depth, isInFront: isInFront)
        }
      }
    }
  }
}
