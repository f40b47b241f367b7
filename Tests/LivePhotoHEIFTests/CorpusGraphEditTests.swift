import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// Real pictures without what accompanies them, and turned by a quarter more.
@Suite(.needsCorpus) struct CorpusGraphEditTests {
  /// The companions of the primary picture: thumbnails, auxiliary pictures, tone-mapped forms, Exif.
  private static func companions(in file: HEIFFile) -> [HEIFItem] {
    guard let primary = file.primaryItem?.id else { return [] }
    let pictures =
      file.auxiliaryImages(of: primary).map(\.item) + file.thumbnails(of: primary)
      + file.toneMappedImages(of: primary)
    return pictures + [file.exifItem()].compactMap(\.self)
  }

  /// Everything but the primary picture (and what it needs) goes, and that gets a quarter turn more.
  private static func reduced(_ file: HEIFFile) throws -> (bytes: [UInt8], removed: Int)? {
    guard let primary = file.primaryItem?.id else { return nil }
    var edit = HEIFEdit()
    let companions = companions(in: file)
    for item in companions { edit.removeItem(item.id) }
    var turns: UInt8 = 1
    for case .rotation(let old) in file.properties(of: primary) { turns = (old + 1) & 3 }
    edit.setProperty(.rotation(turns), of: primary)
    return (try file.plan(applying: edit).materialized(), companions.count)
  }

  /// A file with an image sequence, or where the sequence's samples could be the items' bytes, keeps its pictures.
  private static func isRefused(_ file: HEIFFile, _ error: any Error) -> Bool {
    let text = (error as? ParseError)?.description ?? ""
    return text.contains("image sequence") || text.contains("which is the primary one")
  }

  @Test(arguments: corpusPictures) func keepsTheOthers(_ path: String) throws {
    let bytes = try Corpus.bytes(path)
    let file = try HEIFFile(parsing: MemorySource(bytes))
    let result: (bytes: [UInt8], removed: Int)?
    do { result = try Self.reduced(file) } catch {
      #expect(Self.isRefused(file, error), "\(path): \(error)")
      return
    }
    let edited = try HEIFFile(parsing: MemorySource(try #require(result).bytes))
    let primary = try #require(file.primaryItem).id
    for item in edited.items {
      #expect(try edited.data(of: item.id) == file.data(of: item.id), "\(path): item \(item.id)")
      if item.id != primary { #expect(edited.properties(of: item.id) == file.properties(of: item.id)) }
      #expect(edited.item(item.id)?.isHidden == file.item(item.id)?.isHidden)
    }
    let isPlain = !file.properties(of: primary).contains { $0.type == "imir" }
    if isPlain {
      let old = try #require(file.displaySize(of: primary)), new = try #require(edited.displaySize(of: primary))
      #expect(old.width == new.height && old.height == new.width)
    }
    #expect(edited.thumbnails(of: primary).isEmpty && edited.auxiliaryImages(of: primary).isEmpty)
    #expect(edited.references.allSatisfy { !$0.to.isEmpty })
    // What was removed is not to be found: not the first 24 bytes of its data, unless another item has them too.
    let kept = try edited.items.map { try edited.data(of: $0.id).prefix(24) }
    for item in file.items where edited.item(item.id) == nil {
      let start = try file.data(of: item.id).prefix(24)
      guard start.count == 24, !kept.contains(start), let range = try file.ranges(of: item.id).first else { continue }
      let edit = try #require(result).bytes
      #expect(edit[range.lowerBound...].prefix(24) != start || edit.count != bytes.count, "\(path): item \(item.id)")
    }
    #expect(file.items.count - edited.items.count >= (result?.removed ?? 0))
  }

  /// exiftool has nothing new to complain about, libheif 1.15 lists what it listed, the newest libheif shows the same
  /// pixels turned, and the newest FFmpeg decodes every other picture to the same.
  @Test(.judged(by: .exiftool, .python, .heifInfo, .currentFFmpeg)) func isReadByOthers() throws {
    let folder = try TemporaryFolder()
    var pairs: [(before: String, after: String)] = []
    for (index, path) in corpusPictures.enumerated() {
      let file = try HEIFFile(parsing: MemorySource(try Corpus.bytes(path)))
      // Where the primary picture is itself a thumbnail or made into others, turning it shows elsewhere, and
      // pillow-heif passes over one that is predicted from others.
      guard let primary = file.primaryItem?.id, file.targets(of: "thmb", from: primary).isEmpty,
        file.targets(of: "pred", from: primary).isEmpty,
        Set(file.sources(of: "dimg", to: primary)).isSubset(of: file.toneMappedImages(of: primary).map(\.id)),
        let result = try? Self.reduced(file)
      else { continue }
      pairs.append((Corpus.file(path), try folder.write(result.bytes, as: "\(index).heic")))
    }
    #expect(pairs.count > 50)
    for pair in pairs {
      let old = try Judge.heifInfo.askAnything([pair.before]), new = try Judge.heifInfo.askAnything([pair.after])
      // Some that refer to a tone map open only without it.
      #expect(new.status <= old.status, "\(pair.before): \(new.errorText)")
      #expect(!new.text.contains("thumbnail:") || old.text.contains("thumbnail:"), "\(pair.before)")
    }
    try expectNoNewFaults(pairs)
    let small = try pairs.filter { try area($0.before) < 3_000_000 }
    #expect(small.count > 30)
    try expectTurned(small)
    for pair in small {
      let old = try streamHashes(pair.before), new = try streamHashes(pair.after)
      #expect(Set(new).isSubset(of: Set(old)), "\(pair.before)")
      #expect(new.isEmpty == old.isEmpty, "\(pair.before)")
    }
  }

  /// exiftool's complaints about structure; those about Exif that is gone do not count.
  private func expectNoNewFaults(_ pairs: [(before: String, after: String)]) throws {
    let arguments = ["-validate", "-a", "-G1", "-T", "-Warning", "-Error"]
    let before = try Judge.exiftool.askAnything(arguments + pairs.map(\.before)).lines
    let after = try Judge.exiftool.askAnything(arguments + pairs.map(\.after)).lines
    #expect(before.count == after.count)
    for ((old, new), pair) in zip(zip(before, after), pairs) where old != new {
      let isKnown = new.split(separator: "\t").allSatisfy {
        ["-", "OK", "ExifTool"].contains($0) || $0.hasSuffix("(all minor)") || old.contains($0)
      }
      #expect(isKnown, "\(pair.before): \(new)")
    }
  }

  /// Where a side is odd, chroma is interpolated from other samples once the picture is turned.
  private func expectTurned(_ pairs: [(before: String, after: String)]) throws {
    let program = """
      import sys, numpy as np, pillow_heif
      def look(path):
          try:
              f = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
              return f.primary_index, [np.asarray(i)[..., :3] if np.asarray(i).ndim == 3 else np.asarray(i) for i in f]
          except Exception as e: return None
      def same(p, q):
          if p.shape != q.shape: return False
          d = abs(p.astype(int) - q.astype(int))
          return d.mean() < np.iinfo(p.dtype).max * 0.03 if p.shape[0] % 2 or p.shape[1] % 2 else not d.any()
      for a, b in zip(sys.argv[1::2], sys.argv[2::2]):
          x, y = look(a), look(b)
          if x is None or y is None: print(a, x is y, 'refused', sep='\t'); continue
          if x[0] != y[0] or len(x[1]) != len(y[1]): print(a, False, 'other pictures', sep='\t'); continue
          if x[0] < len(x[1]): x[1][x[0]] = np.rot90(x[1][x[0]], 1)
          print(a, all(same(p, q) for p, q in zip(x[1], y[1])), 'decoded', sep='\t')
      """
    let lines = try python(program, pairs.flatMap { [$0.before, $0.after] }).lines
    #expect(lines.count == pairs.count)
    #expect(lines.count { $0.hasSuffix("decoded") } > 25)
    for line in lines { #expect(line.split(separator: "\t")[1] == "True", "\(line)") }
  }

  /// A checksum of each stream that FFmpeg decodes; none where it decodes nothing.
  private func streamHashes(_ path: String) throws -> [Substring] {
    let result = try Judge.currentFFmpeg.askAnything([
      "-v", "quiet", "-noautorotate", "-i", path, "-map", "0:v?", "-f", "streamhash", "-hash", "md5", "-",
    ])
    return result.lines.compactMap { $0.split(separator: "=").last }
  }

  private func area(_ path: String) throws -> Int {
    let file = try HEIFFile(parsing: MemorySource(try readFile(path)))
    let size = file.primaryItem.flatMap { file.codedSize(of: $0.id) } ?? (0, 0)
    return size.width * size.height
  }
}
