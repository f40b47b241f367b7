#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The `livephoto` command line tool.
@main
struct LivePhotoCommand {
  static func main() {
    // A file that grows beyond the process's limit is then an error like a full disk, and not the end.
    signal(SIGXFSZ, SIG_IGN)
    exit(Tool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
