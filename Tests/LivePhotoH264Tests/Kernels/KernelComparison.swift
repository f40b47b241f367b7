import LivePhotoH264Kernels
import TestSupport
import Testing

/// Runs a kernel of every set on the same samples and expects the reference's, inside of the block and around it.
struct KernelComparison<Depth: KernelDepth> {
  typealias Sample = Depth.Sample
  typealias Kernels = KernelSet<Sample>

  let depth: Depth
  var random: SplitMix64

  init(_ depth: Depth, seed: UInt64) {
    self.depth = depth
    random = SplitMix64(seed: seed)
  }

  mutating func picture(_ content: KernelContent) -> KernelPicture<Sample> {
    KernelPicture(content, maximum: depth.maximum, &random)
  }

  /// Expects the same of all sets; `work` gets the changed picture's block.
  func expectEqual(
    _ picture: KernelPicture<Sample>, _ comment: @autoclosure () -> String,
    _ work: (Kernels, UnsafeMutablePointer<Sample>) -> Void
  ) {
    var expected = picture.samples
    unsafe expected.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe work(depth.reference, start + picture.origin)
    }
    for (name, kernels) in depth.sets {
      var samples = picture.samples
      unsafe samples.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        unsafe work(kernels, start + picture.origin)
      }
      #expect(samples == expected, "\(name), up to \(depth.maximum): \(comment())")
    }
  }

  /// The same for a kernel that also reads a block of another picture.
  func expectEqual(
    _ picture: KernelPicture<Sample>, from source: KernelPicture<Sample>, _ comment: @autoclosure () -> String,
    _ work: (Kernels, UnsafeMutablePointer<Sample>, UnsafePointer<Sample>) -> Void
  ) {
    unsafe source.samples.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe expectEqual(picture, comment()) { unsafe work($0, $1, start + source.origin) }
    }
  }
}
