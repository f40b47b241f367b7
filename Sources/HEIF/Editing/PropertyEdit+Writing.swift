internal import LivePhotoCore

extension PropertyEdit {
  /// An `iprp` box that holds what was added, for a file that has none.
  func newBox() throws(ParseError) -> [UInt8] {
    var table = AssociationTable()
    table.insert(uses.filter { !$0.value.isEmpty })
    table.widenIfNeeded()
    try check()
    var writer = ByteWriter()
    writer.box("iprp") { writer in
      writer.box("ipco") { writer in for property in added { property.write(to: &writer) } }
      writer.box("ipma") { table.writePayload(to: &$0) }
    }
    return writer.bytes
  }

  /// An `iprp` box with the changes: its properties keep their numbers, those that nothing uses become `free` boxes.
  func rewrite(_ box: BoxHeader, _ bytes: [UInt8]) throws(ParseError) -> [UInt8] {
    try check()
    var layout = try Layout(box, bytes)
    try layout.change(uses)
    let freed = freed
    var (child, number) = (0, 0)
    let (boxes, rest) = try box.rewritingBoxes(in: bytes, behind: 0) { (header, _) throws(ParseError) in
      defer { child += 1 }
      switch header.type {
      case "ipco":
        return try container(header, Array(bytes[header.range]), isLast: child == layout.lastContainer, &number, freed)
      case "ipma":
        guard let table = layout.tables[child] else { return [] }
        guard table != layout.oldTables[child] else { return nil }
        var writer = ByteWriter()
        table.writePayload(to: &writer)
        return header.rewritten(payload: writer.bytes)
      default: return nil
      }
    }
    var writer = ByteWriter()
    writer.write(boxes)
    if let table = layout.newTable { writer.box("ipma") { table.writePayload(to: &$0) } }
    writer.write(rest)
    return box.rewritten(payload: writer.bytes)
  }

  /// An `ipco` box with the changes; `number` is that of its first property, and then of the one behind its last.
  private func container(
    _ box: BoxHeader, _ bytes: [UInt8], isLast: Bool, _ number: inout Int, _ freed: Set<Int>
  ) throws(ParseError) -> [UInt8] {
    var box = box
    box.range = 0..<bytes.count
    let (boxes, rest) = try box.rewritingBoxes(in: bytes, behind: 0) { (header, _) throws(ParseError) in
      defer { number += 1 }
      var writer = ByteWriter()
      if let property = replaced[number] {
        property.write(to: &writer)
      } else if freed.contains(number) {
        writer.box("free") { $0.writeZeros(header.range.count - 8) }
      } else {
        return nil
      }
      return writer.bytes
    }
    var writer = ByteWriter()
    writer.write(boxes)
    if isLast { for property in added { property.write(to: &writer) } }
    writer.write(rest)
    return box.rewritten(payload: writer.bytes)
  }

  private func check() throws(ParseError) {
    let place = Place(offset: 0, path: ["meta", "iprp"])
    let count = numberOfProperties
    guard count <= 0x7FFF || added.isEmpty else {
      throw .beyondLimit("number of properties", found: count, limit: 0x7FFF, at: place)
    }
    for (id, list) in uses where list.count > 0xFF {
      throw .beyondLimit("number of properties of item \(id)", found: list.count, limit: 0xFF, at: place)
    }
  }
}

/// The children of an `iprp` box by their positions in it.
private struct Layout {
  /// The tables before and after the changes; one that was merged with another is gone.
  private(set) var oldTables, tables: [Int: AssociationTable]
  /// A table for a box that has none.
  private(set) var newTable: AssociationTable?
  private(set) var lastContainer: Int?

  init(_ box: BoxHeader, _ bytes: [UInt8]) throws(ParseError) {
    var tables: [Int: AssociationTable] = [:]
    var lastContainer: Int?
    var child = 0
    _ = try box.rewritingBoxes(in: bytes, behind: 0) { (header, payload) throws(ParseError) in
      if header.type == "ipco" { lastContainer = child }
      if header.type == "ipma" { tables[child] = try AssociationTable(parsing: &payload) }
      child += 1
      return nil
    }
    guard lastContainer != nil else {
      throw .missing("'ipco'", at: Place(offset: box.range.lowerBound, path: ["iprp"]))
    }
    (oldTables, self.tables, self.lastContainer) = (tables, tables, lastContainer)
  }

  /// Sets what items use, in the table that has them, else in the first.
  mutating func change(_ uses: [HEIFItem.ID: [PropertyEdit.Use]]) throws(ParseError) {
    let order = tables.keys.sorted()
    var left = uses
    for child in order {
      // An item that is in two tables has all it uses in the first, and nothing in the second.
      let rest = tables[child]?.set(left) ?? [:]
      for id in left.keys where rest[id] == nil { left[id] = [] }
    }
    let new = left.filter { !$0.value.isEmpty }
    guard let first = order.first else {
      var table = AssociationTable()
      table.insert(new)
      table.widenIfNeeded()
      newTable = table
      return
    }
    tables[first]?.insert(new)
    for child in order { tables[child]?.widenIfNeeded() }
    // There is one table of each version and flags (ISO/IEC 23008-12, 9.3.1).
    for (position, child) in order.enumerated() {
      for other in order[(position + 1)...] {
        guard let table = tables[child], let next = tables[other],
          table != oldTables[child] || next != oldTables[other],
          (table.version, table.flags) == (next.version, next.flags)
        else { continue }
        tables[child]?.merge(next)
        tables[other] = nil
      }
    }
  }
}
