import Foundation
import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// Pictures whose every item is in the file, so that they can be edited.
private let editable = corpusPictures

@Suite(.needsCorpus) struct CorpusEditTests {
  @Test(arguments: editable)
  func isItselfWithoutAnEdit(_ path: String) throws {
    let bytes = try Corpus.bytes(path)
    #expect(try HEIFFile(parsing: MemorySource(bytes)).plan(applying: HEIFEdit()).materialized() == bytes)
  }

  @Test(arguments: editable)
  func keepsAllElse(_ path: String) throws {
    let bytes = try Corpus.bytes(path)
    let file = try HEIFFile(parsing: MemorySource(bytes))
    let old = try file.exif()
    let size = old?.block.bytes.count ?? 0
    // A prefix that does not say where TIFF begins is written anew.
    let prefix = old.flatMap {
      Int($0.prefix.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) == $0.prefix.count - 4 ? $0.prefix : nil
    }
    for newSize in Set([size, size + 70, 64, 90_000]) where newSize >= 31 {
      let tiff = minimalTIFF(size: newSize)
      let after = try file.settingExif(exifBlock(tiff)).materialized()
      let edited = try HEIFFile(parsing: MemorySource(after))
      #expect(try edited.exif()?.bytes == (prefix ?? [0, 0, 0, 6] + ExifPayload.code) + tiff)
      let exif = try #require(edited.exifItem()).id
      for item in file.items where item.id != exif {
        #expect(edited.item(item.id) == item)
        #expect(try edited.data(of: item.id) == file.data(of: item.id))
      }
      #expect(edited.properties == file.properties)
      #expect(edited.groups == file.groups)
      #expect(edited.references.filter { $0.from != exif } == file.references.filter { $0.from != exif })
      #expect(
        topLevel(after).filter { $0 != "mdat" && $0 != "free" }
          == topLevel(bytes).filter { $0 != "mdat" && $0 != "free" })
      if newSize == size, prefix != nil {
        #expect(zip(bytes, after).count { $0 != $1 } <= size && after.count == bytes.count)
      }
    }
  }

  /// Every corpus picture with Exif that is new, or longer than its own: read by exiftool, which finds no more fault
  /// than before, and decoded by the newest libheif to the same pixels.
  @Test(.judged(by: .exiftool, .python, .heifConvert)) func isReadByOthers() throws {
    let folder = try TemporaryFolder()
    var pairs: [(before: String, after: String)] = []
    for (index, path) in editable.enumerated() {
      let file = try HEIFFile(parsing: MemorySource(try Corpus.bytes(path)))
      let tiff = minimalTIFF(size: try (file.exif()?.block.bytes.count ?? 0) + 100)
      pairs.append(
        (Corpus.file(path), try folder.write(try file.settingExif(exifBlock(tiff)).materialized(), as: "\(index).heic"))
      )
    }
    let descriptions = try Judge.exiftool.ask(["-T", "-ImageDescription"] + pairs.map(\.after)).lines
    #expect(descriptions.count == pairs.count)
    for (description, pair) in zip(descriptions, pairs) {
      #expect(description.contains("ddddddddd"), "\(pair.before)")
    }
    // The Exif itself is poorer than it was, so only faults of structure count.
    let arguments = ["-validate", "-a", "-G1", "-T", "-Warning", "-Error"]
    let before = try Judge.exiftool.askAnything(arguments + pairs.map(\.before)).lines
    let after = try Judge.exiftool.askAnything(arguments + pairs.map(\.after)).lines
    #expect(before.count == after.count)
    for ((before, after), pair) in zip(zip(before, after), pairs) where after != before {
      #expect(
        !after.contains("iloc") && !after.contains("Truncated") && !after.contains("mdat"), "\(pair.before): \(after)")
    }
    try expectSameInOldLibheif(pairs.filter { try codedArea($0.before) < 400_000 }, folder)
    // Whole pictures take long to decode; two of 24 megapixels with a tone map stand for their kind.
    var large = 0
    try expectSamePixels(
      pairs.filter { pair in
        let area = try codedArea(pair.before)
        guard area > 3_000_000 else { return true }
        let file = try HEIFFile(parsing: MemorySource(try readFile(pair.before)))
        guard file.items.contains(where: { $0.type == "tmap" }), area < 30_000_000 else { return false }
        large += 1
        return large <= 2
      })
  }

  /// A new identifier in the camera's own Exif: exiftool finds nothing else changed, and nothing new to complain about.
  @Test(.judged(by: .exiftool)) func changesOnlyTheIdentifier() throws {
    let folder = try TemporaryFolder()
    let identifier = try #require(ContentIdentifier(uuid: "01234567-89AB-4CDE-8F01-23456789ABCD"))
    var edited = 0
    for path in editable {
      let bytes = try Corpus.bytes(path)
      let file = try HEIFFile(parsing: MemorySource(bytes))
      guard var exif = try file.exif()?.block, let old = exif.contentIdentifier, old.text.count == 36 else { continue }
      _ = try exif.setContentIdentifier(identifier, otherMakerNote: .refuse)
      let after = try file.settingExif(exif).materialized()
      #expect(after.count == bytes.count && zip(bytes, after).count { $0 != $1 } <= 36)
      let arguments = [
        "-all", "-validate", "--FileModifyDate", "--FileAccessDate", "--FileInodeChangeDate", "--Directory",
        "--FileName",
      ]
      let before = try tags(of: Corpus.file(path), exiftool: arguments)
      let tags = try tags(of: try folder.write(after, as: "edited.heic"), exiftool: arguments)
      let changed = Set(before.keys).union(tags.keys).filter { before[$0] != tags[$0] && !$0.hasPrefix("System:") }
      #expect(changed.count == 1 && changed.allSatisfy { tags[$0] == identifier.text }, "\(path): \(changed)")
      edited += 1
    }
    #expect(edited >= 4)
  }

  @Test(.judged(by: .exiftool)) func keepsVideoOfMotionPhotos() throws {
    let folder = try TemporaryFolder()
    for path in editable where path.hasPrefix("04") {
      let file = try HEIFFile(parsing: MemorySource(try Corpus.bytes(path)))
      let edited = try folder.write(
        try file.settingExif(exifBlock(minimalTIFF(size: 100_000))).materialized(), as: "m.heic")
      let arguments = ["-b", "-MotionPhotoVideo"]
      let before = try Judge.exiftool.ask(arguments + [Corpus.file(path)]).output
      #expect(try Judge.exiftool.ask(arguments + [edited]).output == before)
      #expect(before.count > 20_000)
    }
  }
}

/// Decodes both files of each pair with the newest libheif and expects the same pixels, and the same refusal.
func expectSamePixels(_ pairs: [(before: String, after: String)]) throws {
  let program = """
    import sys, hashlib, pillow_heif
    def look(p):
        try:
            f = pillow_heif.open_heif(p, convert_hdr_to_8bit=False)
            return [hashlib.md5(bytes(i.data)).hexdigest() for i in f]
        except Exception as e: return 'refused'
    for a, b in zip(sys.argv[1::2], sys.argv[2::2]):
        x, y = look(a), look(b)
        print(a, x == y, x == 'refused', sep='\\t')
    """
  let lines = try python(program, pairs.flatMap { [$0.before, $0.after] }).lines
  #expect(lines.count == pairs.count)
  #expect(lines.filter { $0.hasSuffix("True") }.count <= 6)
  for line in lines { #expect(line.split(separator: "\t")[1] == "True", "\(line)") }
}

/// Decodes both files of each pair with libheif 1.15 and expects the same picture, or the same refusal.
private func expectSameInOldLibheif(_ pairs: [(before: String, after: String)], _ folder: TemporaryFolder) throws {
  #expect(pairs.count > 10)
  for pair in pairs {
    // Y4M holds samples only; a PNG would hold the Exif too.
    let pictures = try [pair.before, pair.after].map { path in
      let output = folder.path("picture.y4m")
      try? FileManager.default.removeItem(atPath: output)
      _ = try Judge.heifConvert.askAnything([path, output])
      return try? readFile(output)
    }
    let isSame = pictures[0] == pictures[1]
    #expect(isSame, "\(pair.before)")
  }
}

/// Pixels of the primary item.
private func codedArea(_ path: String) throws -> Int {
  let file = try HEIFFile(parsing: MemorySource(try readFile(path)))
  let size = file.primaryItem.flatMap { file.codedSize(of: $0.id) } ?? (0, 0)
  return size.width * size.height
}

/// The types of the top-level boxes.
private func topLevel(_ bytes: [UInt8]) -> [String] {
  ((try? TopLevelBoxes(of: MemorySource(bytes)))?.boxes ?? []).map(\.type.description)
}
