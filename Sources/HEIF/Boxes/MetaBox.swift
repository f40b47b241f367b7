internal import LivePhotoCore

/// A file's `meta` box: its bytes, and what the children that this engine knows say (ISO/IEC 14496-12, 8.11.1).
struct MetaBox {
  /// Where the box lies in the file.
  let header: BoxHeader
  /// The whole box.
  let bytes: [UInt8]
  /// The children in file order, at their places in the file.
  private(set) var children: [BoxHeader] = []
  private var firsts: [FourCC: BoxHeader] = [:]
  private(set) var handler: FourCC?
  private(set) var primaryItem: HEIFItem.ID?
  private(set) var items: [HEIFItem] = []
  private(set) var locations: ItemLocationBox?
  private(set) var references: ItemReferenceBox?
  private(set) var properties = ItemPropertiesBox()
  private(set) var groups: [EntityGroup] = []

  /// Parses `bytes`, which is the whole box that `header` describes.
  init(parsing bytes: [UInt8], header: BoxHeader, limits: Limits) throws(ParseError) {
    self.header = header
    self.bytes = bytes
    var cursor = ByteCursor(bytes.span, base: header.range.lowerBound)
    do {
      try cursor.skip(header.headerSize)
      _ = try cursor.readVersionAndFlags()
      try cursor.forEachBox(limit: limits.boxesPerContainer) { (child, payload) throws(ParseError) in
        // Of two boxes of one type the first counts; the other is only kept.
        if firsts[child.type] == nil {
          firsts[child.type] = child
          try parse(child.type, &payload, limits: limits)
        }
        children.append(child)
      }
    } catch {
      throw error.inside("meta")
    }
    for index in items.indices { items[index].associations = properties.associations[items[index].id] ?? [] }
  }

  private mutating func parse(_ type: FourCC, _ payload: inout ByteCursor, limits: Limits) throws(ParseError) {
    switch type {
    case "hdlr":
      try payload.skip(8)
      handler = try payload.readFourCC()
    case "pitm":
      let version = try payload.readVersionAndFlags().version
      primaryItem = version == 0 ? UInt32(try payload.readUInt16()) : try payload.readUInt32()
    case "iinf": items = try ItemInfoBox(parsing: &payload, limits: limits).items
    case "iloc": locations = try ItemLocationBox(parsing: &payload, limits: limits)
    case "iref": references = try ItemReferenceBox(parsing: &payload, limits: limits)
    case "iprp": properties = try ItemPropertiesBox(parsing: &payload, limits: limits)
    case "grpl": groups = try EntityGroupsBox(parsing: &payload, limits: limits).groups
    default: break
    }
  }

  /// The first child of a type.
  func first(_ type: FourCC) -> BoxHeader? { firsts[type] }

  /// The bytes of a child, header included.
  func bytes(of child: BoxHeader) -> ArraySlice<UInt8> {
    bytes[child.range.lowerBound - header.range.lowerBound..<child.range.upperBound - header.range.lowerBound]
  }

  /// The stretches of the file that hold the box's own structure: all of it but the payload of `idat`.
  var structure: [Range<Int>] {
    guard let idat = first("idat")?.payload else { return [header.range] }
    return [header.range.lowerBound..<idat.lowerBound, idat.upperBound..<header.range.upperBound]
  }
}
