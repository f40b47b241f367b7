import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Bit reader")
struct BitReaderTests {
  @Test("Fields of all widths come back as written, from any bit position")
  func fixedWidths() throws {
    var writer = BitWriter()
    var generator = SplitMix64(seed: 1)
    var fields: [(value: UInt32, count: Int)] = []
    for _ in 0..<2000 {
      let count = Int(generator.next() % 33)
      let value = UInt32(truncatingIfNeeded: generator.next()) & UInt32(truncatingIfNeeded: (1 << count) - 1)
      fields.append((value, count))
      writer.write(value, count)
    }
    let bytes = writer.bytes
    var reader = BitReader(bytes.span)
    for field in fields {
      let peeked = reader.peekBits(field.count)
      let value = try reader.readBits(field.count)
      #expect(value == field.value && peeked == value)
    }
    let rest = reader.remainingBits
    #expect(rest < 8)
  }

  @Test("Exp-Golomb codes come back as written", arguments: [0, 1, 7])
  func expGolomb(offset: Int) throws {
    var values: [UInt32] = Array(0...300)
    for shift in 0..<32 as Range<UInt32> { values += [1 << shift, (1 << shift) &- 1, (1 << shift) &+ 1] }
    values = values.filter { $0 <= UInt32.max - 1 }
    var writer = BitWriter()
    writer.write(0, offset)
    for value in values { writer.writeUE(value) }
    let signed: [Int32] = [0, 1, -1, 2, -2, 255, -256, .max, -.max]
    for value in signed { writer.writeSE(value) }
    let bytes = writer.bytes
    var reader = BitReader(bytes.span)
    try reader.skipBits(offset)
    for value in values {
      let read = try reader.readUE()
      #expect(read == value)
    }
    for value in signed {
      let read = try reader.readSE()
      #expect(read == value)
    }
  }

  @Test("The codes of ITU-T H.265, table 9-2")
  func table() throws {
    let bytes: [UInt8] = [0b1_010_011_0, 0b0100_0010, 0b1_0000000]
    var reader = BitReader(bytes.span)
    for expected in 0...4 as ClosedRange<UInt32> {
      let value = try reader.readUE()
      #expect(value == expected)
    }
  }

  @Test("A code of more than 31 zeros is refused, and the reader stays")
  func tooLong() {
    let bytes: [UInt8] = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    var reader = BitReader(bytes.span)
    #expect(throws: ParseError.self) { () throws in _ = try reader.readUE() }
    let position = reader.position
    #expect(position == 0)
  }
}
