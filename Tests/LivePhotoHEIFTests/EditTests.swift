import LivePhotoCore
import LivePhotoHEIF
import Testing

@Suite struct EditTests {
  @Test(arguments: forms.map(\.name))
  func readsItsItems(_ name: String) throws {
    let form = try #require(forms.first { $0.name == name }).file
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    #expect(file.items.count == form.contents.count)
    for (id, content) in form.contents { #expect(try file.data(of: id) == content) }
    let primary = try #require(file.primaryItem)
    #expect(primary.id == form.gridID)
    #expect(file.tiles(of: primary.id) == form.tileIDs)
    #expect(try file.gridLayout(of: primary.id) == GridLayout(rows: 1, columns: 2, width: 100, height: 48))
    #expect(file.displaySize(of: primary.id) ?? (0, 0) == (48, 100))
    #expect(file.orientation(of: primary.id) == .left)
    #expect(file.items.map(\.isHidden).prefix(3) == [true, true, false])
    #expect(file.exifItem()?.id == (form.hasExif ? form.exifID : nil))
  }

  @Test(arguments: forms.map(\.name))
  func isItselfWithoutAnEdit(_ name: String) throws {
    let bytes = try #require(forms.first { $0.name == name }).file.bytes
    #expect(try HEIFFile(parsing: MemorySource(bytes)).plan(applying: HEIFEdit()).materialized() == bytes)
  }

  /// Exif of the old size, shorter, longer, much longer.
  @Test(arguments: forms.map(\.name), [33, 31, 34, 500, 5000])
  func keepsAllElse(_ name: String, size: Int) throws {
    let form = try #require(forms.first { $0.name == name }).file
    let before = form.bytes
    let file = try HEIFFile(parsing: MemorySource(before))
    let tiff = minimalTIFF(size: size)
    let after = try file.settingExif(exifBlock(tiff)).materialized()
    let edited = try HEIFFile(parsing: MemorySource(after))
    #expect(try edited.exif()?.block.bytes == tiff)
    for (id, content) in form.contents where id != form.exifID { #expect(try edited.data(of: id) == content) }
    if size == 33 {
      #expect(after.count == before.count)
      #expect(zip(before, after).count { $0 != $1 } <= 33)
    } else {
      #expect(!contains(after, "before"), "the old Exif is gone")
    }
    #expect(after.suffix(form.trailer.count).elementsEqual(form.trailer), "the trailer stays last")
    #expect(contains(after, "unknown to all") && contains(after, "junk"))
    // Doing the same again changes nothing.
    #expect(try edited.settingExif(exifBlock(tiff)).materialized() == after)
  }

  @Test(arguments: forms.map(\.name))
  func addsExif(_ name: String) throws {
    var form = try #require(forms.first { $0.name == name }).file
    form.hasExif = false
    let before = form.bytes
    let tiff = minimalTIFF(description: "new here")
    let after = try HEIFFile(parsing: MemorySource(before)).settingExif(exifBlock(tiff)).materialized()
    let edited = try HEIFFile(parsing: MemorySource(after))
    let item = try #require(edited.exifItem())
    #expect(edited.targets(of: "cdsc", from: item.id) == [form.gridID])
    #expect(try edited.data(of: item.id) == [0, 0, 0, 6] + "Exif\0\0".utf8 + tiff)
    for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
    #expect(edited.properties(of: form.gridID).count == 2)
    #expect(after.suffix(form.trailer.count).elementsEqual(form.trailer), "the trailer stays last")
  }

  @Test func movesNothingThatTrails() throws {
    // Room in a free box: the trailer stays where it was.
    let form = SyntheticFile(mdatComesFirst: true, freeBehindMeta: 900, trailer: box("mpvd", "video"))
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    #expect(try file.settingExif(exifBlock(minimalTIFF(size: 300))).count == form.bytes.count)
    var bare = form
    bare.hasExif = false
    let added = try HEIFFile(parsing: MemorySource(bare.bytes)).settingExif(exifBlock(minimalTIFF(size: 300)))
    #expect(added.count == bare.bytes.count)
  }

  @Test func correctsASamsungPointer() throws {
    func file(videoAt offset: UInt32) -> SyntheticFile {
      var writer = ByteWriter()
      writer.box("mpvd", Array("video".utf8))
      writer.box("sefd") {
        $0.writeUTF8("MotionPhoto_Datampv2")
        $0.writeUInt32(offset)
        $0.writeUInt32(5)
      }
      return SyntheticFile(mdatComesFirst: true, trailer: writer.bytes)
    }
    func videoStart(_ bytes: [UInt8]) -> UInt32? {
      bytes.indices.first { bytes[$0...].starts(with: "mpvd".utf8) }.map { UInt32($0 + 4) }
    }
    let start = try #require(videoStart(file(videoAt: 0).bytes))
    let form = file(videoAt: start)
    let after = try HEIFFile(parsing: MemorySource(form.bytes)).settingExif(exifBlock(minimalTIFF(size: 300)))
      .materialized()
    let moved = try #require(videoStart(after))
    #expect(moved > start)
    #expect(after.suffix(file(videoAt: moved).trailer.count).elementsEqual(file(videoAt: moved).trailer))
  }

  @Test func givesIDsThatAreFree() throws {
    for (firstID, expected) in [(1, 4), (65_000, 65_003), (65_533, 1)] as [(UInt32, UInt32)] {
      let form = SyntheticFile(firstID: firstID, hasExif: false)
      let after = try HEIFFile(parsing: MemorySource(form.bytes)).settingExif(exifBlock(minimalTIFF(size: 40)))
        .materialized()
      #expect(try HEIFFile(parsing: MemorySource(after)).exifItem()?.id == expected)
    }
  }

  @Test func makesReferencesWhereThereAreNone() throws {
    for firstID in [1, 70_000] as [UInt32] {
      let isWide = firstID > 65_535
      let form = SyntheticFile(
        ilocVersion: isWide ? 2 : 1, infeVersion: isWide ? 3 : 2, irefVersion: isWide ? 1 : 0, firstID: firstID,
        hasExif: false)
      var bytes = form.bytes
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "iref".utf8) })
      bytes.replaceSubrange(start..<start + 4, with: "irex".utf8)
      let after = try HEIFFile(parsing: MemorySource(bytes)).settingExif(exifBlock(minimalTIFF(size: 40)))
      let edited = try HEIFFile(parsing: MemorySource(try after.materialized()))
      let item = try #require(edited.exifItem())
      #expect(edited.references == [ItemReference("cdsc", from: item.id, to: [form.gridID])])
      for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
    }
  }

  @Test func leavesSharedBytesAlone() throws {
    // Exif whose extent is that of a tile: the tile must not change.
    var bytes = SyntheticFile(ilocVersion: 0, gridIsInFile: true).bytes
    let file = try HEIFFile(parsing: MemorySource(bytes))
    let tile = try #require(file.ranges(of: 1).first), exif = try #require(file.ranges(of: 4).first)
    for index in bytes.indices.dropLast(3) where Array(bytes[index..<index + 4]) == bigEndian(exif.lowerBound) {
      bytes.replaceSubrange(index..<index + 8, with: bigEndian(tile.lowerBound) + bigEndian(tile.count))
    }
    let shared = try HEIFFile(parsing: MemorySource(bytes))
    #expect(try shared.data(of: 4) == SyntheticFile.tiles[0])
    for size in [tile.count, 10, 400] {
      var edit = HEIFEdit()
      edit.setData([UInt8](repeating: 9, count: size), of: 4)
      let after = try HEIFFile(parsing: MemorySource(try shared.plan(applying: edit).materialized()))
      #expect(try after.data(of: 1) == SyntheticFile.tiles[0])
      #expect(try after.data(of: 4) == [UInt8](repeating: 9, count: size))
    }
  }

  @Test func refusesToMoveTheMediaOfASequence() throws {
    // Nothing moves while new data can go to the end; a picture item more does move `mdat`.
    var bytes = SyntheticFile(trailer: box("moov", "sequence"), hasSecondMdat: true).bytes
    let moved = try HEIFFile(parsing: MemorySource(bytes)).settingExif(exifBlock(minimalTIFF(size: 400)))
    #expect(try HEIFFile(parsing: MemorySource(try moved.materialized())).exif()?.block.bytes.count == 400)
    bytes = SyntheticFile(hasExif: false, trailer: box("moov", "sequence")).bytes
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(throws: ParseError.self) { try file.settingExif(exifBlock(minimalTIFF(size: 400))) }
  }

  @Test func refusesAFileThatIsCutOff() throws {
    let bytes = SyntheticFile().bytes
    let cut = try HEIFFile(parsing: MemorySource(Array(bytes.dropLast(5))))
    #expect(throws: ParseError.self) { try cut.settingExif(exifBlock(minimalTIFF(size: 33))) }
  }
}
