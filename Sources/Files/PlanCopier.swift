internal import LivePhotoCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes the pieces of a plan to an open file, one behind the other.
struct PlanCopier {
  let descriptor: CInt
  /// The goal's path, for errors.
  let path: String
  /// Whether the kernel may copy from file to file.
  let usesKernel: Bool

  /// Bytes that are read and written at once where the kernel cannot copy by itself.
  private static let bufferSize = 1 << 20
  /// Bytes between two looks at progress and cancellation where it can.
  private static let stretch = 32 << 20

  /// Appends a piece.
  func write(_ piece: OutputPlan.Piece, _ meter: inout Meter) throws(FileError) {
    switch piece {
    case .bytes(let bytes):
      try write(bytes)
      meter.add(bytes.count)
    case .copy(let range, let source):
      guard range.lowerBound >= 0, range.upperBound <= source.count else {
        throw FileError(.write, path, .source(.outOfBounds(range, count: source.count)))
      }
      try copy(range, of: source, &meter)
    }
  }

  private func copy(_ range: Range<Int>, of source: any ByteSource, _ meter: inout Meter) throws(FileError) {
    let (source, start) = Self.origin(of: source, at: range.lowerBound)
    let end = start + range.count
    var position = start
    if usesKernel, let file = source as? FileSource { position = try copyInKernel(start..<end, of: file, &meter) }
    while position < end {
      try checkCancellation()
      let next = min(position + Self.bufferSize, end)
      let bytes: [UInt8]
      do { bytes = try source.read(position..<next) } catch { throw FileError(.write, path, .source(error)) }
      try write(bytes)
      meter.add(bytes.count)
      position = next
    }
  }

  /// Looks through windows for what they are windows on.
  private static func origin(of source: any ByteSource, at offset: Int) -> (source: any ByteSource, offset: Int) {
    guard let window = source as? SubSource else { return (source, offset) }
    return origin(of: window.source, at: window.range.lowerBound + offset)
  }

  /// Copies as much of `range` as the kernel does by itself and returns where it stopped.
  ///
  /// Why it stopped is found out by whoever reads on from there: the end of a file that shrank, a disk that failed, or
  /// two file systems that cannot copy to each other.
  private func copyInKernel(_ range: Range<Int>, of file: FileSource, _ meter: inout Meter) throws(FileError) -> Int {
    var position = range.lowerBound
    while position < range.upperBound {
      try checkCancellation()
      let count = min(range.upperBound - position, Self.stretch)
      let result = LinuxCalls.copyRange(from: file.descriptor, at: position, to: descriptor, count: count)
      guard case .success(let copied) = result, copied > 0 else { return position }
      position += copied
      meter.add(copied)
    }
    return position
  }

  /// Writes bytes at an offset; without one, behind what was written so before.
  func write(_ bytes: [UInt8], at offset: Int? = nil) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let result = System.call {
        // SAFETY: the part from `written` to the end is inside the array, which is alive during the call.
        unsafe bytes.withUnsafeBytes {
          let size = min($0.count - written, 1 << 30), start = unsafe $0.baseAddress?.advanced(by: written)
          guard let offset else { return unsafe Self.append(start, size, to: descriptor) }
          return unsafe pwrite(descriptor, start, size, off_t(offset + written))
        }
      }
      switch result {
      case .success(let count): written += count
      case .failure(let code): throw FileError(.write, path, code: code)
      }
    }
  }

  /// The C library's `write`, which the methods here hide.
  private static func append(_ bytes: UnsafeRawPointer?, _ count: Int, to descriptor: CInt) -> Int {
    // SAFETY: the caller has `count` bytes there.
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }

  private func checkCancellation() throws(FileError) {
    if Task.isCancelled { throw FileError(.write, path, .cancelled) }
  }
}
