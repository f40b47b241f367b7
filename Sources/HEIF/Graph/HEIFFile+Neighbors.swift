internal import LivePhotoCore

extension HEIFFile {
  /// The boxes of the picture: not those of a second file behind it, as the video of a motion photo is.
  var ownBoxes: ArraySlice<BoxHeader> {
    boxes.boxes.prefix(1) + boxes.boxes.dropFirst().prefix { $0.type != "ftyp" }
  }

  /// Whether the file holds an image sequence beside its items.
  public var hasSequence: Bool { ownBoxes.contains { $0.type == "moov" } }

  /// Whether a video follows the pictures, as in a motion photo: a box `mpvd` or a second file.
  public var hasVideo: Bool { videoStart != nil }

  /// Where such a video begins: the content of `mpvd`, or the second file; nil without one.
  public var videoStart: Int? {
    if let box = boxes.first("mpvd") { return box.payload.lowerBound }
    return boxes.boxes.dropFirst(ownBoxes.count).first?.range.lowerBound
  }
}
