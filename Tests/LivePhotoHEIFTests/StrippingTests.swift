import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

@Suite("Stripping HEIF files") struct StrippingTests {
  /// Real pictures: exiftool finds no place, coded pictures are the same, and the newest libheif opens them.
  @Test(.needsCorpus, .judged(by: .exiftool, .python), arguments: MetadataStripping.allCases)
  func corpus(_ what: MetadataStripping) throws {
    let folder = try TemporaryFolder()
    var count = 0
    for path in corpusPictures {
      let file = try HEIFFile(parsing: MemorySource(try Corpus.bytes(path)))
      if file.hasSequence {
        #expect(throws: ParseError.self, "\(path)") { try file.stripping(what) }
        continue
      }
      let result: HEIFFile
      do { result = try file.stripping(what).file } catch {
        // Damaged files are refused as other edits of them are.
        #expect(throws: ParseError.self, "\(path)") { try file.settingExif(ExifDraft(width: 1, height: 1).makeBlock()) }
        continue
      }
      let pictures = file.items.filter { !$0.isMetadata }
      #expect(result.items.filter { !$0.isMetadata }.map(\.id) == pictures.map(\.id), "\(path)")
      for item in pictures {
        let isSame = try result.data(of: item.id) == file.data(of: item.id)
        #expect(isSame, "\(path), item \(item.id)")
      }
      _ = try folder.write(try result.source.read(0..<result.source.count), as: "\(count).heic")
      count += 1
    }
    #expect(count > 30)
    let tags = ["GPS", "Location", "Latitude", "Longitude", "CountryCode", "Altitude", "Province"]
    let found = try Judge.exiftool.askAnything(
      ["-a", "-G1", "-s", "-ee", "-r"] + tags.map { "-*\($0)*" } + ["-City", "-State", "-Country"] + [folder.root]
    )
    .lines.filter { $0.hasPrefix("[") }
    #expect(found == [])
  }

  /// Damaged files are refused or stripped, and never end in a trap.
  @Test func damagedFiles() {
    for damaged in damagedCopies(of: SyntheticFile().bytes, count: 3000, seed: 7) {
      guard let file = try? HEIFFile(parsing: MemorySource(damaged)) else { continue }
      for what in MetadataStripping.allCases { _ = try? file.stripping(what) }
    }
  }

  /// Boxes beside the pictures and bytes that no item has, with an invented position in each.
  @Test func leftovers() throws {
    let place = Array("+12.34567-098.76543/".utf8)
    func box(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
      var writer = ByteWriter()
      writer.box(type, content)
      return writer.bytes
    }
    let plain = SyntheticFile().bytes
    for what in MetadataStripping.allCases {
      for extra in [box("free", place), box("uuid", Array(repeating: 1, count: 16) + place), box("mpvd", place), place]
      {
        let file = try HEIFFile(parsing: MemorySource(plain + extra))
        let result = try file.stripping(what)
        let bytes = try result.file.source.read(0..<result.file.source.count)
        #expect(bytes.firstRange(of: place) == nil)
        #expect(result.file.items.map(\.id).filter { id in file.item(id)?.isMetadata == false }.isEmpty == false)
      }
    }
  }
}
