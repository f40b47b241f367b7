internal import LivePhotoCore

/// The references of items to items: `iref`, versions 0 and 1 (ISO/IEC 14496-12, 8.11.12).
struct ItemReferenceBox {
  /// 0 where ids have 16 bits, 1 where they have 32.
  var version: UInt8
  var references: [ItemReference] = []

  init(_ references: [ItemReference]) {
    self.references = references
    let isWide = references.contains { $0.from > UInt16.max || $0.to.contains { $0 > UInt16.max } }
    version = isWide ? 1 : 0
  }

  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    version = try cursor.readVersionAndFlags().version
    guard version <= 1 else { throw .unsupported("version \(version) of item references", at: cursor.place) }
    var targets = 0
    try cursor.forEachBox(limit: limits.references) { (header, payload) throws(ParseError) in
      let place = payload.place
      let reference = try ItemReference(header.type, parsing: &payload, version: version)
      targets += reference.to.count
      guard targets <= limits.references else {
        throw .beyondLimit("number of references", found: targets, limit: limits.references, at: place)
      }
      references.append(reference)
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.fullBox("iref", version: version, flags: 0) { writer in
      for reference in references { reference.write(to: &writer, version: version) }
    }
  }
}

extension ItemReference {
  /// Reads the payload of the box that stands inside `iref` of the given version.
  init(_ type: FourCC, parsing cursor: inout ByteCursor, version: UInt8) throws(ParseError) {
    let width = version == 0 ? 2 : 4
    self.init(type, from: UInt32(truncatingIfNeeded: try cursor.readUInt(width: width)), to: [])
    // At most 65535, each of which has to be in the box.
    for _ in 0..<(try cursor.readUInt16()) {
      to.append(UInt32(truncatingIfNeeded: try cursor.readUInt(width: width)))
    }
  }

  /// Writes the reference as the box that stands inside `iref` of the given version.
  func write(to writer: inout ByteWriter, version: UInt8) {
    let width = version == 0 ? 2 : 4
    writer.box(type) { writer in
      writer.writeUInt(UInt64(from), width: width)
      writer.writeUInt16(UInt16(truncatingIfNeeded: to.count))
      for target in to { writer.writeUInt(UInt64(target), width: width) }
    }
  }
}
