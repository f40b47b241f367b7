import LivePhotoCore
import TestSupport
import Testing

@Suite struct ByteCursorTests {
  static let bytes: [UInt8] = [0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88, 0x99]

  @Test func integersOfEveryWidthAndOrder() throws {
    var cursor = ByteCursor(Self.bytes.span)
    #expect(try cursor.readUInt8() == 0x81)
    try cursor.seek(to: 0)
    #expect(try cursor.readInt8() == -127)
    try cursor.seek(to: 0)
    #expect(try cursor.readUInt16() == 0x8102)
    #expect(try cursor.readUInt16(.little) == 0x0403)
    try cursor.seek(to: 0)
    #expect(try cursor.readInt16() == -0x7EFE)
    try cursor.seek(to: 0)
    #expect(try cursor.readUInt24() == 0x81_0203)
    try cursor.seek(to: 0)
    #expect(try cursor.readUInt32() == 0x8102_0304)
    #expect(try cursor.readUInt32(.little) == 0x8807_0605)
    try cursor.seek(to: 0)
    #expect(try cursor.readInt32() == -0x7EFD_FCFC)
    try cursor.seek(to: 0)
    #expect(try cursor.readUInt64() == 0x8102_0304_0506_0788)
    try cursor.seek(to: 1)
    #expect(try cursor.readUInt64(.little) == 0x9988_0706_0504_0302)
    try cursor.seek(to: 0)
    #expect(try cursor.readInt64() == Int64(bitPattern: 0x8102_0304_0506_0788))
    #expect(try cursor.readUInt(width: 0) == 0)
    try cursor.seek(to: 0)
    #expect(try cursor.readUInt(width: 5) == 0x81_0203_0405)
    #expect(cursor.remaining == 4)
    try cursor.seek(to: 0)
    #expect(try cursor.readFourCC() == FourCC(rawValue: 0x8102_0304))
  }

  @Test func aReadBeyondTheEndThrowsAndStays() throws {
    var cursor = ByteCursor(Self.bytes.span, base: 100)
    try cursor.skip(6)
    #expect(throws: ParseError.truncated(needed: 4, available: 3, at: Place(offset: 106))) { try cursor.readUInt32() }
    #expect(throws: ParseError.truncated(needed: 8, available: 3, at: Place(offset: 106))) { try cursor.readUInt64() }
    #expect(throws: ParseError.self) { try cursor.readBytes(4) }
    #expect(throws: ParseError.self) { try cursor.readBytes(-1) }
    #expect(throws: ParseError.self) { try cursor.skip(.max) }
    #expect(throws: ParseError.self) { try cursor.readUInt(width: 9) }
    #expect(throws: ParseError.self) { try cursor.readUInt(width: -1) }
    #expect(throws: ParseError.self) { try cursor.seek(to: -1) }
    #expect(throws: ParseError.self) { try cursor.seek(to: 10) }
    #expect(cursor.position == 6)
    #expect(try cursor.readUInt24() == 0x07_8899)
    #expect(cursor.remaining == 0)
    #expect(throws: ParseError.self) { try cursor.readUInt8() }
  }

  @Test func partsKnowWhereTheyLie() throws {
    var cursor = ByteCursor(Self.bytes.span, base: 100)
    try cursor.skip(1)
    var part = try cursor.slice(3)
    #expect(cursor.position == 4)
    try part.skip(2)
    #expect(part.fileOffset == 103)
    #expect(part.readRemaining() == [0x04])
    #expect(part.readRemaining() == [])
    var other = try cursor.part(7..<9)
    #expect(other.base == 107)
    #expect(try other.readBytes(2) == [0x88, 0x99])
    var failed = false
    do { _ = try cursor.part(7..<10) } catch { failed = true }
    #expect(failed)
    failed = false
    do { _ = try cursor.slice(6) } catch { failed = true }
    #expect(failed)
  }

  @Test func peekingAndText() throws {
    let bytes = Array("xmoovtrak\u{E9}".utf8)
    var cursor = ByteCursor(bytes.span)
    try cursor.skip(1)
    #expect(cursor.peekFourCC() == "moov")
    #expect(cursor.peekFourCC(ahead: 4) == "trak")
    #expect(cursor.peekFourCC(ahead: 7) == nil)
    #expect(cursor.peekFourCC(ahead: -1) == nil)
    #expect(cursor.peekFourCC(ahead: .max) == nil)
    try cursor.skip(8)
    #expect(try cursor.readUTF8(1) == "\u{FFFD}")
  }
}

@Suite struct ByteSourceTests {
  @Test func sourcesGuardTheirBounds() throws {
    let memory = MemorySource([0, 1, 2, 3, 4, 5])
    #expect(try memory.read(2..<4) == [2, 3])
    #expect(throws: SourceError.outOfBounds(4..<7, count: 6)) { try memory.read(4..<7) }
    let window = try SubSource(memory, range: 1..<5)
    #expect(window.count == 4)
    #expect(try window.read(0..<4) == [1, 2, 3, 4])
    #expect(throws: SourceError.outOfBounds(0..<5, count: 4)) { try window.read(0..<5) }
    #expect(throws: SourceError.self) { try window.read(-1..<2) }
    #expect(throws: SourceError.self) { try SubSource(memory, range: 3..<7) }
    #expect(throws: ParseError.source(.outOfBounds(6..<7, count: 6))) { try memory.parseBytes(6..<7) }
  }
}
