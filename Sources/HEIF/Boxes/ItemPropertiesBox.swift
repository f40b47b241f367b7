internal import LivePhotoCore

/// The shared properties and which items use them: `iprp` (ISO/IEC 23008-12, 9.3).
struct ItemPropertiesBox {
  /// The children of `ipco`, in order.
  var properties: [ItemProperty] = []
  /// What each item uses, in order.
  var associations: [HEIFItem.ID: [HEIFItem.PropertyAssociation]] = [:]

  init() {}

  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    var count = 0
    try cursor.forEachBox { (header, payload) throws(ParseError) in
      switch header.type {
      case "ipco":
        try payload.forEachBox(limit: limits.boxesPerContainer) { (header, payload) throws(ParseError) in
          properties.append(ItemProperty(parsing: &payload, header: header))
        }
      case "ipma": try parseAssociations(&payload, count: &count, limits: limits)
      default: break
      }
    }
  }

  private mutating func parseAssociations(_ cursor: inout ByteCursor, count: inout Int, limits: Limits)
    throws(ParseError)
  {
    let (version, flags) = try cursor.readVersionAndFlags()
    guard version <= 1 else { throw .unsupported("version \(version) of property associations", at: cursor.place) }
    let place = cursor.place
    let entries = Int(try cursor.readUInt32())
    guard entries <= limits.items else {
      throw .beyondLimit("number of items with properties", found: entries, limit: limits.items, at: place)
    }
    for _ in 0..<entries {
      let id = version == 0 ? UInt32(try cursor.readUInt16()) : try cursor.readUInt32()
      let uses = Int(try cursor.readUInt8())
      count += uses
      guard count <= limits.associations else {
        throw .beyondLimit("number of property associations", found: count, limit: limits.associations, at: place)
      }
      for _ in 0..<uses {
        let place = cursor.place
        let isWide = flags & 1 == 1
        let field = isWide ? try cursor.readUInt16() : UInt16(try cursor.readUInt8()) << 8
        // 7 or 15 bits: the property counted from 1, 0 for none.
        let number = Int(isWide ? field & 0x7FFF : field >> 8 & 0x7F)
        guard number > 0 else { continue }
        guard number <= properties.count else {
          throw .invalid("index of a property", found: "\(number)", expected: "1 to \(properties.count)", at: place)
        }
        associations[id, default: []].append(.init(index: number - 1, isEssential: field & 0x8000 != 0))
      }
    }
  }

  /// Writes the box; `ipma` lists the items by ascending id, as it has to.
  func write(to writer: inout ByteWriter) {
    writer.box("iprp") { writer in
      writer.box("ipco") { writer in
        for property in properties { property.write(to: &writer) }
      }
      let entries = associations.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      let hasWideIDs = entries.last.map { $0.key > UInt16.max } ?? false
      let hasWideIndexes = properties.count > 127
      writer.fullBox("ipma", version: hasWideIDs ? 1 : 0, flags: hasWideIndexes ? 1 : 0) { writer in
        writer.writeUInt32(UInt32(truncatingIfNeeded: entries.count))
        for (id, uses) in entries {
          writer.writeUInt(UInt64(id), width: hasWideIDs ? 4 : 2)
          writer.writeUInt8(UInt8(truncatingIfNeeded: uses.count))
          for use in uses {
            let number = UInt64(use.index + 1)
            if hasWideIndexes {
              writer.writeUInt(number | (use.isEssential ? 0x8000 : 0), width: 2)
            } else {
              writer.writeUInt(number | (use.isEssential ? 0x80 : 0), width: 1)
            }
          }
        }
      }
    }
  }
}
