import LivePhotoBitstream
import LivePhotoCore
import TestSupport

/// The decoder configurations in the real files beside the project.
enum CorpusSets {
  /// All movies and HEIF files of the corpus that are whole.
  static let paths: [String] = ["01-livephotos", "02-heif", "03-mov-mp4"].flatMap {
    Corpus.files(in: $0, extensions: ["mov", "mp4", "heic", "heif", "3gp", "m4v"])
  }

  /// The payloads of all boxes of `type` in a file of the corpus, in order.
  static func payloads(of type: FourCC, in path: String) throws -> [[UInt8]] {
    try payloads(of: type, in: try Corpus.bytes(path))
  }

  /// The payloads of all boxes of `type` in a whole file, in order.
  static func payloads(of type: FourCC, in file: [UInt8]) throws -> [[UInt8]] {
    let source = MemorySource(file)
    let top = try TopLevelBoxes(of: source)
    var found: [[UInt8]] = []
    for box in top.boxes where [FourCC("moov"), "meta", "moof"].contains(box.type) {
      let bytes = try source.read(box.range)
      var cursor = ByteCursor(bytes.span)
      collect(type, in: &cursor, to: &found, depth: 0)
    }
    return found
  }

  /// What stands between a box's header and the boxes inside it; nil for a box that holds none.
  private static func prefix(of type: FourCC) -> Int? {
    switch type {
    case "moov", "trak", "mdia", "minf", "stbl", "iprp", "ipco": 0
    case "meta": 4
    case "stsd": 8
    case "hvc1", "hev1", "avc1", "avc3", "dvh1", "dvhe": 78
    default: nil
    }
  }

  /// Goes through the boxes as far as they are whole; a damaged one ends the walk of its container.
  private static func collect(_ type: FourCC, in cursor: inout ByteCursor, to found: inout [[UInt8]], depth: Int) {
    guard depth < 16 else { return }
    var boxes: [[UInt8]] = []
    try? cursor.forEachBox { (header, payload) throws(ParseError) in
      if header.type == type {
        boxes.append(payload.readRemaining())
      } else if let prefix = prefix(of: header.type), payload.count >= prefix {
        try payload.skip(prefix)
        var inner: [[UInt8]] = []
        collect(type, in: &payload, to: &inner, depth: depth + 1)
        boxes += inner
      }
    }
    found += boxes
  }
}
