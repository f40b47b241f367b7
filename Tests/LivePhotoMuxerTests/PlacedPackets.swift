import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// A packet with the place of its bytes, as ffprobe sees it.
struct PlacedPacket {
  var pts: Int?
  var dts: Int?
  var size: Int
  var position: Int?
  var duration: Int?
  var isKey: Bool
}

/// The packets of each track by track identifier, in decoding order.
func placedPackets(of path: String, ffprobe options: [String] = []) throws -> [UInt32: [PlacedPacket]] {
  let entries = "stream=index,id:packet=stream_index,pts,dts,size,pos,duration,flags"
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
      PlacedPacket(
        pts: number("pts"), dts: number("dts"), size: number("size") ?? 0, position: number("pos"),
        duration: number("duration"), isKey: row["flags"]?.first == "K"))
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

/// Compares samples with packets that no edit list was applied to.
func compare(_ track: Track, _ packets: [PlacedPacket], isFragmented: Bool = false) {
  // ffprobe moves decode times back where composition offsets are negative.
  let shift = packets.first.flatMap { $0.dts }.map { $0 - Int(track.samples[0].decodeTime) } ?? 0
  let delay = isFragmented ? track.delayOfFragments : 0
  var differences = 0
  for (sample, packet) in zip(track.samples, packets) {
    // Of sound, ffprobe tells what its decoders say.
    if isFragmented, track.kind == .video {
      if packet.isKey != sample.isSync { differences += 1 }
      if let duration = packet.duration, duration != Int(sample.duration) { differences += 1 }
    }
    if packet.size != sample.size { differences += 1 }
    if let position = packet.position, position != sample.offset { differences += 1 }
    if let pts = packet.pts, pts - delay != Int(sample.compositionTime) { differences += 1 }
    if let dts = packet.dts, dts - shift != Int(sample.decodeTime) { differences += 1 }
  }
  #expect(differences == 0, "track \(track.id)")
}

/// Compares presentation times with packets that the edit list was applied to.
func comparePresentation(_ track: Track, _ packets: [PlacedPacket], isFragmented: Bool = false) {
  let start = track.edits.first { !$0.isEmpty }?.mediaTime ?? 0
  // Where an edit begins inside a video frame, ffprobe moves all times so that a frame begins there.
  if track.kind == .video, !track.samples.contains(where: { $0.compositionTime == start }) { return }
  let times = Dictionary(
    packets.compactMap { packet in packet.position.flatMap { at in packet.pts.map { (at, $0) } } },
    uniquingKeysWith: { first, _ in first })
  let timeline = track.timeline()
  let delay = isFragmented ? track.delayOfFragments : 0
  var differences = 0
  for (index, sample) in track.samples.enumerated() where sample.compositionTime >= start {
    guard let shown = timeline.presentationTime(ofSample: index) else { continue }
    let found = times[sample.offset].map { Int64($0 - delay) }
    if found != shown.ticks(in: Int64(track.timescale), rounding: .down) { differences += 1 }
    if timeline.sample(shownAt: shown) != index { differences += 1 }
  }
  #expect(differences == 0, "track \(track.id)")
}

extension Track {
  /// What ffprobe adds to all presentation times of fragments, whose decode times it does not move back.
  var delayOfFragments: Int { Int(samples.map { -$0.compositionOffset }.max().map { max(0, $0) } ?? 0) }
}
