internal import LivePhotoCore

/// An `ipma` box as it is written: which properties each item uses (ISO/IEC 23008-12, 9.3).
struct AssociationTable: Equatable {
  /// 0 where ids have 16 bits, 1 where they have 32.
  private(set) var version: UInt8
  /// The lowest bit: whether numbers of properties have 15 bits rather than 7.
  private(set) var flags: UInt32
  private var entries: [Entry] = []
  private var rest: [UInt8] = []

  /// The uses of one item; an essential one has the top bit, the number 0 is none.
  fileprivate struct Entry: Equatable {
    var id: HEIFItem.ID
    var fields: [UInt16]
  }

  /// A table without entries.
  init() { (version, flags) = (0, 0) }

  /// Reads the payload of a box, whose counts were checked when the file was opened.
  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    (version, flags) = try cursor.readVersionAndFlags()
    for _ in 0..<(try cursor.readUInt32()) {
      let id = version == 0 ? UInt32(try cursor.readUInt16()) : try cursor.readUInt32()
      var entry = Entry(id: id, fields: [])
      for _ in 0..<(try cursor.readUInt8()) {
        let field = hasWideNumbers ? try cursor.readUInt16() : UInt16(try cursor.readUInt8())
        entry.fields.append(hasWideNumbers ? field : (field & 0x80) << 8 | field & 0x7F)
      }
      entries.append(entry)
    }
    rest = cursor.readRemaining()
  }

  private var hasWideNumbers: Bool { flags & 1 == 1 }

  /// Sets what items use; an item that uses nothing has no entry.
  ///
  /// - Returns: the items that have no entry here and need one.
  mutating func set(_ uses: [HEIFItem.ID: [PropertyEdit.Use]]) -> [HEIFItem.ID: [PropertyEdit.Use]] {
    var left = uses
    var kept: [Entry] = []
    for entry in entries {
      guard let list = uses[entry.id] else {
        kept.append(entry)
        continue
      }
      // A second entry of an item goes: the first one says all.
      if left.removeValue(forKey: entry.id) != nil, !list.isEmpty { kept.append(Entry(entry.id, list)) }
    }
    entries = kept
    return left.filter { !$0.value.isEmpty }
  }

  /// Adds entries of items that have none, where their ids belong.
  mutating func insert(_ uses: [HEIFItem.ID: [PropertyEdit.Use]]) {
    for (id, list) in uses.sorted(by: { $0.key < $1.key }) { insert(Entry(id, list)) }
  }

  /// Takes over the entries of another table.
  mutating func merge(_ other: AssociationTable) {
    entries += other.entries
    entries.sort { $0.id < $1.id }
  }

  private mutating func insert(_ entry: Entry) {
    entries.insert(entry, at: entries.firstIndex { $0.id > entry.id } ?? entries.count)
  }

  /// Changes to the fields that hold every id and number.
  mutating func widenIfNeeded() {
    if entries.contains(where: { $0.id > UInt16.max }) { version = 1 }
    if entries.contains(where: { $0.fields.contains { $0 & 0x7FFF > 0x7F } }) { flags |= 1 }
  }

  /// Writes the payload of the box.
  func writePayload(to writer: inout ByteWriter) {
    writer.writeUInt8(version)
    writer.writeUInt24(flags)
    writer.writeUInt32(UInt32(truncatingIfNeeded: entries.count))
    for entry in entries {
      writer.writeUInt(UInt64(entry.id), width: version == 0 ? 2 : 4)
      writer.writeUInt8(UInt8(truncatingIfNeeded: entry.fields.count))
      for field in entry.fields {
        if hasWideNumbers {
          writer.writeUInt16(field)
        } else {
          writer.writeUInt8(UInt8(truncatingIfNeeded: field >> 8 & 0x80 | field & 0x7F))
        }
      }
    }
    writer.write(rest)
  }
}

extension AssociationTable.Entry {
  fileprivate init(_ id: HEIFItem.ID, _ uses: [PropertyEdit.Use]) {
    self.init(
      id: id,
      fields: uses.map { UInt16(truncatingIfNeeded: $0.index + 1) & 0x7FFF | ($0.isEssential ? 0x8000 : 0) })
  }
}
