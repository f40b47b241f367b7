/// Why an Exif block could not be edited.
public enum ExifEditError: Error, Equatable, Sendable {
  /// The block holds another maker's note, and it was asked to keep that.
  case otherMakerNote(owner: String)
  /// The block would grow beyond what its 32-bit offsets, or 16-bit counts of entries, can express.
  case tooLarge(found: Int, limit: Int)
}

extension ExifEditError: CustomStringConvertible {
  /// The cause and the remedy in one line.
  public var description: String {
    switch self {
    case .otherMakerNote(let owner):
      "the photo holds a MakerNote of \(owner), and Exif has room for only one; allow it to be replaced"
    case .tooLarge(let found, let limit): "the Exif block would be too large: \(found), at most \(limit)"
    }
  }
}

extension ExifBlock {
  /// Sets one field: see ``set(_:in:)-([TIFFField],_)``.
  public mutating func set(_ field: TIFFField, in directory: ExifDirectory) throws(ExifEditError) {
    try set([field], in: directory)
  }

  /// Sets fields, each tag once: replaces those that are there, adds the others, and the directory where it is missing.
  ///
  /// A value that fits where the old one stands is written there. A larger one is appended to the block; so is, once,
  /// a directory that gains entries. Bytes that nothing refers to any more are set to zero.
  ///
  /// - Throws: ``ExifEditError/tooLarge(found:limit:)``; the block is then unchanged.
  public mutating func set(_ fields: [TIFFField], in directory: ExifDirectory) throws(ExifEditError) {
    // A directory on the way may gain an entry too: the pointer to the next.
    let entries = (directories.values.map(\.entries.count).max() ?? 0) + fields.count + 2
    let most = min(limits.directoryEntries, Int(UInt16.max))
    guard entries <= most else { throw .tooLarge(found: entries, limit: most) }
    // All values, and each directory on the way rewritten with one more entry.
    let tables = directories.values.reduce(64) { $0 + $1.table.count + 16 }
    let size = fields.reduce(bytes.count + tables) { $0 + $1.size + 16 }
    guard size <= limits.blobBytes, size <= UInt32.max else { throw .tooLarge(found: size, limit: limits.blobBytes) }

    lay(fields, in: directory)
  }

  /// Sets fields whose size was checked.
  mutating func lay(_ fields: [TIFFField], in directory: ExifDirectory) {
    let before = self
    writeAndClear(fields, in: directory)
    guard bytes.count > before.bytes.count, before.directories.values.contains(where: { $0.nextSlot == nil })
    else { return }
    // A directory that the end of the block cut off now goes on into what was appended.
    self = before
    closeDirectories()
    writeAndClear(fields, in: directory)
  }

  private mutating func writeAndClear(_ fields: [TIFFField], in directory: ExifDirectory) {
    var freed: [Range<Int>] = []
    write(fields, in: directory, freed: &freed)
    clear(freed)
  }

  /// Ends each directory that is cut off with its last whole entry.
  private mutating func closeDirectories() {
    bytes += [0, 0, 0, 0]
    for directory in directories.values where directory.nextSlot == nil {
      bytes.overwrite(
        at: directory.table.lowerBound, with: UInt16(truncatingIfNeeded: directory.entries.count), byteOrder)
      bytes.overwrite(at: directory.table.upperBound, with: UInt32(0), byteOrder)
    }
    readDirectories()
  }

  /// Removes a field, whose entry and values are overwritten; the other entries move up in their directory.
  ///
  /// - Returns: whether there was such a field.
  @discardableResult
  public mutating func remove(_ tag: TIFFTag, in directory: ExifDirectory) -> Bool {
    guard let found = directories[directory], found.first(tag) != nil else { return false }
    let kept = found.entries.filter { $0.tag != tag }
    let freed = found.entries.filter { $0.tag == tag }.compactMap(\.outOfLine)
    var table = kept.flatMap { bytes[$0.position..<$0.position + TIFFDirectory.entrySize] }
    if let slot = found.nextSlot { table += bytes[slot..<slot + 4] }
    table += repeatElement(0, count: found.table.count - 2 - table.count)
    bytes.overwrite(at: found.table.lowerBound, with: UInt16(truncatingIfNeeded: kept.count), byteOrder)
    bytes.overwrite(at: found.table.lowerBound + 2, with: table)
    readDirectories()
    clear(freed)
    return true
  }

  /// Removes a directory with everything in it, such as the position of the place; IFD0 stays.
  ///
  /// - Returns: whether there was such a directory.
  @discardableResult
  public mutating func remove(_ directory: ExifDirectory) -> Bool {
    guard directory != .image, let found = directories[directory] else { return false }
    var freed = [found.table] + found.entries.compactMap(\.outOfLine)
    if directory == .thumbnail { freed += thumbnailRange.map { [$0] } ?? [] }
    if let (parent, tag) = directory.pointer {
      remove(tag, in: parent)
    } else if let slot = pointerSlot(of: directory) {
      bytes.overwrite(at: slot, with: UInt32(0), byteOrder)
      readDirectories()
    }
    clear(freed)
    return true
  }
}

// MARK: Writing

extension ExifBlock {
  /// Writes the fields and finds the directories anew; `freed` collects what they no longer use.
  private mutating func write(_ fields: [TIFFField], in directory: ExifDirectory, freed: inout [Range<Int>]) {
    var added: [TIFFField] = []
    for field in fields {
      if let entry = directories[directory]?.first(field.tag) {
        replace(entry, by: field, freed: &freed)
      } else {
        added.append(field)
      }
    }
    if !added.isEmpty || directories[directory] == nil {
      extend(directory, by: added.sorted { $0.tag < $1.tag }, freed: &freed)
    }
    readDirectories()
  }

  /// Writes a field over an entry of the same tag.
  private mutating func replace(_ entry: TIFFDirectory.Entry, by field: TIFFField, freed: inout [Range<Int>]) {
    let content = field.bytes(in: byteOrder)
    var row = Row(field)
    if let old = entry.outOfLine {
      if content.count > 4, content.count <= old.count, !isUsed(old, besides: entry) {
        bytes.overwrite(at: old.lowerBound, with: content)
        row.setOffset(old.lowerBound, byteOrder)
        freed.append(old.lowerBound + content.count..<old.upperBound)
        bytes.overwrite(at: entry.position, with: row.bytes(byteOrder))
        return
      }
      freed.append(old)
    } else if entry.isInline, content.count <= 4 {
      // What stands behind the value stays.
      row.slot = Array(bytes[entry.slot..<entry.slot + 4])
    }
    row.setValue(content, appendingTo: &bytes, byteOrder)
    bytes.overwrite(at: entry.position, with: row.bytes(byteOrder))
  }

  /// Writes a directory again at the end of the block, with further entries in the order of their tags.
  private mutating func extend(_ directory: ExifDirectory, by added: [TIFFField], freed: inout [Range<Int>]) {
    let old = directories[directory]
    let total = (old?.entries.count ?? 0) + added.count
    bytes.padToEven()
    let position = bytes.count
    bytes += repeatElement(0, count: 2 + total * TIFFDirectory.entrySize + 4)

    var rows = old?.entries.map { (tag: $0.tag, bytes: Array(bytes[$0.position..<$0.position + 12])) } ?? []
    for field in added {
      var row = Row(field)
      row.setValue(field.bytes(in: byteOrder), appendingTo: &bytes, byteOrder)
      let place = rows.firstIndex { $0.tag > field.tag } ?? rows.endIndex
      rows.insert((field.tag, row.bytes(byteOrder)), at: place)
    }
    bytes.overwrite(at: position, with: UInt16(truncatingIfNeeded: total), byteOrder)
    bytes.overwrite(at: position + 2, with: rows.flatMap(\.bytes))
    if let slot = old?.nextSlot {
      bytes.overwrite(at: position + 2 + total * TIFFDirectory.entrySize, with: Array(bytes[slot..<slot + 4]))
    }
    if let old { freed.append(old.table) }
    point(at: position, for: directory, freed: &freed)
  }

  /// Makes the block refer to a directory that now stands at `position`.
  private mutating func point(at position: Int, for directory: ExifDirectory, freed: inout [Range<Int>]) {
    let offset = UInt32(truncatingIfNeeded: position)
    if pointerSlot(of: directory) == nil, directory == .thumbnail {
      extend(.image, by: [], freed: &freed)
      readDirectories()
    }
    if let slot = pointerSlot(of: directory) {
      bytes.overwrite(at: slot, with: offset, byteOrder)
    } else if let (parent, tag) = directory.pointer {
      write([.long(tag, offset)], in: parent, freed: &freed)
    }
  }

  /// Whether anything but `entry` uses bytes of `range`.
  private func isUsed(_ range: Range<Int>, besides entry: TIFFDirectory.Entry? = nil) -> Bool {
    if range.overlaps(0..<8) { return true }
    if let thumbnail = thumbnailRange, thumbnail.overlaps(range) { return true }
    return directories.values.contains { directory in
      directory.table.overlaps(range)
        || directory.entries.contains { other in
          other.position != entry?.position && other.outOfLine.map { $0.overlaps(range) } == true
        }
    }
  }

  /// Sets bytes to zero that nothing uses any more.
  private mutating func clear(_ freed: [Range<Int>]) {
    for range in freed where !range.isEmpty && !isUsed(range) {
      bytes.overwrite(at: range.lowerBound, with: repeatElement(0, count: range.count))
    }
  }
}

/// The twelve bytes of an entry to be written.
private struct Row {
  let tag: TIFFTag
  let type: TIFFType
  let count: Int
  var slot: [UInt8] = [0, 0, 0, 0]

  init(_ field: TIFFField) {
    tag = field.tag
    type = field.type
    count = field.count
  }

  /// Puts the value into the entry where it fits, else at the end of `block`, on an even offset.
  mutating func setValue(_ content: [UInt8], appendingTo block: inout [UInt8], _ order: ByteOrder) {
    guard content.count > 4 else {
      slot.overwrite(at: 0, with: content)
      return
    }
    block.padToEven()
    setOffset(block.count, order)
    block += content
  }

  mutating func setOffset(_ offset: Int, _ order: ByteOrder) {
    slot.overwrite(at: 0, with: UInt32(truncatingIfNeeded: offset), order)
  }

  func bytes(_ order: ByteOrder) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt16(tag.rawValue, order)
    writer.writeUInt16(type.rawValue, order)
    writer.writeUInt32(UInt32(truncatingIfNeeded: count), order)
    writer.write(slot)
    return writer.bytes
  }
}

extension [UInt8] {
  fileprivate mutating func padToEven() {
    if count % 2 == 1 { append(0) }
  }
}
