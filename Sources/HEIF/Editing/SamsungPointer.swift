internal import LivePhotoCore

/// Where a Samsung motion photo says that its video begins: the record `MotionPhoto_Data` of a `sefd` box holds
/// "mpv2", the video's absolute offset and its size, 32 bits each, big-endian.
enum SamsungPointer {
  /// The changes that keep the pointer right when `layout` moves the video; none when there is no such pointer.
  static func patches(of file: HEIFFile, movedBy layout: EditLayout) throws(ParseError) -> [EditPlanner.Patch] {
    guard let video = file.boxes.first("mpvd")?.payload else { return [] }
    let moved = layout.newPosition(of: video.lowerBound)
    guard moved != video.lowerBound, let old = UInt32(exactly: video.lowerBound), let new = UInt32(exactly: moved)
    else { return [] }
    let pointer = "mpv2".utf8 + bigEndian(old)
    var patches: [EditPlanner.Patch] = []
    for trailer in try trailers(of: file, video: video) {
      let bytes = try file.source.parseBytes(trailer)
      for start in bytes.indices.dropLast(pointer.count - 1) where bytes[start] == pointer[0] {
        guard bytes[start..<start + pointer.count].elementsEqual(pointer) else { continue }
        patches.append(EditPlanner.Patch(position: trailer.lowerBound + start + 4, bytes: bigEndian(new)))
      }
    }
    return patches
  }

  /// The `sefd` boxes, which stand behind the video or inside its box; the last 64 KiB of each.
  private static func trailers(of file: HEIFFile, video: Range<Int>) throws(ParseError) -> [Range<Int>] {
    var trailers = file.boxes.boxes.filter { $0.type == "sefd" }.map(\.payload)
    if let inside = try? SubSource(file.source, range: video) {
      let boxes = try TopLevelBoxes(of: inside, limits: file.limits)
      if let sefd = boxes.first("sefd")?.payload {
        trailers.append(video.lowerBound + sefd.lowerBound..<video.lowerBound + sefd.upperBound)
      }
    }
    return trailers.map { $0.suffix(65_536) }
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt32(value)
    return writer.bytes
  }
}
