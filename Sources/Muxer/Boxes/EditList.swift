import LivePhotoCore

/// One segment of a track's edit list, `elst` (ISO/IEC 14496-12, 8.6.6; QuickTime File Format, "Edit list atom").
public struct Edit: Equatable, Sendable {
  /// How long the segment lasts, in ticks of the movie's time scale; 0 in the last one means "to the end".
  public var duration: UInt64
  /// Where in the media the segment begins, in ticks of the track's time scale; -1 where nothing is shown.
  public var mediaTime: Int64
  /// How fast the media is played, a 16.16 fixed-point number: 1.0 is 0x10000, 0 holds one moment.
  public var rate: Int32

  /// An edit as given; the rate is 1 unless said otherwise.
  public init(duration: UInt64, mediaTime: Int64, rate: Int32 = 0x10000) {
    self.duration = duration
    self.mediaTime = mediaTime
    self.rate = rate
  }

  /// Whether the segment shows nothing.
  public var isEmpty: Bool { mediaTime == -1 }
}

/// Reads and writes `elst` boxes.
enum EditList {
  static func parse(_ cursor: inout ByteCursor) throws(ParseError) -> [Edit] {
    let (version, _) = try cursor.readVersionAndFlags()
    let count = Int(try cursor.readUInt32())
    let entrySize = version == 1 ? 20 : 12
    guard count <= cursor.remaining / entrySize else {
      throw .truncated(needed: count &* entrySize, available: cursor.remaining, at: cursor.place)
    }
    var edits: [Edit] = []
    edits.reserveCapacity(count)
    for _ in 0..<count {
      let duration = try cursor.readUInt(width: version == 1 ? 8 : 4)
      let mediaTime = version == 1 ? try cursor.readInt64() : Int64(try cursor.readInt32())
      edits.append(Edit(duration: duration, mediaTime: mediaTime, rate: try cursor.readInt32()))
    }
    return edits
  }

  static func write(_ edits: [Edit], to writer: inout ByteWriter) {
    let isLarge = edits.contains { $0.duration > UInt32.max || Int32(exactly: $0.mediaTime) == nil }
    writer.fullBox("elst", version: isLarge ? 1 : 0, flags: 0) { writer in
      writer.writeUInt32(UInt32(truncatingIfNeeded: edits.count))
      for edit in edits {
        writer.writeUInt(edit.duration, width: isLarge ? 8 : 4)
        writer.writeUInt(UInt64(bitPattern: edit.mediaTime), width: isLarge ? 8 : 4)
        writer.writeInt32(edit.rate)
      }
    }
  }
}
