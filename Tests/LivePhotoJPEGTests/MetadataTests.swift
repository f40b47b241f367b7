import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG metadata, written by the encoder")
struct MetadataTests {
  /// A minimal TIFF block with the fields that a validator wants of Exif in a JPEG file.
  static func exif(width: Int, height: Int) throws -> [UInt8] {
    ExifDraft(width: width, height: height).makeBlock().bytes
  }

  static let xmp = Array(
    """
    <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>\
    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
    <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>\
    <dc:format>image/jpeg</dc:format></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>
    """.utf8)

  @Test("every kind is there, in the conventional order")
  func order() throws {
    let picture = TestPicture(.smooth, width: 20, height: 12)
    var metadata = JPEGMetadata(
      exif: try Self.exif(width: 20, height: 12), xmp: Self.xmp, icc: [UInt8](repeating: 7, count: 140_000),
      comment: Array("made for a test".utf8))
    metadata.applicationSegments = [JPEGApplicationSegment(9, payload: [1, 2, 3])]
    let jpeg = try picture.encoded(JPEGEncoder(), metadata: metadata)
    let file = try JPEGFile(parsing: MemorySource(jpeg))
    #expect(
      file.segments.map(\.kind) == [
        .start, .jfif, .exif, .xmp, .icc, .icc, .icc, .application(9), .comment, .tables, .frameHeader, .tables,
        .scanHeader, .scanData, .end,
      ])
    #expect((file.frame.width, file.frame.height) == (20, 12))
    #expect(file.frame.components.map(\.horizontal) == [2, 1, 1])
    #expect(try file.exif()?.block.bytes == metadata.exif)
    #expect(try file.xmp() == metadata.xmp)
    #expect(try file.iccProfile() == metadata.icc)
    #expect(file.isComplete && file.trailer.isEmpty)
  }

  @Test("exiftool reads all of it and finds nothing to complain about", .judged(by: .exiftool))
  func judged() throws {
    let picture = TestPicture(.smooth, width: 48, height: 32)
    var metadata = JPEGMetadata(
      exif: try Self.exif(width: 48, height: 32), xmp: Self.xmp, comment: Array("made for a test".utf8))
    metadata.density = JPEGDensity(unit: .perInch, x: 72, y: 72)
    let folder = try TemporaryFolder()
    let path = try folder.write(picture.encoded(JPEGEncoder(), metadata: metadata), as: "a.jpg")
    let found = try tags(of: path)
    #expect(found["JFIF:XResolution"] == "72")
    #expect(found["ExifIFD:ExifImageWidth"] == "48")
    #expect(found["XMP-dc:Format"] == "image/jpeg")
    #expect(found["File:Comment"] == "made for a test")
    #expect(found["File:YCbCrSubSampling"] == "2 2")
    let verdict = try Judge.exiftool.ask(["-validate", "-warning", "-error", "-a", "-s3", path])
    #expect(verdict.lines == ["OK"])
  }

  @Test("what does not fit its segments is refused")
  func tooLarge() throws {
    let picture = TestPicture(.smooth, width: 8, height: 8)
    let cases: [(JPEGMetadata, JPEGMetadataKind, limit: Int)] = [
      (JPEGMetadata(exif: [UInt8](repeating: 0, count: 65_528)), .exif, 65_527),
      (JPEGMetadata(xmp: [UInt8](repeating: 0, count: 65_505)), .xmp, 65_504),
      (JPEGMetadata(icc: [UInt8](repeating: 0, count: 255 * 65_519 + 1)), .icc, 255 * 65_519),
      (JPEGMetadata(comment: [UInt8](repeating: 0, count: 65_534)), .comment, 65_533),
    ]
    for (metadata, kind, limit) in cases {
      #expect(throws: JPEGError.metadataTooLarge(kind, size: limit + 1, limit: limit)) {
        try picture.encoded(JPEGEncoder(), metadata: metadata)
      }
    }
    let largest = JPEGMetadata(
      exif: [UInt8](repeating: 0, count: 65_527), xmp: [UInt8](repeating: 0, count: 65_504),
      icc: [UInt8](repeating: 0, count: 255 * 65_519), comment: [UInt8](repeating: 0, count: 65_533))
    let file = try JPEGFile(parsing: MemorySource(picture.encoded(JPEGEncoder(), metadata: largest)))
    #expect(file.segments.filter { $0.kind == .icc }.count == 255)
  }

  @Test("without JFIF there is none")
  func noJFIF() throws {
    var metadata = JPEGMetadata()
    metadata.includesJFIF = false
    let jpeg = try TestPicture(.smooth, width: 8, height: 8).encoded(JPEGEncoder(), metadata: metadata)
    #expect(try JPEGFile(parsing: MemorySource(jpeg)).first(.jfif) == nil)
  }
}
