/// One packet of a media file as ffprobe sees it.
public struct Packet: Hashable, Sendable {
  /// The stream it belongs to, counted from 0.
  public let stream: Int
  /// Presentation time in the stream's own time base; nil where ffprobe has none.
  public let pts: Int?
  /// Decoding time in the stream's own time base; nil where ffprobe has none.
  public let dts: Int?
  /// Bytes.
  public let size: Int
  /// The hash of its bytes.
  public let hash: String
}

/// All packets of a file, in file order.
///
/// - Throws: ``CommandError``.
public func packets(of path: String, ffprobe arguments: [String] = []) throws -> [Packet] {
  let result = try Judge.ffprobe.ask(
    ["-v", "error", "-show_data_hash", "md5", "-show_entries", "packet=stream_index,pts,dts,size,data_hash"]
      + ["-of", "compact=p=0"] + arguments + [path])
  return result.lines.compactMap { line in
    let fields = fields(of: line)
    guard let stream = fields["stream_index"].flatMap({ Int($0) }), let hash = fields["data_hash"] else { return nil }
    return Packet(
      stream: stream, pts: fields["pts"].flatMap { Int($0) }, dts: fields["dts"].flatMap { Int($0) },
      size: fields["size"].flatMap { Int($0) } ?? 0, hash: hash)
  }
}

/// The hashes of a file's packets by stream, in order: what must not change when samples are copied.
///
/// - Throws: ``CommandError``.
public func packetHashes(of path: String) throws -> [Int: [String]] {
  Dictionary(grouping: try packets(of: path), by: \.stream).mapValues { $0.map(\.hash) }
}

/// What ffprobe says of each stream of a file: `codec_name`, `start_time`, `width`, `tag:…` and so on, as text.
///
/// - Throws: ``CommandError``.
public func streams(of path: String) throws -> [[String: String]] {
  try Judge.ffprobe.ask(["-v", "error", "-show_streams", "-of", "compact=p=0", path]).lines.map(fields(of:))
}

/// All tags exiftool finds, as `Group1:Tag`, in numeric form; further ones of one name get `#2`, `#3` and so on.
///
/// - Throws: ``CommandError``.
public func tags(of path: String, exiftool arguments: [String] = []) throws -> [String: String] {
  var tags: [String: String] = [:]
  for line in try Judge.exiftool.ask(["-a", "-G1", "-s", "-n", "-t"] + arguments + [path]).lines {
    let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 3 else { continue }
    let name = "\(fields[0]):\(fields[1])"
    var key = name
    var number = 2
    while tags[key] != nil {
      key = "\(name)#\(number)"
      number += 1
    }
    tags[key] = fields[2]
  }
  return tags
}

/// Runs a Python program with pillow-heif, av, numpy and Pillow at hand.
///
/// - Throws: ``CommandError``.
@discardableResult
public func python(_ program: String, _ arguments: [String] = [], input: [UInt8] = []) throws -> CommandResult {
  try Judge.python.ask(["-c", program] + arguments, input: input)
}

/// `key=value|key=value` of ffprobe's compact writer.
private func fields(of line: String) -> [String: String] {
  var fields: [String: String] = [:]
  for field in line.split(separator: "|") {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
  }
  return fields
}
