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
    exit(Tool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
