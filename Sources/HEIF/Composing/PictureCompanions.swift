public import LivePhotoCore

/// What accompanies a picture of a HEIF file, to be carried over, as it is coded, to another form of that picture.
///
/// ```swift
/// var companions = PictureCompanions(of: primary.id, in: file)
/// companions.thumbnails = []
/// try builder.add(companions, to: picture)
/// ```
///
/// What is said of the new form must be true of it: it shows the same, is of the same size and turned the same way.
public struct PictureCompanions: Sendable {
  /// The file.
  public let file: HEIFFile
  /// The picture that is accompanied.
  public let picture: HEIFItem.ID
  /// Alpha, depth and gain maps, mattes and others, with the metadata that describes them.
  public var auxiliaryImages: [AuxiliaryImage]
  /// Smaller forms of the picture.
  public var thumbnails: [HEIFItem]
  /// Tone-mapped forms, which are derived from the picture and a gain map (ISO 21496-1).
  public var toneMappedImages: [HEIFItem]
  /// What describes the picture beside Exif and XMP.
  public var metadata: [HEIFItem]
  /// Properties of the picture that hold whatever its coding: light levels, mastering display, camera and the like.
  public var properties: [ItemProperty]

  /// All that accompanies an item.
  public init(of id: HEIFItem.ID, in file: HEIFFile) {
    self.file = file
    picture = id
    auxiliaryImages = file.auxiliaryImages(of: id)
    thumbnails = file.thumbnails(of: id)
    toneMappedImages = file.toneMappedImages(of: id)
    metadata = file.sources(of: "cdsc", to: id).compactMap { file.item($0) }.filter {
      $0.type == "uri " && (try? file.ranges(of: $0.id)) != nil
    }
    properties = file.properties(of: id).filter { Self.lasting.contains($0.type) }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool {
    auxiliaryImages.isEmpty && thumbnails.isEmpty && toneMappedImages.isEmpty && metadata.isEmpty && properties.isEmpty
  }

  /// The first group of alternatives that each item is in together with the picture.
  fileprivate var alternatives: [HEIFItem.ID: EntityGroup] {
    var groups: [HEIFItem.ID: EntityGroup] = [:]
    for group in file.groups where group.type == "altr" && group.members.contains(picture) {
      for member in group.members where groups[member] == nil { groups[member] = group }
    }
    return groups
  }

  /// The companions among `items` that readers would open as parts of another file: the rest would keep some from
  /// opening the whole of it.
  ///
  /// Such an item and all that it is made of have bytes in the file, a size and a configuration of their coding, and
  /// none is made of itself.
  public func whole(among items: [HEIFItem.ID]) -> Set<HEIFItem.ID> {
    var heights: [HEIFItem.ID: Int?] = [:]
    return Set(items.filter { $0 != picture && height(of: $0, &heights) != nil })
  }

  /// How many derivations an item takes, at most; nil where it is not whole.
  ///
  /// - Parameter heights: of each item so far; nil while it is looked at, so that what is made of itself is not whole.
  private func height(of id: HEIFItem.ID, _ heights: inout [HEIFItem.ID: Int?], depth: Int = 0) -> Int? {
    if id == picture { return 0 }
    if let known = heights[id] { return known }
    heights[id] = .some(nil)
    guard depth <= file.limits.derivationDepth, let item = file.item(id), hasWhatItNeeds(item) else { return nil }
    var height = 0
    for source in ItemCopies.sourceTypes.flatMap({ file.targets(of: $0, from: id) }) {
      guard let below = self.height(of: source, &heights, depth: depth + 1) else { return nil }
      height = max(height, below + 1)
    }
    guard height <= file.limits.derivationDepth else { return nil }
    heights[id] = height
    return height
  }

  private func hasWhatItNeeds(_ item: HEIFItem) -> Bool {
    guard file.codedSize(of: item.id) != nil, let ranges = try? file.ranges(of: item.id),
      !ranges.isEmpty || item.type == "iden"
    else { return false }
    if item.type == "grid" { return (try? file.gridLayout(of: item.id)) != nil }
    if item.isDerived { return !file.tiles(of: item.id).isEmpty }
    return item.type != "hvc1" && item.type != "hev1" || file.hevcConfiguration(of: item.id) != nil
  }

  /// ISO/IEC 14496-12, 12.1.6 to 12.1.8; ISO/IEC 23008-12, 6.5.20 to 6.5.40.
  private static let lasting: Set<FourCC> = [
    "clli", "mdcv", "cclv", "amve", "reve", "ndwt", "pasp", "udes", "altt", "crtt", "mdft", "aebr", "wbbr", "fobr",
    "afbr", "dobr", "pano", "cmin", "cmex",
  ]
}

extension HEIFBuilder {
  /// Adds what accompanies a picture in its file to another form of it, with all that it is made of and described by.
  ///
  /// A tone-mapped form is derived from the new picture, and is an alternative of it as it was of the old one.
  /// References to such forms are left out but for that: libheif before 1.18 refuses files that have them.
  ///
  /// - Throws: ``ParseError`` when bytes are not all in the file, or items share so many that they would multiply.
  /// - Precondition: there is an item `id`.
  public mutating func add(_ companions: PictureCompanions, to id: HEIFItem.ID) throws(ParseError) {
    for property in companions.properties { addProperty(property, to: id) }
    var copies = ItemCopies(of: companions, as: id)
    for image in companions.auxiliaryImages {
      let copy = try copies.add(image.item.id, to: &self)
      addReference("auxl", from: copy, to: [id])
      if companions.file.targets(of: "prem", from: companions.picture).contains(image.item.id) {
        addReference("prem", from: id, to: [copy])
      }
    }
    for thumbnail in companions.thumbnails {
      addReference("thmb", from: try copies.add(thumbnail.id, to: &self), to: [id])
    }
    for item in companions.metadata { addReference("cdsc", from: try copies.add(item.id, to: &self), to: [id]) }
    let alternatives = companions.alternatives
    for form in companions.toneMappedImages {
      let copy = try copies.add(form.id, to: &self)
      let group = alternatives[form.id]
      let isFirst = group.map {
        $0.members.firstIndex(of: form.id) ?? 0 < $0.members.firstIndex(of: companions.picture) ?? 0
      }
      guard let isFirst else { continue }
      addGroup("altr", of: isFirst ? [copy, id] : [id, copy])
    }
  }
}

/// Items that are copied with what they are made of and described by, each once.
private struct ItemCopies {
  /// The references to what an item is made of.
  static let sourceTypes: [FourCC] = ["dimg", "pred", "base"]

  private let file: HEIFFile
  private let picture: HEIFItem.ID
  /// The new items by the old.
  private var copies: [HEIFItem.ID: HEIFItem.ID]
  /// How many bytes there may be still: items of a hostile file may all claim the same.
  private var left: Int

  init(of companions: PictureCompanions, as id: HEIFItem.ID) {
    file = companions.file
    picture = companions.picture
    copies = [picture: id]
    left = file.source.count + file.limits.blobBytes
  }

  mutating func add(_ id: HEIFItem.ID, to builder: inout HEIFBuilder, depth: Int = 0) throws(ParseError) -> HEIFItem.ID
  {
    if let copy = copies[id] { return copy }
    guard depth <= file.limits.derivationDepth else {
      throw .beyondLimit(
        "derivations inside derivations", found: depth, limit: file.limits.derivationDepth, at: file.place)
    }
    left -= try file.ranges(of: id).reduce(0) { $0 + $1.count }
    guard left >= 0 else {
      throw .beyondLimit("size of item \(id) beside the others", found: -left, limit: 0, at: file.place)
    }
    let copy = try builder.copyItem(id, from: file)
    copies[id] = copy
    for type in Self.sourceTypes {
      let sources = file.targets(of: type, from: id)
      guard !sources.isEmpty else { continue }
      var targets: [HEIFItem.ID] = []
      for source in sources { targets.append(try add(source, to: &builder, depth: depth + 1)) }
      builder.addReference(type, from: copy, to: targets)
    }
    // What describes the picture too was written anew for it; what describes a tone map, or metadata, would keep
    // libheif before 1.18 from opening the file.
    guard let item = file.item(id), item.type != "tmap", !item.isMetadata else { return copy }
    for source in file.sources(of: "cdsc", to: id) {
      guard file.item(source)?.isMetadata ?? false, copies[source] == nil, (try? file.ranges(of: source)) != nil,
        !file.targets(of: "cdsc", from: source).contains(picture)
      else { continue }
      builder.addReference("cdsc", from: try add(source, to: &builder, depth: depth + 1), to: [copy])
    }
    return copy
  }
}
