/// Pixels in another order.
enum PixelGathering {
  /// Where the pixels of a picture are found in another: the index of its first one, and how far it is from there to
  /// the next one to the right and to the one below.
  struct Steps {
    var start: Int
    var right: Int
    var down: Int
  }

  /// Pixels of a square whose rows, and those of what it is made of, stay in the processor's cache.
  private static let side = 32

  /// The samples of `width` × `height` pixels of `channels` samples each, found in `source` by `steps`.
  ///
  /// - Precondition: all of them are in `source`.
  static func gather<Sample: BitwiseCopyable>(
    _ source: [Sample], channels: Int, _ steps: Steps, width: Int, height: Int
  ) -> [Sample] {
    guard width > 0, height > 0 else { return [] }
    let corners = [0, (width - 1) * steps.right].flatMap { x in [0, (height - 1) * steps.down].map { x + $0 } }
    precondition(
      corners.allSatisfy { (0..<source.count / channels).contains(steps.start + $0) }, "pixels of the picture")
    let count = width * height * channels
    // SAFETY: what is read lies between the corners; the array has room for all samples, and all are written.
    return unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      unsafe source.withUnsafeBytes { source in
        guard let output = UnsafeMutableRawPointer(buffer.baseAddress), let base = source.baseAddress else { return }
        let size = channels * MemoryLayout<Sample>.size
        // A constant where the copying is inlined.
        switch size {
        case 1: unsafe gather(base, 1, steps, width, height, output)
        case 2: unsafe gather(base, 2, steps, width, height, output)
        case 3: unsafe gather(base, 3, steps, width, height, output)
        case 4: unsafe gather(base, 4, steps, width, height, output)
        case 6: unsafe gather(base, 6, steps, width, height, output)
        case 8: unsafe gather(base, 8, steps, width, height, output)
        default: unsafe gather(base, size, steps, width, height, output)
        }
      }
    }
  }

  @inline(__always)
  private static func gather(
    _ source: UnsafeRawPointer, _ size: Int, _ steps: Steps, _ width: Int, _ height: Int,
    _ output: UnsafeMutableRawPointer
  ) {
    // SAFETY: the caller vouches for all pixels on both sides; so below.
    if steps.right == 1 {
      for y in 0..<height {
        unsafe (output + y * width * size).copyMemory(
          from: source + (steps.start + y * steps.down) * size, byteCount: width * size)
      }
      return
    }
    // Rows that stay rows need no squares.
    let side = steps.right == -1 ? max(width, side) : side
    for top in stride(from: 0, to: height, by: side) {
      for left in stride(from: 0, to: width, by: side) {
        for y in top..<min(top + side, height) {
          var from = unsafe source + (steps.start + y * steps.down + left * steps.right) * size
          var to = unsafe output + (y * width + left) * size
          for _ in left..<min(left + side, width) {
            unsafe to.copyMemory(from: from, byteCount: size)
            unsafe from += steps.right * size
            unsafe to += size
          }
        }
      }
    }
  }
}
