import LivePhotoCore

/// The forms of ``SyntheticFile`` that between them use everything.
let forms: [(name: String, file: SyntheticFile)] = [
  ("plain", SyntheticFile()),
  ("iloc 0", SyntheticFile(ilocVersion: 0, gridIsInFile: true)),
  ("iloc 0, mdat first", SyntheticFile(ilocVersion: 0, gridIsInFile: true, mdatComesFirst: true)),
  ("iloc 1, 64 bit", SyntheticFile(offsetSize: 8, lengthSize: 8, baseOffsetSize: 8, indexSize: 8, mdatIsLarge: true)),
  ("iloc 1, index", SyntheticFile(indexSize: 4, extentsPerItem: 3)),
  ("iloc 2, wide ids", SyntheticFile(ilocVersion: 2, infeVersion: 3, irefVersion: 1, firstID: 70_000)),
  ("base", SyntheticFile(baseOffsetSize: 4, usesBase: true)),
  ("base, 64 bit", SyntheticFile(offsetSize: 4, baseOffsetSize: 8, usesBase: true, extentsPerItem: 4)),
  ("base only", SyntheticFile(ilocVersion: 1, offsetSize: 0, baseOffsetSize: 4)),
  ("extents", SyntheticFile(extentsPerItem: 5)),
  ("Exif in idat", SyntheticFile(exifIsInIdat: true)),
  ("open mdat", SyntheticFile(mdatIsOpen: true)),
  ("mdat first", SyntheticFile(mdatComesFirst: true)),
  ("two mdats", SyntheticFile(hasSecondMdat: true)),
  ("free behind meta", SyntheticFile(freeBehindMeta: 4000)),
  ("little free behind meta", SyntheticFile(freeBehindMeta: 20)),
  ("free at end", SyntheticFile(freeAtEnd: 100)),
  ("trailer", SyntheticFile(trailer: box("mpvd", "video"))),
  ("trailer and free", SyntheticFile(mdatComesFirst: true, freeBehindMeta: 900, trailer: box("mpvd", "video"))),
  ("trailer, meta last", SyntheticFile(mdatComesFirst: true, trailer: box("mpvd", "video") + box("sefd", "end"))),
  ("junk behind", SyntheticFile(trailer: [0, 0, 0x30, 0x0A, 1, 2, 3, 4, 5, 6, 7, 8, 9])),
  ("second file behind", SyntheticFile(trailer: box("ftyp", "mp42") + box("mdat", "samples") + box("moov", "x"))),
]

/// A box of text.
func box(_ type: FourCC, _ text: String) -> [UInt8] {
  var writer = ByteWriter()
  writer.box(type, Array(text.utf8))
  return writer.bytes
}

/// A number as four bytes.
func bigEndian(_ value: Int) -> [UInt8] {
  var writer = ByteWriter()
  writer.writeUInt32(UInt32(value))
  return writer.bytes
}

/// Whether a text stands anywhere.
func contains(_ bytes: [UInt8], _ text: String) -> Bool {
  bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
}
