import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

/// Tags that say where a picture was taken, in all files of a folder, as exiftool finds them.
private func places(in folder: TemporaryFolder) throws -> [String] {
  let tags = ["GPS", "Location", "Latitude", "Longitude", "CountryCode", "Altitude", "Province"]
  return try Judge.exiftool.askAnything(
    ["-a", "-G1", "-s", "-ee", "-r"] + tags.map { "-*\($0)*" } + ["-City", "-State", "-Country"] + [folder.root]
  )
  .lines.filter { $0.hasPrefix("[") }
}

@Suite("Stripping JPEG files") struct StrippingTests {
  private typealias Segments = [(marker: UInt8, content: [UInt8])]

  /// A picture with further segments behind SOI, and bytes behind EOI.
  private func file(_ segments: Segments, trailer: [UInt8] = []) throws -> [UInt8] {
    let image = PlanarImage.synthetic(
      width: 16, height: 16, format: PixelFormat(.yuv420), color: .jfif)
    let plain = try JPEGEncoder(quality: 80).encode(image)
    let inserted = segments.flatMap { segment -> [UInt8] in
      let size = segment.content.count + 2
      return [0xFF, segment.marker, UInt8(size >> 8), UInt8(size & 255)] + segment.content
    }
    return Array(plain[..<2]) + inserted + plain[2...] + trailer
  }

  private func stripped(_ bytes: [UInt8], _ what: MetadataStripping) throws -> (bytes: [UInt8], notes: [String]) {
    let result = try JPEGFile(parsing: MemorySource(bytes)).stripping(what)
    return (try result.plan.materialized(), result.removed)
  }

  /// Every kind of segment: what is known to name no place stays with `location`, and only what decodes with `all`.
  @Test func segments() throws {
    let place = Array("+12.34567-098.76543/".utf8)
    let gainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0]
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + Array(repeating: 7, count: 128)
    let segments: Segments = [
      (0xE5, Array("Maker\0".utf8) + place), (0xED, Array("Photoshop 3.0\0".utf8) + place), (0xFE, place),
      (0xFE, Array("a comment".utf8)), (0xE2, gainMap), (0xE2, profile), (0xE1, Array("odd".utf8) + place),
    ]
    let source = try file(segments, trailer: Array("SEFH".utf8) + place)
    let (location, notes) = try stripped(source, .location)
    #expect(location.firstRange(of: place) == nil)
    for kept in [Array("a comment".utf8), gainMap, profile] { #expect(location.firstRange(of: kept) != nil) }
    #expect(notes.count == 4, "\(notes)")
    let (all, _) = try stripped(source, .all)
    for kept in [gainMap, profile] { #expect(all.firstRange(of: kept) != nil) }
    #expect(all.firstRange(of: place) == nil && all.firstRange(of: Array("a comment".utf8)) == nil)
    let plain = try JPEGFile(parsing: MemorySource(source)), clean = try JPEGFile(parsing: MemorySource(all))
    let scan = try #require(plain.first(.scanData)), same = try #require(clean.first(.scanData))
    #expect(try plain.source.read(scan.range) == clean.source.read(same.range))
    #expect(try stripped(all, .all).bytes == all)
  }

  /// Damaged files are refused or stripped, and never end in a trap.
  @Test func damagedFiles() throws {
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0<a exif:GPSLatitude='1'><x:City>b</x:City></a>".utf8)
    var draft = ExifDraft(width: 16, height: 16)
    draft.position = GPSPosition(latitude: 12, longitude: 34)
    let exif = Array("Exif\0\0".utf8) + draft.makeBlock().bytes
    // An index with one further picture behind the first.
    let index: [UInt8] =
      Array("MPF\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0xB0, 2, 0, 7, 0, 0, 0, 16, 0, 0, 0, 26, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 100, 0, 0, 1, 0, 0, 0, 0, 0]
    let further = try file([(0xE1, exif)])
    let source = try file([(0xE1, exif), (0xE1, xmp), (0xE2, index)], trailer: further)
    for damaged in damagedCopies(of: source, count: 3000, seed: 3) + truncations(of: source, count: 200) {
      for what in MetadataStripping.allCases { _ = try? stripped(damaged, what) }
    }
  }

  /// XMP that cannot be read, or is in another encoding, goes as a whole.
  @Test(arguments: ["<x:xmpmeta><open></x:xmpmeta", "<a b='c", "<a>\0<b/></a>", "<a></b></a></a>", "<!DOCTYPE a><a/>"])
  func unreadableXMP(_ packet: String) throws {
    let source = try file([(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))])
    let (bytes, notes) = try stripped(source, .location)
    #expect(bytes.firstRange(of: Array("ns.adobe.com".utf8)) == nil)
    #expect(notes.contains { $0.contains("XMP") })
  }

  /// Real pictures: exiftool finds no place, and nothing new to complain of; the coded data are the same.
  @Test(.needsCorpus, .judged(by: .exiftool), arguments: MetadataStripping.allCases)
  func corpus(_ what: MetadataStripping) throws {
    let folder = try TemporaryFolder()
    let paths = ["04-motionphotos", "05-jpeg", "01-livephotos"].flatMap {
      Corpus.files(in: $0, extensions: ["jpg", "jpeg"])
    }
    var count = 0
    for path in paths {
      let source = try Corpus.bytes(path)
      guard let file = try? JPEGFile(parsing: MemorySource(source)) else { continue }
      let bytes = try stripped(source, what).bytes
      let result = try JPEGFile(parsing: MemorySource(bytes))
      let before = file.segments.filter { $0.kind == .scanData },
        after = result.segments.filter { $0.kind == .scanData }
      #expect(before.count == after.count)
      for (old, new) in zip(before, after) {
        let isSame = try file.source.read(old.range) == result.source.read(new.range)
        #expect(isSame, "\(path)")
      }
      let turn = try? file.exif()?.block.orientation
      if let turn, turn != .up { #expect(try result.exif()?.block.orientation == turn, "\(path)") }
      _ = try folder.write(bytes, as: "\(count).jpg")
      count += 1
    }
    #expect(count > 40)
    #expect(try places(in: folder) == [])
  }
}
