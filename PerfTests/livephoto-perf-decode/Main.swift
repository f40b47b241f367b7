#if HEVC
  import LivePhotoCore
  import LivePhotoFiles
  import PerfDecoders
#endif

/// `livephoto-perf-decode planes|rgb livephoto|libheif FILE`: decodes a file once, for its peak memory.
///
/// A program of its own, since it is to hold nothing but the decoder: Foundation alone is some 7 MiB.
@main
struct DecodeCommand {
  static func main() throws {
    #if HEVC
      let arguments = CommandLine.arguments.dropFirst()
      guard arguments.count == 3, let output = DecodeOutput(rawValue: arguments[1]) else {
        fatalError("livephoto-perf-decode planes|rgb livephoto|libheif FILE")
      }
      let source = try FileSource(path: arguments[3])
      if arguments[2] == "libheif" {
        try LibHEIF.decode(source.read(0..<source.count), as: output)
      } else {
        try OurDecoder.decode(source, as: output)
      }
    #endif
  }
}
