import LivePhotoCore
import Testing

@Suite struct ByteWriterTests {
  @Test func whatIsWrittenIsRead() throws {
    var writer = ByteWriter()
    writer.writeUInt8(0xFE)
    writer.writeInt8(-2)
    writer.writeUInt16(0x8001)
    writer.writeInt16(-3, .little)
    writer.writeUInt24(0xFF12_3456)
    writer.writeUInt32(0x8765_4321, .little)
    writer.writeInt32(.min)
    writer.writeUInt64(0x0102_0304_0506_0708)
    writer.writeInt64(-5, .little)
    writer.writeUInt(0x1_0203_0405, width: 5)
    writer.writeUInt(7, width: 0)
    writer.writeFourCC("qt")
    writer.writeFloat32(-1.5)
    writer.writeFloat64(.pi)
    writer.writeUTF8("é")
    writer.writeZeros(2)
    #expect(writer.bytes.prefix(4) == [0xFE, 0xFE, 0x80, 0x01])

    var cursor = ByteCursor(writer.bytes.span)
    #expect(try cursor.readUInt8() == 0xFE)
    #expect(try cursor.readInt8() == -2)
    #expect(try cursor.readUInt16() == 0x8001)
    #expect(try cursor.readUInt16(.little) == 0xFFFD)
    #expect(try cursor.readUInt24() == 0x12_3456)
    #expect(try cursor.readUInt32(.little) == 0x8765_4321)
    #expect(try cursor.readInt32() == .min)
    #expect(try cursor.readUInt64() == 0x0102_0304_0506_0708)
    #expect(try cursor.readUInt64(.little) == UInt64(bitPattern: -5))
    #expect(try cursor.readUInt(width: 5) == 0x1_0203_0405)
    #expect(try cursor.readFourCC() == "qt  ")
    #expect(Float(bitPattern: try cursor.readUInt32()) == -1.5)
    #expect(Double(bitPattern: try cursor.readUInt64()) == .pi)
    #expect(try cursor.readUTF8(2) == "é")
    #expect(try cursor.readBytes(2) == [0, 0])
    #expect(cursor.remaining == 0)
  }

  @Test func boxesCountTheirContent() {
    var writer = ByteWriter()
    writer.writeUInt8(9)
    writer.box("moov") { writer in
      writer.fullBox("mvhd", version: 1, flags: 0x0203) { $0.writeUInt16(7) }
      writer.box("free", [1])
    }
    let expected: [UInt8] =
      [9, 0, 0, 0, 31] + Array("moov".utf8) + [0, 0, 0, 14] + Array("mvhd".utf8) + [1, 0, 2, 3, 0, 7]
      + [0, 0, 0, 9] + Array("free".utf8) + [1]
    #expect(writer.bytes == expected)
  }

  @Test func codesReadAsTheyAreWritten() {
    #expect(FourCC("moov").rawValue == 0x6D6F_6F76)
    #expect(FourCC("©xyz").rawValue == 0xA978_797A)
    #expect(FourCC("©xyz").description == "©xyz")
    #expect(("©day" as FourCC).rawValue == 0xA964_6179)
    #expect(FourCC("qt").description == "qt  ")
    #expect(FourCC("toolong") == "tool")
    #expect(FourCC("a€b").description == "a?b ")
    #expect(FourCC(rawValue: 1).description == "0x00000001")
  }
}
