import Foundation

/// `livephoto-perf`: measures this package against its peers, in one process.
@main
struct PerformanceCommand {
  static let usage = """
    usage: livephoto-perf jpeg [--quick] [--json FILE] [--only KEY] [--input FILE...]

      --quick        fewer samples: under 50 seconds
      --json FILE    every row and the summary as JSON
      --only KEY     one input, number of threads and kernels (planar-1t-v3), without the peer: for a profiler
      --input FILE   pictures to measure with (JPEG, HEIC); all names up to the next option
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("livephoto-perf: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "jpeg": try JPEGBenchmark(options: Options(Array(arguments.dropFirst()))).run()
    case "--help", "-h": print(usage)
    default: throw UsageError(usage)
    }
  }
}

/// What is asked for on the command line.
struct Options {
  var isQuick = false
  var json: String?
  var only: String?
  var inputs: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--json", "--only":
        guard let value = rest.popFirst() else { throw UsageError("\(argument) needs a value") }
        if argument == "--json" { json = value } else { only = value }
      case "--input":
        while let name = rest.first, !name.hasPrefix("--") {
          inputs.append(name)
          rest.removeFirst()
        }
        if inputs.isEmpty { throw UsageError("--input needs the name of a file") }
      default: throw UsageError("unknown option \(argument)\n\(PerformanceCommand.usage)")
      }
    }
  }
}

struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
