import TestSupport

/// A packet with the place of its bytes, as ffprobe sees it.
struct PlacedPacket {
  var pts: Int?
  var dts: Int?
  var size: Int
  var position: Int?
}

/// The packets of each track by track identifier, in decoding order.
func placedPackets(of path: String, ffprobe options: [String] = []) throws -> [UInt32: [PlacedPacket]] {
  let entries = "stream=index,id:packet=stream_index,pts,dts,size,pos"
  let lines = try Judge.ffprobe.askAnything(
    ["-v", "quiet", "-show_streams", "-show_packets", "-show_entries", entries, "-of", "compact"] + options + [path]
  ).lines
  let rows = lines.map { line in
    let pairs = line.split(separator: "|").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
  }
  var ids: [String: UInt32] = [:]
  for row in rows {
    if let index = row["index"], let id = row["id"] { ids[index] = UInt32(id.dropFirst(2), radix: 16) }
  }
  var packets: [UInt32: [PlacedPacket]] = [:]
  for row in rows {
    guard let id = row["stream_index"].flatMap({ ids[$0] }) else { continue }
    func number(_ key: String) -> Int? { row[key].flatMap { Int($0) } }
    packets[id, default: []].append(
      PlacedPacket(pts: number("pts"), dts: number("dts"), size: number("size") ?? 0, position: number("pos")))
  }
  return packets
}

/// Neighbouring ranges joined, for comparing PCM, of which ffprobe makes packets of many samples each.
func joined(_ ranges: some Sequence<Range<Int>>) -> [Range<Int>] {
  var result: [Range<Int>] = []
  for range in ranges where !range.isEmpty {
    if let last = result.last, last.upperBound == range.lowerBound {
      result[result.count - 1] = last.lowerBound..<range.upperBound
    } else {
      result.append(range)
    }
  }
  return result
}
