import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG metadata, edited without touching anything else")
struct EditTests {
  static let exif: [UInt8] = ExifDraft(width: 40, height: 24).makeBlock().bytes

  /// A file with the given metadata, a stranger's segment, and bytes behind EOI.
  static func file(_ metadata: JPEGMetadata) throws -> [UInt8] {
    var metadata = metadata
    metadata.applicationSegments = [JPEGApplicationSegment(7, payload: Array("stranger".utf8))]
    return try TestPicture(.noise, width: 40, height: 24).encoded(JPEGEncoder(), metadata: metadata)
      + Array("behind the end".utf8)
  }

  private func edited(_ bytes: [UInt8], _ edits: JPEGEdits) throws -> [UInt8] {
    try JPEGFile(parsing: MemorySource(bytes)).applying(edits).materialized()
  }

  @Test("what is added is what the encoder would have written, and what is removed leaves nothing")
  func addAndRemove() throws {
    let plain = try Self.file(JPEGMetadata())
    let full = try Self.file(JPEGMetadata(exif: Self.exif, xmp: [65, 66], icc: [1, 2, 3]))
    let all = JPEGEdits(exif: .replace(Self.exif), xmp: .replace([65, 66]), icc: .replace([1, 2, 3]))
    let none = JPEGEdits(exif: .remove, xmp: .remove, icc: .remove)
    #expect(try edited(plain, all) == full)
    #expect(try edited(full, none) == plain)
    #expect(try edited(full, all) == full)
    #expect(try edited(full, JPEGEdits()) == full)
    #expect(try edited(full, JPEGEdits(xmp: .remove)) == Self.file(JPEGMetadata(exif: Self.exif, icc: [1, 2, 3])))
  }

  @Test("Exif goes to the front where there is no JFIF")
  func withoutJFIF() throws {
    var metadata = JPEGMetadata()
    metadata.includesJFIF = false
    let result = try edited(try Self.file(metadata), JPEGEdits(exif: .replace(Self.exif)))
    #expect(try JPEGFile(parsing: MemorySource(result)).segments[1].kind == .exif)
  }

  @Test("Exif of more than a segment holds is refused")
  func tooLarge() throws {
    let plain = try Self.file(JPEGMetadata())
    #expect(throws: JPEGError.metadataTooLarge(.exif, size: 65_528, limit: 65_527)) {
      try edited(plain, JPEGEdits(exif: .replace([UInt8](repeating: 0, count: 65_528))))
    }
  }

  @Test(
    "the index of pictures is corrected, whatever its byte order and place", arguments: [ByteOrder.big, .little],
    [false, true])
  func index(_ order: ByteOrder, isBeforeExif: Bool) throws {
    let second = try TestPicture(.smooth, width: 16, height: 16).encoded(JPEGEncoder())
    let first = try TwoPictures.file(second, order, exif: Self.exif, isBeforeExif: isBeforeExif)
    let larger = Self.exif + [UInt8](repeating: 0, count: 1001)
    for (bytes, edits) in [
      (first, JPEGEdits()), (first, JPEGEdits(exif: .replace(larger))), (first, JPEGEdits(exif: .remove)),
      (first, JPEGEdits(exif: .remove, icc: .replace([9, 9, 9, 9]))),
    ] {
      let result = try edited(bytes, edits)
      let found = try TwoPictures.entries(result, order)
      #expect(found.firstSize == result.count - second.count)
      #expect(Array(result[found.secondStart..<found.secondStart + found.secondSize]) == second)
    }
  }

  @Test("edits of real files change the one segment and nothing else", .needsCorpus)
  func corpus() throws {
    let paths = ["01-livephotos", "04-motionphotos", "05-jpeg"].flatMap {
      Corpus.files(in: $0, extensions: ["jpg", "jpeg"])
    }
    for path in paths {
      let bytes = try Corpus.bytes(path)
      guard bytes.starts(with: [0xFF, 0xD8]) else { continue }
      let file = try JPEGFile(parsing: MemorySource(bytes))
      let result = try edited(bytes, JPEGEdits(exif: .replace(Self.exif)))
      let after = try JPEGFile(parsing: MemorySource(result))
      #expect(try after.exif()?.block.bytes == Self.exif, "\(path)")
      let skipped: Set<JPEGSegment.Kind> = [.exif, .multiPicture]
      let old = file.segments.filter { !skipped.contains($0.kind) }.flatMap { bytes[$0.range] }
      let new = after.segments.filter { !skipped.contains($0.kind) }.flatMap { result[$0.range] }
      #expect(old == new && bytes[file.trailer] == result[after.trailer], "\(path)")
      #expect(after.segments.first { $0.kind == .exif }?.kind == .exif, "\(path)")
    }
  }

  @Test("exiftool extracts the same further pictures after an edit", .needsCorpus, .judged(by: .exiftool))
  func realIndex() throws {
    let folder = try TemporaryFolder()
    var count = 0
    for path in ["05-jpeg/ultrahdr_iso21496_TestHDR.jpeg", "04-motionphotos/pixel8pro_ultrahdr_not_motion.jpg"] {
      let bytes = try Corpus.bytes(path)
      let copy = try folder.write(edited(bytes, JPEGEdits(exif: .replace(Self.exif))), as: "copy.jpg")
      let before = try Judge.exiftool.ask(["-b", "-MPImage2", Corpus.file(path)]).output
      let after = try Judge.exiftool.ask(["-b", "-MPImage2", copy]).output
      #expect(after == before, "\(path)")
      count += before.isEmpty ? 0 : 1
    }
    #expect(count > 0)
  }
}

/// A file of two pictures with an index (CIPA DC-007) in the first.
enum TwoPictures {
  static func file(_ second: [UInt8], _ order: ByteOrder, exif: [UInt8], isBeforeExif: Bool) throws -> [UInt8] {
    let picture = TestPicture(.noise, width: 24, height: 24)
    let mark = UInt32(0xA1B2_C3D4)
    // Built twice: the index holds sizes and offsets of the file that it is in.
    func build(_ firstSize: UInt32, _ offset: UInt32) throws -> [UInt8] {
      var metadata = JPEGMetadata(exif: isBeforeExif ? nil : exif)
      let index = JPEGApplicationSegment(2, payload: index(order, firstSize, UInt32(second.count), offset))
      metadata.applicationSegments = [index]
      if isBeforeExif {
        metadata.applicationSegments.append(JPEGApplicationSegment(1, payload: ExifPayload.code + exif))
      }
      return try picture.encoded(JPEGEncoder(), metadata: metadata)
    }
    let size = try build(mark, mark).count
    let file = try JPEGFile(parsing: MemorySource(try build(mark, mark)))
    let header = try #require(file.first(.multiPicture)).payload.lowerBound + 4
    return try build(UInt32(size), UInt32(size - header)) + second
  }

  private static func index(_ order: ByteOrder, _ first: UInt32, _ second: UInt32, _ offset: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUTF8("MPF\0")
    writer.writeUTF8(order == .big ? "MM" : "II")
    writer.writeUInt16(42, order)
    writer.writeUInt32(8, order)
    writer.writeUInt16(1, order)
    writer.writeUInt16(0xB002, order)
    writer.writeUInt16(7, order)
    writer.writeUInt32(32, order)
    writer.writeUInt32(26, order)
    writer.writeUInt32(0, order)
    for (size, offset) in [(first, 0), (second, offset)] {
      writer.writeUInt32(0, order)
      writer.writeUInt32(size, order)
      writer.writeUInt32(offset, order)
      writer.writeUInt32(0, order)
    }
    return writer.bytes
  }

  /// What the index of a file of this kind says, offsets counted from the start of the file.
  static func entries(_ bytes: [UInt8], _ order: ByteOrder) throws -> (
    firstSize: Int, secondSize: Int, secondStart: Int
  ) {
    let file = try JPEGFile(parsing: MemorySource(bytes))
    let start = try #require(file.first(.multiPicture)).payload.lowerBound + 4
    var cursor = ByteCursor(bytes.span)
    try cursor.seek(to: start + 26 + 4)
    let firstSize = Int(try cursor.readUInt32(order))
    try cursor.skip(12)
    let secondSize = Int(try cursor.readUInt32(order))
    return (firstSize, secondSize, start + Int(try cursor.readUInt32(order)))
  }
}
