import LivePhotoCore

/// Changes the absolute offsets in the bytes of a `moov` box, each in the room that it has.
struct ChunkOffsetPatch {
  /// A table of offsets: where its first entry is, how many there are, and how wide they are.
  private struct Table {
    var start: Int
    var count: Int
    var width: Int
  }

  private static let containers: Set<FourCC> = ["moov", "trak", "mdia", "minf", "stbl"]

  /// Maps every chunk offset (`stco`, `co64`) and every offset of auxiliary information (`saio`).
  ///
  /// `map` gives the new offset, or nil for one that means nothing and stays.
  ///
  /// - Throws: ``ParseError`` when a table is damaged or an offset no longer fits.
  static func apply(to bytes: inout [UInt8], _ map: (Int) -> Int?) throws(ParseError) {
    for table in try tables(in: bytes) {
      for entry in 0..<table.count {
        let place = table.start + entry * table.width
        let old = bytes[place..<place + table.width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let offset = Int(exactly: old), let new = map(offset), new != offset else { continue }
        guard table.width == 8 || new <= UInt32.max else {
          throw .invalid("chunk offset", found: "\(new)", expected: "less than 2^32", at: Place(offset: place))
        }
        for byte in 0..<table.width {
          bytes[place + byte] = UInt8(truncatingIfNeeded: new >> (8 * (table.width - 1 - byte)))
        }
      }
    }
  }

  private static func tables(in bytes: [UInt8]) throws(ParseError) -> [Table] {
    var tables: [Table] = []
    var cursor = ByteCursor(bytes.span)
    try collect(&cursor, depth: 0, into: &tables)
    return tables
  }

  private static func collect(_ cursor: inout ByteCursor, depth: Int, into tables: inout [Table]) throws(ParseError) {
    try cursor.forEachBox { (box, content) throws(ParseError) in
      switch box.type {
      case let type where containers.contains(type) && depth < containers.count:
        try collect(&content, depth: depth + 1, into: &tables)
      case "stco", "co64", "saio":
        let (version, flags) = try content.readVersionAndFlags()
        if box.type == "saio", flags & 1 != 0 { try content.skip(8) }
        let count = Int(try content.readUInt32())
        let isLarge = box.type == "co64" || box.type == "saio" && version > 0
        let table = Table(start: content.fileOffset, count: count, width: isLarge ? 8 : 4)
        guard count <= content.remaining / table.width else {
          throw .truncated(needed: count * table.width, available: content.remaining, at: content.place)
        }
        tables.append(table)
      default: break
      }
    }
  }
}
