import LivePhotoCore
import LivePhotoHEIF
import Testing

/// Items and properties that come and go in synthetic files.
@Suite struct GraphEditTests {
  private static let urn = "urn:mpeg:hevc:2015:auxid:1"
  private static let alphaData = Array("the alpha plane, coded".utf8)
  private static let alphaXMP = Array("<x:xmpmeta of the alpha plane/>".utf8)

  private func form(_ name: String) throws -> SyntheticFile { try #require(forms.first { $0.name == name }).file }

  /// The file with an alpha plane, XMP of that, and a thumbnail.
  private func withCompanions(_ file: HEIFFile, of form: SyntheticFile) throws -> (
    bytes: [UInt8], alpha: HEIFItem.ID, thumbnail: HEIFItem.ID
  ) {
    var edit = HEIFEdit()
    let alpha = file.unusedItemID()
    edit.addPicture(
      HEIFItem(id: alpha, type: "hvc1"), data: Self.alphaData,
      properties: [.hevcConfiguration([1, 2, 3]), .spatialExtents(width: 100, height: 48), .rotation(1)],
      role: .auxiliary(urn: Self.urn, to: [form.gridID]))
    let thumbnail = file.unusedItemID(besides: edit)
    edit.addPicture(
      HEIFItem(id: thumbnail, type: "hvc1"), data: Array("thumb".utf8),
      properties: [.spatialExtents(width: 20, height: 10)], role: .thumbnail(of: [form.gridID]))
    edit.addMetadata("mime", contentType: HEIFItem.xmpContentType, data: Self.alphaXMP, describing: [alpha])
    return (try file.plan(applying: edit).materialized(), alpha, thumbnail)
  }

  @Test(arguments: forms.map(\.name)) func addsPictures(_ name: String) throws {
    let form = try form(name)
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    let (bytes, alpha, thumbnail) = try withCompanions(file, of: form)
    let edited = try HEIFFile(parsing: MemorySource(bytes))
    for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
    for item in file.items {
      #expect(edited.properties(of: item.id) == file.properties(of: item.id))
      #expect(edited.item(item.id)?.associations.map(\.isEssential) == item.associations.map(\.isEssential))
    }
    #expect(edited.auxiliaryImages(of: form.gridID).map(\.item.id) == [alpha])
    #expect(edited.auxiliaryImages(of: form.gridID).map(\.kind) == [.alpha])
    #expect(edited.thumbnails(of: form.gridID).map(\.id) == [thumbnail])
    #expect(try edited.data(of: alpha) == Self.alphaData)
    #expect(edited.item(alpha)?.isHidden == true && edited.item(thumbnail)?.isHidden == false)
    #expect(edited.properties(of: alpha).map(\.type) == ["hvcC", "ispe", "auxC", "irot"])
    #expect(edited.item(alpha)?.associations.map(\.isEssential) == [true, false, false, true])
    #expect(try edited.xmpItem(of: alpha).map { try edited.data(of: $0.id) } == Self.alphaXMP)
    // `ispe` 100 x 48 and `irot` were there already and are shared.
    #expect(edited.properties.count == file.properties.count + 3)
    #expect(bytes.suffix(form.trailer.count).elementsEqual(form.trailer), "the trailer stays last")
    #expect(contains(bytes, "unknown to all"))
  }

  /// What comes goes again: no byte of it is left, and the other items are as they were.
  @Test(arguments: forms.map(\.name)) func removesPictures(_ name: String) throws {
    let form = try form(name)
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    let (before, alpha, thumbnail) = try withCompanions(file, of: form)
    var edit = HEIFEdit()
    edit.removeItem(alpha)
    let between = try HEIFFile(parsing: MemorySource(before))
    let bytes = try between.plan(applying: edit).materialized()
    let edited = try HEIFFile(parsing: MemorySource(bytes))
    #expect(edited.items.map(\.id) == file.items.map(\.id) + [thumbnail])
    for text in ["the alpha plane", "of the alpha", "urn:mpeg"] { #expect(!contains(bytes, text), "\(text)") }
    for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
    for item in edited.items { #expect(edited.properties(of: item.id) == between.properties(of: item.id)) }
    #expect(edited.references == between.references.filter { $0.from != alpha && $0.to != [alpha] })
    // Numbers of properties stay: what nothing uses is free space.
    #expect(edited.properties.map(\.type).filter { $0 == "free" }.count == 2)
    #expect(bytes.count == before.count, "nothing behind 'meta' moves")
    // With the last that hangs on the picture gone, nothing but room is left over.
    var rest = HEIFEdit()
    rest.removeItem(thumbnail)
    let last = try HEIFFile(parsing: MemorySource(edited.plan(applying: rest).materialized()))
    #expect(last.references == file.references && last.items.map(\.id) == file.items.map(\.id))
  }

  @Test func removesMetadata() throws {
    for name in ["plain", "Exif in idat", "extents", "base", "trailer and free"] {
      let form = try form(name)
      let file = try HEIFFile(parsing: MemorySource(form.bytes))
      var edit = HEIFEdit()
      edit.removeItem(form.exifID)
      let bytes = try file.plan(applying: edit).materialized()
      let edited = try HEIFFile(parsing: MemorySource(bytes))
      #expect(edited.exifItem() == nil && edited.items.count == 3)
      #expect(edited.references.map(\.type) == ["dimg"])
      #expect(!contains(bytes, "before"), "\(name)")
      for id in [1, 2, 3] as [HEIFItem.ID] { #expect(try edited.data(of: id) == form.contents[id]) }
    }
  }

  /// Bytes that another item has too stay; of those that overlap, the rest goes.
  @Test func zeroesNothingThatIsShared() throws {
    var bytes = SyntheticFile(ilocVersion: 0, gridIsInFile: true).bytes
    let file = try HEIFFile(parsing: MemorySource(bytes))
    let tile = try #require(file.ranges(of: 1).first), exif = try #require(file.ranges(of: 4).first)
    // Exif begins at the last four bytes of the first tile.
    let start = tile.upperBound - 4
    for index in bytes.indices.dropLast(3) where Array(bytes[index..<index + 4]) == bigEndian(exif.lowerBound) {
      bytes.replaceSubrange(index..<index + 8, with: bigEndian(start) + bigEndian(exif.upperBound - start))
    }
    let other = try #require(file.ranges(of: 2).first)
    var edit = HEIFEdit()
    edit.removeItem(4)
    let after = try HEIFFile(parsing: MemorySource(bytes)).plan(applying: edit).materialized()
    let edited = try HEIFFile(parsing: MemorySource(after))
    #expect(try edited.data(of: 1) == SyntheticFile.tiles[0] && edited.data(of: 2) == SyntheticFile.tiles[1])
    #expect(other.lowerBound == tile.upperBound, "the second tile lies in what the Exif claimed")
    #expect(!contains(after, "before"))
  }

  @Test func refusesToRemoveWhatIsNeeded() throws {
    let file = try HEIFFile(parsing: MemorySource(SyntheticFile().bytes))
    func refusal(_ change: (inout HEIFEdit) -> Void) -> String {
      var edit = HEIFEdit()
      change(&edit)
      do { return "\(try file.plan(applying: edit).count)" } catch { return error.description }
    }
    #expect(refusal { $0.removeItem(3) }.contains("removing item 3, which is the primary one, is not supported"))
    #expect(refusal { $0.removeItem(1) }.contains("item 1, which item 3 ('grid') is made from, is not supported"))
    #expect(refusal { $0.removeItem(9) }.contains("item 9 is missing"))
    #expect(refusal { $0.setPrimaryItem(9) }.contains("item 9 is missing"))
    #expect(refusal { $0.addReference("cdsc", from: 4, to: [9]) }.contains("item 9 is missing"))
    #expect(refusal { $0.setProperty(.rotation(1), of: 9) }.contains("item 9 is missing"))
    let gone = refusal {
      $0.removeItem(4)
      $0.setData([1], of: 4)
    }
    #expect(gone.contains("item 4 is missing"))
    #expect(refusal { $0.addItem(HEIFItem(id: 3, type: "mime"), data: []) }.contains("id of a new item is 3"))
    var sequence = HEIFEdit()
    sequence.removeItem(1)
    sequence.removeItem(3)
    sequence.setPrimaryItem(2)
    let bytes = SyntheticFile(trailer: box("moov", "samples may be the same bytes")).bytes
    #expect(throws: ParseError.self) { try HEIFFile(parsing: MemorySource(bytes)).plan(applying: sequence) }
  }

  /// A tile becomes the picture: the grid goes with the other tile, which nothing else uses, and the Exif of the grid.
  @Test(arguments: forms.map(\.name)) func makesAnotherItemThePrimaryOne(_ name: String) throws {
    let form = try form(name)
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    var edit = HEIFEdit()
    edit.setPrimaryItem(form.tileIDs[1])
    let shown = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(shown.primaryItem?.id == form.tileIDs[1] && shown.primaryItem?.isHidden == false)
    #expect(shown.items.count == 4)
    for (id, content) in form.contents { #expect(try shown.data(of: id) == content) }
    edit.removeItem(form.gridID)
    let bytes = try file.plan(applying: edit).materialized()
    let alone = try HEIFFile(parsing: MemorySource(bytes))
    #expect(alone.items.map(\.id) == [form.tileIDs[1]] && alone.references.isEmpty)
    #expect(try alone.data(of: form.tileIDs[1]) == SyntheticFile.tiles[1])
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: SyntheticFile.tiles[0].prefix(20)) })
    #expect(!contains(bytes, "before"))
  }

  /// A picture that others are made from goes when they go too.
  @Test func removesWhatIsMadeFromItToo() throws {
    let file = try HEIFFile(parsing: MemorySource(SyntheticFile().bytes))
    var edit = HEIFEdit()
    edit.addItem(HEIFItem(id: 9, type: "iden"), data: [], properties: [.spatialExtents(width: 64, height: 48)])
    edit.addReference("dimg", from: 9, to: [2])
    let both = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(try both.data(of: 9).isEmpty && both.tiles(of: 9) == [2])
    var removal = HEIFEdit()
    removal.setPrimaryItem(1)
    removal.removeItem(3)
    // The second tile has another use and stays.
    let other = try HEIFFile(parsing: MemorySource(both.plan(applying: removal).materialized()))
    #expect(other.items.map(\.id) == [1, 2, 9])
    removal.removeItem(9)
    let last = try HEIFFile(parsing: MemorySource(both.plan(applying: removal).materialized()))
    #expect(last.items.map(\.id) == [1])
  }

  @Test func keepsGroupsInOrder() throws {
    var builder = HEIFBuilder()
    let ids = (0..<4).map { builder.addItem("hvc1", content: .bytes([UInt8($0)])) }
    builder.primaryItem = ids[0]
    builder.groups = [
      EntityGroup("altr", id: 90, members: [ids[1], ids[0]]), EntityGroup("ster", id: 91, members: ids),
    ]
    let file = try HEIFFile(parsing: MemorySource(builder.plan().materialized()))
    var edit = HEIFEdit()
    edit.removeItem(ids[1])
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.groups == [EntityGroup("ster", id: 91, members: [ids[0], ids[2], ids[3]])])
    edit.removeItem(ids[2])
    edit.removeItem(ids[3])
    let bytes = try file.plan(applying: edit).materialized()
    #expect(try HEIFFile(parsing: MemorySource(bytes)).groups.isEmpty && !contains(bytes, "grpl"))
  }
}

/// Properties that change for one item and not for those that share them.
@Suite struct PropertyEditTests {
  @Test(arguments: forms.map(\.name)) func changesASharedProperty(_ name: String) throws {
    let form = try #require(forms.first { $0.name == name }).file
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    var edit = HEIFEdit()
    edit.setProperty(.spatialExtents(width: 60, height: 40), of: form.tileIDs[0])
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.codedSize(of: form.tileIDs[0]) ?? (0, 0) == (60, 40))
    #expect(edited.codedSize(of: form.tileIDs[1]) ?? (0, 0) == (64, 48))
    #expect(edited.properties(of: form.gridID) == file.properties(of: form.gridID))
    #expect(edited.properties.count == 4)
    for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
  }

  /// One that a single item uses changes where it stands, and nothing else does.
  @Test func changesAPropertyInPlace() throws {
    let bytes = SyntheticFile().bytes
    var edit = HEIFEdit()
    edit.setProperty(.rotation(3), of: 3)
    let after = try HEIFFile(parsing: MemorySource(bytes)).plan(applying: edit).materialized()
    #expect(after.count == bytes.count && zip(bytes, after).count { $0 != $1 } == 1)
    #expect(try HEIFFile(parsing: MemorySource(after)).orientation(of: 3) == .right)
  }

  @Test func putsPropertiesInTheirOrder() throws {
    let file = try HEIFFile(parsing: MemorySource(SyntheticFile().bytes))
    var edit = HEIFEdit()
    edit.addProperty(.mirror(.vertical), of: 3)
    edit.setProperty(.colorDescription(.jfif), of: 3)
    edit.setProperty(.iccProfile([1, 2], isRestricted: false), of: 3)
    edit.setProperty(.other("clli", payload: [0, 1, 0, 2]), of: 3, isEssential: true)
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.properties(of: 3).map(\.type) == ["ispe", "colr", "colr", "clli", "irot", "imir"])
    #expect(edited.item(3)?.associations.map(\.isEssential) == [false, false, false, true, true, true])
    var removal = HEIFEdit()
    removal.removeProperties("colr", of: 3)
    removal.removeProperties("irot", of: 3)
    let bytes = try edited.plan(applying: removal).materialized()
    let bare = try HEIFFile(parsing: MemorySource(bytes))
    #expect(bare.properties(of: 3).map(\.type) == ["ispe", "clli", "imir"])
    #expect(bare.properties.map(\.type).filter { $0 == "free" }.count == 3)
  }

  /// More than 127 properties, and ids of more than 16 bits: the fields of `ipma` are widened.
  @Test func widensAssociations() throws {
    let form = SyntheticFile()
    let file = try HEIFFile(parsing: MemorySource(form.bytes))
    var edit = HEIFEdit()
    for number in 0..<130 as Range<UInt8> { edit.addProperty(.other("ttxt", payload: [number]), of: 2) }
    edit.addItem(HEIFItem(id: 70_000, type: "iden"), data: [], properties: [.spatialExtents(width: 64, height: 48)])
    edit.addReference("dimg", from: 70_000, to: [2])
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.properties.count == 133)
    #expect(edited.properties(of: 2).last == .other("ttxt", payload: [129]))
    #expect(edited.properties(of: 70_000) == [.spatialExtents(width: 64, height: 48)])
    for id in [1, 3] as [HEIFItem.ID] { #expect(edited.properties(of: id) == file.properties(of: id)) }
    #expect(edited.item(3)?.associations.map(\.isEssential) == [false, true])
    #expect(edited.references.contains(ItemReference("dimg", from: 70_000, to: [2])))
    for (id, content) in form.contents { #expect(try edited.data(of: id) == content) }
    var tooMany = HEIFEdit()
    for number in 0..<256 as Range<UInt32> { tooMany.addProperty(.spatialExtents(width: number, height: 1), of: 1) }
    #expect(throws: ParseError.self) { try file.plan(applying: tooMany) }
  }

  @Test func makesPropertiesWhereThereAreNone() throws {
    var bytes = SyntheticFile().bytes
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: "iprp".utf8) })
    bytes.replaceSubrange(start..<start + 4, with: "iprx".utf8)
    let file = try HEIFFile(parsing: MemorySource(bytes))
    var edit = HEIFEdit()
    edit.setProperty(.spatialExtents(width: 100, height: 48), of: 3)
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.properties(of: 3) == [.spatialExtents(width: 100, height: 48)])
    #expect(edited.displaySize(of: 3) ?? (0, 0) == (100, 48))
  }

  /// A file may have one table of associations for each width of its fields.
  @Test func keepsSeveralTables() throws {
    var bytes = SyntheticFile(mdatComesFirst: true).bytes
    func number(at start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "ipma".utf8) }) - 4
    // The Exif item gets `irot` in a second table, with wide numbers.
    let second = bigEndian(19) + "ipma".utf8 + [0, 0, 0, 1] + bigEndian(1) + [0, 4, 1, 0x80]
    bytes.insert(contentsOf: second.dropLast() + [0x80, 3], at: table + number(at: table))
    bytes.replaceSubrange(table + number(at: table)..<table + number(at: table) + 4, with: bigEndian(second.count + 1))
    for parent in ["iprp", "meta"] {
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: parent.utf8) }) - 4
      bytes.replaceSubrange(start..<start + 4, with: bigEndian(number(at: start) + second.count + 1))
    }
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(file.properties(of: 4).map(\.type) == ["irot"] && file.properties(of: 3).map(\.type) == ["ispe", "irot"])
    var edit = HEIFEdit()
    edit.setProperty(.rotation(2), of: 4)
    let edited = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(edited.properties(of: 4) == [.rotation(2)] && edited.properties(of: 3).last == .rotation(1))
    // When the first one has to be widened, the two become one.
    for number in 0..<130 as Range<UInt8> { edit.addProperty(.other("ttxt", payload: [number]), of: 2) }
    let wide = try file.plan(applying: edit).materialized()
    let merged = try HEIFFile(parsing: MemorySource(wide))
    #expect(merged.properties(of: 4) == [.rotation(2)] && merged.properties(of: 2).count == 131)
    #expect(merged.properties(of: 1) == file.properties(of: 1) && merged.properties(of: 3) == file.properties(of: 3))
    #expect(wide.indices.count { wide[$0...].starts(with: "ipma".utf8) } == 1)
  }
}
