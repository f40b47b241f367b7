public import LivePhotoCore

/// A graph of items in the making, to be written as a new file.
///
/// ```swift
/// var builder = HEIFBuilder()
/// let tiles = try coded.map { item throws(ParseError) in try builder.copyItem(item.id, from: file) }
/// let grid = builder.addGrid(of: tiles, layout: layout)
/// try builder.setPresentation(PicturePresentation(), of: grid)
/// let plan = try builder.plan()
/// ```
///
/// To change a file and keep all else in it as it is, use ``HEIFFile/plan(applying:)``.
public struct HEIFBuilder: Sendable {
  /// The brands to write; chosen by what the items are when nil.
  public var brands: HEIFFile.Brands?
  /// The item that the file shows; a file needs one.
  public var primaryItem: HEIFItem.ID?
  /// References between items, written in this order.
  public var references: [ItemReference] = []
  /// Groups of items.
  public var groups: [EntityGroup] = []
  /// Whole boxes of unknown types that `meta` holds besides.
  public var otherMetaBoxes: [[UInt8]] = []

  var entries: [Entry] = []
  private var positions: [HEIFItem.ID: Int] = [:]
  /// The largest number of an item or group.
  private var largestID: HEIFItem.ID = 0

  /// An item with its own list of properties; equal ones are shared when the file is written.
  struct Entry: Sendable {
    var item: HEIFItem
    var properties: [(property: ItemProperty, isEssential: Bool)] = []
    var content: ItemContent
  }

  /// An empty graph.
  public init() {}

  /// The graph of `file`: items, properties, references, groups and other boxes of its `meta`, the bytes of the items
  /// as ranges of its source.
  ///
  /// What is outside `meta` and no item's bytes, such as `mpvd`, is left out.
  ///
  /// - Throws: ``ParseError`` when an item's bytes are not all in the file, or items share so many bytes that the new
  ///   file would be larger than the old by more than ``Limits/blobBytes``.
  public init(copying file: HEIFFile) throws(ParseError) {
    // Items of a hostile file may all claim the same bytes; in the new file each has its own.
    var left = file.source.count + file.limits.blobBytes
    for item in file.items {
      let content = try file.content(of: item.id)
      guard content.count <= left else {
        throw .beyondLimit(
          "size of item \(item.id) beside the others", found: content.count, limit: left, at: file.place)
      }
      left -= content.count
      append(item, file.uses(of: item), content)
    }
    references = file.references
    groups = file.groups
    largestID = groups.map(\.id).reduce(largestID, max)
    primaryItem = file.primaryItem?.id
    let known: [FourCC] = ["hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "grpl", "idat", "iloc", "free", "skip"]
    otherMetaBoxes = file.meta.children.filter { !known.contains($0.type) }.map { Array(file.meta.bytes(of: $0)) }
  }

  /// The items in the order in which they are written; their own associations are empty.
  public var items: [HEIFItem] { entries.map(\.item) }

  /// The properties of an item in order; none when there is no such item.
  public func properties(of id: HEIFItem.ID) -> [ItemProperty] {
    positions[id].map { entries[$0].properties.map(\.property) } ?? []
  }

  private mutating func append(
    _ item: HEIFItem, _ properties: [(property: ItemProperty, isEssential: Bool)], _ content: ItemContent
  ) {
    var item = item
    item.associations = []
    positions[item.id] = entries.count
    largestID = max(largestID, item.id)
    entries.append(Entry(item: item, properties: properties, content: content))
  }
}

/// Where a new file takes the bytes of an item from.
public enum ItemContent: Sendable {
  /// Bytes that go into `mdat`.
  case bytes([UInt8])
  /// Bytes that go into `idat`: small ones that say how a picture is derived.
  case inline([UInt8])
  /// Ranges of a source, copied into `mdat` one after the other.
  case ranges([Range<Int>], of: any ByteSource)

  /// The number of bytes.
  public var count: Int {
    switch self {
    case .bytes(let bytes), .inline(let bytes): bytes.count
    case .ranges(let ranges, _): ranges.reduce(0) { $0 + $1.count }
    }
  }
}

// MARK: Adding

extension HEIFBuilder {
  /// Adds an item and gives its id: the one after the largest so far, from 1 on, or the lowest that is free.
  @discardableResult
  public mutating func addItem(
    _ type: FourCC, name: String = "", contentType: String? = nil, isHidden: Bool = false, content: ItemContent
  ) -> HEIFItem.ID {
    var item = HEIFItem(id: freeID(), type: type, name: name, isHidden: isHidden)
    item.contentType = contentType
    append(item, [], content)
    return item.id
  }

  /// Adds a copy of an item of a file, with its properties and bytes and an id of its own, without its references.
  ///
  /// - Throws: ``ParseError`` when there is no such item or its bytes are not all in the file.
  public mutating func copyItem(_ id: HEIFItem.ID, from file: HEIFFile) throws(ParseError) -> HEIFItem.ID {
    guard let item = file.item(id) else { throw .missing("item \(id)", at: file.place) }
    let copy = addItem(
      item.type, name: item.name, contentType: item.contentType, isHidden: item.isHidden,
      content: try file.content(of: id))
    entries[entries.count - 1].properties = file.uses(of: item)
    entries[entries.count - 1].item.contentEncoding = item.contentEncoding
    entries[entries.count - 1].item.uriType = item.uriType
    return copy
  }

  /// Adds a coded picture of one HEVC intra picture: NAL units behind 4-byte lengths, and its configuration.
  public mutating func addHEVCImage(_ data: [UInt8], configuration: [UInt8], width: UInt32, height: UInt32)
    -> HEIFItem.ID
  {
    let id = addItem("hvc1", content: .bytes(data))
    addProperty(.hevcConfiguration(configuration), to: id)
    addProperty(.spatialExtents(width: width, height: height), to: id)
    return id
  }

  /// Adds a property to an item.
  ///
  /// A descriptive one goes before all that transform, as the standard asks (ISO/IEC 23008-12, 6.5.1); among its own
  /// kind each goes last.
  ///
  /// Nothing changes where there is no such item.
  ///
  /// - Parameter isEssential: whether a reader must know it; by its kind when nil.
  public mutating func addProperty(_ property: ItemProperty, to id: HEIFItem.ID, isEssential: Bool? = nil) {
    guard let position = positions[id] else { return }
    let use = (property, isEssential ?? property.isNormallyEssential)
    let end = entries[position].properties.count
    let place = property.transforms ? end : entries[position].properties.firstIndex { $0.property.transforms } ?? end
    entries[position].properties.insert(use, at: place)
  }

  /// Removes the properties of an item that `shouldRemove` picks.
  ///
  /// Nothing changes where there is no such item.
  public mutating func removeProperties(of id: HEIFItem.ID, where shouldRemove: (ItemProperty) -> Bool) {
    guard let position = positions[id] else { return }
    entries[position].properties.removeAll { shouldRemove($0.property) }
  }

  /// Changes an item's information: its name, whether it is hidden and so on; its id stays.
  ///
  /// Nothing changes where there is no such item.
  public mutating func updateItem(_ id: HEIFItem.ID, _ change: (inout HEIFItem) -> Void) {
    guard let position = positions[id] else { return }
    var item = entries[position].item
    change(&item)
    precondition(item.id == id, "an item keeps its id")
    entries[position].item = item
  }

  /// Gives an item other bytes.
  ///
  /// Nothing changes where there is no such item.
  public mutating func setContent(_ content: ItemContent, of id: HEIFItem.ID) {
    guard let position = positions[id] else { return }
    entries[position].content = content
  }

  /// Adds a reference.
  public mutating func addReference(_ type: FourCC, from: HEIFItem.ID, to: [HEIFItem.ID]) {
    references.append(ItemReference(type, from: from, to: to))
  }

  /// Adds a group, whose id is one that neither items nor groups have.
  public mutating func addGroup(_ type: FourCC, of members: [HEIFItem.ID]) {
    largestID = groups.map(\.id).reduce(largestID, max)
    let id = freeID()
    largestID = max(largestID, id)
    groups.append(EntityGroup(type, id: id, members: members))
  }

  /// The number after the largest, or the lowest that is free where a file has the largest of all.
  private func freeID() -> HEIFItem.ID {
    guard largestID == .max else { return largestID + 1 }
    let used = Set(positions.keys).union(groups.map(\.id))
    // There are fewer used numbers than numbers, so one is free.
    return (1...HEIFItem.ID.max).first { !used.contains($0) } ?? 0
  }

  func contains(_ id: HEIFItem.ID) -> Bool { positions[id] != nil }
}

extension ItemProperty {
  /// Whether the property is a transformative one, which must follow those that describe.
  var transforms: Bool {
    switch self {
    case .rotation, .mirror, .cleanAperture: true
    default: false
    }
  }
}

extension HEIFFile {
  /// An item's properties and whether each is essential.
  fileprivate func uses(of item: HEIFItem) -> [(property: ItemProperty, isEssential: Bool)] {
    item.associations.map { (properties[$0.index], $0.isEssential) }
  }

  /// An item's bytes, to be copied: those of `idat` again into `idat`.
  fileprivate func content(of id: HEIFItem.ID) throws(ParseError) -> ItemContent {
    if location(of: id)?.method == 1 { return .inline(try data(of: id)) }
    return .ranges(try ranges(of: id), of: source)
  }
}
