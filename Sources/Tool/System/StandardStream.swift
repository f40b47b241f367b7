#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The streams that a process is started with.
enum StandardStream: CInt {
  /// Standard output.
  case output = 1
  /// Standard error.
  case error = 2

  /// Whether it is a terminal.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Writes text as it is, blocking until all of it is taken; returns whether it was.
  func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      // SAFETY: the part from `written` to the end is inside the array, which is alive during the call.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Self.write(rawValue, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// The C library's `write`, which the method here hides.
  private static func write(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    // SAFETY: the caller has `count` bytes there.
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }
}
