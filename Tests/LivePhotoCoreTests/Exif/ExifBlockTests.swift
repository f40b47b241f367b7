import LivePhotoCore
import Testing

@Suite struct ExifBlockTests {
  static let orders: [ByteOrder] = [.big, .little]

  @Test(arguments: orders) func everyDirectoryIsRead(order: ByteOrder) throws {
    let sample = ExifSample(order: order)
    let block = try ExifBlock(parsing: sample.bytes())
    #expect(block.byteOrder == order)
    #expect(block.bytes == sample.bytes())
    #expect(ExifDirectory.allCases.allSatisfy(block.has))
    #expect(block.field(.make, in: .image)?.text == "Maker")
    #expect(block.orientation == .right)
    #expect(block.field(.yResolution, in: .image)?.rationals == [TIFFRational(72, 1)])
    #expect(block.field(.dateTimeOriginal, in: .exif)?.text == "2001:02:03 04:05:06")
    #expect(block.field(0x0001, in: .interoperability)?.text == "R98")
    #expect(block.thumbnail == ExifSample.thumbnail)
    // The private tag's type is unknown: it is damage, and kept.
    #expect(block.damages.count == 1)
    #expect(block.field(0xC000, in: .image) == nil)
    #expect(block.fields(in: .image).count == 8)
  }

  @Test(arguments: orders) func thePositionIsRead(order: ByteOrder) throws {
    let position = try #require(try ExifBlock(parsing: ExifSample(order: order).bytes()).position)
    #expect(abs(position.latitude - -(33 + 51.0 / 60 + 25.12 / 3600)) < 1e-9)
    #expect(abs(position.longitude - (151 + 12.0 / 60 + 50.40 / 3600)) < 1e-9)
    #expect(position.altitude == -12.5)
  }

  @Test func loopsOfDirectoriesEnd() throws {
    var bytes = ExifSample(order: .big).bytes()
    let block = try ExifBlock(parsing: bytes)
    #expect(block.has(.thumbnail))
    // IFD0's next directory is IFD0.
    let next = 8 + 2 + 9 * 12
    bytes.replaceSubrange(next..<next + 4, with: [0, 0, 0, 8])
    #expect(!(try ExifBlock(parsing: bytes).has(.thumbnail)))
  }

  @Test func aDirectoryThatIsCutOffEndsWithItsLastEntry() throws {
    // IFD0 claims 37 entries; the block ends after two, one of which claims to be the Exif directory.
    var writer = ByteWriter()
    writer.write([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 37])
    writer.write([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0])
    writer.write([0x87, 0x69, 0xE4, 0x88, 0x25, 0x87, 0x69, 0xE4, 0x88, 0x25, 0, 0])
    writer.write([0, 0, 0])
    var block = try ExifBlock(parsing: writer.bytes)
    let identifier = ContentIdentifier.random()
    _ = try block.setContentIdentifier(identifier, otherMakerNote: .replace)
    let again = try ExifBlock(parsing: block.bytes)
    #expect(again.contentIdentifier == identifier)
    #expect(again.orientation == .right)
    #expect(again.fields(in: .image).count == 2)
  }

  @Test func directoriesThatShareBytesAreDamage() throws {
    // IFD0 at 8 has one entry, the GPS pointer, which points into the header.
    var writer = ByteWriter()
    writer.write([0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1])
    writer.write([0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2])
    writer.write([0, 0, 0, 0])
    var block = try ExifBlock(parsing: writer.bytes)
    #expect(!block.has(.gps))
    #expect(!block.damages.isEmpty)
    let identifier = ContentIdentifier.random()
    _ = try block.setContentIdentifier(identifier, otherMakerNote: .replace)
    block.remove(.gps)
    #expect(block.contentIdentifier == identifier)
  }

  @Test func headersThatAreNoneAreRefused() {
    for bytes in [[], Array("MM\0+\0\0\0\u{8}".utf8), Array("MM\0*".utf8), Array("MM\0*\0\0\0\0".utf8)] as [[UInt8]] {
      #expect(throws: ParseError.self) { try ExifBlock(parsing: bytes) }
    }
    var small = Limits()
    small.blobBytes = 100
    #expect(throws: ParseError.self) { try ExifBlock(parsing: ExifSample(order: .big).bytes(), limits: small) }
  }

  @Test func everyTypeReadsInBothOrders() {
    let big: [UInt8] = [0xFF, 0xFE, 0xFD, 0xFC, 0, 0, 0, 2]
    #expect(TIFFField(1, .short, bytes: big).unsignedIntegers == [0xFFFE, 0xFDFC, 0, 2])
    #expect(TIFFField(1, .signedShort, bytes: big).integers == [-2, -516, 0, 2])
    #expect(TIFFField(1, .long, bytes: big, byteOrder: .little).unsignedIntegers == [0xFCFD_FEFF, 0x0200_0000])
    #expect(TIFFField(1, .signedLong8, bytes: big).integers == [-0x0001_0203_FFFF_FFFE])
    #expect(TIFFField(1, .long8, bytes: big).integers == nil)
    #expect(TIFFField(1, .long8, bytes: big).unsignedIntegers == [0xFFFE_FDFC_0000_0002])
    #expect(TIFFField(1, .signedRational, bytes: big).rationals == [TIFFRational(-66052, 2)])
    #expect(TIFFField(1, .rational, bytes: big).rationals == [TIFFRational(0xFFFE_FDFC, 2)])
    #expect(TIFFField(1, .rational, bytes: big).rationals?.first?.value == Double(0xFFFE_FDFC) / 2)
    #expect(TIFFRational(1, 0).value == nil)
    #expect(TIFFField(1, .signedByte, bytes: [0x80, 1]).integers == [-128, 1])
    #expect(TIFFField(1, .long, bytes: Array(big.prefix(7))).count == 1)
    #expect(TIFFField(1, .float, bytes: big).integers == nil)
    #expect(TIFFField(1, .short, bytes: big).text == nil)
    #expect(TIFFField(1, .ascii, bytes: Array("ab\0c".utf8)).text == "ab")
  }
}
