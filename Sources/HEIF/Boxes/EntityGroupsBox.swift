internal import LivePhotoCore

/// The groups of items: `grpl` (ISO/IEC 14496-12, 8.18).
struct EntityGroupsBox {
  var groups: [EntityGroup] = []

  init(_ groups: [EntityGroup]) { self.groups = groups }

  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    var members = 0
    try cursor.forEachBox(limit: limits.items) { (header, payload) throws(ParseError) in
      _ = try payload.readVersionAndFlags()
      let id = try payload.readUInt32()
      let place = payload.place
      let count = Int(try payload.readUInt32())
      guard count <= limits.references - members else {
        throw .beyondLimit("number of group members", found: count, limit: limits.references - members, at: place)
      }
      members += count
      var group = EntityGroup(header.type, id: id, members: [])
      for _ in 0..<count { group.members.append(try payload.readUInt32()) }
      groups.append(group)
    }
  }

  func write(to writer: inout ByteWriter) {
    writer.box("grpl") { writer in
      for group in groups {
        writer.fullBox(group.type, version: 0, flags: 0) { writer in
          writer.writeUInt32(group.id)
          writer.writeUInt32(UInt32(truncatingIfNeeded: group.members.count))
          for member in group.members { writer.writeUInt32(member) }
        }
      }
    }
  }
}
