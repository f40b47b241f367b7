internal import Foundation

/// The `livephoto` command line tool.
@main
struct LivePhotoCommand {
  static func main() {
    exit(Tool(console: Console()).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }
}
