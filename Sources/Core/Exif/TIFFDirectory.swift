/// A TIFF directory (IFD): where its entries and their values lie (TIFF 6.0, section 2).
///
/// Offsets are counted from the start of the bytes it is read from: the TIFF header, or an Apple MakerNote.
package struct TIFFDirectory: Sendable, Equatable {
  /// One entry of twelve bytes.
  package struct Entry: Sendable, Equatable {
    var tag: TIFFTag
    /// The type as written, which may be none of ``TIFFType``.
    var typeCode: UInt16
    /// Where the twelve bytes lie.
    var position: Int
    /// Where the values lie; nil when they reach beyond the end or the type is unknown.
    package var value: Range<Int>?

    /// Values of up to four bytes stand in the entry itself.
    var isInline: Bool { value.map { $0.count <= 4 } ?? false }
    /// Where the values lie when that is outside the entry.
    var outOfLine: Range<Int>? { isInline ? nil : value }
    /// Where the value-or-offset stands.
    var slot: Int { position + 8 }
  }

  /// The entries, in the order of the file.
  var entries: [Entry] = []
  /// The bytes from the count of entries to the offset of the next directory, or to where the file is cut off.
  var table: Range<Int>
  /// Where the offset of the next directory stands; nil when it is cut off.
  var nextSlot: Int?

  /// The size of one entry.
  static let entrySize = 12

  /// A directory of no entries, whose count and next offset take the six bytes of `emptyTable`.
  init(emptyTable: Range<Int>) {
    table = emptyTable
    nextSlot = emptyTable.upperBound - 4
  }

  /// Reads the directory at `position`.
  ///
  /// Entries that are cut off, and values that lie outside, are reported in `damages` and otherwise passed over.
  ///
  /// - Throws: ``ParseError`` when there is no directory, or it has more entries than `limits` allows.
  package init(
    reading bytes: Span<UInt8>, at position: Int, byteOrder: ByteOrder, limits: Limits, damages: inout [ParseError]
  ) throws(ParseError) {
    var cursor = ByteCursor(bytes)
    try cursor.seek(to: position)
    let declared = Int(try cursor.readUInt16(byteOrder))
    guard declared <= limits.directoryEntries else {
      throw .beyondLimit(
        "number of directory entries", found: declared, limit: limits.directoryEntries, at: Place(offset: position))
    }
    let count = min(declared, cursor.remaining / Self.entrySize)
    if count < declared {
      damages.append(
        .truncated(needed: declared * Self.entrySize, available: cursor.remaining, at: cursor.place))
    }
    entries.reserveCapacity(count)
    for _ in 0..<count {
      let entry = try Entry(parsing: &cursor, byteOrder: byteOrder)
      if entry.value == nil {
        damages.append(
          .invalid(
            "value of tag \(entry.tag)", found: "type \(entry.typeCode) or an offset outside the data",
            expected: "values inside the data", at: Place(offset: entry.position)))
      }
      entries.append(entry)
    }
    if cursor.remaining >= 4, count == declared {
      nextSlot = cursor.position
      try cursor.skip(4)
    }
    table = position..<cursor.position
  }

  /// The first entry of a tag.
  package func first(_ tag: TIFFTag) -> Entry? { entries.first { $0.tag == tag } }
}

extension TIFFDirectory.Entry {
  /// Reads an entry from a cursor over all the bytes that offsets are counted in.
  fileprivate init(parsing cursor: inout ByteCursor, byteOrder: ByteOrder) throws(ParseError) {
    position = cursor.position
    tag = TIFFTag(rawValue: try cursor.readUInt16(byteOrder))
    typeCode = try cursor.readUInt16(byteOrder)
    let count = Int(try cursor.readUInt32(byteOrder))
    let offset = Int(try cursor.readUInt32(byteOrder))
    guard let type = TIFFType(rawValue: typeCode) else { return }
    // At most 2^32 values of 8 bytes: the product and the sum fit in an Int.
    let size = count * type.size
    let start = size <= 4 ? position + 8 : offset
    if start + size <= cursor.count { value = start..<start + size }
  }

  /// The entry's values in `bytes`.
  func field(in bytes: [UInt8], byteOrder: ByteOrder) -> TIFFField? {
    guard let value, let type = TIFFType(rawValue: typeCode) else { return nil }
    return TIFFField(tag, type, content: bytes[value], byteOrder: byteOrder)
  }
}

extension [UInt8] {
  /// Overwrites the bytes at `position`, which must be there.
  mutating func overwrite(at position: Int, with content: some Collection<UInt8>) {
    replaceSubrange(position..<position + content.count, with: content)
  }

  /// Overwrites an integer at `position`, which must be there.
  package mutating func overwrite<T: FixedWidthInteger>(at position: Int, with value: T, _ order: ByteOrder) {
    for index in 0..<T.bitWidth / 8 {
      let shift = 8 * (order == .big ? T.bitWidth / 8 - 1 - index : index)
      self[position + index] = UInt8(truncatingIfNeeded: value >> T(shift))
    }
  }
}
