internal import LivePhotoCore

/// A `meta` box with changed item locations and further items and references; all else stays byte for byte.
struct MetaEdit {
  let meta: MetaBox
  /// Items to add.
  var items: [HEIFItem] = []
  /// References to add.
  var references: [ItemReference] = []
  private(set) var locations: ItemLocationBox

  init(_ meta: MetaBox) {
    self.meta = meta
    locations = meta.locations ?? ItemLocationBox(version: 0)
  }

  /// Whether anything of the box is not as it was.
  private(set) var changes = false

  mutating func widenIfNeeded() { locations.widenIfNeeded() }

  /// The position of an item's location, which is added when there is none.
  mutating func location(of id: HEIFItem.ID) -> Int {
    if let position = locations.locations.firstIndex(where: { $0.id == id }) { return position }
    locations.locations.append(ItemLocation(id: id))
    return locations.locations.count - 1
  }

  /// Shortens a location of one extent; false when it has more, or no lengths.
  mutating func setLength(_ length: Int, of location: Int) -> Bool {
    guard locations.lengthSize > 0, locations.locations[location].extents.count == 1 else { return false }
    locations.locations[location].extents[0].length = UInt64(length)
    changes = true
    return true
  }

  /// Makes a location ready to point at `count` bytes of the file, in as many extents as it had where that can be.
  ///
  /// - Returns: the number of extents to set.
  mutating func prepare(_ location: Int, forDataOf count: Int, place: Place) throws(ParseError) -> Int {
    guard locations.lengthSize > 0, max(locations.offsetSize, locations.baseOffsetSize) > 0 else {
      throw .unsupported("an edit of a file whose item locations have no offsets or lengths", at: place)
    }
    let largest = ItemLocationBox.largest(inWidth: locations.lengthSize)
    guard count <= largest else {
      throw .beyondLimit("size of an item", found: count, limit: Int(clamping: largest), at: place)
    }
    changes = true
    let before = locations.locations[location].extents.count
    let parts = locations.offsetSize == 0 ? 1 : max(1, min(before, count))
    locations.locations[location].construction &= 0xFFF0
    locations.locations[location].dataReferenceIndex = 0
    locations.locations[location].baseOffset = 0
    locations.locations[location].extents = Array(repeating: .init(offset: 0, length: 0), count: parts)
    return parts
  }

  /// Sets the extents of a location, their offsets counted from the start of the file.
  mutating func setExtents(_ extents: [ItemLocation.Extent], of location: Int, place: Place) throws(ParseError) {
    let usesBase = locations.offsetSize == 0
    let largest = ItemLocationBox.largest(inWidth: usesBase ? locations.baseOffsetSize : locations.offsetSize)
    for extent in extents where extent.offset > largest {
      throw .beyondLimit(
        "offset of an item", found: Int(clamping: extent.offset), limit: Int(clamping: largest), at: place)
    }
    locations.locations[location].extents = extents
    if usesBase, let first = extents.first {
      locations.locations[location].baseOffset = first.offset
      locations.locations[location].extents[0].offset = 0
    }
  }

  /// Raises the offsets of all items whose bytes `layout` moves; offsets into `idat` stay.
  ///
  /// - Parameter disturbed: what is written anew, sorted; an item that claims bytes of it would not stay as it was.
  mutating func moveExtents(by layout: EditLayout, in file: HEIFFile, around disturbed: [Range<Int>])
    throws(ParseError)
  {
    for position in locations.locations.indices {
      let location = locations.locations[position]
      guard location.method == 0, location.dataReferenceIndex == 0 else { continue }
      var starts: [(old: Int, new: Int)] = []
      for extent in location.extents {
        let (offset, overflow) = location.baseOffset.addingReportingOverflow(extent.offset)
        guard !overflow, let old = Int(exactly: offset), old <= file.source.count else { continue }
        let new = layout.newPosition(of: old)
        let last = max(0, Int(clamping: extent.length) - 1)
        guard layout.newPosition(of: min(old + last, file.source.count)) - new == min(last, file.source.count - old)
        else {
          throw .unsupported("an edit that would tear item \(location.id) apart", at: file.place)
        }
        guard !disturbed.overlaps(old..<min(old + last + 1, file.source.count)) || extent.length == 0 else {
          throw .unsupported("an edit of boxes that item \(location.id) claims as its data", at: file.place)
        }
        starts.append((old, new))
      }
      // An extent outside the file stays as it is: there is nothing that it could follow.
      guard starts.count == location.extents.count, starts.contains(where: { $0.old != $0.new }) else { continue }
      try setStarts(starts, of: position, place: file.place)
    }
  }

  private mutating func setStarts(_ starts: [(old: Int, new: Int)], of position: Int, place: Place)
    throws(ParseError)
  {
    var location = locations.locations[position]
    let shifts = Set(starts.map { $0.new - $0.old })
    let movesBase = locations.offsetSize == 0 || (locations.baseOffsetSize > 0 && location.baseOffset > 0)
    if movesBase, let shift = shifts.first, shifts.count == 1,
      let base = Int(exactly: location.baseOffset), base + shift >= 0
    {
      location.baseOffset = UInt64(base + shift)
    } else {
      for (index, start) in starts.enumerated() {
        guard let base = Int(exactly: location.baseOffset), start.new >= base, locations.offsetSize > 0 else {
          throw .unsupported("an edit that would move parts of item \(location.id) apart", at: place)
        }
        location.extents[index].offset = UInt64(start.new - base)
      }
    }
    let largest = ItemLocationBox.largest(inWidth:)
    guard location.baseOffset <= largest(locations.baseOffsetSize),
      location.extents.allSatisfy({ $0.offset <= largest(locations.offsetSize) })
    else {
      throw .beyondLimit(
        "offset of item \(location.id)", found: starts.map(\.new).max() ?? 0,
        limit: Int(clamping: largest(max(locations.offsetSize, locations.baseOffsetSize))), at: place)
    }
    locations.locations[position] = location
  }
}

// MARK: Writing

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
      if isFirst, child.type == "iinf" { parts += newBoxes().map { (nil, $0) } }
      end = child.range.upperBound
    }
    if !items.isEmpty, meta.first("iinf") == nil { throw .missing("'iinf'", at: Place(offset: start, path: ["meta"])) }
    parts.append((end, Array(old[(end - start)...])))
    return parts
  }

  private func changed(_ child: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    switch child.type {
    case "iloc":
      var writer = ByteWriter()
      locations.writePayload(to: &writer)
      return child.rewritten(payload: writer.bytes)
    case "iinf" where items.isEmpty && child.sizeForm == .toEnd:
      // New boxes may follow it.
      return newBoxes().isEmpty ? bytes : child.rewritten(payload: Array(bytes.dropFirst(child.headerSize)))
    case "iinf" where !items.isEmpty:
      let isWide = bytes[child.headerSize] > 0
      let count = meta.items.count + items.count
      var writer = ByteWriter()
      // The count goes from 16 to 32 bits with the version.
      writer.writeUInt8(isWide || count > UInt16.max ? 1 : 0)
      writer.write(bytes[child.headerSize + 1..<child.headerSize + 4])
      writer.writeUInt(UInt64(count), width: isWide || count > UInt16.max ? 4 : 2)
      let (boxes, rest) = try child.content(of: bytes, behind: isWide ? 8 : 6)
      writer.write(boxes)
      for item in items { item.writeInfo(to: &writer) }
      writer.write(rest)
      return child.rewritten(payload: writer.bytes)
    case "iref" where !references.isEmpty:
      let old = meta.references ?? ItemReferenceBox([])
      var writer = ByteWriter()
      if ItemReferenceBox(references).version > old.version {
        ItemReferenceBox(old.references + references).write(to: &writer)
        return writer.bytes
      }
      writer.write(bytes[child.headerSize..<child.headerSize + 4])
      let (boxes, rest) = try child.content(of: bytes, behind: 4)
      writer.write(boxes)
      for reference in references { reference.write(to: &writer, version: old.version) }
      writer.write(rest)
      return child.rewritten(payload: writer.bytes)
    default: return bytes
    }
  }

  /// Boxes that the file lacks and now needs; they stand behind `iinf`.
  private func newBoxes() -> [[UInt8]] {
    var boxes: [[UInt8]] = []
    if meta.first("iref") == nil, !references.isEmpty {
      var writer = ByteWriter()
      ItemReferenceBox(references).write(to: &writer)
      boxes.append(writer.bytes)
    }
    if meta.first("iloc") == nil, !locations.locations.isEmpty {
      var writer = ByteWriter()
      writer.box("iloc") { locations.writePayload(to: &$0) }
      boxes.append(writer.bytes)
    }
    return boxes
  }
}

extension BoxHeader {
  /// The box with another payload, its header in the same form; a size to the end is written out.
  func rewritten(payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    let size = headerSize + payload.count
    writer.writeUInt32(sizeForm == .large ? 1 : UInt32(truncatingIfNeeded: size))
    writer.writeFourCC(type)
    if sizeForm == .large { writer.writeUInt64(UInt64(size)) }
    writer.write(userType ?? [])
    writer.write(payload)
    return writer.bytes
  }

  /// The boxes that a box (whose bytes are given) holds from `start` of its payload on, and what follows them.
  fileprivate func content(of bytes: [UInt8], behind start: Int) throws(ParseError)
    -> (boxes: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)
  {
    var cursor = ByteCursor(bytes.span)
    try cursor.skip(headerSize + start)
    try cursor.forEachBox(limit: .max) { (header, _) throws(ParseError) in
      // What reaches to the end cannot be followed by more.
      guard header.sizeForm != .toEnd else {
        throw .unsupported("an edit behind a box without a size", at: Place(offset: range.lowerBound))
      }
    }
    return (bytes[headerSize + start..<cursor.position], bytes[cursor.position...])
  }
}
