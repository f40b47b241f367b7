public import LivePhotoCore

/// A HEIF file as a graph of items, read without touching any coded picture (ISO/IEC 23008-12).
///
/// ```swift
/// let file = try HEIFFile(parsing: source)
/// if let primary = file.primaryItem { print(primary.type, file.displaySize(of: primary.id)) }
/// ```
///
/// Only the boxes' headers and the `meta` box are read; an item's bytes are read when they are asked for.
/// What is unknown is kept: ``plan(applying:)`` writes it as it was.
public struct HEIFFile: Sendable {
  /// What the file is read from.
  public let source: any ByteSource
  /// What the readers of this file allow.
  public let limits: Limits
  /// The brands; nil when the file has no `ftyp`.
  public let brands: Brands?
  /// The items in file order.
  public let items: [HEIFItem]
  /// The properties that items share, in file order.
  public let properties: [ItemProperty]
  /// The references between items, in file order.
  public let references: [ItemReference]
  /// The groups of items, in file order.
  public let groups: [EntityGroup]

  let boxes: TopLevelBoxes
  let meta: MetaBox
  private let positions: [HEIFItem.ID: Int]
  private let locations: [HEIFItem.ID: ItemLocation]
  /// Positions in ``references`` by the item that refers and by the items it refers to.
  private let outgoing, incoming: [HEIFItem.ID: [Int]]

  /// The brands of a file: what it promises to be (ISO/IEC 14496-12, 4.3).
  public struct Brands: Hashable, Sendable {
    /// The major brand, such as `heic`.
    public var major: FourCC
    /// The minor version.
    public var minorVersion: UInt32
    /// The compatible brands, in file order.
    public var compatible: [FourCC]

    /// Brands.
    public init(major: FourCC, minorVersion: UInt32 = 0, compatible: [FourCC]) {
      self.major = major
      self.minorVersion = minorVersion
      self.compatible = compatible
    }

    /// Whether the major or a compatible brand is `brand`.
    public func contains(_ brand: FourCC) -> Bool { major == brand || compatible.contains(brand) }
  }

  /// Reads the graph of `source`.
  ///
  /// - Throws: ``ParseError/missing(_:at:)`` when the file has no picture, ``ParseError/unsupported(_:at:)`` when it
  ///   has an image sequence only, and any other ``ParseError`` when the boxes are damaged or beyond `limits`.
  public init(parsing source: any ByteSource, limits: Limits = .standard) throws(ParseError) {
    let boxes = try TopLevelBoxes(of: source, limits: limits)
    let brands = try Brands(of: boxes, in: source)
    let meta = try Self.pictureMeta(of: boxes, in: source, brands: brands, limits: limits)
    var positions: [HEIFItem.ID: Int] = [:]
    for (position, item) in meta.items.enumerated() {
      guard positions.updateValue(position, forKey: item.id) == nil else {
        throw .invalid(
          "item id", found: "\(item.id) twice", expected: "each id once",
          at: Place(offset: meta.first("iinf")?.range.lowerBound ?? 0, path: ["meta", "iinf"]))
      }
    }
    self.source = source
    self.limits = limits
    self.boxes = boxes
    self.brands = brands
    self.meta = meta
    self.positions = positions
    items = meta.items
    properties = meta.properties.properties
    references = meta.references?.references ?? []
    groups = meta.groups
    (outgoing, incoming) = Self.index(references)
    let entries = meta.locations?.locations.map { ($0.id, $0) } ?? []
    locations = Dictionary(entries) { first, _ in first }
  }

  private static func index(_ references: [ItemReference]) -> (outgoing: [HEIFItem.ID: [Int]], [HEIFItem.ID: [Int]]) {
    var outgoing: [HEIFItem.ID: [Int]] = [:], incoming: [HEIFItem.ID: [Int]] = [:]
    for (position, reference) in references.enumerated() {
      outgoing[reference.from, default: []].append(position)
      // A hostile reference may name one item many times.
      for target in reference.to where incoming[target]?.last != position {
        incoming[target, default: []].append(position)
      }
    }
    return (outgoing, incoming)
  }

  private static func pictureMeta(of boxes: TopLevelBoxes, in source: any ByteSource, brands: Brands?, limits: Limits)
    throws(ParseError) -> MetaBox
  {
    guard let header = boxes.first("meta") else {
      if boxes.first("moov") != nil, brands?.contains("msf1") == true {
        throw .unsupported("an image sequence without a still picture", at: Place(offset: 0))
      }
      throw boxes.restReason ?? .missing("the 'meta' box of a HEIF picture", at: Place(offset: 0))
    }
    guard header.range.count <= limits.metadataBytes else {
      throw .beyondLimit(
        "size of 'meta'", found: header.range.count, limit: limits.metadataBytes,
        at: Place(offset: header.range.lowerBound))
    }
    let meta = try MetaBox(parsing: try source.parseBytes(header.range), header: header, limits: limits)
    guard meta.handler == "pict" else {
      throw .invalid(
        "handler of 'meta'", found: meta.handler.map { "'\($0)'" } ?? "none", expected: "'pict'",
        at: Place(offset: header.range.lowerBound, path: ["meta"]))
    }
    return meta
  }
}

extension HEIFFile.Brands {
  init?(of boxes: TopLevelBoxes, in source: any ByteSource) throws(ParseError) {
    guard let header = boxes.first("ftyp") else { return nil }
    // No writer names a hundred brands; a larger box is not read whole.
    let bytes = try source.parseBytes(header.payload.prefix(4096))
    var cursor = ByteCursor(bytes.span, base: header.payload.lowerBound)
    do {
      self.init(major: try cursor.readFourCC(), minorVersion: try cursor.readUInt32(), compatible: [])
      while cursor.remaining >= 4 { compatible.append(try cursor.readFourCC()) }
    } catch {
      throw error.inside("ftyp")
    }
  }

  /// Writes the brands as an `ftyp` box.
  func write(to writer: inout ByteWriter) {
    writer.box("ftyp") { writer in
      writer.writeFourCC(major)
      writer.writeUInt32(minorVersion)
      for brand in compatible { writer.writeFourCC(brand) }
    }
  }
}

// MARK: Looking up

extension HEIFFile {
  /// The item that the file shows, or nil when `pitm` is missing or names none.
  public var primaryItem: HEIFItem? { meta.primaryItem.flatMap { item($0) } }

  /// The item with an id.
  public func item(_ id: HEIFItem.ID) -> HEIFItem? { positions[id].map { items[$0] } }

  /// The properties of an item in the order in which they apply; none when there is no such item.
  public func properties(of id: HEIFItem.ID) -> [ItemProperty] {
    // Indexes were checked when the associations were read.
    item(id)?.associations.map { properties[$0.index] } ?? []
  }

  /// The items that `id` refers to by references of a type, in order.
  public func targets(of type: FourCC, from id: HEIFItem.ID) -> [HEIFItem.ID] {
    (outgoing[id] ?? []).map { references[$0] }.filter { $0.type == type }.flatMap(\.to)
  }

  /// The items that refer to `id` by references of a type, in file order.
  public func sources(of type: FourCC, to id: HEIFItem.ID) -> [HEIFItem.ID] {
    (incoming[id] ?? []).map { references[$0] }.filter { $0.type == type }.map(\.from)
  }

  /// Where an item's bytes are said to lie; nil when it has none.
  func location(of id: HEIFItem.ID) -> ItemLocation? { locations[id] }
}
