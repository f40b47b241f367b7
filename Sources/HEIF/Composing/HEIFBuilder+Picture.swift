internal import LivePhotoBitstream
public import LivePhotoCore

/// How a picture is to be shown, beside its samples.
public struct PicturePresentation: Hashable, Sendable {
  /// Bits of each channel; nil to take them from the HEVC configuration.
  public var bitsPerChannel: [UInt8]?
  /// Code points of the colours; nil to leave them out.
  public var color: ColorDescription?
  /// The ICC profile, which goes before the code points where there are both; nil to leave it out.
  public var iccProfile: [UInt8]?
  /// The shape of a pixel; nil to leave it out.
  public var pixelAspectRatio: PixelAspectRatio?
  /// The area that is shown, before the picture is turned; nil for all of it.
  public var cleanAperture: CleanAperture?
  /// How the picture is turned to be shown.
  public var orientation: Orientation

  /// A presentation that says nothing but what is given.
  public init(
    bitsPerChannel: [UInt8]? = nil, color: ColorDescription? = nil, iccProfile: [UInt8]? = nil,
    pixelAspectRatio: PixelAspectRatio? = nil, cleanAperture: CleanAperture? = nil, orientation: Orientation = .up
  ) {
    self.bitsPerChannel = bitsPerChannel
    self.color = color
    self.iccProfile = iccProfile
    self.pixelAspectRatio = pixelAspectRatio
    self.cleanAperture = cleanAperture
    self.orientation = orientation
  }
}

extension HEIFBuilder {
  /// Adds a `grid` of tiles, which are hidden; its payload goes into `idat` (ISO/IEC 23008-12, 6.6.2.3).
  ///
  /// - Precondition: there are as many tiles as `layout` asks for, and they are items of this graph.
  public mutating func addGrid(of tiles: [HEIFItem.ID], layout: GridLayout) -> HEIFItem.ID {
    precondition(tiles.count == layout.tileCount, "\(layout.tileCount) tiles, not \(tiles.count)")
    for tile in tiles { updateItem(tile) { $0.isHidden = true } }
    let grid = addItem("grid", content: .inline(layout.payload))
    addProperty(
      .spatialExtents(
        width: UInt32(truncatingIfNeeded: layout.width), height: UInt32(truncatingIfNeeded: layout.height)), to: grid)
    addReference("dimg", from: grid, to: tiles)
    return grid
  }

  /// Makes a picture the one that the file shows, as `presentation` says.
  ///
  /// The colours and bits of a derived picture are said of its tiles too; what was said before of either is replaced.
  ///
  /// - Throws: ``ParseError`` when bits are to be taken from a configuration that cannot be read.
  /// - Precondition: there is such an item.
  public mutating func setPresentation(_ presentation: PicturePresentation, of id: HEIFItem.ID) throws(ParseError) {
    try present(id, as: presentation)
    updateItem(id) { $0.isHidden = false }
    primaryItem = id
  }

  /// Replaces the properties of a picture and of its tiles that say how it is shown.
  private mutating func present(_ id: HEIFItem.ID, as presentation: PicturePresentation) throws(ParseError) {
    let tiles = references.filter { $0.type == "dimg" && $0.from == id }.flatMap(\.to).filter(contains)
    var bits = presentation.bitsPerChannel
    if bits == nil { bits = try bitsPerChannel(of: tiles.first ?? id) }
    for target in tiles + [id] {
      removeProperties(of: target) { property in
        ["colr", "pixi", "pasp"].contains(property.type) || property.transforms
      }
      if let bits { addProperty(.pixelInformation(bits), to: target) }
      if let profile = presentation.iccProfile { addProperty(.iccProfile(profile, isRestricted: false), to: target) }
      if let color = presentation.color { addProperty(.colorDescription(color), to: target) }
      if let ratio = presentation.pixelAspectRatio { addProperty(.pixelAspectRatio(ratio), to: target) }
    }
    // The order that MIAF asks for: clap, irot, imir (ISO/IEC 23000-22, 7.3.6.7).
    if let aperture = presentation.cleanAperture { addProperty(.cleanAperture(aperture), to: id) }
    let transform = HEIFTransform(presentation.orientation)
    if transform.rotation != 0 { addProperty(.rotation(transform.rotation), to: id) }
    if let axis = transform.mirrorAxis { addProperty(.mirror(axis), to: id) }
  }

  /// Adds a picture that adds something to another one, such as alpha or a gain map; it is hidden
  /// (ISO/IEC 23008-12, 6.4.5 and 6.5.8).
  ///
  /// - Parameters:
  ///   - tiles: coded pictures of `file`, as for ``init(picture:of:layout:presentation:exif:xmp:)``.
  ///   - urn: what the picture is.
  ///   - id: the picture that it belongs to.
  /// - Throws: ``ParseError`` as that initialiser.
  public mutating func addAuxiliaryPicture(
    _ tiles: [HEIFItem.ID], of file: HEIFFile, layout: GridLayout?, presentation: PicturePresentation, urn: String,
    to id: HEIFItem.ID
  ) throws(ParseError) -> HEIFItem.ID {
    let picture = try addPicture(tiles, of: file, layout: layout)
    try present(picture, as: presentation)
    addProperty(.auxiliaryType(urn, subtype: []), to: picture)
    updateItem(picture) { $0.isHidden = true }
    addReference("auxl", from: picture, to: [id])
    return picture
  }

  /// Adds a smaller form of a picture (ISO/IEC 23008-12, 6.4.4).
  ///
  /// - Parameters: as for ``addAuxiliaryPicture(_:of:layout:presentation:urn:to:)``.
  /// - Throws: ``ParseError`` as that function.
  @discardableResult
  public mutating func addThumbnail(
    _ tiles: [HEIFItem.ID], of file: HEIFFile, layout: GridLayout?, presentation: PicturePresentation,
    to id: HEIFItem.ID
  ) throws(ParseError) -> HEIFItem.ID {
    let picture = try addPicture(tiles, of: file, layout: layout)
    try present(picture, as: presentation)
    addReference("thmb", from: picture, to: [id])
    return picture
  }

  /// Adds copies of coded pictures, and the grid that makes one of them where there is a layout.
  private mutating func addPicture(_ tiles: [HEIFItem.ID], of file: HEIFFile, layout: GridLayout?) throws(ParseError)
    -> HEIFItem.ID
  {
    let wanted = layout?.tileCount ?? 1
    guard tiles.count == wanted else {
      throw .invalid("number of coded pictures", found: "\(tiles.count)", expected: "\(wanted)", at: file.place)
    }
    var copies: [HEIFItem.ID] = []
    for tile in tiles {
      let copy = try copyItem(tile, from: file)
      guard properties(of: copy).spatialExtents == properties(of: copies.first ?? copy).spatialExtents else {
        throw .invalid("size of tile \(tile)", found: "another", expected: "that of the first", at: file.place)
      }
      copies.append(copy)
    }
    return if let layout { addGrid(of: copies, layout: layout) } else { copies[0] }
  }

  /// Adds Exif that describes an item.
  @discardableResult
  public mutating func addExif(_ exif: ExifBlock, describing id: HEIFItem.ID) -> HEIFItem.ID {
    let item = addItem("Exif", content: .bytes(ExifPayload(newHEIFItem: exif).bytes))
    addReference("cdsc", from: item, to: [id])
    return item
  }

  /// Adds an XMP packet that describes an item.
  @discardableResult
  public mutating func addXMP(_ packet: [UInt8], describing id: HEIFItem.ID) -> HEIFItem.ID {
    let item = addItem("mime", contentType: HEIFItem.xmpContentType, content: .bytes(packet))
    addReference("cdsc", from: item, to: [id])
    return item
  }

  /// A graph that shows the coded pictures of `file` as one: put together as `layout` says where there are several,
  /// with what `presentation` says in place of the writer's own properties.
  ///
  /// - Parameters:
  ///   - tiles: items of `file` in the order of the grid, all of one size; one item needs no layout.
  ///   - layout: the rows and columns; nil for one coded picture shown as it is.
  /// - Throws: ``ParseError`` when an item is missing, the tiles differ in size, or there are not as many as `layout`
  ///   asks for.
  public init(
    picture tiles: [HEIFItem.ID], of file: HEIFFile, layout: GridLayout?, presentation: PicturePresentation,
    exif: ExifBlock? = nil, xmp: [UInt8]? = nil
  ) throws(ParseError) {
    self.init()
    let picture = try addPicture(tiles, of: file, layout: layout)
    try setPresentation(presentation, of: picture)
    if let exif { addExif(exif, describing: picture) }
    if let xmp { addXMP(xmp, describing: picture) }
  }

  /// The bits of each channel that a coded picture's configuration says; nil when it has none.
  private func bitsPerChannel(of id: HEIFItem.ID) throws(ParseError) -> [UInt8]? {
    guard let configuration = try properties(of: id).hevcConfiguration else { return nil }
    let (luma, chroma) = (configuration.lumaBitDepth, configuration.chromaBitDepth)
    return (configuration.chroma == .yuv400 ? [luma] : [luma, chroma, chroma]).map { UInt8($0) }
  }
}

extension [ItemProperty] {
  /// The first `ispe`.
  var spatialExtents: ItemProperty? { first { $0.type == "ispe" } }

  /// The first `hvcC`, read.
  var hevcConfiguration: HEVCDecoderConfiguration? {
    get throws(ParseError) {
      for case .hevcConfiguration(let record) in self {
        var cursor = ByteCursor(record.span)
        do { return try HEVCDecoderConfiguration(parsing: &cursor) } catch { throw error.inside("hvcC") }
      }
      return nil
    }
  }
}
