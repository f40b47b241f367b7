/// A source with further bytes behind its own, or behind its beginning.
public struct AppendedSource: ByteSource {
  private let base: any ByteSource
  private let baseCount: Int
  private let appended: [UInt8]

  /// The first `count` bytes of `base`, at most all, and then others.
  public init(_ base: some ByteSource, count: Int, appending bytes: [UInt8]) {
    self.base = base
    baseCount = min(max(0, count), base.count)
    appended = bytes
  }

  /// The number of bytes.
  public var count: Int { baseCount + appended.count }

  /// The bytes of `range`.
  public func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfBounds(range, count: count) }
    var bytes = try base.read(range.clamped(to: 0..<baseCount))
    let rest = range.clamped(to: baseCount..<count)
    bytes += appended[rest.lowerBound - baseCount..<rest.upperBound - baseCount]
    return bytes
  }
}
