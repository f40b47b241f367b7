/// Apple's MakerNote: a header of fourteen bytes and a directory whose offsets count from the note's own start.
///
/// The note can therefore be moved as a whole. Values lie outside the directory without alignment, and some have
/// BigTIFF's 64-bit types.
public struct AppleMakerNote: Sendable, Equatable {
  /// What every note begins with.
  public static let signature: [UInt8] = Array("Apple iOS\0".utf8)

  /// The note as it stands in the file.
  public private(set) var bytes: [UInt8]

  /// The order of the bytes of each integer; phones write big-endian.
  public let byteOrder: ByteOrder

  /// Entries that could not be read and were passed over.
  public private(set) var damages: [ParseError] = []

  private var directory: TIFFDirectory
  private let limits: Limits

  /// Signature, version 1, byte order.
  private static let headerSize = 14

  /// Reads a note.
  ///
  /// - Throws: ``ParseError`` when the signature, the byte order or the directory is missing.
  public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(ParseError) {
    guard bytes.starts(with: Self.signature) else {
      throw .invalid("MakerNote", found: "\(bytes.prefix(10))", expected: "Apple iOS\\0", at: Place(offset: 0))
    }
    switch Array(bytes.dropFirst(12).prefix(2)) {
    case [0x4D, 0x4D]: byteOrder = .big
    case [0x49, 0x49]: byteOrder = .little
    case let other:
      throw .invalid("byte order of the Apple MakerNote", found: "\(other)", expected: "MM", at: Place(offset: 12))
    }
    self.bytes = bytes
    self.limits = limits
    directory = try Self.directory(of: bytes, byteOrder, limits, &damages)
  }

  /// The smallest note that pairs a still with its movie: the identifier alone, 69 bytes for a UUID.
  public init(contentIdentifier: ContentIdentifier) {
    let text = Self.terminated(contentIdentifier)
    var writer = ByteWriter()
    writer.write(Self.signature)
    writer.writeUInt16(1)
    writer.writeUTF8("MM")
    let start = writer.count
    writer.writeUInt16(0)
    writer.writeUInt32(0)
    bytes = writer.bytes
    byteOrder = .big
    limits = .standard
    directory = TIFFDirectory(emptyTable: start..<writer.count)
    insert(.appleContentIdentifier, text: text)
  }

  private static func directory(
    of bytes: [UInt8], _ byteOrder: ByteOrder, _ limits: Limits, _ damages: inout [ParseError]
  ) throws(ParseError) -> TIFFDirectory {
    do throws(ParseError) {
      return try TIFFDirectory(
        reading: bytes.span, at: headerSize, byteOrder: byteOrder, limits: limits, damages: &damages)
    } catch { throw error.inside("Apple MakerNote") }
  }

  private static func terminated(_ identifier: ContentIdentifier) -> [UInt8] { Array(identifier.text.utf8) + [0] }
}

// MARK: Reading

extension AppleMakerNote {
  /// The first field of a tag; nil when there is none or its values cannot be read.
  public func field(_ tag: TIFFTag) -> TIFFField? { directory.first(tag)?.field(in: bytes, byteOrder: byteOrder) }

  /// The fields in the order of the note, those left out whose values cannot be read.
  public var fields: [TIFFField] { directory.entries.compactMap { $0.field(in: bytes, byteOrder: byteOrder) } }

  /// The identifier that ties the still to its movie (tag 0x0011), as it stands there.
  public var contentIdentifier: ContentIdentifier? {
    field(.appleContentIdentifier)?.text.map { ContentIdentifier(asRead: $0) }
  }

  /// When the still was taken, counted from the phone's start (tag 0x0003).
  public var runTime: AppleRunTime? { field(.appleRunTime).flatMap { AppleRunTime(propertyList: $0.bytes) } }
}

// MARK: Editing

extension AppleMakerNote {
  /// Sets the identifier, and changes nothing else.
  ///
  /// An identifier of the old one's length is written over it. Otherwise the value is appended to the note, and an
  /// entry that is new is inserted, with the offsets corrected of what it moves.
  public mutating func setContentIdentifier(_ identifier: ContentIdentifier) {
    let text = Self.terminated(identifier)
    guard let entry = directory.first(.appleContentIdentifier) else {
      insert(.appleContentIdentifier, text: text)
      return
    }
    // A writer that left the NUL out is followed in that.
    if let old = entry.outOfLine, old.count == text.count || old.count == text.count - 1, !isShared(old, entry) {
      bytes.overwrite(at: old.lowerBound, with: text.prefix(old.count))
      return
    }
    let row = row(.appleContentIdentifier, text: text, at: bytes.count)
    bytes.overwrite(at: entry.position, with: row)
    if text.count > 4 { bytes += text }
    refresh()
  }

  /// Inserts an entry of text in the order of tags; everything behind it moves by the entry's twelve bytes.
  private mutating func insert(_ tag: TIFFTag, text: [UInt8]) {
    let size = TIFFDirectory.entrySize
    let tableEnd = directory.entries.last.map { $0.position + size } ?? directory.table.lowerBound + 2
    let position = directory.entries.first { $0.tag > tag }?.position ?? tableEnd
    for entry in directory.entries {
      guard let value = entry.outOfLine, value.lowerBound >= position else { continue }
      bytes.overwrite(at: entry.slot, with: UInt32(truncatingIfNeeded: value.lowerBound + size), byteOrder)
    }
    let row = row(tag, text: text, at: bytes.count + size)
    bytes.insert(contentsOf: row, at: position)
    let count = UInt16(truncatingIfNeeded: directory.entries.count + 1)
    bytes.overwrite(at: directory.table.lowerBound, with: count, byteOrder)
    if text.count > 4 { bytes += text }
    refresh()
  }

  /// The twelve bytes of an entry whose text, unless it fits into them, stands at `offset`.
  private func row(_ tag: TIFFTag, text: [UInt8], at offset: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt16(tag.rawValue, byteOrder)
    writer.writeUInt16(TIFFType.ascii.rawValue, byteOrder)
    writer.writeUInt32(UInt32(truncatingIfNeeded: text.count), byteOrder)
    if text.count > 4 {
      writer.writeUInt32(UInt32(truncatingIfNeeded: offset), byteOrder)
    } else {
      writer.write(text + repeatElement(0, count: 4 - text.count))
    }
    return writer.bytes
  }

  private func isShared(_ range: Range<Int>, _ entry: TIFFDirectory.Entry) -> Bool {
    directory.table.overlaps(range) || range.lowerBound < Self.headerSize
      || directory.entries.contains {
        $0.position != entry.position && $0.outOfLine.map { $0.overlaps(range) } == true
      }
  }

  private mutating func refresh() {
    damages = []
    // The directory was read before and has gained at most one entry.
    var lenient = limits
    lenient.directoryEntries = Int(UInt16.max)
    if let found = try? Self.directory(of: bytes, byteOrder, lenient, &damages) { directory = found }
  }
}
