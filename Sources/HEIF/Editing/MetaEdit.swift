internal import LivePhotoCore

/// A `meta` box with changed item locations, and items, references and properties more or fewer; all else stays byte
/// for byte.
struct MetaEdit {
  let meta: MetaBox
  /// Items to add.
  var items: [HEIFItem] = []
  /// References to add.
  var references: [ItemReference] = []
  /// Items to leave out, wherever they are named.
  private(set) var removed: Set<HEIFItem.ID> = []
  /// The new primary item; nil to keep the old.
  var primaryItem: HEIFItem.ID?
  var properties: PropertyEdit
  private(set) var locations: ItemLocationBox

  init(_ meta: MetaBox) {
    self.meta = meta
    locations = meta.locations ?? ItemLocationBox(version: 0)
    properties = PropertyEdit(meta.properties)
  }

  /// Whether anything of the box but the offsets of items is not as it was.
  var changes: Bool {
    changesLocations || !items.isEmpty || !references.isEmpty || !removed.isEmpty || primaryItem != nil
      || !properties.isEmpty
  }
  private var changesLocations = false

  /// Leaves out items, before anything else is changed.
  mutating func remove(_ ids: Set<HEIFItem.ID>) {
    removed = ids
    locations.locations.removeAll { ids.contains($0.id) }
    for id in ids { properties.remove(id) }
  }

  mutating func widenIfNeeded() { locations.widenIfNeeded() }

  /// The position of an item's location, which is added when there is none.
  mutating func location(of id: HEIFItem.ID) -> Int {
    if let position = locations.locations.firstIndex(where: { $0.id == id }) { return position }
    locations.locations.append(ItemLocation(id: id))
    return locations.locations.count - 1
  }

  /// Shortens a location of one extent; false when it has more, or no lengths.
  mutating func setLength(_ length: Int, of location: Int) -> Bool {
    guard locations.lengthSize > 0, locations.locations[location].extents.count == 1 else { return false }
    locations.locations[location].extents[0].length = UInt64(length)
    changesLocations = true
    return true
  }

  /// Makes a location ready to point at `count` bytes of the file, in as many extents as it had where that can be.
  ///
  /// - Returns: the number of extents to set.
  mutating func prepare(_ location: Int, forDataOf count: Int, place: Place) throws(ParseError) -> Int {
    guard locations.lengthSize > 0, max(locations.offsetSize, locations.baseOffsetSize) > 0 else {
      throw .unsupported("an edit of a file whose item locations have no offsets or lengths", at: place)
    }
    let largest = ItemLocationBox.largest(inWidth: locations.lengthSize)
    guard count <= largest else {
      throw .beyondLimit("size of an item", found: count, limit: Int(clamping: largest), at: place)
    }
    changesLocations = true
    let before = locations.locations[location].extents.count
    let parts = locations.offsetSize == 0 ? 1 : max(1, min(before, count))
    locations.locations[location].construction &= 0xFFF0
    locations.locations[location].dataReferenceIndex = 0
    locations.locations[location].baseOffset = 0
    locations.locations[location].extents = Array(repeating: .init(offset: 0, length: 0), count: parts)
    return parts
  }

  /// Sets the extents of a location, their offsets counted from the start of the file.
  mutating func setExtents(_ extents: [ItemLocation.Extent], of location: Int, place: Place) throws(ParseError) {
    let usesBase = locations.offsetSize == 0
    let largest = ItemLocationBox.largest(inWidth: usesBase ? locations.baseOffsetSize : locations.offsetSize)
    for extent in extents where extent.offset > largest {
      throw .beyondLimit(
        "offset of an item", found: Int(clamping: extent.offset), limit: Int(clamping: largest), at: place)
    }
    locations.locations[location].extents = extents
    if usesBase, let first = extents.first {
      locations.locations[location].baseOffset = first.offset
      locations.locations[location].extents[0].offset = 0
    }
  }

  /// Raises the offsets of all items whose bytes `layout` moves; offsets into `idat` stay.
  ///
  /// - Parameter disturbed: what is written anew, sorted; an item that claims bytes of it would not stay as it was.
  mutating func moveExtents(by layout: EditLayout, in file: HEIFFile, around disturbed: [Range<Int>])
    throws(ParseError)
  {
    for position in locations.locations.indices {
      let location = locations.locations[position]
      guard location.method == 0, location.dataReferenceIndex == 0 else { continue }
      var starts: [(old: Int, new: Int)] = []
      for extent in location.extents {
        let (offset, overflow) = location.baseOffset.addingReportingOverflow(extent.offset)
        guard !overflow, let old = Int(exactly: offset), old <= file.source.count else { continue }
        let new = layout.newPosition(of: old)
        let last = max(0, Int(clamping: extent.length) - 1)
        guard layout.newPosition(of: min(old + last, file.source.count)) - new == min(last, file.source.count - old)
        else {
          throw .unsupported("an edit that would tear item \(location.id) apart", at: file.place)
        }
        guard !disturbed.overlaps(old..<min(old + last + 1, file.source.count)) || extent.length == 0 else {
          throw .unsupported("an edit of boxes that item \(location.id) claims as its data", at: file.place)
        }
        starts.append((old, new))
      }
      // An extent outside the file stays as it is: there is nothing that it could follow.
      guard starts.count == location.extents.count, starts.contains(where: { $0.old != $0.new }) else { continue }
      try setStarts(starts, of: position, place: file.place)
    }
  }

  private mutating func setStarts(_ starts: [(old: Int, new: Int)], of position: Int, place: Place)
    throws(ParseError)
  {
    var location = locations.locations[position]
    let shifts = Set(starts.map { $0.new - $0.old })
    let movesBase = locations.offsetSize == 0 || (locations.baseOffsetSize > 0 && location.baseOffset > 0)
    if movesBase, let shift = shifts.first, shifts.count == 1,
      let base = Int(exactly: location.baseOffset), base + shift >= 0
    {
      location.baseOffset = UInt64(base + shift)
    } else {
      for (index, start) in starts.enumerated() {
        guard let base = Int(exactly: location.baseOffset), start.new >= base, locations.offsetSize > 0 else {
          throw .unsupported("an edit that would move parts of item \(location.id) apart", at: place)
        }
        location.extents[index].offset = UInt64(start.new - base)
      }
    }
    let largest = ItemLocationBox.largest(inWidth:)
    guard location.baseOffset <= largest(locations.baseOffsetSize),
      location.extents.allSatisfy({ $0.offset <= largest(locations.offsetSize) })
    else {
      throw .beyondLimit(
        "offset of item \(location.id)", found: starts.map(\.new).max() ?? 0,
        limit: Int(clamping: largest(max(locations.offsetSize, locations.baseOffsetSize))), at: place)
    }
    locations.locations[position] = location
  }
}
