import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG segments")
struct SegmentTests {
  @Test("fill bytes, restart markers, stuffing, several scans and extraneous bytes are told apart")
  func structure() throws {
    let bytes: [UInt8] =
      [0xFF, 0xD8] + [0xFF, 0xFF, 0xFF, 0xDB, 0, 3, 9] + [1, 2, 3]
      + [0xFF, 0xC1, 0, 11, 8, 0, 5, 0, 7, 1, 1, 0x21, 0] + [0xFF, 0xDA, 0, 4, 0, 0]
      + [5, 0xFF, 0, 0xFF, 0xD3, 6, 0xFF, 0xFF, 0, 0xFF, 0xD7, 0xFF] + [0xFF, 0xDA, 0, 2] + [0xFF, 0xD9] + [8, 9]
    let file = try JPEGFile(parsing: MemorySource(bytes))
    #expect(
      file.segments.map(\.kind) == [
        .start, .tables, .extraneous, .frameHeader, .scanHeader, .scanData, .scanHeader, .end,
      ])
    #expect(file.segments.map(\.range.count) == [2, 7, 3, 13, 6, 11, 5, 2])
    #expect((file.frame.process, file.frame.precision, file.frame.width, file.frame.height) == (1, 8, 7, 5))
    let component = try #require(file.frame.components.first)
    #expect((component.identifier, component.horizontal, component.vertical, component.table) == (1, 2, 1, 0))
    #expect(file.trailer == bytes.count - 2..<bytes.count)
  }

  @Test(
    "the segments of real files follow each other without a gap and are exiftool's", .needsCorpus,
    .judged(by: .exiftool))
  func corpus() throws {
    let paths = ["01-livephotos", "04-motionphotos", "05-jpeg"].flatMap {
      Corpus.files(in: $0, extensions: ["jpg", "jpeg"])
    }
    var count = 0
    for path in paths {
      let bytes = try Corpus.bytes(path)
      guard bytes.starts(with: [0xFF, 0xD8]) else { continue }
      let file = try JPEGFile(parsing: PieceSource(bytes))
      count += 1
      var end = 0
      for segment in file.segments {
        #expect(segment.range.lowerBound == end, "\(path)")
        end = segment.range.upperBound
      }
      #expect(end == file.trailer.lowerBound, "\(path)")
      let headers = file.segments.prefix { $0.kind != .scanHeader }.dropFirst()
      let sizes = headers.filter { $0.kind != .extraneous && !$0.payload.isEmpty }.map(\.payload.count)
      #expect(sizes == (try Self.exiftoolSizes(path)), "\(path)")
    }
    #expect(count > 60)
  }

  /// The content sizes of the segments before the first scan, as `exiftool -v` lists them.
  private static func exiftoolSizes(_ path: String) throws -> [Int] {
    let lines = try Judge.exiftool.askAnything(["-v", Corpus.file(path)]).lines
    return lines.prefix { !$0.hasPrefix("JPEG SOS") }.compactMap { line in
      guard line.hasPrefix("JPEG "), let open = line.firstIndex(of: "(") else { return nil }
      return line[line.index(after: open)...].split(separator: " ").first.flatMap { Int($0) }
    }
  }

  @Test("lengths that lie are refused with their place")
  func lies() throws {
    let jpeg = try TestPicture(.smooth, width: 9, height: 9).encoded(JPEGEncoder())
    for length in [0, 1] {
      var bytes = jpeg
      (bytes[4], bytes[5]) = (0, UInt8(length))
      #expect(
        throws: ParseError.invalid(
          "length", found: "\(length)", expected: "2 or more", at: Place(offset: 2, path: ["APP0"]))
      ) { try JPEGFile(parsing: MemorySource(bytes)) }
    }
    var bytes = jpeg
    (bytes[4], bytes[5]) = (0xFF, 0xFF)
    #expect(
      throws: ParseError.truncated(
        needed: 65_535, available: jpeg.count - 4, at: Place(offset: 2, path: ["APP0"]))
    ) { try JPEGFile(parsing: MemorySource(bytes)) }
    for other in [[], Array("GIF89a".utf8), [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD9]] as [[UInt8]] {
      #expect(throws: ParseError.self) { try JPEGFile(parsing: MemorySource(other)) }
    }
  }

  @Test("a file cut off anywhere, or damaged, is read or refused, and edited without losing a byte")
  func hostile() throws {
    let metadata = JPEGMetadata(exif: ExifDraft(width: 33, height: 17).makeBlock().bytes, icc: [1, 2, 3])
    let jpeg = try TestPicture(.noise, width: 33, height: 17).encoded(JPEGEncoder(), metadata: metadata) + [7, 7, 7]
    let scan = try #require(try JPEGFile(parsing: MemorySource(jpeg)).first(.scanHeader)).range
    for part in truncations(of: jpeg) {
      let file = try? JPEGFile(parsing: MemorySource(part))
      #expect((file != nil) == (part.count >= scan.upperBound), "\(part.count)")
      #expect(file?.isComplete ?? false == (part.count >= jpeg.count - 3))
    }
    for damaged in damagedCopies(of: jpeg, count: 2000, seed: 4) {
      guard let file = try? JPEGFile(parsing: MemorySource(damaged)) else { continue }
      _ = try? file.iccProfile()
      _ = try? file.exif()
      let same = try file.applying(JPEGEdits()).materialized()
      #expect(same == damaged)
      _ = try? file.applying(JPEGEdits(exif: .replace([1, 2, 3]), icc: .remove)).materialized()
    }
  }

  @Test("malformed files of the corpus do not crash the reader", .needsCorpus)
  func malformed() throws {
    for path in Corpus.files(in: "07-malformed") {
      let bytes = try Corpus.bytes(path)
      guard let file = try? JPEGFile(parsing: MemorySource(bytes)) else { continue }
      #expect(try file.applying(JPEGEdits()).materialized() == bytes, "\(path)")
    }
  }

  @Test("a limit on segments holds")
  func limits() throws {
    let many =
      [0xFF, 0xD8] + [UInt8](repeating: 0, count: 0) + (0..<50).flatMap { _ in [0xFF, 0xFE, 0, 2] as [UInt8] }
    var limits = Limits.standard
    limits.segments = 20
    #expect(throws: ParseError.beyondLimit("number of segments", found: 21, limit: 20, at: Place(offset: 78))) {
      try JPEGFile(parsing: MemorySource(many), limits: limits)
    }
  }
}

/// A source that fails when more than 128 KB are asked for at once: the reader has to do with pieces.
private struct PieceSource: ByteSource {
  let memory: MemorySource
  init(_ bytes: [UInt8]) { memory = MemorySource(bytes) }
  var count: Int { memory.count }
  func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.count <= 128 << 10 else { throw .outOfBounds(range, count: 128 << 10) }
    return try memory.read(range)
  }
}
