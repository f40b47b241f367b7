/// Bytes that can be read at any offset: memory, or a file read piece by piece.
///
/// Readers take a source rather than an array, so that a movie of many gigabytes is never in memory.
/// Sources are shared between threads; reads may run at once.
public protocol ByteSource: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// The bytes of `range`.
  ///
  /// - Throws: ``SourceError`` when the range is not inside the source or the bytes cannot be read.
  func read(_ range: Range<Int>) throws(SourceError) -> [UInt8]
}

extension ByteSource {
  /// The bytes of `range` for a reader of structure, which reports errors of its own kind.
  ///
  /// - Throws: ``ParseError/source(_:)``.
  public func parseBytes(_ range: Range<Int>) throws(ParseError) -> [UInt8] {
    do { return try read(range) } catch { throw .source(error) }
  }
}

/// Why a source could not give the bytes asked for.
public enum SourceError: Error, Equatable, Sendable {
  /// The range lies outside the source.
  case outOfBounds(Range<Int>, count: Int)
  /// The file became shorter while it was read.
  case shrunk(name: String, expected: Int, found: Int)
  /// The system refused the read; `reason` is its text.
  case failed(name: String, offset: Int, reason: String)
}

extension SourceError: CustomStringConvertible {
  /// The cause in one line.
  public var description: String {
    switch self {
    case .outOfBounds(let range, let count):
      "bytes \(range.lowerBound) to \(range.upperBound) were asked for, the file has \(count)"
    case .shrunk(let name, let expected, let found):
      "\(name) became shorter while it was read: \(expected) bytes expected, \(found) found"
    case .failed(let name, let offset, let reason):
      "\(name) could not be read at byte \(offset): \(reason)"
    }
  }
}

/// A source over bytes in memory.
public struct MemorySource: ByteSource {
  /// The bytes.
  public let bytes: [UInt8]

  /// Wraps `bytes`.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  public var count: Int { bytes.count }

  /// The bytes of `range`.
  public func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      throw .outOfBounds(range, count: bytes.count)
    }
    return Array(bytes[range])
  }
}

/// A window on another source, for a file that stands inside a file.
public struct SubSource: ByteSource {
  /// The source around the window.
  public let source: any ByteSource
  /// The window.
  public let range: Range<Int>

  /// A window on `range` of `source`.
  ///
  /// - Throws: ``SourceError/outOfBounds(_:count:)``.
  public init(_ source: any ByteSource, range: Range<Int>) throws(SourceError) {
    guard range.lowerBound >= 0, range.upperBound <= source.count else {
      throw .outOfBounds(range, count: source.count)
    }
    self.source = source
    self.range = range
  }

  /// The number of bytes in the window.
  public var count: Int { range.count }

  /// The bytes of `range`, counted from the window's start.
  public func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfBounds(range, count: count) }
    let start = self.range.lowerBound
    return try source.read(start + range.lowerBound..<start + range.upperBound)
  }
}
