import LivePhotoCore

/// Sets and takes out keys of a QuickTime `meta` box and leaves everything else as it is: other keys, their order,
/// types and locales, and boxes of any other kind.
struct KeyEditor {
  let changes: KeyChanges

  init(_ changes: KeyChanges) { self.changes = changes }

  /// Sets one text.
  init(name: String, text: String) { self.init(KeyChanges(values: [(name, .utf8(text))])) }

  /// Writes a `meta` box with nothing else in it; none where there is nothing to set.
  func writeNew(to writer: inout ByteWriter) {
    guard !changes.values.isEmpty else { return }
    writer.box("meta") { writer in
      writer.fullBox("hdlr", version: 0, flags: 0) { writer in
        writer.writeZeros(4)
        writer.writeFourCC("mdta")
        writer.writeZeros(14)
      }
      writer.table("keys", count: changes.values.count) { writer in
        for (key, _) in changes.values { Self.writeKey(key, to: &writer) }
      }
      writer.box("ilst") { writer in
        for (index, change) in changes.values.enumerated() { Self.writeItem(index + 1, change.value, to: &writer) }
      }
    }
  }

  /// Writes a `meta` box like the one whose payload `cursor` holds, but for the changes.
  ///
  /// The version of MP4's form is left out: in a QuickTime movie the box has none.
  ///
  /// - Throws: ``ParseError`` when the box is damaged, also where a reader would not find the values in the new one.
  func rewrite(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let place = cursor.place
    var edited = ByteWriter()
    _ = try cursor.skipMetaVersion()
    try KeyRewriting(changes, try Self.keys(of: cursor)).write(&cursor, to: &edited)
    var check = ByteCursor(edited.bytes.span)
    try check.skip(8)
    let items = try MovieMetadata(parsing: &check).items.filter { $0.namespace == "mdta" }
    let isThere = changes.values.allSatisfy { change in
      let item = items.first { $0.key == change.key }
      return item?.type == change.value.type
        && item?.value == MetadataValue(type: change.value.type, bytes: change.value.bytes)
    }
    guard isThere, !items.contains(where: { changes.removes($0.key) }) else {
      throw .invalid("metadata", found: "damaged", expected: "keys and values that belong together", at: place)
    }
    writer.write(edited.bytes)
  }

  private static func keys(of cursor: borrowing ByteCursor) throws(ParseError) -> [(namespace: FourCC, name: String)] {
    var cursor = copy cursor
    var keys: [(namespace: FourCC, name: String)] = []
    try cursor.forEachBox { (header, box) throws(ParseError) in
      if header.type == "keys" { keys = try MetadataKeys.parse(&box) }
    }
    return keys
  }

  fileprivate static func writeKey(_ name: String, to writer: inout ByteWriter) {
    writer.box("mdta") { $0.writeUTF8(name) }
  }

  fileprivate static func writeItem(_ index: Int, _ value: EncodedMetadataValue, to writer: inout ByteWriter) {
    writer.box(FourCC(rawValue: UInt32(truncatingIfNeeded: index))) { writeData(value, locale: 0, to: &$0) }
  }

  fileprivate static func writeData(_ value: EncodedMetadataValue, locale: UInt32, to writer: inout ByteWriter) {
    writer.box("data") { writer in
      writer.writeUInt32(value.type)
      writer.writeUInt32(locale)
      writer.write(value.bytes)
    }
  }
}

/// Which of a box's keys stay and which numbers they then have.
private struct KeyRewriting {
  private let keyCount: Int
  /// The new number of each key that stays, by its old one; both count from 1.
  private var numbers: [Int: Int] = [:]
  /// The new values, by the old numbers of their keys.
  private var replaced: [Int: EncodedMetadataValue] = [:]
  /// Keys that were not there.
  private var added: [(key: String, value: EncodedMetadataValue)]

  init(_ changes: KeyChanges, _ keys: [(namespace: FourCC, name: String)]) {
    keyCount = keys.count
    added = changes.values
    for (index, key) in keys.enumerated() {
      let isOurs = key.namespace == "mdta"
      guard !isOurs || !changes.removes(key.name) else { continue }
      numbers[index + 1] = numbers.count + 1
      guard isOurs, let change = changes.values.first(where: { $0.key == key.name }) else { continue }
      replaced[index + 1] = change.value
      added.removeAll { $0.key == key.name }
    }
  }

  private var removesKeys: Bool { numbers.count < keyCount }

  /// Writes the whole box; the cursor stands behind the version of MP4's form.
  func write(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let boxes = try cursor.peekChildren()
    let hasKeys = boxes.contains { $0.type == "keys" }, hasList = boxes.contains { $0.type == "ilst" }
    try writer.box("meta") { (writer) throws(ParseError) in
      for box in boxes {
        var whole = try cursor.slice(box.range.count)
        var content = whole
        try content.skip(box.headerSize)
        switch box.type {
        case "keys" where removesKeys || !added.isEmpty: try rewriteKeys(&content, to: &writer)
        case "ilst": try rewriteList(&content, box, to: &writer)
        default: writer.copy(box, whole.readRemaining())
        }
      }
      if !hasKeys {
        writer.table("keys", count: added.count) { writer in
          for (key, _) in added { KeyEditor.writeKey(key, to: &writer) }
        }
      }
      if !hasList { writer.box("ilst") { writeAdded(to: &$0) } }
      writer.write(cursor.readRemaining())
    }
  }

  private func rewriteKeys(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let versionAndFlags = try cursor.readUInt32()
    try cursor.skip(4)
    var kept: [UInt8] = []
    for number in 0..<keyCount {
      var ahead = cursor
      let key = try cursor.readBytes(Int(try ahead.readUInt32()))
      if numbers[number + 1] != nil { kept += key }
    }
    writer.box("keys") { writer in
      writer.writeUInt32(versionAndFlags)
      writer.writeUInt32(UInt32(truncatingIfNeeded: numbers.count + added.count))
      writer.write(kept)
      for (key, _) in added { KeyEditor.writeKey(key, to: &writer) }
      // What stands behind the keys may be further ones, which the count has left out: they go where some are to go.
      if !removesKeys { writer.write(cursor.readRemaining()) }
    }
  }

  /// Copies `ilst`: values replaced, left out, numbered anew, and new ones added at the end.
  private func rewriteList(_ cursor: inout ByteCursor, _ header: BoxHeader, to writer: inout ByteWriter)
    throws(ParseError)
  {
    // A key may be there without a value.
    var missing = replaced
    try writer.container(header) { (writer) throws(ParseError) in
      for box in try cursor.peekChildren() {
        var whole = try cursor.slice(box.range.count)
        let old = Int(box.type.rawValue)
        // Items whose number stands for no key mean nothing; they go where keys go.
        guard let number = numbers[old] ?? (removesKeys ? nil : old) else { continue }
        var header = box
        header.type = FourCC(rawValue: UInt32(truncatingIfNeeded: number))
        if let value = replaced[old] {
          missing[old] = nil
          try whole.skip(box.headerSize)
          try rewriteItem(&whole, header, value, to: &writer)
        } else {
          let start = writer.count
          writer.copy(box, whole.readRemaining())
          writer.patchUInt32(header.type.rawValue, at: start + 4)
        }
      }
      for old in missing.keys.sorted() {
        if let value = missing[old], let number = numbers[old] { KeyEditor.writeItem(number, value, to: &writer) }
      }
      writeAdded(to: &writer)
      writer.write(cursor.readRemaining())
    }
  }

  private func writeAdded(to writer: inout ByteWriter) {
    for (index, change) in added.enumerated() {
      KeyEditor.writeItem(numbers.count + index + 1, change.value, to: &writer)
    }
  }

  /// Copies an item, its first value replaced in its own locale and any further ones left out.
  private func rewriteItem(
    _ cursor: inout ByteCursor, _ header: BoxHeader, _ value: EncodedMetadataValue, to writer: inout ByteWriter
  ) throws(ParseError) {
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
        KeyEditor.writeData(
          value, locale: content.remaining >= 4 ? try content.readUInt32() : 0, to: &writer)
      }
      if !isDone { KeyEditor.writeData(value, locale: 0, to: &writer) }
      writer.write(cursor.readRemaining())
    }
  }
}
