internal import LivePhotoCore

/// Where the bytes of items lie: `iloc`, versions 0 to 2 (ISO/IEC 14496-12, 8.11.3).
struct ItemLocationBox {
  var version: UInt8
  var flags: UInt32
  /// Bytes an extent's offset, its length, an item's base offset and an extent's index take: 0, 4 or 8.
  var offsetSize, lengthSize, baseOffsetSize, indexSize: UInt8
  var locations: [ItemLocation] = []
  /// What follows the last entry, kept as it is.
  var rest: [UInt8] = []

  init(version: UInt8, offsetSize: UInt8 = 4, lengthSize: UInt8 = 4) {
    self.version = version
    flags = 0
    (self.offsetSize, self.lengthSize, baseOffsetSize, indexSize) = (offsetSize, lengthSize, 0, 0)
  }

  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    (version, flags) = try cursor.readVersionAndFlags()
    guard version <= 2 else { throw .unsupported("version \(version) of item locations", at: cursor.place) }
    let place = cursor.place
    let sizes = try cursor.readUInt16()
    func nibble(_ shift: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: sizes >> shift & 15) }
    (offsetSize, lengthSize, baseOffsetSize, indexSize) = (nibble(12), nibble(8), nibble(4), nibble(0))
    // Version 0 has no index; its four bits are reserved and kept.
    for size in [offsetSize, lengthSize, baseOffsetSize, version == 0 ? 0 : indexSize] where ![0, 4, 8].contains(size) {
      throw .invalid("width of an item location field", found: "\(size)", expected: "0, 4 or 8", at: place)
    }
    let count = Int(version < 2 ? UInt32(try cursor.readUInt16()) : try cursor.readUInt32())
    guard count <= limits.items else {
      throw .beyondLimit("number of item locations", found: count, limit: limits.items, at: place)
    }
    var extents = 0
    for _ in 0..<count {
      let location = try ItemLocation(parsing: &cursor, in: self, extentsLeft: limits.extents - extents)
      extents += location.extents.count
      locations.append(location)
    }
    rest = cursor.readRemaining()
  }

  /// Writes the payload of the box: version, flags and all that follows.
  ///
  /// - Parameter anchor: where the offsets of items in the file are counted from, when that is not yet known.
  func writePayload(to writer: inout ByteWriter, mediaAt anchor: Anchor? = nil) {
    writer.writeUInt8(version)
    writer.writeUInt24(flags)
    writer.writeUInt8(offsetSize << 4 | lengthSize)
    writer.writeUInt8(baseOffsetSize << 4 | indexSize)
    writer.writeUInt(UInt64(locations.count), width: version < 2 ? 2 : 4)
    for location in locations { location.write(to: &writer, in: self, mediaAt: anchor) }
    writer.write(rest)
  }

  /// Changes to the version that holds every id and the number of entries.
  mutating func widenIfNeeded() {
    guard version < 2, locations.count > UInt16.max || locations.contains(where: { $0.id > UInt16.max }) else { return }
    if version == 0 { indexSize = 0 }
    version = 2
  }

  /// The largest value of a field of so many bytes.
  static func largest(inWidth width: UInt8) -> UInt64 { width == 0 ? 0 : UInt64.max >> UInt64(64 - 8 * width) }
}

/// Where the bytes of one item lie.
struct ItemLocation: Equatable {
  var id: HEIFItem.ID
  /// 12 reserved bits and the construction method: 0 from the file, 1 from `idat`, 2 from another item.
  var construction: UInt16 = 0
  /// The entry of `dref`, counted from 1; 0 is this file.
  var dataReferenceIndex: UInt16 = 0
  /// What the extents' offsets are counted from.
  var baseOffset: UInt64 = 0
  var extents: [Extent] = []

  struct Extent: Equatable {
    var index: UInt64 = 0
    var offset: UInt64
    var length: UInt64
  }

  var method: UInt16 { construction & 15 }

  init(id: HEIFItem.ID) { self.id = id }

  init(parsing cursor: inout ByteCursor, in box: ItemLocationBox, extentsLeft: Int) throws(ParseError) {
    id = box.version < 2 ? UInt32(try cursor.readUInt16()) : try cursor.readUInt32()
    if box.version > 0 { construction = try cursor.readUInt16() }
    dataReferenceIndex = try cursor.readUInt16()
    baseOffset = try cursor.readUInt(width: Int(box.baseOffsetSize))
    let place = cursor.place
    let count = Int(try cursor.readUInt16())
    guard count <= extentsLeft else {
      throw .beyondLimit("number of extents left", found: count, limit: extentsLeft, at: place)
    }
    for _ in 0..<count {
      let index = box.version > 0 ? try cursor.readUInt(width: Int(box.indexSize)) : 0
      let offset = try cursor.readUInt(width: Int(box.offsetSize))
      extents.append(Extent(index: index, offset: offset, length: try cursor.readUInt(width: Int(box.lengthSize))))
    }
  }

  func write(to writer: inout ByteWriter, in box: ItemLocationBox, mediaAt anchor: Anchor?) {
    writer.writeUInt(UInt64(id), width: box.version < 2 ? 2 : 4)
    if box.version > 0 { writer.writeUInt16(construction) }
    writer.writeUInt16(dataReferenceIndex)
    writer.writeUInt(baseOffset, width: Int(box.baseOffsetSize))
    writer.writeUInt16(UInt16(truncatingIfNeeded: extents.count))
    for extent in extents {
      if box.version > 0 { writer.writeUInt(extent.index, width: Int(box.indexSize)) }
      if let anchor, method == 0 {
        writer.writeOffset(from: anchor, distance: Int(clamping: extent.offset), width: Int(box.offsetSize))
      } else {
        writer.writeUInt(extent.offset, width: Int(box.offsetSize))
      }
      writer.writeUInt(extent.length, width: Int(box.lengthSize))
    }
  }
}
