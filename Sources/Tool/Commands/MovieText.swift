internal import LivePhotoEngine

extension MovieReport {
  var lines: [String] {
    var lines = [
      field("brands", brands.isEmpty ? "none (no ftyp)" : brands.joined(separator: " ")),
      field("layout", layout.joined(separator: " ")), field("time scale", "\(timescale)"),
      field("duration", seconds(duration)),
    ]
    if let displaySize { lines.append(field("shown size", displaySize.text)) }
    lines.append(field("orientation", orientation.map { "\($0)" } ?? "none of the eight"))
    lines.append(field("still time", stillTime.map { "\(seconds($0.seconds)) (\($0.rational))" } ?? "none"))
    if let timecode { lines.append(field("time code", timecode)) }
    for track in tracks {
      lines.append(field("track \(track.id)", track.text))
      if let info = track.livePhotoInfo { lines.append(field("", info.text)) }
    }
    lines += (chapters ?? []).map { field("chapter", "\(seconds($0.start.seconds)) \($0.title)") }
    return lines + metadata.map { "  \($0.key) = \($0.value)" }
  }
}

/// Seconds to a thousandth.
private func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }

extension TrackReport {
  fileprivate var text: String {
    var parts = ["\(kind) \(codec)" + (codecName.map { " (\($0))" } ?? "")]
    if let otherCodecs { parts.append("and " + otherCodecs.joined(separator: " ")) }
    parts += ["\(samples) samples", seconds(duration), "time scale \(timescale)"]
    if let codedSize { parts.append(codedSize.text) }
    if let frameRate { parts.append("\((frameRate * 1000).rounded() / 1000) frames/s") }
    parts += (video?.parts ?? []) + (audio?.parts ?? [])
    if let encryption { parts.append("encrypted" + (encryption.scheme.map { " (\($0))" } ?? "")) }
    if let mimeType { parts.append(mimeType) }
    if let language { parts.append(language) }
    if !isEnabled { parts.append("not enabled") }
    if let keys { parts.append(keys.joined(separator: " ")) }
    return parts.joined(separator: ", ")
  }
}

extension VideoReport {
  fileprivate var parts: [String] {
    var parts: [String] = []
    if let profile { parts.append(profile + (level.map { "@\($0)" } ?? "")) }
    if let bitDepth, let chroma { parts.append("\(bitDepth) bits \(chroma)") }
    if let pixelAspect, pixelAspect != "1:1" { parts.append("pixels \(pixelAspect)") }
    if let color {
      let range = color.isFullRange ? "full" : "limited"
      parts.append("colour \(color.primaries)/\(color.transfer)/\(color.matrix) \(range)")
    }
    if let dolbyVision {
      parts.append("Dolby Vision \(dolbyVision.profile).\(dolbyVision.compatibility) level \(dolbyVision.level)")
    }
    if let contentLight { parts.append("light \(contentLight.maximum)/\(contentLight.maximumAverage) cd/m²") }
    if let display = masteringDisplay {
      parts.append("graded at \(display.minimumLuminance) to \(display.maximumLuminance) cd/m²")
    }
    if isMultiview { parts.append("several views (MV-HEVC)") }
    return parts
  }
}

extension AudioReport {
  fileprivate var parts: [String] {
    let order = isBigEndian.map { $0 ? " big-endian" : " little-endian" } ?? ""
    var parts = ["\(channels) channels", "\(Int(exactly: sampleRate).map(String.init) ?? "\(sampleRate)") Hz"]
    if let bitDepth { parts.append("\(bitDepth) bits" + (numbers.map { " \($0)" } ?? "") + order) }
    return parts
  }
}

extension LivePhotoInfoReport {
  fileprivate var text: String {
    func range(_ name: String, _ bounds: [Double]?) -> String? {
      guard let bounds, let low = bounds.first, let high = bounds.last else { return nil }
      func text(_ value: Double) -> String { "\((value * 100_000).rounded() / 100_000)" }
      return low == high ? "\(name) \(text(low))" : "\(name) \(text(low)) to \(text(high))"
    }
    let parts = [
      range("exposure", exposureTime).map { $0 + " s" }, range("zoom", zoom), range("gain", gain),
      faces > 0 ? "faces up to \(faces)" : nil,
      interpolatedFrames > 0 ? "\(interpolatedFrames) interpolated" : nil,
    ]
    return (["\(samples) frames described"] + parts.compactMap(\.self)).joined(separator: ", ")
  }
}
