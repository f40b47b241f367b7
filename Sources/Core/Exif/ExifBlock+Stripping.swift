extension ExifBlock {
  /// Fields of IFD0 that hold metadata of other kinds: IPTC, Photoshop's resources.
  private static let embedded: [(tag: TIFFTag, name: String)] = [(0x83BB, "IPTC"), (0x8649, "Photoshop resources")]
  private static let xmp: TIFFTag = 0x02BC
  /// The offsets of further directories, which are not read.
  private static let furtherDirectories: TIFFTag = 0x014A

  /// Takes out where the picture was taken: the GPS directory, properties of embedded XMP and texts that are a
  /// position; and what may hold one and is not looked into: IPTC, thumbnails with metadata of their own, makers' notes
  /// other than Apple's.
  ///
  /// The block keeps its size. Bytes that no field uses are zeros afterwards.
  ///
  /// - Returns: what went without having been looked into, in words.
  public mutating func removePlaces() -> [String] {
    var notes: [String] = []
    remove(.gps)
    // A directory that is damaged is not found, but its pointer may be there.
    remove(.gpsDirectory, in: .image)
    for (tag, name) in Self.embedded where remove(tag, in: .image) { notes.append("\(name) may hold a position") }
    for directory in [ExifDirectory.image, .exif, .thumbnail] { removeTexts(in: directory) }
    blankXMP(&notes)
    if let thumbnail, Self.hasMetadata(thumbnail) {
      remove(.thumbnail)
      notes.append("the thumbnail has metadata of its own")
    }
    if case .other(let owner) = makerNote {
      remove(.makerNote, in: .exif)
      notes.append("the MakerNote of \(owner) may hold a position")
    }
    if remove(Self.furtherDirectories, in: .image) { notes.append("further directories may hold a position") }
    clearUnused()
    return notes
  }

  /// The block with nothing but how the picture is turned and what its colours are and, of Apple's note, how bright the
  /// gain map may make them.
  ///
  /// - Parameters:
  ///   - width: the stored picture's width in pixels.
  ///   - height: its height.
  public func undescribed(width: Int, height: Int) -> ExifBlock {
    var draft = ExifDraft(width: width, height: height)
    draft.orientation = orientation ?? .up
    draft.isSRGB = field(.colorSpace, in: .exif)?.unsignedIntegers?.first == 1
    if case .apple(let note) = makerNote { draft.makerNote = note.keeping([.appleHDRHeadroom, .appleHDRGain]) }
    return draft.makeBlock()
  }

  private mutating func removeTexts(in directory: ExifDirectory) {
    for field in fields(in: directory) {
      guard let text = field.text, field.tag != .makerNote, field.tag != Self.xmp else { continue }
      // UserComment begins with the name of its character set (CIPA DC-008, 4.6.5).
      let comment = String(decoding: field.bytes.dropFirst(8), as: UTF8.self)
      guard PlaceNames.isPosition(text) || PlaceNames.isPosition(comment) || PlaceNames.holdsPosition(field.bytes)
      else { continue }
      remove(field.tag, in: directory)
    }
  }

  private mutating func blankXMP(_ notes: inout [String]) {
    guard let field = field(Self.xmp, in: .image) else { return }
    var packet = XMPPacket(field.bytes)
    guard packet.blankPlaces(), (try? set(TIFFField(Self.xmp, field.type, bytes: packet.bytes), in: .image)) != nil
    else {
      remove(Self.xmp, in: .image)
      notes.append("XMP cannot be read and may hold a position")
      return
    }
  }

  /// Whether a thumbnail has segments of metadata.
  private static func hasMetadata(_ thumbnail: [UInt8]) -> Bool {
    ["Exif\0", "http://ns.adobe.com/", "Photoshop 3.0"].contains { thumbnail.firstRange(of: Array($0.utf8)) != nil }
  }

  /// Sets all bytes to zero that no directory, value or thumbnail is in.
  private mutating func clearUnused() {
    // What IFD1 goes on to is no directory of Exif.
    if let slot = directories[.thumbnail]?.nextSlot {
      bytes.overwrite(at: slot, with: UInt32(0), byteOrder)
    }
    var used = [0..<8] + (thumbnailRange.map { [$0] } ?? [])
    for directory in directories.values {
      used.append(directory.table)
      used += directory.entries.compactMap(\.outOfLine)
    }
    var position = 0
    for range in used.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if position < range.lowerBound {
        bytes.overwrite(at: position, with: repeatElement(0, count: range.lowerBound - position))
      }
      position = max(position, range.upperBound)
    }
    if position < bytes.count { bytes.overwrite(at: position, with: repeatElement(0, count: bytes.count - position)) }
  }
}

extension AppleMakerNote {
  /// A note of some of the fields; nil where none of them is there.
  func keeping(_ tags: Set<TIFFTag>) -> AppleMakerNote? {
    let kept = fields.filter { tags.contains($0.tag) && $0.size > 0 }.sorted { $0.tag < $1.tag }
    guard !kept.isEmpty else { return nil }
    var writer = ByteWriter()
    writer.write(Self.signature)
    writer.writeUInt16(1)
    writer.writeUTF8("MM")
    writer.writeUInt16(UInt16(truncatingIfNeeded: kept.count))
    var values: [UInt8] = []
    let start = writer.count + kept.count * TIFFDirectory.entrySize + 4
    for field in kept {
      writer.writeUInt16(field.tag.rawValue)
      writer.writeUInt16(field.type.rawValue)
      writer.writeUInt32(UInt32(truncatingIfNeeded: field.count))
      let content = field.bytes(in: .big)
      if content.count > 4 {
        writer.writeUInt32(UInt32(truncatingIfNeeded: start + values.count))
        values += content
      } else {
        writer.write(content + repeatElement(0, count: 4 - content.count))
      }
    }
    writer.writeUInt32(0)
    writer.write(values)
    return try? AppleMakerNote(parsing: writer.bytes)
  }
}
