import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// The stills of the corpus that hold a picture as items.
let corpusPictures: [String] = ["01-livephotos", "02-heif", "04-motionphotos"].flatMap {
  Corpus.files(in: $0, extensions: ["heic", "heif", "hif", "avif"])
}.filter { path in
  // One still of the corpus is a PNG with the wrong name, and one holds an image sequence only.
  path != sequenceOnly && (try? Corpus.bytes(path))?.dropFirst(4).starts(with: "ftyp".utf8) ?? false
}

private let sequenceOnly = "02-heif/libheif_seq_seed.heif"

@Suite(.needsCorpus) struct CorpusReadingTests {
  @Test(arguments: corpusPictures)
  func readsEveryPicture(_ path: String) throws {
    let file = try HEIFFile(parsing: MemorySource(try Corpus.bytes(path)))
    let primary = try #require(file.primaryItem)
    #expect(file.displaySize(of: primary.id) != nil)
    for item in file.items { _ = try file.data(of: item.id) }
    if primary.type == "grid" { #expect(try file.gridLayout(of: primary.id) != nil) }
  }

  @Test func refusesASequenceByName() throws {
    let source = MemorySource(try Corpus.bytes(sequenceOnly))
    let error = #expect(throws: ParseError.self) { try HEIFFile(parsing: source) }
    #expect(error?.description.contains("image sequence") == true)
  }

  /// Size as shown and Exif of the primary item, as the newest libheif sees them.
  @Test(.judged(by: .python)) func agreesWithLibheif() throws {
    let program = """
      import sys, hashlib, pillow_heif
      for p in sys.argv[1:]:
          try:
              f = pillow_heif.open_heif(p, convert_hdr_to_8bit=False)
              i = f[f.primary_index]
          except Exception as e: print(p, 'refused', sep='\\t'); continue
          e = i.info.get('exif') or b''
          if e[:6] == b'Exif\\0\\0': e = e[6:]
          print(p, i.size[0], i.size[1], hashlib.md5(e).hexdigest() if e else '-', len(e), sep='\\t')
      """
    let result = try python(program, corpusPictures.map(Corpus.file))
    var compared = 0
    for line in result.lines {
      let fields = line.split(separator: "\t").map(String.init)
      guard fields.count == 5, let width = Int(fields[1]), let height = Int(fields[2]) else { continue }
      compared += 1
      let file = try HEIFFile(parsing: MemorySource(try readFile(fields[0])))
      let primary = try #require(file.primaryItem)
      // One conformance file names a thumbnail as primary; libheif shows its master.
      guard file.targets(of: "thmb", from: primary.id).isEmpty else { continue }
      let size = try #require(file.displaySize(of: primary.id))
      #expect(size == (width, height), "\(fields[0])")
      let exif = try file.exif()
      // pillow-heif cuts four bytes even off the one item that lacks them.
      guard exif?.prefix.isEmpty != true else { continue }
      #expect(exif?.block.bytes.count ?? 0 == Int(fields[4]), "\(fields[0])")
    }
    #expect(compared > 40)
  }
}
