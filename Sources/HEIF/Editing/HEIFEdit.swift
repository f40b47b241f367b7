public import LivePhotoCore

/// Changes to a HEIF file that leave everything else in it as it is.
///
/// ```swift
/// var edit = HEIFEdit()
/// edit.removeItem(gainMap.id)
/// edit.setProperty(.rotation(1), of: primary.id)
/// let plan = try file.plan(applying: edit)
/// ```
///
/// The order in which changes are stated does not matter, but for those to the properties of one item.
public struct HEIFEdit: Sendable {
  var replacements: [(id: HEIFItem.ID, data: [UInt8])] = []
  var metadata: [Metadata] = []
  var items: [NewItem] = []
  var references: [ItemReference] = []
  var removals: [HEIFItem.ID] = []
  var propertyChanges: [(id: HEIFItem.ID, change: PropertyChange)] = []
  var primaryItem: HEIFItem.ID?

  /// An item that describes others, whose id is chosen when the edit is applied.
  struct Metadata: Sendable {
    var type: FourCC
    var contentType: String?
    var data: [UInt8]
    var described: [HEIFItem.ID]
  }

  struct NewItem: Sendable {
    var item: HEIFItem
    var data: [UInt8]
  }

  enum PropertyChange: Sendable {
    case set(ItemProperty, isEssential: Bool?)
    case add(ItemProperty, isEssential: Bool?)
    case remove(FourCC)
  }

  /// What a new picture is to others.
  public enum PictureRole: Sendable, Equatable {
    /// A picture in its own right, or one that others are derived from.
    case picture
    /// A picture that adds something to others (`auxl`, `auxC`), such as alpha; it is hidden.
    case auxiliary(urn: String, subtype: [UInt8] = [], to: [HEIFItem.ID])
    /// A smaller form of others (`thmb`).
    case thumbnail(of: [HEIFItem.ID])
  }

  /// No change.
  public init() {}

  /// Whether nothing is to be changed.
  public var isEmpty: Bool {
    replacements.isEmpty && metadata.isEmpty && items.isEmpty && references.isEmpty && removals.isEmpty
      && propertyChanges.isEmpty && primaryItem == nil
  }
}

// MARK: Items

extension HEIFEdit {
  /// Replaces the bytes of an item.
  public mutating func setData(_ data: [UInt8], of id: HEIFItem.ID) {
    replacements.removeAll { $0.id == id }
    replacements.append((id, data))
  }

  /// Adds an item that describes others (`cdsc`): Exif, or a `mime` item such as XMP.
  public mutating func addMetadata(
    _ type: FourCC, contentType: String? = nil, data: [UInt8], describing described: [HEIFItem.ID]
  ) {
    metadata.append(Metadata(type: type, contentType: contentType, data: data, described: described))
  }

  /// Adds an item of any type, with an id that the file does not use: see ``HEIFFile/unusedItemID(besides:)``.
  ///
  /// - Parameters:
  ///   - item: what `infe` says of it; its ``HEIFItem/associations`` mean nothing here.
  ///   - data: its bytes; none for an item that has no data, such as `iden`.
  ///   - properties: in the order in which they apply; each is essential where its kind normally is.
  public mutating func addItem(_ item: HEIFItem, data: [UInt8], properties: [ItemProperty] = []) {
    items.append(NewItem(item: item, data: data))
    for property in properties { addProperty(property, of: item.id) }
  }

  /// Adds a picture, coded or derived, and says what it is to others.
  ///
  /// - Parameters: as for ``addItem(_:data:properties:)``.
  public mutating func addPicture(
    _ item: HEIFItem, data: [UInt8], properties: [ItemProperty], role: PictureRole = .picture
  ) {
    var item = item
    var properties = properties
    switch role {
    case .picture: break
    case .auxiliary(let urn, let subtype, let targets):
      item.isHidden = true
      let position = properties.firstIndex { $0.transforms } ?? properties.count
      properties.insert(.auxiliaryType(urn, subtype: subtype), at: position)
      addReference("auxl", from: item.id, to: targets)
    case .thumbnail(let targets): addReference("thmb", from: item.id, to: targets)
    }
    addItem(item, data: data, properties: properties)
  }

  /// Adds a reference between items, old or new; one of that type that `from` has already gets further targets.
  public mutating func addReference(_ type: FourCC, from: HEIFItem.ID, to: [HEIFItem.ID]) {
    references.append(ItemReference(type, from: from, to: to))
  }

  /// Removes an item: its bytes, information, properties, references and memberships of groups.
  ///
  /// With it go the hidden pictures that only it is derived from (the tiles of a grid), and what says something of it
  /// alone: its metadata, thumbnails and auxiliary pictures. See ``HEIFFile/plan(applying:)`` for what is refused.
  public mutating func removeItem(_ id: HEIFItem.ID) { removals.append(id) }

  /// Makes an item the primary one, which is then not hidden.
  public mutating func setPrimaryItem(_ id: HEIFItem.ID) { primaryItem = id }
}

// MARK: Properties

extension HEIFEdit {
  /// Gives an item a property in place of all that it has of the kind.
  ///
  /// The kind is the type, but for `colr`: code points and an ICC profile are two. Others that share the old property
  /// keep it. A new one that describes goes before those that transform, a new one that transforms goes last.
  ///
  /// - Parameter isEssential: whether a reader must know it; by its kind when nil.
  public mutating func setProperty(_ property: ItemProperty, of id: HEIFItem.ID, isEssential: Bool? = nil) {
    propertyChanges.append((id, .set(property, isEssential: isEssential)))
  }

  /// Gives an item a further property, placed as by ``setProperty(_:of:isEssential:)``.
  public mutating func addProperty(_ property: ItemProperty, of id: HEIFItem.ID, isEssential: Bool? = nil) {
    propertyChanges.append((id, .add(property, isEssential: isEssential)))
  }

  /// Takes all properties of a type from an item.
  public mutating func removeProperties(_ type: FourCC, of id: HEIFItem.ID) {
    propertyChanges.append((id, .remove(type)))
  }
}

// MARK: Applying

extension HEIFFile {
  /// An id for a new item: the one after the largest in use while it has 16 bits, else the lowest that is free.
  ///
  /// - Parameter edit: changes whose new items have ids already.
  public func unusedItemID(besides edit: HEIFEdit = HEIFEdit()) -> HEIFItem.ID {
    usedIDs.union(edit.items.map(\.item.id)).unused
  }

  /// The file with `edit` applied.
  ///
  /// Without a change the output is the file byte for byte. With one, all boxes keep their order and bytes, and as
  /// little moves as can be:
  /// - data that fits takes the place of the old, and what it leaves over is zeroed;
  /// - larger or new data goes behind the last `mdat` where nothing follows it, else into a `free` box, else between
  ///   the pictures and what trails them (`mpvd` must stay last, Samsung's `sefd` is looked for from the end), and a
  ///   Samsung video pointer is corrected; the place of the old data is zeroed;
  /// - the bytes of a removed item are zeroed where no other item has them too, and a property that nothing uses any
  ///   more becomes a `free` box of its size, so that the others keep their numbers;
  /// - a property of several items is not changed: an item gets one of its own;
  /// - a `meta` box that grows takes its growth from a `free` box behind it, or else what follows moves and the
  ///   offsets of the items in it are raised; behind one that shrinks a `free` box fills the gap.
  ///
  /// - Throws: ``ParseError`` when an item does not exist, its data is not in this file, the file is cut off, or an
  ///   offset no longer fits its field; ``ParseError/unsupported(_:at:)`` for an item to be removed that is the primary
  ///   one or that one which stays is derived from (`dimg`), predicted from (`pred`) or built of, and for pictures of
  ///   a file with an image sequence, whose samples may be the same bytes.
  public func plan(applying edit: HEIFEdit) throws(ParseError) -> OutputPlan {
    var planner = try EditPlanner(self)
    try planner.remove(edit.removals, primary: edit.primaryItem)
    for (id, data) in edit.replacements { try planner.replace(data, of: id) }
    for new in edit.items { try planner.add(new) }
    for metadata in edit.metadata { try planner.add(metadata) }
    for reference in edit.references { try planner.add(reference) }
    for (id, change) in edit.propertyChanges { try planner.change(change, of: id) }
    if let primary = edit.primaryItem { try planner.setPrimaryItem(primary) }
    return try planner.finish()
  }

  /// The file with `exif` as the Exif of its primary item.
  ///
  /// What stands before the TIFF header of an existing Exif item stays, unless it is wrong. A new item is written as
  /// cameras do and describes the primary item only: a reference to its `tmap` form as well would keep libheif before
  /// 1.18 from opening the file.
  ///
  /// - Throws: ``ParseError`` as ``plan(applying:)`` does, and when there is no primary item.
  public func settingExif(_ exif: ExifBlock) throws(ParseError) -> OutputPlan {
    guard let primary = primaryItem else { throw .missing("the primary item", at: place) }
    let new = ExifPayload(newHEIFItem: exif)
    var edit = HEIFEdit()
    if let item = exifItem() {
      var payload = (try? self.exif()) ?? new
      payload.block = exif
      edit.setData(payload.statesItsOffset ? payload.bytes : new.bytes, of: item.id)
    } else {
      edit.addMetadata("Exif", data: new.bytes, describing: [primary.id])
    }
    return try plan(applying: edit)
  }

  /// The numbers that items and groups have, and that references name.
  var usedIDs: Set<HEIFItem.ID> {
    var ids = Set(items.map(\.id)).union(groups.map(\.id))
    for reference in references { ids.formUnion(reference.to + [reference.from]) }
    return ids
  }
}

extension Set<HEIFItem.ID> {
  /// The number after the largest while it has 16 bits, else the lowest above 0 that is not here.
  var unused: HEIFItem.ID {
    let largest = self.max() ?? 0
    guard largest >= UInt16.max else { return largest + 1 }
    // There are fewer used numbers than numbers, so one is free.
    return (1...HEIFItem.ID.max).first { !contains($0) } ?? 0
  }
}

extension ExifPayload {
  /// Whether the prefix is a 32-bit distance that leads to the TIFF header (ISO/IEC 23008-12, A.2.1).
  fileprivate var statesItsOffset: Bool {
    prefix.count >= 4 && prefix[..<4].reduce(0) { $0 << 8 | Int($1) } == prefix.count - 4
  }
}
