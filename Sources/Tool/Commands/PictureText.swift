internal import LivePhotoEngine

extension PictureReport {
  /// Role, coding, size and colours in one line.
  var text: String {
    var text = "\(role): \(coding)"
    if let codingName, codingName != "HEVC", grid == nil { text += " (\(codingName))" }
    if let codedSize { text += " \(codedSize.text)" }
    if let grid {
      text += ", \(count(grid.rows, "row")) of \(count(grid.columns, "tile"))"
      if let tile = grid.tile { text += " of \(tile.text)" }
    }
    if let sources, !sources.isEmpty { text += ", made from \(list(sources))" }
    if let bits = bitsPerChannel, let most = bits.max() { text += ", \(bits.count == 1 ? "grey, " : "")\(most) bit" }
    if orientation != 1 { text += ", \(turn(orientation))" }
    if let displaySize { text += ", shown as \(displaySize.text)" }
    if let color { text += ", colours \(color.text)" }
    return text + (hasICCProfile ? ", ICC profile" + (iccProfile.map { " \"\($0)\"" } ?? "") : "")
  }
}

extension ColorReport {
  /// The code points, and what is known by a name among them.
  fileprivate var text: String {
    let names = [
      [1: "BT.709", 5: "BT.601", 6: "BT.601", 9: "BT.2020", 11: "DCI P3", 12: "Display P3"][primaries],
      [1: "BT.709", 6: "BT.601", 8: "linear", 13: "sRGB", 14: "BT.2020", 16: "PQ", 18: "HLG"][transfer],
      [0: "RGB", 1: "BT.709", 5: "BT.601", 6: "BT.601", 9: "BT.2020"][matrix],
    ]
    let isKnown = names.contains { $0 != nil }
    let words = names.map { $0 ?? "?" }.joined(separator: ", ")
    return "\(primaries)/\(transfer)/\(matrix)" + (isKnown ? " (\(words))" : "") + (isFullRange ? " full range" : "")
  }
}

extension GroupReport {
  /// What the group means, and its items.
  var text: String {
    let meanings = [
      "altr": "alternatives, the best first", "ster": "left and right of a stereo pair", "eqiv": "the same picture",
      "brst": "a burst", "pano": "parts of a panorama", "aebr": "exposure bracketing", "afbr": "flash bracketing",
      "wbbr": "white balance bracketing", "fobr": "focus bracketing", "dobr": "depth of field bracketing",
      "albc": "an album", "favc": "favourites", "slid": "a slide show", "tsyn": "pictures of one moment",
    ]
    return (meanings[type].map { "\($0): " } ?? "") + list(items)
  }
}

extension MetadataItemReport {
  /// What the item is, how large, and of what.
  var text: String {
    kind + (bytes.map { ", \($0) bytes" } ?? "") + (describes.isEmpty ? "" : ", describes \(list(describes))")
  }
}

extension PNGReport {
  var lines: [String] {
    var pixels = "\(colorType), \(bitDepth) bit"
    if let significantBits, significantBits != bitDepth { pixels += " (\(significantBits) meant)" }
    if let paletteEntries { pixels += ", \(paletteEntries) entries" }
    if hasTransparency { pixels += ", transparency" }
    if isInterlaced { pixels += ", interlaced" }
    var lines = [field("pixels", pixels)]
    var colors = colorChunks.joined(separator: ", ")
    if let color { colors += " \(color.primaries)/\(color.transfer)/\(color.matrix)" }
    if let iccProfile { colors += " \"\(iccProfile)\"" }
    lines.append(field("colours", colorChunks.isEmpty ? "not stated" : colors))
    if let frames { lines.append(field("animation", "\(frames) frames")) }
    return lines + texts.map { field("text", "\(preview($0.keyword)): \($0.text.map(preview) ?? "(compressed)")") }
  }
}

/// An orientation as Exif counts, in words.
func turn(_ orientation: Int) -> String {
  let words = [
    2: "mirrored", 3: "turned 180°", 4: "mirrored and turned 180°", 5: "mirrored and turned 90° counter-clockwise",
    6: "turned 90° clockwise", 7: "mirrored and turned 90° clockwise", 8: "turned 90° counter-clockwise",
  ]
  return words[orientation].map { "\($0) (\(orientation))" } ?? "\(orientation)"
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

private func list(_ items: [Int]) -> String {
  "item\(items.count == 1 ? "" : "s") " + items.map(String.init).joined(separator: ", ")
}

/// The first line of a text, at most 100 characters.
private func preview(_ text: String) -> String {
  let shown = text.prefix { !$0.isNewline }.prefix(100)
  return shown + (shown.endIndex < text.endIndex ? "…" : "")
}
