import LivePhotoCore
import Testing

@Suite struct ExifPayloadTests {
  static let block = ExifSample(order: .big).bytes()

  /// What writers put before the TIFF header of a HEIF item; the last three miscount or leave the offset out.
  static let prefixes: [[UInt8]] = [
    [0, 0, 0, 6] + Array("Exif\0\0".utf8), [0, 0, 0, 0], [0, 0, 0, 3, 9, 9, 9],
    [0, 0, 0, 0] + Array("Exif\0\0".utf8), [], Array("Exif\0\0".utf8),
  ]

  @Test(arguments: prefixes) func aHEIFItemKeepsItsPrefix(prefix: [UInt8]) throws {
    let item = prefix + Self.block
    let payload = try ExifPayload(heifItem: item)
    #expect(payload.prefix == prefix)
    #expect(payload.block.bytes == Self.block)
    #expect(payload.bytes == item)
  }

  @Test func aNewHEIFItemIsAsPhonesWriteIt() throws {
    let payload = ExifPayload(newHEIFItem: try ExifBlock(parsing: Self.block))
    #expect(payload.bytes == Self.prefixes[0] + Self.block)
  }

  @Test func aJPEGSegmentKeepsItsPrefix() throws {
    for prefix in [Array("Exif\0\0".utf8), Array("Exif\0".utf8) + [0xFF]] {
      let payload = try ExifPayload(jpegSegment: prefix + Self.block)
      #expect(payload.prefix == prefix)
      #expect(payload.bytes == prefix + Self.block)
      #expect(ExifPayload.isExif(jpegSegment: prefix))
    }
    let payload = ExifPayload(newJPEGSegment: try ExifBlock(parsing: Self.block))
    #expect(payload.bytes == Array("Exif\0\0".utf8) + Self.block)
  }

  @Test func otherPayloadsAreRefused() {
    #expect(!ExifPayload.isExif(jpegSegment: "http://ns.adobe.com/xap/1.0/\0".utf8))
    #expect(throws: ParseError.self) { try ExifPayload(jpegSegment: Array("http://ns.adobe".utf8)) }
    #expect(throws: ParseError.self) { try ExifPayload(heifItem: [0, 0]) }
    #expect(throws: ParseError.self) { try ExifPayload(heifItem: [0xFF, 0xFF, 0xFF, 0xFF] + Array("Exif".utf8)) }
  }
}
