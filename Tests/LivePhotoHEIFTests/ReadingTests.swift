import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// Every form in which the standard lets a graph be written, by files made without the code under test.
@Suite struct ReadingTests {
  /// A file whose `mdat` comes first, so that its payload begins at byte 28 whatever `meta` holds.
  private func made(data: [UInt8], _ meta: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    writer.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
    writer.box("mdat", data)
    writer.fullBox("meta", version: 0, flags: 0) { writer in
      writer.fullBox("hdlr", version: 0, flags: 0) {
        $0.write(Array("\0\0\0\0pict".utf8) + [UInt8](repeating: 0, count: 13))
      }
      writer.fullBox("pitm", version: 0, flags: 0) { $0.writeUInt16(1) }
      meta(&writer)
    }
    return writer.bytes
  }

  private func items(_ ids: ClosedRange<UInt16>, _ type: FourCC = "hvc1", in writer: inout ByteWriter) {
    writer.fullBox("iinf", version: 0, flags: 0) { writer in
      writer.writeUInt16(UInt16(ids.count))
      for id in ids {
        writer.fullBox("infe", version: 2, flags: 0) {
          $0.writeUInt16(id)
          $0.writeUInt16(0)
          $0.writeFourCC(type)
          $0.writeUInt8(0)
        }
      }
    }
  }

  @Test(arguments: [0, 1] as [UInt8]) func itemInformationOfEveryVersion(_ version: UInt8) throws {
    let bytes = made(data: []) { writer in
      writer.fullBox("iinf", version: version, flags: 0) { writer in
        writer.writeUInt(4, width: version == 0 ? 2 : 4)
        for form in 0..<4 as Range<UInt8> {
          writer.fullBox("infe", version: form, flags: form < 2 ? 0 : 1) { writer in
            writer.writeUInt(UInt64(form) + 1, width: form == 3 ? 4 : 2)
            writer.writeUInt16(7)
            if form >= 2 { writer.writeUTF8("mime") }
            writer.writeUTF8("name \(form)\0")
            writer.writeUTF8("application/rdf+xml\0")
            writer.writeUTF8("deflate\0")
            if form == 1 { writer.writeUTF8("fdel") }
          }
        }
      }
    }
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(file.items.map(\.id) == [1, 2, 3, 4])
    #expect(file.items.map(\.name) == (0..<4).map { "name \($0)" })
    #expect(file.items.allSatisfy { $0.isXMP && $0.contentEncoding == "deflate" && $0.protectionIndex == 7 })
    #expect(file.items.map(\.isHidden) == [false, false, true, true])
  }

  /// `ipma` with ids and numbers of either width, a number 0 that is none, and one that is beyond the properties.
  @Test(arguments: [0, 1] as [UInt8], [0, 1] as [UInt32])
  func propertyAssociationsOfEveryForm(_ version: UInt8, flags: UInt32) throws {
    func bytes(_ numbers: [UInt16]) -> [UInt8] {
      made(data: []) { writer in
        items(1...2, in: &writer)
        writer.box("iprp") { writer in
          writer.box("ipco") { writer in
            writer.box("irot", [1])
            writer.box("abcd", Array("unknown".utf8))
            writer.fullBox("ispe", version: 0, flags: 0) { $0.write([0, 0, 0, 8, 0, 0, 0, 6]) }
          }
          writer.fullBox("ipma", version: version, flags: flags) { writer in
            writer.writeUInt32(2)
            for id in 1...2 as ClosedRange<UInt64> {
              writer.writeUInt(id, width: version == 0 ? 2 : 4)
              writer.writeUInt8(UInt8(numbers.count))
              for number in numbers {
                writer.writeUInt(
                  flags == 0 ? UInt64(number >> 8 & 0x80 | number & 0x7F) : UInt64(number), width: flags == 0 ? 1 : 2)
              }
            }
          }
        }
      }
    }
    let file = try HEIFFile(parsing: MemorySource(bytes([3, 0, 0x8002, 0x8001])))
    for id in [1, 2] as [HEIFItem.ID] {
      #expect(
        file.properties(of: id) == [
          .spatialExtents(width: 8, height: 6), .other("abcd", payload: Array("unknown".utf8)), .rotation(1),
        ])
      #expect(file.item(id)?.associations.map(\.isEssential) == [false, true, true])
    }
    #expect(throws: ParseError.self) { try HEIFFile(parsing: MemorySource(bytes([4]))) }
  }

  /// The children of `meta` in a hundred orders.
  @Test func boxesInAnyOrder() throws {
    let bytes = SyntheticFile(mdatComesFirst: true).bytes
    let expected = try HEIFFile(parsing: MemorySource(bytes))
    let source = MemorySource(bytes)
    let meta = try #require(try TopLevelBoxes(of: source).first("meta"))
    let start = meta.payload.lowerBound + 4
    let children = try TopLevelBoxes(of: SubSource(source, range: start..<meta.range.upperBound)).boxes.map {
      Array(bytes[start + $0.range.lowerBound..<start + $0.range.upperBound])
    }
    var random = SplitMix64(seed: 5)
    for _ in 0..<100 {
      let shuffled = children.shuffled(using: &random).flatMap(\.self)
      let other = try HEIFFile(parsing: MemorySource(bytes[..<start] + shuffled + bytes[meta.range.upperBound...]))
      #expect(other.items == expected.items && other.references == expected.references)
      #expect(other.primaryItem == expected.primaryItem && other.properties == expected.properties)
      for item in other.items { #expect(try other.data(of: item.id) == expected.data(of: item.id)) }
    }
  }

  @Test func groupsAndUnknownItems() throws {
    let bytes = made(data: []) { writer in
      items(1...3, "what", in: &writer)
      writer.box("grpl") { writer in
        for (type, members) in [("altr", [3, 1]), ("abcd", [2])] as [(FourCC, [UInt32])] {
          writer.fullBox(type, version: 0, flags: 5) { writer in
            writer.writeUInt32(90)
            writer.writeUInt32(UInt32(members.count))
            for member in members { writer.writeUInt32(member) }
            writer.writeUTF8("more")
          }
        }
      }
    }
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(file.items.map(\.type) == ["what", "what", "what"])
    #expect(file.groups == [EntityGroup("altr", id: 90, members: [3, 1]), EntityGroup("abcd", id: 90, members: [2])])
    #expect(file.alternatives(of: 1) == [3])
    var edit = HEIFEdit()
    edit.removeItem(2)
    let after = try file.plan(applying: edit).materialized()
    #expect(try HEIFFile(parsing: MemorySource(after)).groups.map(\.type) == ["altr"])
    #expect(contains(after, "more"), "what follows the members of a group is kept")
  }

  // MARK: Construction method 2

  /// Item 1 in two extents of the file, items 2 to 4 of pieces of it or of each other.
  private func built(
    _ extents: [UInt16: [(index: UInt32, offset: UInt32, length: UInt32)]], from: [UInt16: [UInt16]]
  ) -> [UInt8] {
    made(data: Array(0..<100)) { writer in
      items(1...4, in: &writer)
      writer.fullBox("iloc", version: 1, flags: 0) { writer in
        writer.write([0x44, 0x04])
        writer.writeUInt16(UInt16(extents.count) + 1)
        for (id, parts) in [(1, [(0, 28 + 50, 50), (0, 28, 50)])] + extents.sorted(by: { $0.key < $1.key }) {
          writer.writeUInt16(id)
          writer.writeUInt16(id == 1 ? 0 : 2)
          writer.writeUInt16(0)
          writer.writeUInt16(UInt16(parts.count))
          for (index, offset, length) in parts { for value in [index, offset, length] { writer.writeUInt32(value) } }
        }
      }
      writer.fullBox("iref", version: 0, flags: 0) { writer in
        for (id, targets) in from.sorted(by: { $0.key < $1.key }) {
          writer.box("iloc") { writer in
            writer.writeUInt16(id)
            writer.writeUInt16(UInt16(targets.count))
            for target in targets { writer.writeUInt16(target) }
          }
        }
      }
    }
  }

  @Test func itemsBuiltOfOthers() throws {
    let bytes = built(
      [2: [(1, 40, 20), (0, 0, 3)], 3: [(2, 0, 0), (1, 99, 1)], 4: []], from: [2: [1], 3: [1, 2]])
    let file = try HEIFFile(parsing: MemorySource(bytes))
    let first: [UInt8] = Array(50..<100) + Array(0..<50)
    #expect(try file.data(of: 1) == first)
    let second: [UInt8] = Array(first[40..<60]) + Array(first[..<3])
    #expect(try file.data(of: 2) == second)
    #expect(try file.data(of: 3) == second + [49])
    #expect(try file.ranges(of: 2) == [118..<128, 28..<38, 78..<81])
    #expect(try HEIFBuilder(copying: file).plan().count > 0)
    // What others are built of neither changes nor goes, and stays when they do.
    var edit = HEIFEdit()
    edit.setData([1], of: 1)
    #expect(throws: ParseError.self) { try file.plan(applying: edit) }
    edit = HEIFEdit()
    edit.removeItem(2)
    #expect(throws: ParseError.self) { try file.plan(applying: edit) }
    edit.removeItem(3)
    let after = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(try after.data(of: 1) == first && after.items.map(\.id) == [1, 4])
    edit = HEIFEdit()
    edit.setData(Array(repeating: 7, count: 9), of: 3)
    let other = try HEIFFile(parsing: MemorySource(file.plan(applying: edit).materialized()))
    #expect(try other.data(of: 3) == Array(repeating: 7, count: 9) && other.data(of: 2) == second)
  }

  @Test func refusesWhatIsBuiltOfNothing() throws {
    func reason(_ bytes: [UInt8]) throws -> String {
      let file = try HEIFFile(parsing: MemorySource(bytes))
      do { return "\(try file.data(of: 2).count) bytes" } catch { return error.description }
    }
    #expect(try reason(built([2: [(2, 0, 1)]], from: [2: [1]])).contains("extent 2 of item 2 is taken from is missing"))
    #expect(try reason(built([2: [(1, 0, 1)]], from: [:])).contains("is missing"))
    #expect(try reason(built([2: [(1, 90, 11)]], from: [2: [1]])).contains("needs 11 bytes"))
    #expect(
      try reason(built([2: [(1, 0, 1)], 3: [(1, 0, 1)]], from: [2: [3], 3: [2]])).contains("items built of items"))
  }

  /// Items built of each other with many extents each, which would be billions of pieces.
  @Test(.timeLimit(.minutes(1))) func itemsBuiltOfItemsDoNotMultiply() throws {
    let many = Array(repeating: (index: 1 as UInt32, offset: 0 as UInt32, length: 0 as UInt32), count: 20_000)
    let bytes = built([2: many, 3: many, 4: many], from: [2: [1], 3: [2], 4: [3]])
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(throws: ParseError.self) { try file.data(of: 4) }
    var edit = HEIFEdit()
    edit.setProperty(.rotation(1), of: 1)
    #expect(throws: ParseError.self) { try file.plan(applying: edit) }
  }
}
