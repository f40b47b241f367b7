import LivePhotoCore
import TestSupport
import Testing

@Suite struct BoxHeaderTests {
  private func header(_ bytes: [UInt8], base: Int = 0, available: Int? = nil) throws(ParseError) -> BoxHeader {
    var cursor = ByteCursor(bytes.span, base: base)
    return try BoxHeader(parsing: &cursor, available: available)
  }

  static let moov: [UInt8] = [0, 0, 0, 12] + Array("moov".utf8) + [1, 2, 3, 4]
  static let large: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 18, 1, 2]
  static let uuid: [UInt8] = [0, 0, 0, 26] + Array("uuid".utf8) + Array(1...16) + [9, 9]

  @Test func everyFormOfSize() throws {
    let compact = try header(Self.moov + [0], base: 50)
    #expect(compact.type == "moov" && compact.sizeForm == .compact)
    #expect(compact.range == 50..<62 && compact.payload == 58..<62)

    let large = try header(Self.large)
    #expect(large.sizeForm == .large && large.headerSize == 16)
    #expect(large.range == 0..<18 && large.payload == 16..<18)

    let toEnd = try header([0, 0, 0, 0] + Array("mdat".utf8) + [1, 2, 3])
    #expect(toEnd.sizeForm == .toEnd && toEnd.payload == 8..<11)
    #expect(try header([0, 0, 0, 0] + Array("mdat".utf8), available: 1000).range == 0..<1000)
  }

  @Test func extendedTypes() throws {
    let header = try header(Self.uuid)
    #expect(header.userType == Array(1...16))
    #expect(header.payload == 24..<26)
    let large = try self.header(
      [0, 0, 0, 1] + Array("uuid".utf8) + [0, 0, 0, 0, 0, 0, 0, 32] + Array(repeating: 7, count: 16))
    #expect(large.headerSize == 32 && large.payload.isEmpty)
  }

  @Test func damagedHeadersAreRefused() {
    for cut in truncations(of: Self.moov) + truncations(of: Self.large) + truncations(of: Self.uuid) {
      #expect(throws: ParseError.self) { try header(cut) }
    }
    let type = Array("free".utf8)
    #expect(throws: ParseError.invalid("size of 'free'", found: "7", expected: "at least 8", at: Place(offset: 3))) {
      try header([0, 0, 0, 7] + type, base: 3)
    }
    #expect(throws: ParseError.truncated(needed: 9, available: 8, at: Place(offset: 3, path: ["free"]))) {
      try header([0, 0, 0, 9] + type, base: 3)
    }
    for size in [
      [0, 0, 0, 0, 0, 0, 0, 15], Array(repeating: 0xFF, count: 8), [0x7F] + Array(repeating: 0xFF, count: 7),
    ] {
      #expect(throws: ParseError.self) { try header([0, 0, 0, 1] + type + size.map { UInt8($0) }) }
    }
    #expect(throws: ParseError.self) { try header([0, 0, 0, 23] + Array("uuid".utf8) + Array(1...16)) }
  }

  private func types(_ bytes: [UInt8], limit: Int = 100) throws -> (types: [FourCC], rest: Int) {
    var cursor = ByteCursor(bytes.span)
    var types: [FourCC] = []
    try cursor.forEachBox(limit: limit) { (header, payload) throws(ParseError) in
      types.append(header.type)
      #expect(payload.count == header.payload.count)
      #expect(payload.fileOffset == header.payload.lowerBound)
    }
    return (types, cursor.remaining)
  }

  @Test func boxesAreWalkedInOrder() throws {
    let all = Self.moov + Self.large + Self.uuid
    #expect(try types(all) == (["moov", "mdat", "uuid"], 0))
    #expect(try types(all + [0, 0, 0, 0]) == (["moov", "mdat", "uuid"], 4))
    #expect(try types(all + [0, 0, 0, 0, 0, 0, 0, 0]) == (["moov", "mdat", "uuid"], 8))
    #expect(try types([]) == ([], 0))
    #expect(throws: ParseError.beyondLimit("number of boxes", found: 3, limit: 2, at: Place(offset: 30))) {
      try types(all, limit: 2)
    }
    #expect(throws: ParseError.self) { try types(all.dropLast(1)) }
  }

  @Test func anErrorInsideABoxNamesItsPath() {
    var writer = ByteWriter()
    writer.writeZeros(5)
    writer.box("moov") { $0.box("trak") { $0.writeUInt16(1) } }
    let bytes = writer.bytes
    #expect(throws: ParseError.truncated(needed: 4, available: 2, at: Place(offset: 21, path: ["moov", "trak"]))) {
      var cursor = ByteCursor(bytes.span)
      try cursor.skip(5)
      try cursor.forEachBox { (_, moov) throws(ParseError) in
        try moov.forEachBox { (_, trak) throws(ParseError) in _ = try trak.readUInt32() }
      }
    }
  }

  @Test func versionAndFlags() throws {
    let bytes: [UInt8] = [1, 0x12, 0x34, 0x56]
    var cursor = ByteCursor(bytes.span)
    let (version, flags) = try cursor.readVersionAndFlags()
    #expect(version == 1 && flags == 0x12_3456)
  }
}

@Suite struct TopLevelBoxesTests {
  private static let file = BoxHeaderTests.moov + BoxHeaderTests.large + BoxHeaderTests.uuid

  @Test func boxesAreFoundByTheirHeaders() throws {
    let boxes = try TopLevelBoxes(of: MemorySource(Self.file + [0, 0, 0, 0] + Array("mdat".utf8) + [5]))
    #expect(boxes.boxes.map(\.type) == ["moov", "mdat", "uuid", "mdat"])
    #expect(boxes.first("mdat")?.payload == 28..<30)
    #expect(boxes.boxes.last?.payload == 64..<65)
    #expect(boxes.rest.isEmpty && boxes.restReason == nil)
    #expect(boxes.first("free") == nil)
  }

  @Test func whatIsCutOffIsTheRest() throws {
    for cut in truncations(of: Self.file) {
      let boxes = try TopLevelBoxes(of: MemorySource(cut))
      let end = boxes.boxes.last?.range.upperBound ?? 0
      #expect(boxes.rest == end..<cut.count)
      #expect((boxes.restReason == nil) == (boxes.rest.count < 8))
      #expect(boxes.boxes.count == [12, 30, 56].count { $0 <= cut.count })
    }
    #expect(try TopLevelBoxes(of: MemorySource(Array("no boxes here".utf8))).boxes.isEmpty)
  }

  @Test func manyBoxesAreTooMany() throws {
    var limits = Limits()
    limits.boxesPerContainer = 2
    #expect(throws: ParseError.self) { try TopLevelBoxes(of: MemorySource(Self.file), limits: limits) }
  }
}
