import Foundation
import LivePhotoEngine
import TestSupport

/// What ffprobe says of a stream.
struct ProbedTrack {
  let fields: [String: Any]

  /// The streams of a file that are tracks, by track identifier.
  static func all(of path: String) throws -> [Int: ProbedTrack] {
    let output = try Judge.ffprobe.askAnything(["-v", "quiet", "-show_streams", "-of", "json", path]).output
    let json = try? JSONSerialization.jsonObject(with: Data(output)) as? [String: Any]
    var tracks: [Int: ProbedTrack] = [:]
    for fields in json?["streams"] as? [[String: Any]] ?? [] {
      guard let id = (fields["id"] as? String).flatMap({ Int($0.dropFirst(2), radix: 16) }), id > 0 else { continue }
      tracks[id] = ProbedTrack(fields: fields)
    }
    return tracks
  }

  subscript(_ key: String) -> String? {
    let text = fields[key].map { "\($0)" }
    return text == "unknown" || text == "N/A" ? nil : text
  }

  /// A value of the side data of one kind.
  func sideData(_ kind: String, _ key: String) -> String? {
    let list = fields["side_data_list"] as? [[String: Any]] ?? []
    return list.first { $0["side_data_type"] as? String == kind }?[key].map { "\($0)" }
  }

  func nested(_ group: String, _ key: String) -> String? { (fields[group] as? [String: Any])?[key].map { "\($0)" } }
}

/// Facts of a track that `inspect` and ffprobe both tell, and those that differ.
struct FactComparison {
  private(set) var count = 0
  private(set) var differences: [String] = []

  private mutating func expect(_ name: String, _ ours: String?, _ theirs: String?) {
    count += 1
    if ours != theirs { differences.append("\(name): \(ours ?? "-"), ffprobe \(theirs ?? "-")") }
  }

  init(_ track: TrackReport, _ stream: ProbedTrack) {
    expect("tag", track.encryption?.codec ?? track.codec, stream["codec_tag_string"])
    expect("time base", "1/\(track.timescale)", stream["time_base"])
    expect("default", track.isEnabled ? "1" : "0", stream.nested("disposition", "default"))
    if let language = track.language { expect("language", language, stream.nested("tags", "language")) }
    // Of a coding that FFmpeg 5.1 does not know, it knows the container's part.
    let isKnown = !["fpcm", "vvc1"].contains(track.codec)
    if isKnown { expect("codec", Self.codec(track), stream["codec_name"]) }
    if let audio = track.audio { compare(audio, stream, isKnown: isKnown) }
    if let video = track.video { compare(video, track, stream) }
  }

  private mutating func compare(_ audio: AudioReport, _ stream: ProbedTrack, isKnown: Bool) {
    expect("channels", "\(audio.channels)", stream["channels"])
    expect("sample rate", "\(Int(audio.sampleRate))", stream["sample_rate"])
    guard isKnown, let depth = audio.bitDepth else { return }
    expect("bits", "\(depth)", audio.numbers == nil ? stream["bits_per_raw_sample"] : stream["bits_per_sample"])
  }

  private mutating func compare(_ video: VideoReport, _ track: TrackReport, _ stream: ProbedTrack) {
    expect("width", track.codedSize.map { "\($0.width)" }, stream["width"])
    expect("height", track.codedSize.map { "\($0.height)" }, stream["height"])
    if let aspect = video.pixelAspect, let theirs = stream["sample_aspect_ratio"] {
      expect("pixel", Self.reduced(aspect), theirs)
    }
    let turns = stream.sideData("Display Matrix", "rotation").map { (-(Int($0) ?? 0) / 90 + 4) % 4 } ?? 0
    if let orientation = video.orientation, [1, 3, 6, 8].contains(orientation) {
      expect("turns", "\([1: 0, 6: 1, 3: 2, 8: 3][orientation] ?? -1)", "\(turns)")
    }
    compareCoding(video, track, stream)
    compareColor(video, stream)
    let dovi = "DOVI configuration record"
    expect("Dolby Vision", video.dolbyVision.map { "\($0.profile)" }, stream.sideData(dovi, "dv_profile"))
    expect("its level", video.dolbyVision.map { "\($0.level)" }, stream.sideData(dovi, "dv_level"))
    expect(
      "its base", video.dolbyVision.map { "\($0.compatibility)" },
      stream.sideData(dovi, "dv_bl_signal_compatibility_id"))
    let light = "Content light level metadata", display = "Mastering display metadata"
    expect("light", video.contentLight.map { "\($0.maximum)" }, stream.sideData(light, "max_content"))
    expect("average", video.contentLight.map { "\($0.maximumAverage)" }, stream.sideData(light, "max_average"))
    expect(
      "red", video.masteringDisplay.map { "\(Int(($0.red[0] * 50_000).rounded()))/50000" },
      stream.sideData(display, "red_x"))
    expect(
      "luminance", video.masteringDisplay.map { "\(Int(($0.maximumLuminance * 10_000).rounded()))/10000" },
      stream.sideData(display, "max_luminance"))
  }

  private mutating func compareCoding(_ video: VideoReport, _ track: TrackReport, _ stream: ProbedTrack) {
    guard ["H.264", "HEVC"].contains(track.codecName), let theirs = stream["profile"] else { return }
    let names = [
      "Format Range Extensions": "Rext", "Progressive High": "High", "Constrained High": "High",
      "Multiview Main": "Main",
    ]
    expect("profile", video.profile.map { names[$0] ?? $0 }, theirs)
    let unit = track.codecName == "HEVC" ? 30.0 : 10
    expect("level", video.level.flatMap(Double.init).map { "\(Int(($0 * unit).rounded()))" }, stream["level"])
    if let length = stream["nal_length_size"] { expect("length", video.lengthBytes.map { "\($0)" }, length) }
    guard let format = stream["pix_fmt"], let depth = video.bitDepth, let chroma = video.chroma else { return }
    let digits = chroma.filter(\.isNumber)
    let ours = (digits == "400" ? "gray" : "yuv\(digits)p") + (depth > 8 ? "\(depth)le" : "")
    expect("format", ours, format.replacing("yuvj", with: "yuv"))
  }

  private mutating func compareColor(_ video: VideoReport, _ stream: ProbedTrack) {
    // ffprobe reads the parameter sets with the first frame; without one it has the container's colours alone.
    guard let color = video.color, stream["pix_fmt"] != nil || stream["color_space"] != nil else { return }
    func name(_ table: [Int: String], _ value: Int) -> String? { table[value] ?? (value == 2 ? nil : "\(value)") }
    expect("primaries", name(Self.primaries, color.primaries), stream["color_primaries"])
    expect("transfer", name(Self.transfers, color.transfer), stream["color_transfer"])
    expect("matrix", name(Self.matrices, color.matrix), stream["color_space"])
    if let range = stream["color_range"] { expect("range", color.isFullRange ? "pc" : "tv", range) }
  }

  private static func codec(_ track: TrackReport) -> String? {
    let names = [
      "H.264": "h264", "HEVC": "hevc", "AV1": "av1", "VP9": "vp9", "JPEG": "mjpeg", "MPEG-4 Visual": "mpeg4",
      "AC-3": "ac3", "E-AC-3": "eac3", "Opus": "opus", "FLAC": "flac", "Apple Lossless": "alac", "MP3": "mp3",
      "DTS Express": "dts", "AMR": "amr_nb", "VobSub": "dvd_subtitle", "CEA-608 captions": "eia_608",
      "µ-law": "pcm_mulaw", "A-law": "pcm_alaw",
    ]
    guard let name = track.codecName else { return nil }
    if name == "PCM", let audio = track.audio {
      let letter = audio.numbers?.first.map { $0 == "i" ? "s" : "\($0)" } ?? "?"
      return "pcm_\(letter)\(audio.bitDepth ?? 0)" + (audio.isBigEndian.map { $0 ? "be" : "le" } ?? "")
    }
    return name.contains("AAC") ? "aac" : names[name]
  }

  private static func reduced(_ aspect: String) -> String {
    let parts = aspect.split(separator: ":").compactMap { Int($0) }
    var (a, b) = (parts[0], parts[1])
    while b != 0 { (a, b) = (b, a % b) }
    return a > 0 ? "\(parts[0] / a):\(parts[1] / a)" : aspect
  }

  private static let primaries = [1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020", 12: "smpte432"]
  private static let transfers = [
    1: "bt709", 6: "smpte170m", 11: "iec61966-2-4", 13: "iec61966-2-1", 14: "bt2020-10", 15: "bt2020-12",
    16: "smpte2084", 18: "arib-std-b67",
  ]
  private static let matrices = [0: "gbr", 1: "bt709", 5: "bt470bg", 6: "smpte170m", 9: "bt2020nc"]
}
