internal import LivePhotoCore

extension MetaEdit {
  /// The size of the whole box, and where its old children begin in it.
  func size() throws(ParseError) -> (total: Int, parts: [(old: Int, new: Int)]) {
    var parts: [(old: Int, new: Int)] = []
    var size = meta.header.headerSize + 4
    for (old, bytes) in try children(of: meta.bytes) {
      if let old { parts.append((old, size)) }
      size += bytes.count
    }
    return (size, parts)
  }

  /// The whole box, with those of `patches` that fall into it applied; its size stays open when it was and is last.
  func bytes(patches: [EditPlanner.Patch], isLast: Bool) throws(ParseError) -> [UInt8] {
    var old = meta.bytes
    let start = meta.header.range.lowerBound
    for patch in patches where meta.header.range.contains(patch.position) {
      old.replaceSubrange(patch.position - start..<patch.position - start + patch.bytes.count, with: patch.bytes)
    }
    let versionAndFlags = Array(old[meta.header.headerSize..<meta.header.headerSize + 4])
    let content = try children(of: old).reduce(into: versionAndFlags) { $0 += $1.bytes }
    if isLast, meta.header.sizeForm == .toEnd { return Array(old[..<meta.header.headerSize]) + content }
    return meta.header.rewritten(payload: content)
  }

  /// What the box holds, new or as it was, in order; `old` is where an unchanged or changed child began.
  private func children(of old: [UInt8]) throws(ParseError) -> [(old: Int?, bytes: [UInt8])] {
    let start = meta.header.range.lowerBound
    var parts: [(old: Int?, bytes: [UInt8])] = []
    var end = meta.header.payload.lowerBound + 4
    for child in meta.children {
      let bytes = Array(old[child.range.lowerBound - start..<child.range.upperBound - start])
      let isFirst = meta.first(child.type) == child
      parts.append((child.range.lowerBound, isFirst ? try changed(child, bytes) : bytes))
      if isFirst, child.type == "iinf" { parts += try newBoxes().map { (nil, $0) } }
      end = child.range.upperBound
    }
    if !items.isEmpty, meta.first("iinf") == nil { throw .missing("'iinf'", at: Place(offset: start, path: ["meta"])) }
    parts.append((end, Array(old[(end - start)...])))
    return parts
  }

  private func changed(_ child: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    switch child.type {
    case "pitm" where primaryItem != nil: primaryItemBox(flags: bytes[(child.headerSize + 1)...].prefix(3))
    case "iloc": child.rewritten(payload: locationPayload)
    case "iinf": try changedInformation(child, bytes)
    case "iref" where !references.isEmpty || !removed.isEmpty: try changedReferences(child, bytes)
    case "iprp" where !properties.isEmpty: try properties.rewrite(child, bytes)
    case "grpl" where !removed.isEmpty: try changedGroups(child, bytes)
    default: bytes
    }
  }

  private var locationPayload: [UInt8] {
    var writer = ByteWriter()
    locations.writePayload(to: &writer)
    return writer.bytes
  }

  private func primaryItemBox(flags: some Sequence<UInt8>) -> [UInt8] {
    let id = primaryItem ?? 0
    let isWide = id > UInt16.max
    var writer = ByteWriter()
    writer.box("pitm") { writer in
      writer.writeUInt8(isWide ? 1 : 0)
      writer.write(flags)
      writer.writeUInt(UInt64(id), width: isWide ? 4 : 2)
    }
    return writer.bytes
  }

  /// Boxes that the file lacks and now needs; they stand behind `iinf`.
  private func newBoxes() throws(ParseError) -> [[UInt8]] {
    var boxes: [[UInt8]] = []
    if meta.first("pitm") == nil, primaryItem != nil { boxes.append(primaryItemBox(flags: [0, 0, 0])) }
    if meta.first("iref") == nil, !references.isEmpty {
      var writer = ByteWriter()
      ItemReferenceBox(references.merged).write(to: &writer)
      boxes.append(writer.bytes)
    }
    if meta.first("iprp") == nil, !properties.isEmpty { boxes.append(try properties.newBox()) }
    if meta.first("iloc") == nil, !locations.locations.isEmpty {
      var writer = ByteWriter()
      writer.box("iloc", locationPayload)
      boxes.append(writer.bytes)
    }
    return boxes
  }
}

// MARK: Children

extension MetaEdit {
  private func changedInformation(_ child: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    guard !items.isEmpty || !removed.isEmpty || primaryItem != nil else {
      // New boxes may follow one that reaches to the end.
      guard child.sizeForm == .toEnd, try !newBoxes().isEmpty else { return bytes }
      return child.rewritten(payload: Array(bytes.dropFirst(child.headerSize)))
    }
    let isWide = bytes[child.headerSize] > 0
    let (boxes, rest) = try child.rewritingBoxes(in: bytes, behind: isWide ? 8 : 6) {
      (header, payload) throws(ParseError) in
      guard header.type == "infe" else { return nil }
      let item = try HEIFItem(parsing: &payload)
      if removed.contains(item.id) { return [] }
      guard item.id == primaryItem, item.isHidden else { return nil }
      var shown = Array(bytes[header.range])
      // The lowest of the flags hides an item.
      shown[header.headerSize + 3] &= 0xFE
      return shown
    }
    let count = meta.items.count { !removed.contains($0.id) } + items.count
    // The count goes from 16 to 32 bits with the version.
    let becomesWide = isWide || count > UInt16.max
    var writer = ByteWriter()
    writer.writeUInt8(isWide ? bytes[child.headerSize] : becomesWide ? 1 : 0)
    writer.write(bytes[child.headerSize + 1..<child.headerSize + 4])
    writer.writeUInt(UInt64(count), width: becomesWide ? 4 : 2)
    writer.write(boxes)
    for item in items { item.writeInfo(to: &writer) }
    writer.write(rest)
    return child.rewritten(payload: writer.bytes)
  }

  /// The references without those from and to removed items, and with the new ones; nothing when none is left.
  private func changedReferences(_ child: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    let version = meta.references?.version ?? 0
    let newVersion = max(version, ItemReferenceBox(references).version)
    var additions = references.merged
    let (boxes, rest) = try child.rewritingBoxes(in: bytes, behind: 4) { (header, payload) throws(ParseError) in
      var reference = try ItemReference(header.type, parsing: &payload, version: version)
      if removed.contains(reference.from) { return [] }
      let count = reference.to.count
      reference.to.removeAll { removed.contains($0) }
      if reference.to.isEmpty, count > 0 { return [] }
      let addition = additions.firstIndex { $0.type == reference.type && $0.from == reference.from }
      if let addition { reference.to += additions.remove(at: addition).to }
      guard reference.to.count != count || newVersion != version else { return nil }
      return try reference.box(version: newVersion)
    }
    guard !boxes.isEmpty || !additions.isEmpty || !rest.isEmpty else { return [] }
    var writer = ByteWriter()
    writer.writeUInt8(newVersion)
    writer.write(bytes[child.headerSize + 1..<child.headerSize + 4])
    writer.write(boxes)
    for addition in additions { writer.write(try addition.box(version: newVersion)) }
    writer.write(rest)
    return child.rewritten(payload: writer.bytes)
  }

  /// The groups without removed items; one that is left with a single member of several says nothing and goes.
  private func changedGroups(_ child: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    let (boxes, rest) = try child.rewritingBoxes(in: bytes, behind: 0) { (header, payload) throws(ParseError) in
      let start = try payload.readBytes(8)
      let count = Int(try payload.readUInt32())
      var members: [HEIFItem.ID] = []
      for _ in 0..<count { members.append(try payload.readUInt32()) }
      members.removeAll { removed.contains($0) }
      guard members.count < count else { return nil }
      guard members.count > 1 else { return [] }
      var writer = ByteWriter()
      writer.write(start)
      writer.writeUInt32(UInt32(truncatingIfNeeded: members.count))
      for member in members { writer.writeUInt32(member) }
      writer.write(payload.readRemaining())
      return header.rewritten(payload: writer.bytes)
    }
    guard !boxes.isEmpty || !rest.isEmpty else { return [] }
    return child.rewritten(payload: boxes + rest)
  }
}

extension ItemReference {
  /// The reference as the box that stands inside `iref`.
  ///
  /// - Throws: ``ParseError`` when it has more targets than can be counted.
  fileprivate func box(version: UInt8) throws(ParseError) -> [UInt8] {
    guard to.count <= UInt16.max else {
      throw .beyondLimit("targets of a reference", found: to.count, limit: 0xFFFF, at: Place(offset: 0, path: ["iref"]))
    }
    var writer = ByteWriter()
    write(to: &writer, version: version)
    return writer.bytes
  }
}

extension [ItemReference] {
  /// The references with one of each type from each item, as the standard asks (ISO/IEC 14496-12, 8.11.12).
  fileprivate var merged: [ItemReference] {
    reduce(into: []) { merged, reference in
      if let index = merged.firstIndex(where: { $0.type == reference.type && $0.from == reference.from }) {
        merged[index].to += reference.to
      } else {
        merged.append(reference)
      }
    }
  }
}
