public import LivePhotoCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A regular file, read piece by piece at any offset.
///
/// The file stays open, and so the same, whatever happens to its name; it is closed with the last reference. Reads do
/// not share a position and may run on many threads at once. They block until the disk answers.
public final class FileSource: ByteSource {
  /// The path the file was opened by.
  public let path: String

  /// The number of bytes when the file was opened.
  public let count: Int

  /// The open file, for copies that stay inside the kernel.
  package let descriptor: CInt

  /// Opens a file for reading.
  ///
  /// - Throws: ``FileError`` when there is no such file, it may not be read, or it is a folder, a pipe, a socket or a
  ///   device.
  public init(path: String) throws(FileError) {
    // Without O_NONBLOCK a pipe would hold up the call until somebody writes to it.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // SAFETY: the path is a terminated string for the length of the call.
    let result = System.call { unsafe open(path, flags) }
    switch result {
    case .success(let descriptor): self.descriptor = CInt(truncatingIfNeeded: descriptor)
    case .failure(ENXIO): throw FileError(.open, path, .notRegular(kind: "a socket or a device"))
    case .failure(let code): throw FileError(.open, path, code: code)
    }
    self.path = path
    guard let status = System.status(of: descriptor) else {
      let code = errno
      close(descriptor)
      throw FileError(.open, path, code: code)
    }
    if let kind = FileKind.name(of: status) {
      close(descriptor)
      throw FileError(.open, path, .notRegular(kind: kind))
    }
    count = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// The bytes of `range`.
  ///
  /// - Throws: ``SourceError/outOfBounds(_:count:)``; ``SourceError/shrunk(name:expected:found:)`` when the file has
  ///   become shorter than it was when it was opened; ``SourceError/failed(name:offset:reason:)`` when the system
  ///   cannot read it.
  public func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfBounds(range, count: count) }
    var failure: CInt?
    // SAFETY: `fill` initializes the first `filled` of the `range.count` bytes that are reserved, and no others.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      (filled, failure) = unsafe fill(UnsafeMutableRawPointer(buffer.baseAddress), from: range)
    }
    if let failure {
      throw .failed(name: path, offset: range.lowerBound + bytes.count, reason: System.text(for: failure))
    }
    guard bytes.count == range.count else { throw shrunk(atLeast: range.lowerBound + bytes.count) }
    return bytes
  }

  /// Reads into `start` until `range` is read, the file ends or the system fails.
  private func fill(_ start: UnsafeMutableRawPointer?, from range: Range<Int>) -> (filled: Int, failure: CInt?) {
    var filled = 0
    // SAFETY: the caller has room for `range.count` bytes, which nothing was written to yet.
    unsafe LinuxCalls.expectLargeUse(of: start, count: range.count)
    while filled < range.count {
      let result = System.call {
        // SAFETY: the caller has room for `range.count` bytes, of which `filled` are written.
        unsafe pread(descriptor, start?.advanced(by: filled), range.count - filled, off_t(range.lowerBound + filled))
      }
      switch result {
      case .success(0): return (filled, nil)
      case .success(let count): filled += count
      case .failure(let code): return (filled, code)
      }
    }
    return (filled, nil)
  }

  private func shrunk(atLeast end: Int) -> SourceError {
    let found = System.status(of: descriptor).map { Int($0.st_size) } ?? end
    return .shrunk(name: path, expected: count, found: min(found, count))
  }
}
