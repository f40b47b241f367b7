public import LivePhotoCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file could not be opened or put in place: what was tried, on which file, and why it failed.
public struct FileError: Error, Equatable, Sendable {
  /// What was tried.
  public let operation: Operation
  /// The file's path, as the caller gave it.
  public let path: String
  /// Why it failed.
  public let cause: Cause

  /// A step in the life of a file.
  public enum Operation: String, Sendable {
    /// Opening a file to read it.
    case open
    /// Creating a file, or the folder for it.
    case create
    /// Writing its bytes.
    case write
    /// Bringing its bytes to the disk.
    case sync
    /// Giving the finished file its name.
    case place
    /// Changing a file where it stands.
    case edit
  }

  /// The kinds of failure.
  public enum Cause: Equatable, Sendable {
    /// The system refused: its error number and its text.
    case system(code: Int32, text: String)
    /// The goal exists and is not to be overwritten.
    case exists
    /// The path names something other than a regular file: `a folder`, `a pipe`, …
    case notRegular(kind: String)
    /// Two files of one job have the same goal.
    case sameGoal(as: String)
    /// Another job is changing the file.
    case busy
    /// The file is not what it was when it was opened.
    case changed
    /// Bytes to be copied could not be read.
    case source(SourceError)
    /// The task was cancelled.
    case cancelled
  }

  init(_ operation: Operation, _ path: String, _ cause: Cause) {
    self.operation = operation
    self.path = path
    self.cause = cause
  }

  init(_ operation: Operation, _ path: String, code: CInt) {
    self.init(operation, path, .system(code: code, text: System.text(for: code)))
  }
}

extension FileError: CustomStringConvertible {
  /// The file, the cause and the remedy, in one line.
  public var description: String {
    "\(path): cannot \(operation.rawValue) it: \(reason)" + (remedy.map { "; \($0)" } ?? "")
  }

  /// The cause alone.
  public var reason: String {
    switch cause {
    case .system(_, let text): text
    case .exists: "it exists already"
    case .notRegular(let kind): "it is \(kind), not a file"
    case .sameGoal(let other): "\(other) of the same job is that file too"
    case .busy: "another job is changing it"
    case .changed: "it was changed by somebody else"
    case .source(let error): error.description
    case .cancelled: "the job was cancelled"
    }
  }

  /// What can be done about it; nil when nothing is known to help.
  public var remedy: String? {
    switch cause {
    case .system(let code, _): Self.remedy(for: code, operation)
    case .exists: "choose another name or folder, or allow overwriting"
    case .notRegular: operation == .open ? "give the path of a file" : "choose another name"
    case .sameGoal: "give each its own name"
    case .busy, .changed, .source(.shrunk): "try again once nothing changes the file"
    case .source, .cancelled: nil
    }
  }

  private static func remedy(for code: CInt, _ operation: Operation) -> String? {
    switch code {
    case ENOENT, ENOTDIR:
      operation == .open ? "check the path" : "create the folder first, or choose another"
    case EACCES, EPERM: "check who may \(operation == .open ? "read" : "write") there"
    case EROFS: "choose a folder that can be written to"
    case ENOSPC, EDQUOT: "free some space or choose another disk"
    case ENAMETOOLONG: "choose a shorter name"
    case EFBIG: "choose a file system that holds larger files"
    case EMFILE, ENFILE: "close some files and try again"
    default: nil
    }
  }
}
