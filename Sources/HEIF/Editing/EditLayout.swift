internal import LivePhotoCore

/// Where everything of an edited file goes: what moves, and by how much.
///
/// See ``HEIFFile/plan(applying:)`` for the order in which places are tried.
struct EditLayout {
  /// Changes to sizes of boxes that stay where they are.
  private(set) var patches: [EditPlanner.Patch] = []
  /// Where the data without a place begins in the output.
  private(set) var movedStart = 0
  /// The stretches of `free` boxes of the old file that give way, and the headers that are written anew.
  private(set) var taken: [Range<Int>] = []
  /// Whether `meta` is the last box of the output.
  let metaIsLast: Bool
  private let source: any ByteSource
  private var regions: [Region] = []
  /// Where stretches of the old file begin in the new one, ascending.
  private var positions: [(old: Int, new: Int)] = []

  fileprivate enum Region {
    case copy(Range<Int>)
    case meta
    case literal([UInt8])
    case moved
  }

  init(_ file: HEIFFile, metaSize: Int, metaParts: [(old: Int, new: Int)], movedCount: Int) throws(ParseError) {
    source = file.source
    let boxes = file.boxes.boxes
    var areas = boxes.map { $0.type == "meta" && $0 == file.meta.header ? Area(.meta, $0) : Area(.copy($0.range), $0) }
    var growth = metaSize - file.meta.header.range.count
    let metaIndex = boxes.firstIndex(of: file.meta.header) ?? 0
    if growth > 0, metaIndex + 1 < areas.count, areas[metaIndex + 1].shrink(by: growth) { growth = 0 }
    // What is behind a box that shrinks stays where it is.
    if growth <= -8, metaIndex + 1 < boxes.count || !file.boxes.rest.isEmpty {
      areas[metaIndex].back = [
        .literal(BoxHeader.compact("free", size: -growth)), .literal(Array(repeating: 0, count: -growth - 8)),
      ]
    }
    let second = file.ownBoxes.count
    if movedCount > 0 {
      patches = Self.place(movedCount, in: &areas, before: second, rest: file.boxes.rest)
    }
    areas.append(Area(.copy(file.boxes.rest), nil))
    regions = areas.flatMap(\.regions)
    taken = areas.compactMap(\.taken)

    var count = 0
    for region in regions {
      switch region {
      case .copy(let range):
        positions.append((range.lowerBound, count))
        count += range.count
      case .meta:
        positions.append((file.meta.header.range.lowerBound, count))
        positions += metaParts.map { ($0.old, count + $0.new) }
        count += metaSize
      case .literal(let bytes): count += bytes.count
      case .moved:
        movedStart = count
        count += movedCount
      }
    }
    metaIsLast = if case .meta = regions.last(where: { !$0.isEmpty }) { true } else { false }
    let own = file.ownBoxes
    guard let moov = own.first(where: { $0.type == "moov" }) else { return }
    for box in own where box.type == "mdat" && newPosition(of: box.range.lowerBound) != box.range.lowerBound {
      throw .unsupported("moving the media of an image sequence", at: Place(offset: moov.range.lowerBound))
    }
  }

  /// Where a byte of the old file is in the new one.
  func newPosition(of old: Int) -> Int {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle].old <= old { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? old : positions[low - 1].new + old - positions[low - 1].old
  }

  /// The output; `patches` are sorted and apart.
  func plan(patches: [EditPlanner.Patch], moved: [UInt8], meta: [UInt8]) throws(ParseError) -> OutputPlan {
    var builder = OutputPlanBuilder()
    var next = 0
    for region in regions {
      switch region {
      case .meta: builder.append(meta)
      case .literal(let bytes): builder.append(bytes)
      case .moved: builder.append(moved)
      case .copy(let range):
        var position = range.lowerBound
        // Those before this range lie in `meta`, which holds them already.
        while next < patches.count, patches[next].position < range.lowerBound { next += 1 }
        while next < patches.count, patches[next].position < range.upperBound {
          builder.append(position..<patches[next].position, of: source)
          builder.append(patches[next].bytes)
          position = patches[next].range.upperBound
          next += 1
        }
        builder.append(position..<range.upperBound, of: source)
      }
    }
    do { return try builder.finish() } catch {
      throw .unsupported("a layout in which \(error)", at: Place(offset: 0))
    }
  }
}

// MARK: Finding a place

extension EditLayout {
  /// A box of the old file, or what follows the last one, and what the output has in its place.
  private struct Area {
    let header: BoxHeader?
    var front: [Region] = []
    private let main: Region
    /// What is left of a `free` box from which space was taken: its end, with a header of its own.
    private var left: Range<Int>?
    var back: [Region] = []

    init(_ main: Region, _ header: BoxHeader?) {
      self.main = main
      self.header = header
    }

    var regions: [Region] {
      guard let header, let left else { return front + [main] + back }
      guard !left.isEmpty else { return front + back }
      return front + [.literal(BoxHeader.compact(header.type, size: left.count)), .copy(left.dropFirst(8))] + back
    }

    /// What of a `free` box is gone: the space taken, and as much behind it as the new header needs.
    var taken: Range<Int>? {
      guard let header, let left else { return nil }
      return header.range.lowerBound..<min(left.lowerBound + 8, header.range.upperBound)
    }

    var isFree: Bool { header?.type == "free" || header?.type == "skip" || header?.type == "wide" }

    /// Takes `count` bytes from the front of a `free` box; false when it has not as many to give.
    mutating func shrink(by count: Int) -> Bool {
      guard isFree, let header, header.sizeForm == .compact else { return false }
      let before = left ?? header.range
      // A box is at least as long as its header.
      guard before.count == count || before.count - count >= 8 else { return false }
      left = before.lowerBound + count..<before.upperBound
      return true
    }

    /// Puts data at the end of an `mdat`; nil when the box is of another type or cannot be so large.
    mutating func grow(by count: Int) -> [EditPlanner.Patch]? {
      guard let header, header.type == "mdat" else { return nil }
      let size = header.range.count + count
      guard header.sizeForm != .compact || size <= UInt32.max else { return nil }
      back.append(.moved)
      return header.sizePatch(size)
    }
  }

  /// Finds a place for data that has none.
  ///
  /// - Parameter second: where a second file begins, which is a trailer like `mpvd`.
  /// - Returns: changes to the headers of boxes that grow.
  private static func place(_ count: Int, in areas: inout [Area], before second: Int, rest: Range<Int>) -> [EditPlanner
    .Patch]
  {
    let core = areas[..<second].lastIndex { $0.header?.type == "meta" || $0.header?.type == "mdat" } ?? 0
    let hasTrailer = !rest.isEmpty || areas[(core + 1)...].contains { !$0.isFree }
    let newBox: [Region] = [.literal(BoxHeader.compact("mdat", size: count + 8)), .moved]
    let last = areas.count - 1
    if hasTrailer {
      for index in areas[..<second].indices {
        guard areas[index].shrink(by: count + 8) else { continue }
        areas[index].front = newBox
        return []
      }
    }
    if hasTrailer || core == last, let patches = areas[core].grow(by: count) { return patches }
    if hasTrailer {
      areas[core].back += newBox
    } else if areas[last].header?.sizeForm == .toEnd, core != last {
      // Nothing can follow a box that reaches to the end of the file, except `meta`, whose size is written anew.
      areas[last].front += newBox
    } else {
      areas[last].back = newBox
    }
    return []
  }
}

extension EditLayout.Region {
  fileprivate var isEmpty: Bool {
    switch self {
    case .copy(let range): range.isEmpty
    case .literal(let bytes): bytes.isEmpty
    case .meta, .moved: false
    }
  }
}

extension BoxHeader {
  /// The header of a box with a 32-bit size.
  fileprivate static func compact(_ type: FourCC, size: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt32(UInt32(truncatingIfNeeded: size))
    writer.writeFourCC(type)
    return writer.bytes
  }

  /// The change that gives the box another size where it stands.
  fileprivate func sizePatch(_ size: Int) -> [EditPlanner.Patch] {
    var writer = ByteWriter()
    switch sizeForm {
    case .toEnd: return []
    case .compact:
      writer.writeUInt32(UInt32(truncatingIfNeeded: size))
      return [EditPlanner.Patch(position: range.lowerBound, bytes: writer.bytes)]
    case .large:
      writer.writeUInt64(UInt64(size))
      return [EditPlanner.Patch(position: range.lowerBound + 8, bytes: writer.bytes)]
    }
  }
}
