internal import LivePhotoBitstream
public import LivePhotoCore

/// Why a graph could not be written.
public enum HEIFBuildError: Error, Equatable, Sendable {
  /// No item is the primary one, or the one named does not exist.
  case noPrimaryItem
  /// A reference names an item that does not exist.
  case missingItem(HEIFItem.ID)
  /// There are more of something than the format can count.
  case tooMany(String, found: Int, limit: Int)
  /// The parts could not be put in place.
  case layout(LayoutError)
}

extension HEIFBuildError: CustomStringConvertible {
  /// The cause in one line.
  public var description: String {
    switch self {
    case .noPrimaryItem: "no item of the picture file is the primary one"
    case .missingItem(let id): "a reference names item \(id), which does not exist"
    case .tooMany(let what, let found, let limit): "\(found) \(what), a picture file can hold \(limit)"
    case .layout(let error): error.description
    }
  }
}

extension HEIFBuilder {
  /// The file: `ftyp`, `meta` with its boxes in the order of camera files, `mdat` with the bytes of the items.
  ///
  /// Equal properties are stored once. Boxes have the lowest version that holds their content.
  ///
  /// - Throws: ``HEIFBuildError``.
  public func plan() throws(HEIFBuildError) -> OutputPlan {
    guard let primaryItem, contains(primaryItem) else { throw .noPrimaryItem }
    for reference in references {
      for id in reference.to + [reference.from] where !contains(id) { throw .missingItem(id) }
      try check(reference.to.count, "targets of a reference", 0xFFFF)
    }
    let properties = try sharedProperties()
    var plan = OutputPlanBuilder()
    let media = plan.makeAnchor()
    let size = entries.reduce(0) { $0 + $1.content.mediaCount }

    var writer = ByteWriter()
    (brands ?? chosenBrands).write(to: &writer)
    writer.fullBox("meta", version: 0, flags: 0) { writer in
      writeHandlerAndDataInformation(to: &writer)
      let isWide = primaryItem > UInt16.max
      writer.fullBox("pitm", version: isWide ? 1 : 0, flags: 0) {
        $0.writeUInt(UInt64(primaryItem), width: isWide ? 4 : 2)
      }
      writeItems(to: &writer)
      if !references.isEmpty { ItemReferenceBox(references).write(to: &writer) }
      properties.write(to: &writer)
      for box in otherMetaBoxes { writer.write(box) }
      if !groups.isEmpty { EntityGroupsBox(groups).write(to: &writer) }
      let inline = entries.flatMap(\.content.inlineBytes)
      if !inline.isEmpty { writer.box("idat", inline) }
      writer.box("iloc") { locations(mediaSize: size).writePayload(to: &$0, mediaAt: media) }
    }
    plan.append(writer)
    appendMedia(to: &plan, size: size, anchor: media)
    do { return try plan.finish() } catch { throw .layout(error) }
  }

  /// `hdlr` and `dinf` as cameras write them: pictures, whose data is in this file.
  private func writeHandlerAndDataInformation(to writer: inout ByteWriter) {
    writer.fullBox("hdlr", version: 0, flags: 0) {
      $0.writeUInt32(0)
      $0.writeFourCC("pict")
      // Three reserved words and an empty name.
      $0.writeZeros(13)
    }
    writer.box("dinf") { writer in
      writer.fullBox("dref", version: 0, flags: 0) { writer in
        writer.writeUInt32(1)
        writer.fullBox("url ", version: 0, flags: 1) { _ in }
      }
    }
  }

  private func writeItems(to writer: inout ByteWriter) {
    let isWide = entries.count > UInt16.max
    writer.fullBox("iinf", version: isWide ? 1 : 0, flags: 0) { writer in
      writer.writeUInt(UInt64(entries.count), width: isWide ? 4 : 2)
      for entry in entries { entry.item.writeInfo(to: &writer) }
    }
  }

  /// Each property once, and which items use it.
  private func sharedProperties() throws(HEIFBuildError) -> ItemPropertiesBox {
    var box = ItemPropertiesBox()
    var indexes: [ItemProperty: Int] = [:]
    for entry in entries where !entry.properties.isEmpty {
      try check(entry.properties.count, "properties of an item", 0xFF)
      box.associations[entry.item.id] = entry.properties.map { property, isEssential in
        let index = indexes[property] ?? box.properties.count
        if index == box.properties.count {
          indexes[property] = index
          box.properties.append(property)
        }
        return .init(index: index, isEssential: isEssential)
      }
    }
    try check(box.properties.count, "properties", 0x7FFF)
    return box
  }

  /// Where the items' bytes go, counted from the start of the media data or of `idat`.
  private func locations(mediaSize: Int) -> ItemLocationBox {
    // Media begins within the first 2 GiB, so that half of the range is left for it.
    let width: UInt8 = mediaSize > Int(Int32.max) ? 8 : 4
    let hasInline = entries.contains { !$0.content.inlineBytes.isEmpty }
    var box = ItemLocationBox(version: hasInline ? 1 : 0, offsetSize: width, lengthSize: width)
    var (inline, media) = (0, 0)
    for entry in entries where entry.content.count > 0 {
      var location = ItemLocation(id: entry.item.id)
      let isInline = !entry.content.inlineBytes.isEmpty
      location.construction = isInline ? 1 : 0
      location.extents = [.init(offset: UInt64(isInline ? inline : media), length: UInt64(entry.content.count))]
      if isInline { inline += entry.content.count } else { media += entry.content.count }
      box.locations.append(location)
    }
    box.widenIfNeeded()
    return box
  }

  private func appendMedia(to plan: inout OutputPlanBuilder, size: Int, anchor: Anchor) {
    guard size > 0 else { return plan.place(anchor) }
    var header = ByteWriter()
    let isLarge = size + 8 > UInt32.max
    header.writeUInt32(isLarge ? 1 : UInt32(truncatingIfNeeded: size + 8))
    header.writeFourCC("mdat")
    if isLarge { header.writeUInt64(UInt64(size + 16)) }
    plan.append(header)
    plan.place(anchor)
    for entry in entries {
      switch entry.content {
      case .inline: break
      case .bytes(let bytes): plan.append(bytes)
      case .ranges(let ranges, let source): for range in ranges { plan.append(range, of: source) }
      }
    }
  }

  private func check(_ found: Int, _ what: String, _ limit: Int) throws(HEIFBuildError) {
    guard found <= limit else { throw .tooMany(what, found: found, limit: limit) }
  }
}

// MARK: Brands

extension HEIFBuilder {
  /// `heic` while what the primary picture is made of is HEVC Main or Main Still Picture, `heix` for other HEVC
  /// (ISO/IEC 23008-12, B.4.1; auxiliary pictures do not count), else `mif1`; `miaf` where pictures are as MIAF asks.
  private var chosenBrands: HEIFFile.Brands {
    let pictures = entries.filter { !$0.item.isMetadata }
    let coded = primaryItem.map { codedPictures(of: $0, in: pictures) } ?? []
    var compatible: [FourCC] = ["mif1"]
    var major: FourCC = "mif1"
    if !coded.isEmpty, coded.allSatisfy({ $0.item.type == "hvc1" }) {
      major = coded.allSatisfy(\.isMainProfile) ? "heic" : "heix"
      compatible.append(major)
    } else if !coded.isEmpty, coded.allSatisfy({ $0.item.type == "av01" }) {
      major = "avif"
      compatible.append(major)
    }
    if pictures.allSatisfy({ picture in
      ["ispe", "pixi"].allSatisfy { type in picture.properties.contains { $0.property.type == type } }
    }), !pictures.contains(where: hasOddGrid) {
      compatible.append("miaf")
    }
    if pictures.contains(where: { $0.item.type == "tmap" }) { compatible.append("tmap") }
    return HEIFFile.Brands(major: major, compatible: compatible)
  }

  /// The coded pictures that a picture is made of: itself where it is not derived.
  private func codedPictures(of id: HEIFItem.ID, in pictures: [Entry]) -> [Entry] {
    var sources: [HEIFItem.ID: [HEIFItem.ID]] = [:]
    for reference in references where reference.type == "dimg" { sources[reference.from, default: []] += reference.to }
    var next = [id]
    var seen = Set(next)
    while !next.isEmpty { next = next.flatMap { sources[$0] ?? [] }.filter { seen.insert($0).inserted } }
    return pictures.filter { seen.contains($0.item.id) && !$0.item.isDerived }
  }

  /// Whether a picture is a grid with a side that its halved chroma does not divide, which MIAF rules out
  /// (ISO/IEC 23000-22, 7.3.11.4.2).
  private func hasOddGrid(_ picture: Entry) -> Bool {
    guard picture.item.type == "grid",
      case .spatialExtents(let width, let height)? = picture.properties.map(\.property).spatialExtents,
      let tile = references.first(where: { $0.type == "dimg" && $0.from == picture.item.id })?.to.first,
      let shift = try? properties(of: tile).hevcConfiguration?.chroma.chromaShift
    else { return false }
    return Int(width) & ((1 << shift.x) - 1) != 0 || Int(height) & ((1 << shift.y) - 1) != 0
  }
}

extension HEIFBuilder.Entry {
  /// Whether the configuration is of HEVC's profile Main or Main Still Picture, or one of their subsets.
  fileprivate var isMainProfile: Bool {
    guard let configuration = try? properties.map(\.property).hevcConfiguration else { return false }
    let profile = configuration.profileTierLevel
    // The flag of profile n is the nth from the top.
    let compatible = profile.compatibilityFlags & (1 << 30 | 1 << 28) != 0
    return profile.profileSpace == 0 && ([1, 3].contains(profile.profile) || compatible)
  }
}

extension ItemContent {
  /// What goes into `idat`.
  fileprivate var inlineBytes: [UInt8] { if case .inline(let bytes) = self { bytes } else { [] } }

  /// The number of bytes that go into `mdat`.
  fileprivate var mediaCount: Int { if case .inline = self { 0 } else { count } }
}
