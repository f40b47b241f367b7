import LivePhotoCore

/// A small HEIF file in any of the forms that the standard allows, written without the code under test: two coded
/// items, a grid of them, and Exif.
struct SyntheticFile {
  /// The forms of the boxes.
  var ilocVersion: UInt8 = 1
  var offsetSize = 4, lengthSize = 4, baseOffsetSize = 0, indexSize = 0
  var infeVersion: UInt8 = 2
  var irefVersion: UInt8 = 0
  var firstID: UInt32 = 1
  /// Whether offsets are counted from a base in the middle of the file.
  var usesBase = false
  /// Extents of each item in the file; data is cut into as many pieces, stored in reverse order.
  var extentsPerItem = 1
  var gridIsInFile = false
  var hasExif = true
  var exifIsInIdat = false
  var mdatComesFirst = false
  var mdatIsLarge = false
  var mdatIsOpen = false
  var freeBehindMeta = 0
  var freeAtEnd = 0
  /// Whole boxes (or other bytes) behind everything.
  var trailer: [UInt8] = []
  /// Whether there is a second `mdat` of no item's between the first and the trailer.
  var hasSecondMdat = false

  static let tiles: [[UInt8]] = [(0..<40).map { UInt8($0) }, (0..<33).map { UInt8(200 - $0) }]
  static let grid: [UInt8] = [0, 0, 0, 1, 0, 100, 0, 48]
  static let exif: [UInt8] = [0, 0, 0, 6] + "Exif\0\0".utf8 + minimalTIFF(description: "before")

  var tileIDs: [UInt32] { [firstID, firstID + 1] }
  var gridID: UInt32 { firstID + 2 }
  var exifID: UInt32 { firstID + 3 }

  /// What each item holds.
  var contents: [UInt32: [UInt8]] {
    var contents = [tileIDs[0]: Self.tiles[0], tileIDs[1]: Self.tiles[1], gridID: Self.grid]
    if hasExif { contents[exifID] = Self.exif }
    return contents
  }

  /// The file.
  var bytes: [UInt8] {
    // Sizes do not hang on offsets, so that a first try with wrong ones shows where everything is.
    let draft = assemble(dataStart: 0)
    return assemble(dataStart: draft.dataStart).bytes
  }

  private var inFile: [UInt32] {
    tileIDs + (gridIsInFile ? [gridID] : []) + (hasExif && !exifIsInIdat ? [exifID] : [])
  }
  private var inIdat: [UInt32] { (gridIsInFile ? [] : [gridID]) + (hasExif && exifIsInIdat ? [exifID] : []) }

  private func assemble(dataStart: Int) -> (bytes: [UInt8], dataStart: Int) {
    var extents: [UInt32: [(offset: Int, length: Int)]] = [:]
    var data: [UInt8] = Array("junk".utf8)
    for id in inFile {
      let content = contents[id] ?? []
      let step = max(1, (content.count + extentsPerItem - 1) / extentsPerItem)
      let pieces = stride(from: 0, to: content.count, by: step).map { $0..<min($0 + step, content.count) }
      var places: [(offset: Int, length: Int)] = []
      for piece in pieces.reversed() {
        places.insert((dataStart + data.count, piece.count), at: 0)
        data += content[piece]
      }
      extents[id] = places
    }
    var idat: [UInt8] = []
    for id in inIdat {
      extents[id] = [(idat.count, contents[id]?.count ?? 0)]
      idat += contents[id] ?? []
    }
    var writer = ByteWriter()
    writer.box("ftyp") {
      for code in ["heic", "\0\0\0\0", "mif1", "heic"] as [FourCC] { $0.writeFourCC(code) }
    }
    var start = 0
    func mdat(_ writer: inout ByteWriter) {
      if mdatIsLarge {
        writer.writeUInt32(1)
        writer.writeFourCC("mdat")
        writer.writeUInt64(UInt64(data.count + 16))
      } else {
        writer.writeUInt32(mdatIsOpen ? 0 : UInt32(data.count + 8))
        writer.writeFourCC("mdat")
      }
      start = writer.count
      writer.write(data)
    }
    if mdatComesFirst { mdat(&writer) }
    writer.fullBox("meta", version: 0, flags: 0) { meta(&$0, extents: extents, idat: idat, base: dataStart) }
    if freeBehindMeta > 0 { writer.box("free", [UInt8](repeating: 0x46, count: freeBehindMeta - 8)) }
    if !mdatComesFirst { mdat(&writer) }
    if hasSecondMdat { writer.box("mdat", Array("nobody's".utf8)) }
    if freeAtEnd > 0 { writer.box("free", [UInt8](repeating: 0x47, count: freeAtEnd - 8)) }
    writer.write(trailer)
    return (writer.bytes, start)
  }

  private func meta(
    _ writer: inout ByteWriter, extents: [UInt32: [(offset: Int, length: Int)]], idat: [UInt8], base: Int
  ) {
    let isWide = infeVersion == 3
    writer.fullBox("hdlr", version: 0, flags: 0) {
      $0.writeUInt32(0)
      $0.writeFourCC("pict")
      $0.writeZeros(13)
    }
    writer.box("what", Array("unknown to all".utf8))
    writer.fullBox("pitm", version: isWide ? 1 : 0, flags: 0) { $0.writeUInt(UInt64(gridID), width: isWide ? 4 : 2) }
    var items: [(UInt32, FourCC)] = [(tileIDs[0], "hvc1"), (tileIDs[1], "hvc1"), (gridID, "grid")]
    if hasExif { items.append((exifID, "Exif")) }
    writer.fullBox("iinf", version: isWide ? 1 : 0, flags: 0) { writer in
      writer.writeUInt(UInt64(items.count), width: isWide ? 4 : 2)
      for (id, type) in items {
        writer.fullBox("infe", version: infeVersion, flags: type == "hvc1" ? 1 : 0) {
          $0.writeUInt(UInt64(id), width: isWide ? 4 : 2)
          $0.writeUInt16(0)
          $0.writeFourCC(type)
          $0.writeUInt8(0)
        }
      }
    }
    let width = irefVersion == 0 ? 2 : 4
    writer.fullBox("iref", version: irefVersion, flags: 0) { writer in
      var references: [(FourCC, UInt32, [UInt32])] = [("dimg", gridID, tileIDs)]
      if hasExif { references.append(("cdsc", exifID, [gridID])) }
      for (type, from, to) in references {
        writer.box(type) {
          $0.writeUInt(UInt64(from), width: width)
          $0.writeUInt16(UInt16(to.count))
          for id in to { $0.writeUInt(UInt64(id), width: width) }
        }
      }
    }
    writer.box("iprp") { writer in
      writer.box("ipco") { writer in
        writer.fullBox("ispe", version: 0, flags: 0) { $0.write([0, 0, 0, 64, 0, 0, 0, 48]) }
        writer.fullBox("ispe", version: 0, flags: 0) { $0.write([0, 0, 0, 100, 0, 0, 0, 48]) }
        writer.box("irot", [1])
      }
      writer.fullBox("ipma", version: isWide ? 1 : 0, flags: 0) { writer in
        writer.writeUInt32(3)
        for (id, uses) in [(tileIDs[0], [1]), (tileIDs[1], [1]), (gridID, [2, 0x83])] as [(UInt32, [UInt8])] {
          writer.writeUInt(UInt64(id), width: isWide ? 4 : 2)
          writer.writeUInt8(UInt8(uses.count))
          writer.write(uses)
        }
      }
    }
    writer.box("idat", idat)
    writer.fullBox("iloc", version: ilocVersion, flags: 0) { writer in
      writer.writeUInt8(UInt8(offsetSize << 4 | lengthSize))
      writer.writeUInt8(UInt8(baseOffsetSize << 4 | indexSize))
      let ids = inFile + inIdat
      writer.writeUInt(UInt64(ids.count), width: ilocVersion == 2 ? 4 : 2)
      for id in ids {
        let isInIdat = inIdat.contains(id)
        let places = extents[id] ?? []
        let itemBase =
          offsetSize == 0 ? places.first?.offset ?? 0 : usesBase && !isInIdat && baseOffsetSize > 0 ? base : 0
        writer.writeUInt(UInt64(id), width: ilocVersion == 2 ? 4 : 2)
        if ilocVersion > 0 { writer.writeUInt16(isInIdat ? 1 : 0) }
        writer.writeUInt16(0)
        writer.writeUInt(UInt64(itemBase), width: baseOffsetSize)
        writer.writeUInt16(UInt16(places.count))
        for place in places {
          if ilocVersion > 0 { writer.writeUInt(7, width: indexSize) }
          writer.writeUInt(UInt64(place.offset - itemBase), width: offsetSize)
          writer.writeUInt(UInt64(place.length), width: lengthSize)
        }
      }
    }
  }
}

/// A TIFF structure with nothing but an ImageDescription.
func minimalTIFF(description: String) -> [UInt8] {
  let text = Array(description.utf8) + [0]
  var writer = ByteWriter()
  writer.writeUTF8("MM")
  writer.writeUInt16(42)
  writer.writeUInt32(8)
  writer.writeUInt16(1)
  writer.writeUInt16(0x010E)
  writer.writeUInt16(2)
  writer.writeUInt32(UInt32(text.count))
  if text.count <= 4 {
    writer.write(text + [UInt8](repeating: 0, count: 4 - text.count))
    writer.writeUInt32(0)
  } else {
    writer.writeUInt32(26)
    writer.writeUInt32(0)
    writer.write(text)
  }
  return writer.bytes
}

/// The same, `size` bytes long, which has to be 31 or more.
func minimalTIFF(size: Int) -> [UInt8] {
  minimalTIFF(description: String(repeating: "d", count: size - 27))
}

/// A TIFF structure as an Exif block.
func exifBlock(_ tiff: [UInt8]) throws -> ExifBlock { try ExifBlock(parsing: tiff) }
