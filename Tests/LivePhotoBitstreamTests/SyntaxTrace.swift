import LivePhotoBitstream
import TestSupport

/// The syntax elements of a NAL unit as FFmpeg's trace of coded headers reads them: names and values.
struct SyntaxTrace {
  /// The unit's kind in FFmpeg's words.
  var kind: String
  /// The elements in order; a name may stand more than once.
  var elements: [(name: String, value: Int)] = []

  /// The first value of a name.
  subscript(_ name: String) -> Int? { elements.first { $0.name == name }?.value }

  /// The first value of a name, or what it means when it is not there.
  func value(_ name: String, or absent: Int = 0) -> Int { self[name] ?? absent }

  /// Whether a flag is there and set.
  func flag(_ name: String) -> Bool { self[name] == 1 }

  /// The integer whose bits are the values of `name[0]`, `name[1]` and so on, the first one highest.
  func bits(_ name: String, count: Int) -> UInt32 {
    (0..<count).reduce(0) { $0 << 1 | UInt32(value("\(name)[\($1)]")) }
  }
}

extension SyntaxTrace {
  /// The traces of parameter sets, in order, one each.
  ///
  /// - Parameter codec: FFmpeg's name of the raw stream format, `hevc` or `h264`.
  static func traces(of units: [[UInt8]], codec: String) throws -> [SyntaxTrace] {
    let stream = try NALFraming.annexB.joined(units)
    let folder = try TemporaryFolder()
    let path = try folder.write(stream, as: "sets.\(codec)")
    let result = try Judge.ffmpeg.askAnything(
      ["-v", "info", "-f", codec, "-i", path, "-c", "copy", "-bsf:v", "trace_headers", "-f", "null", "-"])
    var traces: [SyntaxTrace] = []
    var isFirstPacket = true
    for line in result.errorText.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("[trace_headers"), let bracket = line.firstIndex(of: "]") else { continue }
      let text = line[line.index(after: bracket)...].drop { $0 == " " }
      if text.hasPrefix("Packet:") {
        // The sets came already as what FFmpeg calls extra data.
        if isFirstPacket { traces = [] }
        isFirstPacket = false
      } else if let element = element(in: text) {
        if !traces.isEmpty { traces[traces.count - 1].elements.append(element) }
      } else if !text.hasPrefix("Extradata") {
        traces.append(SyntaxTrace(kind: String(text)))
      }
    }
    guard traces.count == units.count else {
      throw Incomplete(found: traces.count, expected: units.count, lastLines: String(result.errorText.suffix(1200)))
    }
    return traces
  }

  /// FFmpeg stopped at a unit that it does not take.
  struct Incomplete: Error {
    var found: Int
    var expected: Int
    var lastLines: String
  }

  /// A line such as `120   name   00110 = 5`.
  private static func element(in text: some StringProtocol) -> (name: String, value: Int)? {
    let words = text.split(separator: " ")
    guard words.count == 5, words[3] == "=", Int(words[0]) != nil, let value = Int(words[4]) else { return nil }
    return (String(words[1]), value)
  }
}
