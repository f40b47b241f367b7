import LivePhotoCore

/// Copies boxes of metadata without what is to go.
struct MetadataStripper {
  private let what: MetadataStripping
  private(set) var notes: [String] = []

  /// User data that describes how something is shown or heard.
  private static let needed: Set<FourCC> = ["tagc", "ludt"]
  /// User data of which it is known that it names no place; items whose type begins with © are looked into.
  private static let harmless: Set<FourCC> = [
    "tagc", "ludt", "name", "WLOC", "SelO", "AllF", "LOOP", "hinf", "hnti", "titl", "auth", "dscp", "cprt", "perf",
    "gnre", "yrrc", "albm", "rtng", "clsf", "kywd", "manu", "modl", "date", "ptv ", "kind", "strk", "hclr", "cdsc",
  ]
  /// User data whose whole purpose is to say where something was.
  private static let places: Set<FourCC> = ["©xyz", "loci", "gps ", "GPS "]
  /// The extended type of a box with an XMP packet.
  private static let xmp: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  init(_ what: MetadataStripping) { self.what = what }

  /// Says that a box of a type went.
  mutating func note(_ type: FourCC) {
    guard what == .location, !Self.places.contains(type) else { return }
    let line = "'\(type)' was left out: it may hold a position"
    if !notes.contains(line) { notes.append(line) }
  }

  // MARK: Keys

  /// Copies a `meta` box with keys, or with iTunes' items.
  ///
  /// - Parameter needed: keys that stay in any case.
  mutating func writeMetadata(
    _ header: BoxHeader, _ cursor: inout ByteCursor, keeping needed: Set<String>, to writer: inout ByteWriter
  ) throws(ParseError) {
    guard let metadata = try? MovieMetadata(parsingCopyOf: cursor) else { return note("meta") }
    let known: Set<FourCC> = ["hdlr", "keys", "ilst", "free", "ctry", "lang"]
    for type in metadata.childTypes where !known.contains(type) { note(type) }
    switch metadata.handler {
    case "mdta":
      let unwanted = Set(metadata.items.filter { isUnwanted($0, keeping: needed) }.map(\.key))
      let isHollow = metadata.items.allSatisfy { unwanted.contains($0.key) }
      if isHollow, what == .all || !unwanted.isEmpty { return }
      var changes = KeyChanges(removed: unwanted)
      let what = what
      // Keys without a value have a name.
      changes.removesAlso = { key in what == .all ? !needed.contains(key) : PlaceNames.matches(key) }
      let plain = try plain(&cursor, keeping: known)
      var content = ByteCursor(plain.span)
      try KeyEditor(changes).rewrite(&content, to: &writer)
    case "mdir" where what == .location:
      let unwanted = Set(metadata.items.filter { isUnwanted($0, keeping: []) }.map(\.key))
      let plain = try plain(&cursor, keeping: known)
      var content = ByteCursor(plain.span)
      try writer.container(header) { (writer) throws(ParseError) in
        if metadata.isFullBox { writer.write(try content.readBytes(4)) }
        try copyItems(&content, unwanted: unwanted, to: &writer)
      }
    default: if what == .location { note("meta") }
    }
  }

  private func isUnwanted(_ item: MetadataItem, keeping needed: Set<String>) -> Bool {
    if needed.contains(item.key) { return false }
    if what == .all || PlaceNames.matches(item.key) || item.key == "©xyz" { return true }
    switch item.value {
    case .text(let text):
      // UTF-16 of the other byte order is read as letters that are not meant, and is found by their bytes.
      let bytes = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      return PlaceNames.isPosition(text) || PlaceNames.holdsPosition(bytes)
    case .data(_, let bytes): return PlaceNames.holdsPosition(bytes)
    case .picture(_, let bytes): return TrackChoice.pictureMetadata.contains { bytes.firstRange(of: $0) != nil }
    default: return false
    }
  }

  /// The payload of a `meta` box with nothing in it but some boxes; free space is zeroed.
  private func plain(_ cursor: inout ByteCursor, keeping types: Set<FourCC>) throws(ParseError) -> [UInt8] {
    var writer = ByteWriter()
    if try cursor.skipMetaVersion() { writer.writeZeros(4) }
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      guard types.contains(box.type) else { continue }
      if box.type == "free" {
        writer.box("free") { $0.writeZeros(max(0, box.payload.count)) }
      } else {
        writer.copy(box, whole.readRemaining())
      }
    }
    return writer.bytes
  }

  /// Copies the content of a `meta` box, some of iTunes' items left out.
  private func copyItems(_ cursor: inout ByteCursor, unwanted: Set<String>, to writer: inout ByteWriter)
    throws(ParseError)
  {
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      guard box.type == "ilst" else {
        writer.copy(box, whole.readRemaining())
        continue
      }
      try whole.skip(box.headerSize)
      try writer.container(box) { (writer) throws(ParseError) in
        for item in try whole.peekChildren() {
          var content = try whole.slice(item.range.count)
          var copy = content
          try copy.skip(item.headerSize)
          if !unwanted.contains(try MetadataItem.key(ofItem: item.type, &copy)) {
            writer.copy(item, content.readRemaining())
          }
        }
      }
    }
  }

  // MARK: User data

  /// Copies a `udta` box.
  mutating func writeUserData(_ header: BoxHeader, _ cursor: inout ByteCursor, to writer: inout ByteWriter) {
    var content = ByteWriter()
    let wasEmpty = cursor.remaining < 8
    do throws(ParseError) {
      for box in try cursor.peekChildren() {
        var whole = try cursor.slice(box.range.count)
        try writeItem(box, &whole, to: &content)
      }
    } catch { note("udta") }
    if wasEmpty || content.count > 0 { writer.box("udta", content.bytes) }
  }

  private mutating func writeItem(_ box: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var copy = whole
    let bytes = copy.readRemaining()
    try whole.skip(box.headerSize)
    if what == .all {
      if Self.needed.contains(box.type) { writer.copy(box, bytes) }
      return
    }
    if box.type == "meta" {
      try writeMetadata(box, &whole, keeping: [], to: &writer)
    } else if box.type == "XMP_" {
      var packet = XMPPacket(whole.readRemaining())
      guard packet.blankPlaces() else { return note(box.type) }
      writer.box("XMP_", packet.bytes)
    } else if Self.places.contains(box.type) {
      return
    } else if Self.harmless.contains(box.type) || box.type.rawValue >> 24 == 0xA9 {
      let texts = UserDataItem(type: box.type, bytes: whole.readRemaining()).texts
      guard !texts.contains(where: PlaceNames.isPosition), !PlaceNames.holdsPosition(bytes) else { return }
      writer.copy(box, bytes)
    } else {
      note(box.type)
    }
  }

  // MARK: Extended boxes

  /// Copies a `uuid` box that holds XMP, without places; others go.
  mutating func writeExtended(_ box: BoxHeader, _ cursor: inout ByteCursor, to writer: inout ByteWriter) {
    var packet = XMPPacket(cursor.readRemaining())
    guard what == .location, box.userType == Self.xmp, packet.blankPlaces() else { return note(box.type) }
    writer.box("uuid", Self.xmp + packet.bytes)
  }
}
