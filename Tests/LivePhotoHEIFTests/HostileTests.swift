import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// Asks a file everything, edits it and copies it: errors are right, a crash or a runaway is not.
private func exercise(_ bytes: [UInt8], limits: Limits = .standard) throws {
  let file: HEIFFile
  do { file = try HEIFFile(parsing: MemorySource(bytes), limits: limits) } catch { return }
  for item in file.items.prefix(100) {
    _ = file.displaySize(of: item.id)
    _ = file.auxiliaryImages(of: item.id).map(\.kind)
    _ = file.thumbnails(of: item.id)
    _ = file.toneMappedImages(of: item.id)
    _ = file.alternatives(of: item.id)
    _ = try? file.gridLayout(of: item.id)
    _ = try? file.exif(of: item.id)
    _ = file.xmpItem(of: item.id)
    _ = try? file.data(of: item.id)
  }
  if let exif = try? exifBlock(minimalTIFF(size: 50)), let plan = try? file.settingExif(exif) {
    // What could be edited can be read again, with the new Exif and all other items as they were.
    let edited = try HEIFFile(parsing: MemorySource(try plan.materialized()), limits: limits)
    #expect(try edited.exif()?.block.bytes == exif.bytes)
    for item in file.items where item.id != edited.exifItem()?.id {
      let before = try? file.data(of: item.id), after = try? edited.data(of: item.id)
      #expect(before == after)
    }
  }
  try changeGraph(file, limits)
  if let plan = try? HEIFBuilder(copying: file).plan() {
    _ = try HEIFFile(parsing: MemorySource(try plan.materialized()), limits: limits)
  }
}

/// Takes items out and gives the picture another turn: what could be edited can be read again.
private func changeGraph(_ file: HEIFFile, _ limits: Limits) throws {
  for item in file.items.prefix(6) {
    var edit = HEIFEdit()
    edit.removeItem(item.id)
    guard let plan = try? file.plan(applying: edit) else { continue }
    let edited = try HEIFFile(parsing: MemorySource(try plan.materialized()), limits: limits)
    #expect(edited.item(item.id) == nil)
    for item in edited.items {
      let before = try? file.data(of: item.id), after = try? edited.data(of: item.id)
      #expect(before == after)
    }
  }
  guard let primary = file.primaryItem else { return }
  var edit = HEIFEdit()
  edit.setProperty(.rotation(2), of: primary.id)
  edit.addPicture(
    HEIFItem(id: file.unusedItemID(), type: "hvc1"), data: [1, 2, 3],
    properties: [.spatialExtents(width: 64, height: 64)], role: .thumbnail(of: [primary.id]))
  guard let plan = try? file.plan(applying: edit) else { return }
  let edited = try HEIFFile(parsing: MemorySource(try plan.materialized()), limits: limits)
  #expect(edited.properties(of: primary.id).contains(.rotation(2)))
  for item in file.items where item.id != primary.id {
    #expect(edited.properties(of: item.id) == file.properties(of: item.id))
  }
}

@Suite struct HostileTests {
  private let forms = [
    SyntheticFile(), SyntheticFile(baseOffsetSize: 4, usesBase: true, extentsPerItem: 2, freeBehindMeta: 300),
    SyntheticFile(exifIsInIdat: true, mdatComesFirst: true, trailer: [0, 0, 0, 12] + "mpvdabcd".utf8),
  ]

  @Test func survivesEveryTruncation() throws {
    for form in forms { for cut in truncations(of: form.bytes) { try exercise(cut) } }
  }

  @Test func survivesDamage() throws {
    for (seed, form) in forms.enumerated() {
      for copy in damagedCopies(of: form.bytes, count: 600, seed: UInt64(seed)) { try exercise(copy) }
    }
  }

  @Test(.needsCorpus, arguments: Corpus.files(in: "07-malformed", extensions: ["heic", "heif", "hif", "avif"]))
  func survivesWhatBrokeOthers(_ path: String) throws { try exercise(try Corpus.bytes(path)) }

  /// Counts of 2^32 - 1 or 2^16 - 1 with nothing behind them.
  @Test func believesNoCount() throws {
    let bytes = SyntheticFile(ilocVersion: 2, infeVersion: 3, irefVersion: 1, firstID: 70_000).bytes
    // From the start of each box's type to its count, and the count's width.
    for (type, distance, width) in [("iloc", 10, 4), ("ipma", 8, 4), ("dimg", 8, 2), ("cdsc", 8, 2)] {
      var hostile = bytes
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: type.utf8) }) + distance
      for index in start..<start + width { hostile[index] = 0xFF }
      #expect(throws: ParseError.self) { try HEIFFile(parsing: MemorySource(hostile)) }
      try exercise(hostile)
    }
  }

  @Test func keepsItsLimits() throws {
    let bytes = SyntheticFile().bytes
    func refuses(_ change: (inout Limits) -> Void) -> Bool {
      var limits = Limits()
      change(&limits)
      let file = Result { try HEIFFile(parsing: MemorySource(bytes), limits: limits) }
      guard case .failure(let error as ParseError) = file, case .beyondLimit = error else { return false }
      return true
    }
    #expect(refuses { $0.items = 3 })
    #expect(refuses { $0.extents = 3 })
    #expect(refuses { $0.references = 2 })
    #expect(refuses { $0.associations = 3 })
    #expect(refuses { $0.metadataBytes = 100 })
    #expect(refuses { $0.boxesPerContainer = 5 })
    #expect(!refuses { _ in })
  }

  @Test func derivesFromItselfWithoutEnd() throws {
    // The grid's two tiles are the grid; Exif describes itself.
    var bytes = SyntheticFile().bytes
    for (old, new) in [
      ([0, 3, 0, 2, 0, 1, 0, 2], [0, 3, 0, 2, 0, 3, 0, 3]), ([0, 4, 0, 1, 0, 3], [0, 4, 0, 1, 0, 4]),
    ]
      as [([UInt8], [UInt8])]
    {
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: old) })
      bytes.replaceSubrange(start..<start + old.count, with: new)
    }
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(file.tiles(of: 3) == [3, 3])
    #expect(file.sources(of: "dimg", to: 3) == [3])
    #expect(file.exifItem() == nil)
    try exercise(bytes)
  }

  /// One item of 60,000 extents over the same bytes, and 2,000 items over the same bytes.
  @Test func doesNotMultiply() throws {
    let payload = [UInt8](repeating: 1, count: 1 << 20)
    func file(items: UInt16, extents: UInt16) -> [UInt8] {
      var writer = ByteWriter()
      writer.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
      writer.box("mdat", payload)
      writer.fullBox("meta", version: 0, flags: 0) { writer in
        writer.fullBox("hdlr", version: 0, flags: 0) { $0.write(Array("\0\0\0\0pict".utf8)) }
        writer.fullBox("pitm", version: 0, flags: 0) { $0.writeUInt16(1) }
        writer.fullBox("iinf", version: 0, flags: 0) { writer in
          writer.writeUInt16(items)
          for id in 1...items {
            writer.fullBox("infe", version: 2, flags: 0) {
              $0.writeUInt16(id)
              $0.writeUInt16(0)
              $0.writeUTF8("hvc1\0")
            }
          }
        }
        writer.fullBox("iloc", version: 0, flags: 0) { writer in
          writer.write([0x44, 0])
          writer.writeUInt16(items)
          for id in 1...items {
            writer.writeUInt16(id)
            writer.writeUInt16(0)
            writer.writeUInt16(extents)
            for _ in 0..<extents {
              writer.writeUInt32(28)
              writer.writeUInt32(UInt32(payload.count))
            }
          }
        }
      }
      return writer.bytes
    }
    let deep = try HEIFFile(parsing: MemorySource(file(items: 1, extents: 60_000)))
    #expect(throws: ParseError.self) { try deep.data(of: 1) }
    #expect(throws: ParseError.self) { try HEIFBuilder(copying: deep) }
    let wide = try HEIFFile(parsing: MemorySource(file(items: 2000, extents: 1)))
    #expect(try wide.data(of: 7).count == payload.count)
    #expect(throws: ParseError.self) { try HEIFBuilder(copying: wide) }
    // Editing copies the bytes once, whoever shares them.
    #expect(try wide.settingExif(exifBlock(minimalTIFF(size: 50))).count < 2 << 20)
  }

  /// A hundred thousand boxes of as many types, at the top and in `meta`.
  @Test(.timeLimit(.minutes(1))) func walksManyBoxes() throws {
    var boxes = ByteWriter()
    for number in 0..<99_000 as Range<UInt32> { boxes.box(FourCC(rawValue: 0x7800_0000 + number), []) }
    let form = SyntheticFile(trailer: boxes.bytes).bytes
    let start = try #require(form.indices.first { form[$0...].starts(with: "meta".utf8) }) - 4
    var size = ByteWriter()
    size.writeUInt32(form[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } + UInt32(boxes.count))
    let inner = form[..<start] + size.bytes + form[start + 4..<start + 12] + boxes.bytes + form[(start + 12)...]
    try exercise(Array(inner))
  }
}
