/// A source in which some bytes are others, and of which the end may be cut off.
public struct PatchedSource: ByteSource {
  /// Bytes that take the place of as many others.
  public enum Patch: Sendable {
    /// Zeros.
    case zeros(Range<Int>)
    /// These bytes, from a position on.
    case bytes(Int, [UInt8])

    /// The place of the patch.
    public var range: Range<Int> {
      switch self {
      case .zeros(let range): range
      case .bytes(let position, let bytes): position..<position + bytes.count
      }
    }
  }

  private let base: any ByteSource
  private let patches: [Patch]
  /// The number of bytes.
  public let count: Int

  /// A source like `base` but for `patches`, of which none overlaps another; those beyond its end do nothing.
  ///
  /// - Parameter count: how many of the bytes there are; nil for all.
  public init(_ base: some ByteSource, patches: [Patch], count: Int? = nil) {
    self.base = base
    self.patches = patches.filter { !$0.range.isEmpty }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    self.count = min(max(0, count ?? base.count), base.count)
  }

  /// The bytes of `range`.
  public func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfBounds(range, count: count) }
    var bytes = try base.read(range)
    for patch in patches[patches.partitioningIndex { $0.range.upperBound > range.lowerBound }...] {
      let place = patch.range
      if place.lowerBound >= range.upperBound { break }
      let common = place.clamped(to: range)
      let target = common.lowerBound - range.lowerBound..<common.upperBound - range.lowerBound
      switch patch {
      case .zeros: bytes.replaceSubrange(target, with: repeatElement(0, count: target.count))
      case .bytes(let position, let content):
        bytes.replaceSubrange(target, with: content[common.lowerBound - position..<common.upperBound - position])
      }
    }
    return bytes
  }
}
