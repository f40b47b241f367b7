#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How many threads a call may use; results never depend on it.
public enum Threads: Sendable, Hashable {
  /// This many, at least one.
  case count(Int)
  /// One for each core of the machine.
  case allCores

  /// The number of threads, at least one.
  public var number: Int {
    switch self {
    case .count(let count): max(1, count)
    case .allCores: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
  }
}
