import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

@Suite struct MediaKindTests {
  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], MediaKind.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
      (Array("GIF89a".utf8), .gif), (Array("P6\n1 1\n255\n".utf8), .netpbm), (Array("P7\nWIDTH 1".utf8), .netpbm),
      (Array("YUV4MPEG2 W2".utf8), .y4m), (Array("Paris".utf8), .unknown), ([], .unknown), ([0xFF], .unknown),
      (Array("P9\n".utf8), .unknown),
    ] as [([UInt8], MediaKind)]) func tellsByTheFirstBytes(head: [UInt8], kind: MediaKind)
  {
    #expect(MediaKind(head: head) == kind)
  }

  @Test(
    arguments: [
      (["heic", "mif1"], MediaKind.heif), (["mif1", "avif"], .heif), (["qt  "], .movie), (["mp42", "isom"], .movie),
      (["XAVC", "isom"], .movie), (["abcd", "heic"], .heif), (["mp42", "heic"], .movie),
    ] as [([String], MediaKind)]) func tellsBoxesByTheirBrands(brands: [String], kind: MediaKind)
  {
    var writer = ByteWriter()
    writer.box("ftyp") { writer in
      writer.writeFourCC(FourCC(brands[0]))
      writer.writeUInt32(0)
      for brand in brands { writer.writeFourCC(FourCC(brand)) }
    }
    #expect(MediaKind(head: writer.bytes) == kind)
  }

  @Test func aMovieMayLackItsBrands() {
    var writer = ByteWriter()
    writer.box("wide", [])
    #expect(MediaKind(head: writer.bytes) == .movie)
  }

  @Test(.needsCorpus, arguments: ["02-heif", "03-mov-mp4", "05-jpeg"])
  func realFilesAreWhatTheyAreSaidToBe(folder: String) throws {
    let expected: [String: MediaKind] = ["02-heif": .heif, "03-mov-mp4": .movie, "05-jpeg": .jpeg]
    // A PNG by another name.
    let misnamed: Set<String> = ["05-jpeg/jd_mozilla_jpg-size-6x6.jpg"]
    for path in Corpus.files(in: folder, extensions: ["heic", "mov", "mp4", "jpg"]) where !misnamed.contains(path) {
      #expect(MediaKind(head: Array(try Corpus.bytes(path).prefix(4096))) == expected[folder], "\(path)")
    }
  }
}
