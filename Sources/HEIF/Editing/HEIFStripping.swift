public import LivePhotoCore

/// A HEIF file from which metadata was taken, and what is to be told of it.
public struct StrippedHEIF: Sendable {
  /// The new file.
  public let file: HEIFFile
  /// What went although it cannot be looked into, or was more than metadata, in words.
  public let removed: [String]
}

extension HEIFFile {
  /// The file without metadata of some kind; coded pictures stay, byte for byte.
  ///
  /// Of ``MetadataStripping/location`` go positions in Exif and XMP, and what may hold one and is not looked into: other
  /// metadata items, descriptions, boxes beside the pictures (a motion photo's video). Of ``MetadataStripping/all`` go
  /// all metadata items but those of auxiliary pictures, such as a gain map's; Exif then says how the picture is turned.
  /// Bytes that no item has are zeros afterwards.
  ///
  /// The new file is in memory.
  ///
  /// - Throws: ``ParseError`` as ``plan(applying:)`` does, and for a file with an image sequence.
  public func stripping(_ what: MetadataStripping) throws(ParseError) -> StrippedHEIF {
    guard !hasSequence else { throw .unsupported("taking metadata out of a file with an image sequence", at: place) }
    var stripper = HEIFStripper(what, of: self)
    let edited: HEIFFile
    do {
      edited = try HEIFFile(
        parsing: MemorySource(try plan(applying: try stripper.edit()).materialized()), limits: limits)
    } catch let error as SourceError { throw .source(error) } catch let error as ParseError { throw error } catch {
      throw .unsupported("\(error)", at: place)
    }
    let source = try stripper.erasingLeftovers(of: edited)
    return StrippedHEIF(file: try HEIFFile(parsing: source, limits: limits), removed: stripper.notes)
  }
}

/// Decides of each item and box what is left of it.
private struct HEIFStripper {
  private let what: MetadataStripping
  private let file: HEIFFile
  private(set) var notes: [String] = []

  private static let structure: Set<FourCC> = ["ftyp", "meta", "mdat", "free", "skip", "wide"]
  private static let metaStructure: Set<FourCC> = [
    "hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "grpl", "idat", "iloc", "ipro", "free", "skip",
  ]
  /// Properties that describe: descriptions, dates, texts instead of a picture, makers' own.
  private static let descriptions: [FourCC] = ["udes", "crtt", "mdft", "altt", "uuid"]
  /// Items of Apple's that say how a picture was developed.
  private static let styles = "tag:apple.com,2023:photo:metadata:styles"

  init(_ what: MetadataStripping, of file: HEIFFile) {
    self.what = what
    self.file = file
  }

  private mutating func note(_ text: String) {
    if what == .location, !notes.contains(text) { notes.append(text) }
  }

  /// The changes to items and properties.
  mutating func edit() throws(ParseError) -> HEIFEdit {
    var edit = HEIFEdit()
    for item in file.items {
      switch item.type {
      case "Exif": try strip(exif: item, &edit)
      case "mime": try strip(mime: item, &edit)
      case "uri ":
        if what == .location, item.uriType == Self.styles { break }
        note("an item '\(item.uriType ?? "uri")' was left out: it may hold a position")
        edit.removeItem(item.id)
      default: break
      }
      for property in file.properties(of: item.id) where isUnwanted(property) {
        note("a property '\(property.type)' was left out: it may hold a position")
        edit.removeProperties(property.type, of: item.id)
      }
    }
    return edit
  }

  private func isUnwanted(_ property: ItemProperty) -> Bool {
    let isDate = property.type == "crtt" || property.type == "mdft"
    return Self.descriptions.contains(property.type) && (what == .all || !isDate)
  }

  private mutating func strip(exif item: HEIFItem, _ edit: inout HEIFEdit) throws(ParseError) {
    guard var payload = try? ExifPayload(heifItem: try file.data(of: item.id), limits: file.limits) else {
      note("Exif was left out: it cannot be read")
      edit.removeItem(item.id)
      return
    }
    switch what {
    case .location:
      for line in payload.block.removePlaces() { note("of Exif was left out: \(line)") }
    case .all:
      guard item.id == file.exifItem()?.id else {
        edit.removeItem(item.id)
        return
      }
      let size = file.primaryItem.flatMap { file.codedSize(of: $0.id) }
      payload.block = payload.block.undescribed(width: size?.width ?? 0, height: size?.height ?? 0)
    }
    edit.setData(payload.bytes, of: item.id)
  }

  private mutating func strip(mime item: HEIFItem, _ edit: inout HEIFEdit) throws(ParseError) {
    let isNeeded = what == .location || describesAuxiliaryPicture(item)
    var packet = XMPPacket(item.isXMP && isNeeded ? try file.data(of: item.id) : [])
    let isPlain = item.contentEncoding?.isEmpty ?? true
    // A motion photo's video goes.
    let isBlank = packet.blank { XMPPacket.namesPlace($0) || $0.hasPrefix("MotionPhoto") || $0.hasPrefix("MicroVideo") }
    guard item.isXMP, isNeeded, isPlain, isBlank else {
      note("an item '\(item.contentType ?? "mime")' was left out: it may hold a position")
      edit.removeItem(item.id)
      return
    }
    edit.setData(packet.bytes, of: item.id)
  }

  private func describesAuxiliaryPicture(_ item: HEIFItem) -> Bool {
    let targets = file.targets(of: "cdsc", from: item.id)
    return !targets.isEmpty && targets.allSatisfy { !file.targets(of: "auxl", from: $0).isEmpty }
  }

  // MARK: Leftovers

  /// A file's source with zeros where no item has bytes, without boxes that belong to no picture.
  mutating func erasingLeftovers(of edited: HEIFFile) throws(ParseError) -> PatchedSource {
    var patches: [PatchedSource.Patch] = []
    let own = edited.ownBoxes
    let end = own.last { Self.structure.contains($0.type) }?.range.upperBound ?? edited.source.count
    if end < edited.source.count {
      note("\(edited.source.count - end) bytes behind the picture were left out: they may hold metadata")
    }
    for box in own where box.range.upperBound <= end {
      if box.type == "free" || box.type == "skip" {
        patches.append(.zeros(box.payload))
      } else if !Self.structure.contains(box.type) {
        patches += blank(box)
      }
    }
    for box in edited.meta.children {
      if box.type == "free" || box.type == "skip" {
        patches.append(.zeros(box.payload))
      } else if !Self.metaStructure.contains(box.type) {
        patches += blank(box)
      }
    }
    patches += try unused(in: edited).map { .zeros($0) }
    return PatchedSource(edited.source, patches: patches, count: end)
  }

  private mutating func blank(_ box: BoxHeader) -> [PatchedSource.Patch] {
    note("the box '\(box.type)' was left out: it may hold a position")
    return [.bytes(box.range.lowerBound + 4, Array("free".utf8)), .zeros(box.content)]
  }

  /// Bytes of `mdat` and `idat` that no item has.
  private func unused(in edited: HEIFFile) throws(ParseError) -> [Range<Int>] {
    var used: [Range<Int>] = []
    for item in edited.items {
      do { used += try edited.ranges(of: item.id) } catch .unsupported { continue }
    }
    let homes =
      edited.boxes.boxes.filter { $0.type == "mdat" }.map(\.payload)
      + (edited.meta.first("idat").map { [$0.payload] } ?? [])
    return homes.joined.subtracting(used.joined)
  }
}
