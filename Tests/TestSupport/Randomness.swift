/// A small generator with a seed, so that a test fails the same way twice (SplitMix64).
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that always gives the same numbers for the same seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The next `count` bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

/// `bytes` cut off at every length, or at about `count` lengths spread over it, the whole not among them.
public func truncations(of bytes: [UInt8], count: Int? = nil) -> [[UInt8]] {
  let step = max(1, bytes.count / max(1, count ?? bytes.count))
  return stride(from: 0, to: bytes.count, by: step).map { Array(bytes[..<$0]) }
}

/// `count` damaged copies of `bytes`: each has one to eight bytes changed, often to a value that hurts (0, 0xFF, 0x80).
public func damagedCopies(of bytes: [UInt8], count: Int, seed: UInt64) -> [[UInt8]] {
  guard !bytes.isEmpty else { return [] }
  var generator = SplitMix64(seed: seed)
  return (0..<count).map { _ in
    var copy = bytes
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let index = Int.random(in: 0..<copy.count, using: &generator)
      copy[index] =
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: 0
        case 1: 0xFF
        case 2: 0x80
        case 3: copy[index] ^ (1 << UInt8.random(in: 0..<8, using: &generator))
        default: UInt8(truncatingIfNeeded: generator.next())
        }
    }
    return copy
  }
}
