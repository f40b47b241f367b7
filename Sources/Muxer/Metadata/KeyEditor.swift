import LivePhotoCore

/// Sets one text among the keys of a QuickTime `meta` box and leaves everything else as it is: other keys, their
/// order, types and locales, and boxes of any other kind.
struct KeyEditor {
  /// The key, in the namespace `mdta`.
  let name: String
  /// Its new value.
  let text: String

  /// Writes a `meta` box with nothing else in it.
  func writeNew(to writer: inout ByteWriter) {
    writer.box("meta") { writer in
      writer.fullBox("hdlr", version: 0, flags: 0) { writer in
        writer.writeZeros(4)
        writer.writeFourCC("mdta")
        writer.writeZeros(14)
      }
      writer.table("keys", count: 1) { writeKey(to: &$0) }
      writer.box("ilst") { writeItem(1, to: &$0) }
    }
  }

  /// Writes a `meta` box like the one whose payload `cursor` holds, but for this key.
  ///
  /// The version of MP4's form is left out: in a QuickTime movie the box has none.
  ///
  /// - Throws: ``ParseError`` when the box is damaged, also where a reader would not find the key in the new one.
  func rewrite(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let place = cursor.place
    var edited = ByteWriter()
    try edit(&cursor, to: &edited)
    var check = ByteCursor(edited.bytes.span)
    try check.skip(8)
    guard try MovieMetadata(parsing: &check).text(ofKey: name) == text else {
      throw .invalid("metadata", found: "damaged", expected: "keys and values that belong together", at: place)
    }
    writer.write(edited.bytes)
  }

  private func edit(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    _ = try cursor.skipMetaVersion()
    let boxes = try cursor.peekChildren()
    let keys = try self.keys(of: cursor)
    let present = keys.indices.filter { keys[$0].namespace == "mdta" && keys[$0].name == name }.map { $0 + 1 }
    let indices = present.isEmpty ? [keys.count + 1] : present
    let hasKeys = boxes.contains { $0.type == "keys" }, hasList = boxes.contains { $0.type == "ilst" }
    try writer.box("meta") { (writer) throws(ParseError) in
      for box in boxes {
        var whole = try cursor.slice(box.range.count)
        var content = whole
        try content.skip(box.headerSize)
        switch box.type {
        case "keys" where present.isEmpty: try appendKey(&content, count: keys.count, to: &writer)
        case "ilst": try rewriteList(&content, box, indices, to: &writer)
        default: writer.copy(box, whole.readRemaining())
        }
      }
      if !hasKeys { writer.table("keys", count: 1) { writeKey(to: &$0) } }
      if !hasList { writer.box("ilst") { writeItem(indices[0], to: &$0) } }
      writer.write(cursor.readRemaining())
    }
  }

  private func keys(of cursor: borrowing ByteCursor) throws(ParseError) -> [(namespace: FourCC, name: String)] {
    var cursor = copy cursor
    var keys: [(namespace: FourCC, name: String)] = []
    try cursor.forEachBox { (header, box) throws(ParseError) in
      if header.type == "keys" { keys = try MetadataKeys.parse(&box) }
    }
    return keys
  }

  private func writeKey(to writer: inout ByteWriter) {
    writer.box("mdta") { $0.writeUTF8(name) }
  }

  private func appendKey(_ cursor: inout ByteCursor, count: Int, to writer: inout ByteWriter) throws(ParseError) {
    let versionAndFlags = try cursor.readUInt32()
    // Behind the keys that count: the number of this one is the next.
    var ahead = cursor
    try ahead.skip(4)
    for _ in 0..<count { try ahead.skip(Int(try ahead.readUInt32()) - 4) }
    try cursor.skip(4)
    let present = try cursor.readBytes(ahead.position - cursor.position)
    writer.box("keys") { writer in
      writer.writeUInt32(versionAndFlags)
      writer.writeUInt32(UInt32(truncatingIfNeeded: count + 1))
      writer.write(present)
      writeKey(to: &writer)
      writer.write(cursor.readRemaining())
    }
  }

  /// Copies `ilst`, the values of this key replaced, or one added at the end.
  private func rewriteList(
    _ cursor: inout ByteCursor, _ header: BoxHeader, _ indices: [Int], to writer: inout ByteWriter
  )
    throws(ParseError)
  {
    var found = false
    try writer.container(header) { (writer) throws(ParseError) in
      for box in try cursor.peekChildren() {
        var whole = try cursor.slice(box.range.count)
        guard indices.contains(Int(box.type.rawValue)) else {
          writer.copy(box, whole.readRemaining())
          continue
        }
        found = true
        try whole.skip(box.headerSize)
        try rewriteItem(&whole, box, to: &writer)
      }
      if !found { writeItem(indices[0], to: &writer) }
      writer.write(cursor.readRemaining())
    }
  }

  /// Copies an item, its first value replaced in its own locale and any further ones left out.
  private func rewriteItem(_ cursor: inout ByteCursor, _ header: BoxHeader, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var isDone = false
    try writer.container(header) { (writer) throws(ParseError) in
      for box in try cursor.peekChildren() {
        var content = try cursor.slice(box.range.count)
        guard box.type == "data" else {
          writer.copy(box, content.readRemaining())
          continue
        }
        if isDone { continue }
        isDone = true
        try content.skip(box.headerSize + 4)
        writeData(locale: content.remaining >= 4 ? try content.readUInt32() : 0, to: &writer)
      }
      if !isDone { writeData(locale: 0, to: &writer) }
      writer.write(cursor.readRemaining())
    }
  }

  private func writeItem(_ index: Int, to writer: inout ByteWriter) {
    writer.box(FourCC(rawValue: UInt32(truncatingIfNeeded: index))) { writeData(locale: 0, to: &$0) }
  }

  private func writeData(locale: UInt32, to writer: inout ByteWriter) {
    writer.box("data") { writer in
      writer.writeUInt32(1)
      writer.writeUInt32(locale)
      writer.writeUTF8(text)
    }
  }
}
