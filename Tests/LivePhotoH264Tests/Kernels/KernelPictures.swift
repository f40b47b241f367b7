import LivePhotoH264
import LivePhotoH264Kernels
import TestSupport

/// A rectangle of samples whose rows are longer than it, for kernels to read and change.
struct KernelPicture<Sample: KernelSample> {
  /// Samples around the rectangle, in each direction.
  static var margin: Int { 24 }

  let stride: Int
  var samples: [Sample]

  init(_ content: KernelContent, maximum: Int, _ random: inout SplitMix64) {
    // Odd, so that rows begin at all offsets.
    stride = 2 * Self.margin + 17
    samples = content.samples(stride * (2 * Self.margin + 17), stride: stride, maximum: maximum, &random)
  }

  /// Where the rectangle's first sample is.
  var origin: Int { Self.margin * stride + Self.margin }
}

/// What samples look like.
enum KernelContent: CaseIterable {
  case noise
  /// 0 and the maximum, at random.
  case extremes
  /// 0 and the maximum in turns, along rows and columns.
  case checkers
  /// The pattern that gives the six-tap filter its largest sum in both directions.
  case sixTap
  /// That which gives its smallest.
  case invertedSixTap
  /// Small steps, as the deblocking filter smooths them.
  case smooth

  func samples<Sample: KernelSample>(_ count: Int, stride: Int, maximum: Int, _ random: inout SplitMix64) -> [Sample] {
    let base = Int.random(in: 0...maximum, using: &random), step = max(1, maximum / 64)
    let values: [Int] = (0..<count).map { index in
      let (x, y) = (index % stride, index / stride)
      switch self {
      case .noise: return Int.random(in: 0...maximum, using: &random)
      case .extremes: return Bool.random(using: &random) ? maximum : 0
      case .checkers: return (x + y) & 1 == 0 ? maximum : 0
      case .sixTap: return [1, 4].contains(x % 6) == [1, 4].contains(y % 6) ? maximum : 0
      case .invertedSixTap: return [1, 4].contains(x % 6) == [1, 4].contains(y % 6) ? 0 : maximum
      case .smooth: return min(maximum, max(0, base + Int.random(in: -step...step, using: &random)))
      }
    }
    return values.map { Sample($0) }
  }
}

/// The depths that are tried: samples in one byte, and in two.
protocol KernelDepth<Sample>: Sendable {
  associatedtype Sample: KernelSample

  var maximum: Int { get }
  var reference: KernelSet<Sample> { get }
  /// All other sets that this processor and this build have.
  var sets: [(name: String, kernels: KernelSet<Sample>)] { get }
}

struct ByteDepth: KernelDepth {
  var maximum: Int { 255 }
  var reference: KernelSet<UInt8> { .reference }
  var sets: [(name: String, kernels: KernelSet<UInt8>)] {
    [("simd", .simd)] + (KernelSet.level3.map { [("level 3", $0)] } ?? [])
  }
}

struct DeepDepth: KernelDepth {
  let depth: Int

  var maximum: Int { 1 << depth - 1 }
  var reference: KernelSet<UInt16> { .reference }
  var sets: [(name: String, kernels: KernelSet<UInt16>)] {
    [("simd", .simd)] + (KernelSet.level3.map { [("level 3", $0)] } ?? [])
  }
}

let kernelDepths: [any KernelDepth] = [ByteDepth(), DeepDepth(depth: 9), DeepDepth(depth: 10), DeepDepth(depth: 14)]
