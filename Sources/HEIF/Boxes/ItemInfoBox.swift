internal import LivePhotoCore

/// The items that `iinf` lists, one `infe` each (ISO/IEC 14496-12, 8.11.6).
struct ItemInfoBox {
  var items: [HEIFItem] = []

  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    let place = cursor.place
    let version = try cursor.readVersionAndFlags().version
    let count = Int(version == 0 ? UInt32(try cursor.readUInt16()) : try cursor.readUInt32())
    guard count <= limits.items else {
      throw .beyondLimit("number of items", found: count, limit: limits.items, at: place)
    }
    // The boxes count, not the number before them: writers disagree about it, and the boxes are what there is.
    try cursor.forEachBox(limit: limits.items) { (header, payload) throws(ParseError) in
      if header.type == "infe" { items.append(try HEIFItem(parsing: &payload)) }
    }
  }
}

extension HEIFItem {
  /// Reads the payload of an `infe` box, versions 0 to 3.
  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, flags) = try cursor.readVersionAndFlags()
    guard version <= 3 else { throw .unsupported("version \(version) of an item's information", at: cursor.place) }
    let id = version == 3 ? try cursor.readUInt32() : UInt32(try cursor.readUInt16())
    let protection = try cursor.readUInt16()
    // Before version 2 an item had no type; its content type says what it is.
    let type = version < 2 ? "mime" : try cursor.readFourCC()
    self.init(id: id, type: type, name: cursor.readTerminatedUTF8(), isHidden: version >= 2 && flags & 1 == 1)
    protectionIndex = protection
    if type == "mime" {
      contentType = cursor.readTerminatedUTF8()
      if !cursor.isAtEnd { contentEncoding = cursor.readTerminatedUTF8() }
    } else if type == "uri " {
      uriType = cursor.readTerminatedUTF8()
    }
  }

  /// Writes the item as an `infe` box, version 2, or 3 where the id needs 32 bits.
  func writeInfo(to writer: inout ByteWriter) {
    let isWide = id > UInt16.max
    writer.fullBox("infe", version: isWide ? 3 : 2, flags: isHidden ? 1 : 0) { writer in
      writer.writeUInt(UInt64(id), width: isWide ? 4 : 2)
      writer.writeUInt16(protectionIndex)
      writer.writeFourCC(type)
      writer.writeTerminatedUTF8(name)
      if type == "mime" {
        writer.writeTerminatedUTF8(contentType ?? "")
        if let contentEncoding { writer.writeTerminatedUTF8(contentEncoding) }
      } else if type == "uri " {
        writer.writeTerminatedUTF8(uriType ?? "")
      }
    }
  }
}

extension ByteWriter {
  /// Appends text as UTF-8 and a NUL; a NUL inside the text ends it.
  mutating func writeTerminatedUTF8(_ text: String) {
    write(text.utf8.prefix { $0 != 0 })
    writeUInt8(0)
  }
}
