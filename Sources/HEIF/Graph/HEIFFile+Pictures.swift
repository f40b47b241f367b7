public import LivePhotoCore

/// A property that turns or crops a picture, in the words of Core.
public enum PictureTransform: Hashable, Sendable {
  /// `clap`: only this area of the picture is left.
  case crop(CleanAperture)
  /// `irot` or `imir`.
  case orient(Orientation)

  /// A picture cropped or turned as the transform asks; a crop that lies outside the picture is left out.
  ///
  /// It is the interleaved picture that is turned: planes cannot be where chroma is halved in one direction only.
  public func applied(to raster: RasterImage) -> RasterImage {
    switch self {
    case .orient(let orientation): return raster.turned(orientation)
    case .crop(let aperture):
      guard let area = aperture.rectangle(inWidth: raster.width, height: raster.height) else { return raster }
      return raster.cropped(columns: area.x..<area.x + area.width, rows: area.y..<area.y + area.height)
    }
  }
}

extension HEIFFile {
  /// The transforms of an item in the order in which they apply.
  ///
  /// Exif's orientation is not among them: in HEIF it only informs.
  public func transforms(of id: HEIFItem.ID) -> [PictureTransform] {
    properties(of: id).compactMap { property in
      switch property {
      case .cleanAperture(let aperture): .crop(aperture)
      case .rotation(let turns): .orient(Orientation(counterClockwiseQuarterTurns: turns))
      case .mirror(let axis): .orient(axis.orientation)
      default: nil
      }
    }
  }

  /// How an item is turned to be shown: all of its `irot` and `imir`, one after the other.
  public func orientation(of id: HEIFItem.ID) -> Orientation {
    transforms(of: id).reduce(.up) { orientation, transform in
      if case .orient(let next) = transform { orientation.followed(by: next) } else { orientation }
    }
  }

  /// The size of an item before its transforms, as `ispe` says it.
  public func codedSize(of id: HEIFItem.ID) -> (width: Int, height: Int)? {
    for case .spatialExtents(let width, let height) in properties(of: id) { return (Int(width), Int(height)) }
    return nil
  }

  /// The size of an item as it is shown, after `clap`, `irot` and `imir`.
  ///
  /// - Returns: nil when the item has no `ispe`. A `clap` that lies outside the picture is left out.
  public func displaySize(of id: HEIFItem.ID) -> (width: Int, height: Int)? {
    guard var size = codedSize(of: id) else { return nil }
    for transform in transforms(of: id) {
      switch transform {
      case .crop(let aperture):
        if let area = aperture.rectangle(inWidth: size.width, height: size.height) { size = (area.width, area.height) }
      case .orient(let orientation): if orientation.swapsAxes { size = (size.height, size.width) }
      }
    }
    return size
  }

  /// The code points of an item's `colr`, or nil when it has none.
  public func colorDescription(of id: HEIFItem.ID) -> ColorDescription? {
    for case .colorDescription(let color) in properties(of: id) { return color }
    return nil
  }

  /// The ICC profile of an item's `colr`, or nil when it has none.
  public func iccProfile(of id: HEIFItem.ID) -> [UInt8]? {
    for case .iccProfile(let profile, _) in properties(of: id) { return profile }
    return nil
  }

  /// The HEVCDecoderConfigurationRecord of a coded item, or nil when it has none.
  public func hevcConfiguration(of id: HEIFItem.ID) -> [UInt8]? {
    for case .hevcConfiguration(let record) in properties(of: id) { return record }
    return nil
  }

  /// Bits of each channel of an item as `pixi` says them, or nil when it has none.
  public func bitsPerChannel(of id: HEIFItem.ID) -> [UInt8]? {
    for case .pixelInformation(let bits) in properties(of: id) { return bits }
    return nil
  }

  /// The layout of a `grid` item; nil when the item is of another type.
  ///
  /// - Throws: ``ParseError`` when its payload is damaged, or it has another number of tiles than it says.
  public func gridLayout(of id: HEIFItem.ID) throws(ParseError) -> GridLayout? {
    guard item(id)?.type == "grid" else { return nil }
    let bytes = try data(of: id)
    var cursor = ByteCursor(bytes.span)
    let layout: GridLayout
    do { layout = try GridLayout(parsing: &cursor) } catch { throw error.inside("grid item \(id)") }
    let tiles = tiles(of: id).count
    guard tiles == layout.tileCount else {
      throw .invalid(
        "number of tiles", found: "\(tiles)", expected: "\(layout.rows) x \(layout.columns)",
        at: Place(offset: 0, path: ["grid item \(id)"]))
    }
    return layout
  }

  /// The items that a derived item is made from, in order: the tiles of a `grid`, the base picture and the gain map
  /// of a `tmap`, the one source of an `iden`.
  public func tiles(of id: HEIFItem.ID) -> [HEIFItem.ID] { targets(of: "dimg", from: id) }

  /// The types of the coded items that a picture is made of, such as `hvc1`: its own where it is not derived.
  public func codings(of id: HEIFItem.ID) -> Set<FourCC> {
    var types: Set<FourCC> = []
    var seen: Set<HEIFItem.ID> = [id]
    var next = [id]
    while let id = next.popLast() {
      guard let item = item(id) else { continue }
      if !item.isDerived { types.insert(item.type) }
      for source in tiles(of: id) where seen.insert(source).inserted { next.append(source) }
    }
    return types
  }

  /// The thumbnails of an item.
  public func thumbnails(of id: HEIFItem.ID) -> [HEIFItem] { sources(of: "thmb", to: id).compactMap { item($0) } }

  /// The pictures auxiliary to an item: alpha, depth, gain map, mattes.
  public func auxiliaryImages(of id: HEIFItem.ID) -> [AuxiliaryImage] {
    sources(of: "auxl", to: id).compactMap { id in
      guard let item = item(id) else { return nil }
      for case .auxiliaryType(let urn, _) in properties(of: id) { return AuxiliaryImage(item: item, urn: urn) }
      return AuxiliaryImage(item: item, urn: "")
    }
  }

  /// The tone-mapped (`tmap`) pictures derived from an item and its gain map (ISO 21496-1).
  public func toneMappedImages(of id: HEIFItem.ID) -> [HEIFItem] {
    sources(of: "dimg", to: id).compactMap { item($0) }.filter { $0.type == "tmap" && tiles(of: $0.id).first == id }
  }
}

/// A picture that adds something to another one.
public struct AuxiliaryImage: Hashable, Sendable {
  /// The item that holds it.
  public var item: HEIFItem
  /// The URN (or tag URI) that says what it is; empty when nothing does.
  public var urn: String

  /// What an auxiliary picture is.
  public enum Kind: Hashable, Sendable {
    /// Opacity.
    case alpha
    /// Depth or disparity.
    case depth
    /// A gain map as Apple's cameras write it.
    case gainMap
    /// A matte of a person or a part of one, such as `portraiteffectsmatte`.
    case matte(String)
    /// Anything else.
    case other
  }

  /// What the picture is, by its URN.
  public var kind: Kind {
    switch urn {
    case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha":
      return .alpha
    case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:avc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth":
      return .depth
    default:
      let name = urn.split(separator: ":").last.map(String.init) ?? ""
      if name == "hdrgainmap" { return .gainMap }
      return name.hasSuffix("matte") ? .matte(name) : .other
    }
  }
}
