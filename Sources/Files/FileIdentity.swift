#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Which file a name leads to: two names of one file have the same identity.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The identity of what `path` leads to, through symbolic links; nil when there is nothing.
  public init?(path: String) {
    self.init(System.status(of: path, in: AT_FDCWD, followingLinks: true))
  }

  /// The identity of an open file or folder.
  init?(of descriptor: CInt) { self.init(System.status(of: descriptor)) }

  init?(_ status: stat?) {
    guard let status else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
