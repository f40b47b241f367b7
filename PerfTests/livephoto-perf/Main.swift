import Foundation

/// `livephoto-perf`: measures this package against its peers, in one process.
@main
struct PerformanceCommand {
  static let usage = """
    usage: livephoto-perf jpeg [--quick] [--json FILE] [--only KEY] [--input FILE...]
           livephoto-perf heic [--quick] [--json FILE] [--input FILE...]
           livephoto-perf hevc [--quick] [--json FILE] [--input FILE]
           livephoto-perf mux [--quick] [--json FILE] [--svg FILE]
           livephoto-perf make [--quick] [--json FILE] [--input FILE]

      jpeg           the JPEG encoder beside libjpeg-turbo
      heic           livephoto encode beside heif-enc, the HEIC decoder beside libheif
      hevc           the HEVC bridge beside x265, libde265 and ffmpeg
      make           a Live Photo of a clip beside ffmpeg, heif-enc and exiftool one after the other
      mux            pairing a long movie beside cp, ffmpeg and exiftool; opening one of many samples beside ffprobe

      --quick        fewer samples and settings: under a minute
      --json FILE    every row and the summary as JSON
      --svg FILE     of mux the times of opening as a chart
      --only KEY     of jpeg one input, number of threads and kernels (planar-1t-v3), without the peer: for a profiler
      --input FILE   what to measure with, all names up to the next option: pictures (JPEG, HEIC; heic: PNG too), or
                     for hevc one clip (Y4M, or a HEVC movie), for make a HEVC movie
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
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "jpeg": try JPEGBenchmark(options: Options(rest)).run()
    case MeasuredCommand.name: try MeasuredCommand.run(rest)
    #if HEVC
      case "heic": try HEICBenchmark(options: Options(rest, takesKey: false)).run()
      case "hevc": try HEVCBenchmark(options: Options(rest, takesKey: false)).run()
      case "mux": try MuxBenchmark(options: Options(rest, takesKey: false, takesChart: true)).run()
      case "make": try MakeBenchmark(options: Options(rest, takesKey: false)).run()
      case EncodeOnceCommand.name: try EncodeOnceCommand.run(rest)
    #else
      case "heic", "hevc", "mux", "make": throw UsageError("this build has no HEVC: build with the trait HEVC")
    #endif
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
  var svg: String?
  var inputs: [String] = []

  init(_ arguments: [String], takesKey: Bool = true, takesChart: Bool = false) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": isQuick = true
      case "--json", "--only", "--svg":
        guard let value = rest.popFirst() else { throw UsageError("\(argument) needs a value") }
        switch argument {
        case "--json": json = value
        case "--svg": svg = value
        default: only = value
        }
        if only != nil, !takesKey { throw UsageError("--only is for jpeg") }
        if svg != nil, !takesChart { throw UsageError("--svg is for mux") }
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
