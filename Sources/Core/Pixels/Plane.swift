/// One plane of samples, rows from top to bottom.
public struct Plane: Sendable, Equatable {
  /// Samples a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Samples from the start of one row to the start of the next, at least ``width``.
  public let stride: Int
  /// The samples, ``stride`` × ``height`` of them.
  public var samples: Samples

  /// Samples of one byte or of two.
  public enum Samples: Sendable, Equatable {
    /// Samples of 8 bits.
    case bytes([UInt8])
    /// Samples of 9 to 16 bits, in the machine's byte order, right-justified.
    case words([UInt16])
  }

  /// A plane over given samples; missing ones are a programming error.
  ///
  /// - Precondition: there are at least `stride * (height - 1) + width` samples.
  public init(width: Int, height: Int, stride: Int? = nil, samples: Samples) {
    let stride = stride ?? width
    precondition(width >= 0 && height >= 0 && stride >= width, "a plane's stride is at least its width")
    let needed = height == 0 ? 0 : stride * (height - 1) + width
    let count =
      switch samples {
      case .bytes(let bytes): bytes.count
      case .words(let words): words.count
      }
    precondition(count >= needed, "a plane of \(width)x\(height) needs \(needed) samples, \(count) are given")
    self.width = width
    self.height = height
    self.stride = stride
    self.samples = samples
  }

  /// A plane filled with one value.
  public init(width: Int, height: Int, bitDepth: Int, fill: UInt16 = 0) {
    let count = width * height
    let samples: Samples =
      bitDepth > 8
      ? .words(Array(repeating: fill, count: count))
      : .bytes(Array(repeating: UInt8(truncatingIfNeeded: fill), count: count))
    self.init(width: width, height: height, samples: samples)
  }

  /// The sample in column `x` of row `y`.
  ///
  /// For tests and small pictures; kernels borrow whole planes.
  public subscript(x: Int, y: Int) -> UInt16 {
    get {
      switch samples {
      case .bytes(let bytes): UInt16(bytes[y * stride + x])
      case .words(let words): words[y * stride + x]
      }
    }
    set {
      let index = y * stride + x
      switch samples {
      case .bytes(var bytes):
        samples = .words([])
        bytes[index] = UInt8(truncatingIfNeeded: newValue)
        samples = .bytes(bytes)
      case .words(var words):
        samples = .bytes([])
        words[index] = newValue
        samples = .words(words)
      }
    }
  }

  /// Whether both planes show the same samples, whatever their strides.
  public func hasSameSamples(as other: Plane) -> Bool {
    guard width == other.width, height == other.height else { return false }
    return (0..<height).allSatisfy { y in (0..<width).allSatisfy { self[$0, y] == other[$0, y] } }
  }
}
