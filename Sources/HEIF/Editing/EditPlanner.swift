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

  /// Bytes that take the place of as many others.
  struct Patch {
    var position: Int
    var bytes: [UInt8]
    var range: Range<Int> { position..<position + bytes.count }
  }

  init(_ file: HEIFFile) throws(ParseError) {
    self.file = file
    metaEdit = MetaEdit(file.meta)
    usedIDs = Set(file.items.map(\.id)).union(file.groups.map(\.id))
    for reference in file.references { usedIDs.formUnion(reference.to + [reference.from]) }
    // A file of which something is missing would stay damaged: better to say so than to pass it on.
    for item in file.items {
      do { _ = try file.ranges(of: item.id) } catch .unsupported { continue }
    }
    if let reason = file.boxes.restReason, case .truncated(_, _, let place) = reason, place.path == ["mdat"] {
      throw reason
    }
  }

  /// Gives an item other bytes.
  mutating func replace(_ data: [UInt8], of id: HEIFItem.ID) throws(ParseError) {
    let ranges = try file.ranges(of: id)
    let size = ranges.reduce(0) { $0 + $1.count }
    let isOwned = try owns(id, ranges)
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
      for range in ranges where isOwned {
        patches.append(Patch(position: range.lowerBound, bytes: [UInt8](repeating: 0, count: range.count)))
      }
      try place(data, at: location)
    }
  }

  /// Adds an item that describes others.
  mutating func add(_ addition: HEIFEdit.Addition) throws(ParseError) {
    for id in addition.described where file.item(id) == nil { throw .missing("item \(id)", at: file.place) }
    var item = HEIFItem(id: nextID(), type: addition.type)
    item.contentType = addition.contentType
    usedIDs.insert(item.id)
    metaEdit.items.append(item)
    if !addition.described.isEmpty {
      metaEdit.references.append(ItemReference("cdsc", from: item.id, to: addition.described))
    }
    try place(addition.data, at: metaEdit.location(of: item.id))
  }

  /// The number after the largest while it has 16 bits, else the lowest that is free.
  private func nextID() -> HEIFItem.ID {
    if let largest = usedIDs.max(), largest >= UInt16.max {
      // There are fewer used numbers than numbers, so one is free.
      return (1...HEIFItem.ID.max).first { !usedIDs.contains($0) } ?? 0
    }
    return (usedIDs.max() ?? 0) + 1
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
  private func owns(_ id: HEIFItem.ID, _ ranges: [Range<Int>]) throws(ParseError) -> Bool {
    let idat = file.meta.first("idat").map { [$0.payload] } ?? []
    let homes = (file.boxes.boxes.filter { $0.type == "mdat" }.map(\.payload) + idat)
      .sorted { $0.lowerBound < $1.lowerBound }
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    for (index, range) in sorted.enumerated() {
      if index > 0, sorted[index - 1].upperBound > range.lowerBound { return false }
      guard let home = homes.first(reaching: range.lowerBound), home.lowerBound <= range.lowerBound,
        range.upperBound <= home.upperBound
      else { return false }
    }
    for other in file.items where other.id != id {
      let others: [Range<Int>]
      do { others = try file.ranges(of: other.id) } catch .unsupported { continue }
      if others.contains(where: { range in sorted.overlaps(range) }) { return false }
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

extension [Range<Int>] {
  /// The first of these ranges, which are sorted and apart, that ends behind `position`.
  func first(reaching position: Int) -> Range<Int>? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }

  /// Whether one of these ranges, which are sorted and apart, shares a byte with `range`.
  func overlaps(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty, let candidate = first(reaching: range.lowerBound) else { return false }
    return candidate.lowerBound < range.upperBound
  }
}
