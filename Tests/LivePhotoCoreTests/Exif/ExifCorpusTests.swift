import LivePhotoCore
import TestSupport
import Testing

/// Every Exif block of the corpus, found by means that are independent of the readers of JPEG and HEIF.
@Suite(.needsCorpus) struct ExifCorpusTests {
  struct Found: Sendable {
    var path: String
    var payload: ExifPayload
    var stored: [UInt8]
  }

  static let all: [Found] = {
    let folders = ["01-livephotos", "02-heif", "04-motionphotos", "05-jpeg", "07-malformed"]
    let paths = folders.flatMap { Corpus.files(in: $0, extensions: ["jpg", "jpeg", "heic", "heif", "hif"]) }
    return paths.flatMap { path in
      guard let file = try? Corpus.bytes(path) else { return [Found]() }
      return file.starts(with: [0xFF, 0xD8]) ? segments(of: file, path) : items(of: file, path)
    }
  }()

  /// The Exif segments before the first scan.
  private static func segments(of file: [UInt8], _ path: String) -> [Found] {
    var found: [Found] = []
    var at = 2
    while at + 4 <= file.count, file[at] == 0xFF, file[at + 1] != 0xDA {
      let end = at + 2 + Int(file[at + 2]) << 8 + Int(file[at + 3])
      guard end <= file.count, end >= at + 4 else { break }
      let payload = Array(file[at + 4..<end])
      if file[at + 1] == 0xE1, let parsed = try? ExifPayload(jpegSegment: payload) {
        found.append(Found(path: path, payload: parsed, stored: payload))
      }
      at = end
    }
    return found
  }

  /// The first TIFF header that an offset before it points at, up to what can be in a JPEG segment.
  private static func items(of file: [UInt8], _ path: String) -> [Found] {
    for at in file.indices.dropFirst(4).dropLast(8) where file[at] == file[at + 1] {
      guard file[at..<at + 4].elementsEqual("MM\0*".utf8) || file[at..<at + 4].elementsEqual("II*\0".utf8) else {
        continue
      }
      for prefix in 0...min(16, at - 4) {
        let start = at - prefix - 4
        guard file[start..<start + 4].elementsEqual([0, 0, 0, UInt8(prefix)]) else { continue }
        let stored = Array(file[start...].prefix(60_000))
        guard let payload = try? ExifPayload(heifItem: stored) else { continue }
        return [Found(path: path, payload: payload, stored: stored)]
      }
    }
    return []
  }

  @Test func everyBlockIsReadAndStoredAgainAsItWas() {
    let names = Set(Self.all.map(\.path))
    #expect(names.count > 50, "\(names.count) files")
    for found in Self.all {
      #expect(found.payload.bytes == found.stored, "\(found.path)")
      for directory in ExifDirectory.allCases {
        for field in found.payload.block.fields(in: directory) {
          _ = (field.text, field.integers, field.rationals)
        }
      }
    }
  }

  @Test func fieldsSetToWhatTheyAreChangeNothing() throws {
    for found in Self.all {
      var block = found.payload.block
      for directory in ExifDirectory.allCases {
        var seen: Set<TIFFTag> = []
        let fields = block.fields(in: directory).filter { seen.insert($0.tag).inserted }
        for field in fields { try block.set(field, in: directory) }
        #expect(block.fields(in: directory).map(\.tag) == found.payload.block.fields(in: directory).map(\.tag))
      }
      // Values that share their bytes are pulled apart; anything else stays as it is.
      if block.bytes.count == found.payload.block.bytes.count { #expect(block == found.payload.block, "\(found.path)") }
    }
  }

  @Test(.judged(by: .exiftool)) func exiftoolSeesTheIdentifierChangeAndNothingElse() throws {
    let identifier = AppleMakerNoteTests.identifier
    let folder = try TemporaryFolder()
    var edits: [ContentIdentifierEdit] = []
    var counts = (apple: 0, added: 0, replaced: 0)
    let blocks = Self.all.filter { $0.payload.block.bytes.count < 65_000 }
    for (index, found) in blocks.enumerated() {
      var block = found.payload.block
      _ = try folder.write(Self.picture(block), as: "\(index)-before.jpg")
      let edit = try block.setContentIdentifier(identifier, otherMakerNote: .replace)
      #expect(block.contentIdentifier == identifier)
      _ = try folder.write(Self.picture(block), as: "\(index)-after.jpg")
      edits.append(edit)
      switch edit {
      case .editedAppleNote: counts.apple += 1
      case .addedNote: counts.added += 1
      case .replacedNote: counts.replaced += 1
      }
    }
    // The corpus holds all three kinds.
    #expect(counts.apple >= 15 && counts.added >= 20 && counts.replaced >= 5, "\(counts)")
    let dumps = try Self.dumps(of: folder)
    for (index, edit) in edits.enumerated() {
      guard var before = dumps["\(index)-before.jpg"], var after = dumps["\(index)-after.jpg"] else {
        Issue.record("exiftool says nothing of \(blocks[index].path)")
        continue
      }
      let names = ["Apple:ContentIdentifier", "Apple:MediaGroupUUID"]
      #expect(names.compactMap { after[$0] } == [identifier.text], "\(blocks[index].path)")
      for name in names { (before[name], after[name]) = (nil, nil) }
      if edit != .editedAppleNote {
        before = before.filter { Self.isCommon($0.key) }
        after = after.filter { Self.isCommon($0.key) }
      }
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      #expect(changed.isEmpty, "\(blocks[index].path): \(changed.sorted())")
    }
  }

  @Test(.judged(by: .exiftool)) func exiftoolSeesADirectoryMoveAndNothingElse() throws {
    // Makers' notes among them, some of whose offsets count from the TIFF header.
    let folder = try TemporaryFolder()
    let blocks = Self.all.filter { $0.payload.block.bytes.count < 60_000 }
    for (index, found) in blocks.enumerated() {
      var block = found.payload.block
      _ = try folder.write(Self.picture(block), as: "\(index)-before.jpg")
      try block.set(.ascii(0x013B, "somebody whose name is long"), in: .image)
      try block.set(.ascii(0x9290, "123456"), in: .exif)
      _ = try folder.write(Self.picture(block), as: "\(index)-after.jpg")
    }
    let dumps = try Self.dumps(of: folder)
    for (index, found) in blocks.enumerated() {
      let before = dumps["\(index)-before.jpg"] ?? [:], after = dumps["\(index)-after.jpg"] ?? [:]
      #expect(after["IFD0:Artist"] == "somebody whose name is long", "\(found.path)")
      #expect(after["ExifIFD:SubSecTime"] == "123456", "\(found.path)")
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] && !$0.hasPrefix("Composite:") }
      // Warnings name entries of damaged files by their number, which changes.
      let damaged = found.path.hasPrefix("07-") ? changed.filter { $0.hasPrefix("ExifTool:Warning") } : []
      #expect(changed.subtracting(damaged) == ["IFD0:Artist", "ExifIFD:SubSecTime"], "\(found.path)")
      #expect(
        after["IFD0:Orientation"].flatMap(UInt16.init).flatMap(Orientation.init) == found.payload.block.orientation)
      let latitude = after["Composite:GPSLatitude"].flatMap(Double.init)
      let ours = found.payload.block.position?.latitude
      if let latitude, let ours { #expect(abs(latitude - ours) < 1e-9) } else { #expect(latitude == ours) }
    }
  }

  /// Tags of the directories that every camera shares, offsets and what exiftool composes aside.
  private static func isCommon(_ name: String) -> Bool {
    ["IFD0:", "IFD1:", "ExifIFD:", "GPS:", "InteropIFD:"].contains { name.hasPrefix($0) } && !name.contains("MakerNote")
  }

  /// The block in a JPEG that has no picture, which is all that exiftool needs.
  private static func picture(_ block: ExifBlock) -> [UInt8] {
    let payload = ExifPayload(newJPEGSegment: block).bytes
    var writer = ByteWriter()
    writer.writeUInt16(0xFFD8)
    writer.writeUInt16(0xFFE1)
    writer.writeUInt16(UInt16(payload.count + 2))
    writer.write(payload)
    writer.writeUInt16(0xFFD9)
    return writer.bytes
  }

  /// What one run of exiftool says of each file, but for the file itself.
  private static func dumps(of folder: TemporaryFolder) throws -> [String: [String: String]] {
    let arguments = ["-a", "-G1", "-s", "-n", "-t", "-x", "File:all", "-x", "System:all", folder.root]
    var dumps: [String: [String: String]] = [:]
    var name = ""
    for line in try Judge.exiftool.askAnything(arguments).lines {
      if line.hasPrefix("======== ") {
        name = String(line.split(separator: "/").last ?? "")
        continue
      }
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[0] != "System", parts[0] != "File" else { continue }
      var key = "\(parts[0]):\(parts[1])"
      while dumps[name]?[key] != nil { key += "'" }
      dumps[name, default: [:]][key] = parts[2]
    }
    return dumps
  }
}
