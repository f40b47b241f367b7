/// Compresses with deflate (RFC 1951), bare or as a zlib stream (RFC 1950).
///
/// Matches are sought along hash chains, and one byte later once more before one is taken; each block has the codes
/// that suit it best. The same bytes always give the same stream. A call blocks and uses one thread.
public struct Deflater: Sendable, Hashable {
  /// What is compressed.
  public enum Content: Sendable, Hashable {
    /// Anything.
    case general
    /// Differences of samples, as PNG's filters leave them: short matches are chance, and coding their bytes is cheaper.
    case filtered
  }

  /// What stands around the compressed data.
  public var format: Inflater.Format
  /// What is compressed.
  public var content: Content

  /// A compressor.
  public init(_ format: Inflater.Format = .zlib, content: Content = .general) {
    self.format = format
    self.content = content
  }

  /// Symbols of a block.
  private static let tokensPerBlock = 1 << 15

  /// The compressed form of `data`.
  public func deflate(_ data: Span<UInt8>) -> [UInt8] {
    var writer = DeflateBlockWriter()
    // Deflate, a window of 32 KiB, the default effort; a multiple of 31.
    if format == .zlib { writer.put(0x9C78, 16) }
    let effort =
      content == .general ? DeflateMatcher.Effort(shortest: 4) : DeflateMatcher.Effort(shortest: 6)
    // SAFETY: the matcher is used only inside the closure.
    unsafe data.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, !buffer.isEmpty else { return writer.write([], of: data, isLast: true) }
      let matcher = unsafe DeflateMatcher(start, count: buffer.count, effort: effort)
      unsafe Self.write(buffer, data, matcher, to: &writer)
    }
    guard format == .zlib else { return writer.finish() }
    var bytes = writer.finish()
    let checksum = Adler32.checksum(data)
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: checksum >> shift)) }
    return bytes
  }

  private static func write(
    _ buffer: UnsafeBufferPointer<UInt8>, _ data: Span<UInt8>, _ matcher: borrowing DeflateMatcher,
    to writer: inout DeflateBlockWriter
  ) {
    let end = matcher.end, effort = matcher.effort
    var tokens: [DeflateBlockWriter.Token] = []
    tokens.reserveCapacity(tokensPerBlock + 1)
    /// The first byte of the block, and the first that no token stands for.
    var blockStart = 0, written = 0
    /// What matches at the byte before, which has no token yet where `isWaiting`.
    var waiting = DeflateMatcher.Match()
    var isWaiting = false
    var position = 0
    while position < buffer.count || isWaiting {
      var match = DeflateMatcher.Match()
      if position < end {
        let candidate = matcher.insert(position)
        if waiting.length < effort.lazy {
          match = matcher.longest(at: position, from: candidate, longerThan: waiting.length)
        }
      }
      if waiting.length > 0, match.length <= waiting.length {
        tokens.append(UInt32(truncatingIfNeeded: (waiting.length &- 3) &<< 16 | waiting.distance))
        written = position &- 1 &+ waiting.length
        for inside in position &+ 1..<max(position &+ 1, min(written, end)) { _ = matcher.insert(inside) }
        position = written
        waiting = DeflateMatcher.Match()
        isWaiting = false
      } else {
        if isWaiting {
          // SAFETY: there is a byte before the position.
          unsafe tokens.append(UInt32(buffer[position &- 1]) &<< 16)
          written = position
        }
        waiting = match
        isWaiting = position < buffer.count
        position &+= 1
      }
      if tokens.count == tokensPerBlock {
        writer.write(tokens, of: data.extracting(blockStart..<written), isLast: written == buffer.count)
        tokens.removeAll(keepingCapacity: true)
        blockStart = written
      }
    }
    if blockStart < buffer.count { writer.write(tokens, of: data.extracting(blockStart..<written), isLast: true) }
  }
}
