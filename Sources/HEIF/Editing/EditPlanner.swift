internal import LivePhotoCore

/// Collects what an edit changes: bytes in place, data to be put elsewhere, and entries of `meta`.
struct EditPlanner {
  let file: HEIFFile
  private var metaEdit: MetaEdit
  private var patches: [Patch] = []
  /// Data for which there is no place yet.
  private var moved: [UInt8] = []
  /// Which locations point into ``moved``, and where.
  private var pending: [(location: Int, start: Int, count: Int)] = []
  private var usedIDs: Set<HEIFItem.ID>
  /// Items that go, and new ones.
  private var removed: Set<HEIFItem.ID> = [], added: Set<HEIFItem.ID> = []
  /// The bytes of each item; none for one whose data is in another file.
  private var ranges: [HEIFItem.ID: [Range<Int>]] = [:]
  /// Where an item's bytes may be overwritten: the payloads of `mdat` and `idat`, sorted.
  private let homes: [Range<Int>]

  /// Bytes that take the place of as many others.
  struct Patch {
    var position: Int
    var bytes: [UInt8]
    var range: Range<Int> { position..<position + bytes.count }
  }

  init(_ file: HEIFFile) throws(ParseError) {
    self.file = file
    metaEdit = MetaEdit(file.meta)
    usedIDs = file.usedIDs
    let idat = file.meta.first("idat").map { [$0.payload] } ?? []
    homes = (file.boxes.boxes.filter { $0.type == "mdat" }.map(\.payload) + idat)
      .sorted { $0.lowerBound < $1.lowerBound }
    // A file of which something is missing would stay damaged: better to say so than to pass it on.
    var budget = 2 * file.limits.extents
    for item in file.items {
      do { ranges[item.id] = try file.ranges(of: item.id, budget: &budget) } catch .unsupported { continue }
    }
    if let reason = file.boxes.restReason, case .truncated(_, _, let place) = reason, place.path == ["mdat"] {
      throw reason
    }
  }

  /// Takes items out, before anything else is changed: their bytes, and all that `meta` says of them.
  ///
  /// - Parameter primary: the new primary item, where there is to be another.
  mutating func remove(_ ids: [HEIFItem.ID], primary: HEIFItem.ID?) throws(ParseError) {
    guard !ids.isEmpty else { return }
    let removal = try ItemRemoval(ids, of: file, primary: primary ?? file.primaryItem?.id).items
    try zero(removal)
    metaEdit.remove(removal)
    removed = removal
  }

  /// Zeroes the bytes of items where no other item has them.
  private mutating func zero(_ ids: Set<HEIFItem.ID>) throws(ParseError) {
    var gone: [Range<Int>] = [], kept: [Range<Int>] = []
    for item in file.items {
      let ranges = ranges[item.id] ?? []
      if ids.contains(item.id) { gone += ranges } else { kept += ranges }
      guard ids.contains(item.id), !ranges.isEmpty else { continue }
      guard !file.hasSequence || item.isMetadata else {
        throw .unsupported(
          "removing item \(item.id) of a file with an image sequence, which may share it,", at: file.place)
      }
      guard ranges.allSatisfy({ homes.contain($0) }) else {
        throw .unsupported("removing item \(item.id), whose data is outside of 'mdat' and 'idat',", at: file.place)
      }
    }
    for range in gone.joined.subtracting(kept.joined) { zero(range) }
  }

  private mutating func zero(_ range: Range<Int>) {
    patches.append(Patch(position: range.lowerBound, bytes: [UInt8](repeating: 0, count: range.count)))
  }

  /// Gives an item other bytes.
  mutating func replace(_ data: [UInt8], of id: HEIFItem.ID) throws(ParseError) {
    try check(id)
    if let other = file.sources(of: "iloc", to: id).first(where: { file.location(of: $0)?.method == 2 }) {
      throw .unsupported("replacing the data of item \(id), of which item \(other) is built,", at: file.place)
    }
    let ranges = try file.ranges(of: id)
    let size = ranges.reduce(0) { $0 + $1.count }
    let isOwned = owns(id, ranges)
    let location = metaEdit.location(of: id)
    if isOwned, data.count == size {
      var rest = data[...]
      for range in ranges {
        patches.append(Patch(position: range.lowerBound, bytes: Array(rest.prefix(range.count))))
        rest = rest.dropFirst(range.count)
      }
    } else if isOwned, let range = ranges.first, ranges.count == 1, !data.isEmpty, data.count < size,
      metaEdit.setLength(data.count, of: location)
    {
      let zeros = [UInt8](repeating: 0, count: size - data.count)
      patches.append(Patch(position: range.lowerBound, bytes: data + zeros))
    } else {
      // What nothing points to any more must not be found by those who search for it.
      for range in ranges where isOwned { zero(range) }
      try place(data, at: location)
    }
  }

  /// Adds an item that describes others.
  mutating func add(_ metadata: HEIFEdit.Metadata) throws(ParseError) {
    var item = HEIFItem(id: usedIDs.unused, type: metadata.type)
    item.contentType = metadata.contentType
    try add(HEIFEdit.NewItem(item: item, data: metadata.data))
    if !metadata.described.isEmpty { try add(ItemReference("cdsc", from: item.id, to: metadata.described)) }
  }

  /// Adds an item; one without data has no location.
  mutating func add(_ new: HEIFEdit.NewItem) throws(ParseError) {
    guard new.item.id > 0, usedIDs.insert(new.item.id).inserted else {
      throw .invalid("id of a new item", found: "\(new.item.id)", expected: "one that is not in use", at: file.place)
    }
    added.insert(new.item.id)
    metaEdit.items.append(new.item)
    if !new.data.isEmpty { try place(new.data, at: metaEdit.location(of: new.item.id)) }
  }

  mutating func add(_ reference: ItemReference) throws(ParseError) {
    for id in reference.to + [reference.from] { try check(id) }
    if !reference.to.isEmpty { metaEdit.references.append(reference) }
  }

  mutating func change(_ change: HEIFEdit.PropertyChange, of id: HEIFItem.ID) throws(ParseError) {
    try check(id)
    metaEdit.properties.apply(change, to: id)
  }

  mutating func setPrimaryItem(_ id: HEIFItem.ID) throws(ParseError) {
    try check(id)
    if id != file.primaryItem?.id || file.item(id)?.isHidden ?? false { metaEdit.primaryItem = id }
  }

  /// Checks that there is such an item when all is done.
  private func check(_ id: HEIFItem.ID) throws(ParseError) {
    guard added.contains(id) || file.item(id) != nil && !removed.contains(id) else {
      throw .missing("item \(id)", at: file.place)
    }
  }

  private mutating func place(_ data: [UInt8], at location: Int) throws(ParseError) {
    let parts = try metaEdit.prepare(location, forDataOf: data.count, place: file.place)
    // As many extents as before, so that the entry keeps its size: all but the last hold one byte.
    for part in 0..<parts {
      let isLast = part == parts - 1
      pending.append((location, moved.count + part, isLast ? data.count - part : 1))
    }
    moved += data
  }

  /// Whether the bytes at `ranges` are an item's own: in an `mdat` or `idat`, each once, and no other item's too.
  private func owns(_ id: HEIFItem.ID, _ ranges: [Range<Int>]) -> Bool {
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    for (index, range) in sorted.enumerated() {
      if index > 0, sorted[index - 1].upperBound > range.lowerBound { return false }
      guard homes.contain(range) else { return false }
    }
    for other in file.items where other.id != id {
      if self.ranges[other.id]?.contains(where: { sorted.overlaps($0) }) ?? false { return false }
    }
    return true
  }

  /// Lays everything out and fills in the offsets.
  func finish() throws(ParseError) -> OutputPlan {
    var metaEdit = metaEdit
    metaEdit.widenIfNeeded()
    let metaSize = try metaEdit.size()
    let layout = try EditLayout(file, metaSize: metaSize.total, metaParts: metaSize.parts, movedCount: moved.count)
    let pointers = try SamsungPointer.patches(of: file, movedBy: layout)
    let disturbed =
      (layout.patches + pointers).map(\.range) + layout.taken + (metaEdit.changes ? file.meta.structure : [])
    try metaEdit.moveExtents(by: layout, in: file, around: disturbed.sorted { $0.lowerBound < $1.lowerBound })
    var filled: [Int: [ItemLocation.Extent]] = [:]
    for (location, start, count) in pending {
      let extent = ItemLocation.Extent(offset: UInt64(layout.movedStart + start), length: UInt64(count))
      filled[location, default: []].append(extent)
    }
    for (location, extents) in filled { try metaEdit.setExtents(extents, of: location, place: file.place) }
    let all = (patches + layout.patches + pointers).sorted { $0.position < $1.position }
    return try layout.plan(
      patches: all, moved: moved, meta: try metaEdit.bytes(patches: all, isLast: layout.metaIsLast))
  }
}
