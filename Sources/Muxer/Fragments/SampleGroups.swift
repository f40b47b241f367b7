import LivePhotoCore

/// The descriptions of groups of samples, `sgpd` (ISO/IEC 14496-12, 8.9.3).
struct GroupDescriptions: Sendable {
  let type: FourCC
  /// The group of samples that are in none; nil where the box has no field for it.
  private let defaultGroup: UInt32?
  var entries: [[UInt8]] = []

  init(type: FourCC) { (self.type, defaultGroup) = (type, nil) }

  /// Reads the payload of the box.
  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, _) = try cursor.readVersionAndFlags()
    type = try cursor.readFourCC()
    let stated = version >= 1 ? Int(try cursor.readUInt32()) : nil
    defaultGroup = version >= 2 ? try cursor.readUInt32() : nil
    let count = Int(try cursor.readUInt32())
    guard count <= cursor.remaining else {
      throw .truncated(needed: count, available: cursor.remaining, at: cursor.place)
    }
    // Version 0 leaves the length to the type of the group.
    let length = stated ?? cursor.remaining / max(count, 1)
    for _ in 0..<count {
      entries.append(try cursor.readBytes(stated == 0 ? Int(try cursor.readUInt32()) : length))
    }
  }

  /// Writes the whole box, with the length of all entries or of each.
  func write(to writer: inout ByteWriter) {
    let lengths = Set(entries.map(\.count))
    let common = lengths.count == 1 ? lengths.first ?? 0 : 0
    writer.fullBox("sgpd", version: defaultGroup == nil ? 1 : 2, flags: 0) { writer in
      writer.writeFourCC(type)
      writer.writeUInt32(UInt32(common))
      if let defaultGroup { writer.writeUInt32(defaultGroup) }
      writer.writeUInt32(UInt32(entries.count))
      for entry in entries {
        if common == 0 { writer.writeUInt32(UInt32(entry.count)) }
        writer.write(entry)
      }
    }
  }
}

/// Which samples are in which group, `sbgp` (ISO/IEC 14496-12, 8.9.2).
struct GroupMapping: Sendable {
  /// What groups are of: a type and, in version 1 of the box, a parameter.
  struct Grouping: Hashable, Sendable {
    var type: FourCC
    var parameter: UInt32?
  }

  let grouping: Grouping
  /// Runs of samples and their groups, counted from 1; 0 is none, and those of fragments begin behind 0x10000.
  private(set) var runs: [(count: Int, group: UInt32)] = []
  /// How many samples the runs have.
  private(set) var count = 0

  init(_ grouping: Grouping) { self.grouping = grouping }

  /// Reads the payload of the box.
  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, _) = try cursor.readVersionAndFlags()
    let type = try cursor.readFourCC()
    grouping = Grouping(type: type, parameter: version == 1 ? try cursor.readUInt32() : nil)
    let entries = Int(try cursor.readUInt32())
    guard entries <= cursor.remaining / 8 else {
      throw .truncated(needed: entries * 8, available: cursor.remaining, at: cursor.place)
    }
    for _ in 0..<entries { append(Int(try cursor.readUInt32()), of: try cursor.readUInt32()) }
  }

  /// Adds samples.
  mutating func append(_ samples: Int, of group: UInt32) {
    guard samples > 0 else { return }
    if let last = runs.last, last.group == group {
      runs[runs.count - 1].count += samples
    } else {
      runs.append((samples, group))
    }
    count += samples
  }

  /// Adds samples without a group until there are so many.
  mutating func fill(to samples: Int) { append(samples - count, of: 0) }

  /// What is left of it with some of the samples.
  ///
  /// - Parameter kept: those samples, in order.
  func cut(to kept: [Range<Int>]) -> GroupMapping {
    var result = GroupMapping(grouping)
    var first = 0
    for run in runs {
      for range in kept { result.append(range.clamped(to: first..<first + run.count).count, of: run.group) }
      first += run.count
    }
    return result
  }

  /// Writes the whole box.
  func write(to writer: inout ByteWriter) {
    writer.fullBox("sbgp", version: grouping.parameter == nil ? 0 : 1, flags: 0) { writer in
      writer.writeFourCC(grouping.type)
      if let parameter = grouping.parameter { writer.writeUInt32(parameter) }
      writer.writeUInt32(UInt32(truncatingIfNeeded: runs.count))
      for run in runs {
        writer.writeUInt32(UInt32(truncatingIfNeeded: run.count))
        writer.writeUInt32(run.group)
      }
    }
  }
}

/// What one fragment says of groups of its samples.
struct FragmentGroups {
  private(set) var descriptions: [GroupDescriptions] = []
  private(set) var mappings: [GroupMapping] = []
  /// Boxes that say something of single samples and are not read, or could not be.
  private(set) var unread: Set<FourCC> = []

  /// Takes a box of a `traf`.
  mutating func read(_ type: FourCC, _ cursor: inout ByteCursor) {
    do throws(ParseError) {
      switch type {
      case "sgpd": descriptions.append(try GroupDescriptions(parsing: &cursor))
      case "sbgp": mappings.append(try GroupMapping(parsing: &cursor))
      case "csgp", "subs": unread.insert(type)
      default: break
      }
    } catch { unread.insert(type) }
  }
}

/// What the fragments of a track say of groups of its samples, to be joined to what the header says.
struct SampleGroups: Sendable {
  private var descriptions: [FourCC: [[UInt8]]] = [:]
  /// Where each description is; fragments often say the same ones again.
  private var places: [FourCC: [[UInt8]: UInt32]] = [:]
  private var mappings: [GroupMapping.Grouping: GroupMapping] = [:]
  private var order: [GroupMapping.Grouping] = []
  /// What the header says.
  private var own: (descriptions: [GroupDescriptions], mappings: [GroupMapping]) = ([], [])

  /// Descriptions of a fragment's own are numbered from here on.
  private static let firstOwn: UInt32 = 0x10000

  var isEmpty: Bool { mappings.isEmpty }

  /// A size in bytes that the boxes do not exceed by more than that of the header's own.
  var largestSize: Int {
    let entries = descriptions.values.reduce(0) { $0 + $1.reduce(64) { $0 + $1.count + 4 } }
    return mappings.values.reduce(entries) { $0 + 8 * $1.runs.count + 64 }
  }

  /// Adds what a fragment says, whose samples are these of the track's.
  mutating func add(_ fragment: FragmentGroups, samples: Range<Int>) {
    for mapping in fragment.mappings {
      let type = mapping.grouping.type
      let entries = fragment.descriptions.first { $0.type == type }?.entries ?? []
      var joined = mappings.removeValue(forKey: mapping.grouping) ?? GroupMapping(mapping.grouping)
      if joined.count == 0 { order.append(mapping.grouping) }
      joined.fill(to: samples.lowerBound)
      for run in mapping.runs {
        let left = samples.upperBound - joined.count
        joined.append(min(run.count, left), of: number(run.group, among: entries, of: type))
      }
      mappings[mapping.grouping] = joined
    }
  }

  /// The number of a fragment's group among those of all fragments.
  private mutating func number(_ group: UInt32, among entries: [[UInt8]], of type: FourCC) -> UInt32 {
    guard group > Self.firstOwn else { return group }
    let index = Int(group - Self.firstOwn) - 1
    guard entries.indices.contains(index) else { return 0 }
    if let place = places[type]?[entries[index]] { return place }
    descriptions[type, default: []].append(entries[index])
    let place = Self.firstOwn + UInt32(descriptions[type]?.count ?? 0)
    places[type, default: [:]][entries[index]] = place
    return place
  }

  // MARK: Joining

  /// Takes a box of the header's sample table.
  mutating func take(_ type: FourCC, _ cursor: inout ByteCursor) throws(ParseError) {
    switch type {
    case "sgpd": own.descriptions.append(try GroupDescriptions(parsing: &cursor))
    default: own.mappings.append(try GroupMapping(parsing: &cursor))
    }
  }

  /// Writes the boxes of header and fragments together.
  ///
  /// - Parameter kept: the samples that are left; nil for all.
  func write(to writer: inout ByteWriter, kept: [Range<Int>]?) {
    let (descriptions, mappings) = boxes
    for box in descriptions { box.write(to: &writer) }
    for box in mappings { (kept.map(box.cut) ?? box).write(to: &writer) }
  }

  /// The boxes of header and fragments together.
  private var boxes: (descriptions: [GroupDescriptions], mappings: [GroupMapping]) {
    var all = own.descriptions
    var offsets: [FourCC: UInt32] = [:]
    for (type, entries) in descriptions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let index = all.firstIndex { $0.type == type } ?? all.count
      if index == all.count { all.append(GroupDescriptions(type: type)) }
      offsets[type] = UInt32(all[index].entries.count)
      all[index].entries += entries
    }
    var maps = own.mappings
    for grouping in order {
      guard let joined = mappings[grouping] else { continue }
      let index = maps.firstIndex { $0.grouping == grouping } ?? maps.count
      if index == maps.count { maps.append(GroupMapping(grouping)) }
      var first = 0
      for run in joined.runs {
        // What the header says of its own samples comes before all that fragments say.
        let samples = run.count - max(0, min(run.count, maps[index].count - first))
        let group =
          run.group > Self.firstOwn ? run.group - Self.firstOwn + (offsets[grouping.type] ?? 0) : run.group
        maps[index].append(samples, of: group)
        first += run.count
      }
    }
    return (all, maps)
  }
}
