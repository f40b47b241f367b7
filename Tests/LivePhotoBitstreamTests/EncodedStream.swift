import LivePhotoBitstream
import TestSupport
import Testing

/// A short stream that an encoder makes for a test.
struct EncodedStream: CustomTestStringConvertible, Sendable {
  enum Codec: String { case hevc, h264 }
  var codec: Codec
  var width: Int
  var height: Int
  /// FFmpeg's name of the layout of samples.
  var pixelFormat: String
  /// Further arguments of the encoder: x265's own, or FFmpeg's for libx264.
  var arguments: [String] = []

  var testDescription: String {
    "\(codec) \(width)x\(height) \(pixelFormat) \(arguments.joined(separator: " "))"
  }

  /// Encodes two frames into `folder` and gives the path of the raw stream.
  func encode(into folder: TemporaryFolder) throws -> String {
    let output = folder.path("stream.\(codec.rawValue)")
    // testsrc, unlike testsrc2, makes odd sizes.
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=\(width)x\(height):r=25", "-frames:v", "2"]
    switch codec {
    case .h264:
      let coder = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", pixelFormat]
      try Judge.ffmpeg.ask(source + coder + arguments + ["-f", "h264", output])
    case .hevc:
      let raw = folder.path("raw.yuv")
      try Judge.ffmpeg.ask(source + ["-pix_fmt", pixelFormat, "-f", "rawvideo", raw])
      let depth = pixelFormat.hasSuffix("le") ? String(pixelFormat.dropLast(2).suffix(2)) : "8"
      let chroma = pixelFormat.hasPrefix("gray") ? "400" : String(pixelFormat.dropFirst(3).prefix(3))
      try Judge.x265.ask(
        ["--input", raw, "--input-res", "\(width)x\(height)", "--fps", "25", "--input-csp", "i\(chroma)"]
          + [
            "--input-depth", depth, "--output-depth", depth, "--preset", "ultrafast", "--no-info", "--log-level",
            "none",
          ]
          + arguments + ["-o", output])
    }
    return output
  }

  /// The parameter sets of a raw stream, in order.
  func parameterSets(in stream: [UInt8]) throws -> [[UInt8]] {
    try NALFraming.annexB.units(in: stream.span).map { Array(stream[$0]) }.filter { unit in
      switch codec {
      case .hevc: try HEVCNALUnitHeader(parsing: unit.span).type.isParameterSet
      case .h264: try H264NALUnitHeader(parsing: unit.span).type.isParameterSet
      }
    }
  }
}
