#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a call of the C library came to: its result, or the error number it left.
enum SystemResult {
  case success(Int)
  case failure(CInt)

  /// Whether the call succeeded.
  var succeeded: Bool { if case .success = self { true } else { false } }

  /// The error number; nil after success.
  var code: CInt? { if case .failure(let code) = self { code } else { nil } }
}

/// The few things that the files of this module ask of the C library.
enum System {
  /// Calls `body`, again as long as a signal interrupts it.
  static func call(_ body: () -> some BinaryInteger) -> SystemResult {
    while true {
      let result = Int(truncatingIfNeeded: body())
      if result >= 0 { return .success(result) }
      let code = errno
      if code != EINTR { return .failure(code) }
    }
  }

  /// The system's text for an error number.
  static func text(for code: CInt) -> String {
    // SAFETY: strerror returns a terminated string of this thread or a constant one; it is copied at once.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// What is known of an open file; nil when the system does not say.
  static func status(of descriptor: CInt) -> stat? {
    var status = stat()
    // SAFETY: `status` outlives the call, which fills it.
    return unsafe fstat(descriptor, &status) == 0 ? status : nil
  }

  /// What is known of a name in a folder; nil when there is no such name.
  static func status(of name: String, in folder: CInt, followingLinks: Bool) -> stat? {
    var status = stat()
    // SAFETY: both pointers are to values that outlive the call.
    let result = unsafe fstatat(folder, name, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
    return result == 0 ? status : nil
  }

  /// Takes a name out of a folder; one that is not there is no error.
  static func remove(_ name: String, in folder: CInt) {
    // SAFETY: the name is a terminated string for the length of the call.
    _ = unsafe unlinkat(folder, name, 0)
  }
}

/// The kind of thing that a name stands for, in the words of an error message.
enum FileKind {
  /// `a folder`, `a symbolic link`, …; nil for a regular file.
  static func name(of status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "not a regular file"
    }
  }
}

// MARK: Calls that not every system has

/// Linux calls whose declarations the C headers keep from Swift; they are looked up by name, once.
enum LinuxCalls {
  #if os(Linux)
    /// Flags of `open` for a file without a name: `__O_TMPFILE` of the kernel's generic `fcntl.h`.
    static let temporaryFile: CInt? = 0o20000000 | O_DIRECTORY

    private typealias Rename =
      @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt)
      -> CInt
    private typealias CopyRange =
      @convention(c) (
        CInt, UnsafeMutablePointer<Int64>?, CInt, UnsafeMutablePointer<Int64>?, Int, CUnsignedInt
      ) -> Int

    // SAFETY: both types are those of the functions in the manual pages renameat2(2) and copy_file_range(2).
    private static let rename = unsafe find("renameat2", as: Rename.self)
    private static let copyRange = unsafe find("copy_file_range", as: CopyRange.self)

    /// The function of the C library called `name`, or nil where it has none.
    private static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
      // SAFETY: `Function` is the type of the named function; see the uses above.
      guard let symbol = unsafe dlsym(nil, name) else { return nil }
      return unsafe unsafeBitCast(symbol, to: type)
    }
  #else
    static let temporaryFile: CInt? = nil
  #endif

  /// How ``rename(_:to:in:_:)`` treats a goal that exists.
  enum RenameMode: CUnsignedInt {
    /// Fails with `EEXIST`.
    case keepingGoal = 1
    /// Both names change places.
    case exchanging = 2
  }

  /// Renames within a folder, atomically in a way that plain `rename` does not have; `ENOSYS` where it is missing.
  static func rename(_ name: String, to goal: String, in folder: CInt, _ mode: RenameMode) -> SystemResult {
    #if os(Linux)
      // SAFETY: both names are terminated strings for the length of the call.
      guard let rename = unsafe rename else { return .failure(ENOSYS) }
      return System.call { unsafe rename(folder, name, folder, goal, mode.rawValue) }
    #elseif canImport(Darwin)
      let flags = mode == .keepingGoal ? RENAME_EXCL : RENAME_SWAP
      // SAFETY: both names are terminated strings for the length of the call.
      return System.call { unsafe renameatx_np(folder, name, folder, goal, UInt32(flags)) }
    #else
      return .failure(ENOSYS)
    #endif
  }

  /// Says that all of a stretch of memory will be written to, so that the system may give it large pages: with small ones,
  /// handing them out takes longer than reading a file into them.
  static func expectLargeUse(of start: UnsafeMutableRawPointer?, count: Int) {
    #if os(Linux)
      guard count >= 4 << 20, let start = unsafe start else { return }
      let page = 4096
      // SAFETY: only whole pages inside the stretch are named, and their contents stay what they are.
      let first = unsafe start.alignedUp(toMultipleOf: page)
      let end = unsafe start.advanced(by: count).alignedDown(toMultipleOf: page)
      _ = unsafe madvise(first, first.distance(to: end), MADV_HUGEPAGE)
    #endif
  }

  /// Copies up to `count` bytes at `offset` of one file to where another stands, inside the kernel; `ENOSYS` where
  /// that is missing.
  static func copyRange(from source: CInt, at offset: Int, to goal: CInt, count: Int) -> SystemResult {
    #if os(Linux)
      // SAFETY: `position` outlives the call, which moves it; the goal's own position is used and moved.
      guard let copyRange = unsafe copyRange else { return .failure(ENOSYS) }
      return System.call {
        var position = Int64(offset)
        return unsafe copyRange(source, &position, goal, nil, count, 0)
      }
    #else
      return .failure(ENOSYS)
    #endif
  }
}
