import LivePhotoCore

/// Adds the samples of movie fragments to those of the movie header (ISO/IEC 14496-12, 8.8).
///
/// Samples that would lie beyond the end of the file are left out, so that a recording that was cut off can be used.
struct FragmentReader {
  private let source: any ByteSource
  private let limits: Limits
  private let defaults: [UInt32: FragmentDefaults]
  private var states: [UInt32: State]
  /// Samples that may still come: no more than the file has bytes, so that few bytes cannot stand for very many.
  private var budget: Int
  private var strayFragments = 0

  /// A track and what fragments have added to it.
  private struct State {
    let table: SampleTable
    var columns: SampleColumns?
    var missing = 0
    var lateFragments = 0
    var groups = SampleGroups()
    var unread: Set<FourCC> = []
  }

  init(_ tracks: [Track], defaults: [UInt32: FragmentDefaults], source: any ByteSource, limits: Limits) {
    self.source = source
    self.limits = limits
    self.defaults = defaults
    budget = source.count
    states = Dictionary(tracks.map { ($0.id, State(table: $0.samples)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The samples of a track to which a fragment has added some; nil for others.
  func samples(of track: UInt32) -> SampleTable? { states[track]?.columns?.table }

  /// What fragments say of groups of a track's samples; nil where they say nothing.
  func groups(of track: UInt32) -> SampleGroups? { states[track].flatMap { $0.groups.isEmpty ? nil : $0.groups } }

  /// What is odd and was tolerated, one line each.
  var warnings: [String] {
    var lines = states.sorted { $0.key < $1.key }.flatMap { id, state in
      var lines: [String] = []
      if state.missing > 0 {
        lines.append("track \(id): the file ends before \(state.missing) samples of its fragments, which are left out")
      }
      if state.lateFragments > 0 {
        lines.append("track \(id): \(state.lateFragments) fragments go back in time; they are read as going on")
      }
      for type in state.unread.sorted(by: { $0.rawValue < $1.rawValue }) {
        lines.append("track \(id): '\(type)' of its fragments is not read")
      }
      return lines
    }
    if strayFragments > 0 { lines.append("\(strayFragments) fragments are of tracks that the movie does not have") }
    return lines
  }

  /// Reads one `moof` box.
  ///
  /// - Throws: ``ParseError`` when it is damaged or beyond the limits.
  mutating func read(_ box: BoxHeader) throws(ParseError) {
    guard box.range.count <= limits.metadataBytes else {
      throw .beyondLimit(
        "size of 'moof'", found: box.range.count, limit: limits.metadataBytes, at: Place(offset: box.range.lowerBound))
    }
    let bytes = try source.parseBytes(box.payload)
    var cursor = ByteCursor(bytes.span, base: box.payload.lowerBound)
    // Where a track fragment's data begin that says nothing itself: at the box, then behind the one before it.
    var next = box.range.lowerBound
    do throws(ParseError) {
      try cursor.forEachBox(limit: limits.boxesPerContainer) { (child, content) throws(ParseError) in
        guard child.type == "traf" else { return }
        try readTrack(&content, movieFragment: box.range.lowerBound, next: &next)
      }
    } catch { throw error.inside("moof") }
  }

  /// Reads one `traf` box.
  ///
  /// - Parameters:
  ///   - start: where the `moof` box begins.
  ///   - next: where data go on that no offset is given for.
  private mutating func readTrack(_ cursor: inout ByteCursor, movieFragment start: Int, next: inout Int)
    throws(ParseError)
  {
    let place = cursor.place
    var header: TrackFragmentHeader?
    var decodeTime: Int64?
    var groups = FragmentGroups()
    var ahead = cursor
    try ahead.forEachBox(limit: limits.boxesPerContainer) { (box, content) throws(ParseError) in
      switch box.type {
      case "tfhd": header = try TrackFragmentHeader(parsing: &content, defaults: defaults)
      case "tfdt": decodeTime = try content.readDecodeTime()
      default: groups.read(box.type, &content)
      }
    }
    guard let header else { throw .missing("'tfhd' box", at: place) }
    guard var state = states.removeValue(forKey: header.trackID) else {
      strayFragments += 1
      return
    }
    defer { states[header.trackID] = state }
    var columns = if let columns = state.columns { columns } else { try begin(state.table, at: place) }
    // Not two owners at once, so that nothing is copied.
    state.columns = nil
    defer { state.columns = columns }
    if let decodeTime, !columns.move(to: decodeTime) { state.lateFragments += 1 }

    let base = header.baseDataOffset ?? (header.isBaseMovieFragment ? start : next)
    var position = base
    var isCut = false
    let first = columns.count
    try cursor.forEachBox(limit: limits.boxesPerContainer) { (box, content) throws(ParseError) in
      guard box.type == "trun" else { return }
      var run = try TrackRun(parsing: &content, defaults: header.defaults)
      if let offset = run.dataOffset { position = try Self.sum(base, Int(offset), at: content.place) }
      guard !isCut else {
        state.missing += run.count
        return
      }
      let left = try read(&run, &content, to: &columns, at: &position, header.defaults)
      state.missing += left
      isCut = left > 0
    }
    next = position
    state.groups.add(groups, samples: first..<columns.count)
    state.unread.formUnion(groups.unread)
  }

  /// The columns of a track's samples, to which fragments are added.
  private mutating func begin(_ table: SampleTable, at place: Place) throws(ParseError) -> SampleColumns {
    try spend(table.count, total: table.count, at: place)
    return SampleColumns(table)
  }

  /// Reads the samples of one `trun` box; returns how many of them lie beyond the end of the file.
  private mutating func read(
    _ run: inout TrackRun, _ cursor: inout ByteCursor, to columns: inout SampleColumns, at position: inout Int,
    _ defaults: FragmentDefaults
  ) throws(ParseError) -> Int {
    let place = cursor.place
    let first = columns.count
    defer { columns.closeChunk(from: first, description: Int(max(defaults.description, 1)) - 1) }
    for index in 0..<run.count {
      let row = try run.readRow(index, &cursor, defaults)
      guard position >= 0, position <= source.count - Int(row.size) else { return run.count - index }
      try spend(1, total: columns.count + 1, at: place)
      guard columns.endTime < Int64.max / 2 - Int64(UInt32.max) else {
        throw .invalid("decode time", found: "beyond 2^62", expected: "less", at: place)
      }
      columns.append(row, at: position)
      position += Int(row.size)
    }
    return 0
  }

  private mutating func spend(_ samples: Int, total: Int, at place: Place) throws(ParseError) {
    guard total <= limits.samplesPerTrack else {
      throw .beyondLimit("number of samples", found: total, limit: limits.samplesPerTrack, at: place)
    }
    guard samples <= budget else {
      throw .invalid(
        "number of samples", found: "\(total)", expected: "no more than the file's \(source.count) bytes", at: place)
    }
    budget -= samples
  }

  private static func sum(_ base: Int, _ offset: Int, at place: Place) throws(ParseError) -> Int {
    let (sum, overflow) = base.addingReportingOverflow(offset)
    guard !overflow else { throw .invalid("data offset", found: "beyond 2^63", expected: "less", at: place) }
    return sum
  }
}

/// The head of a `trun` box, and how its rows are read (ISO/IEC 14496-12, 8.8.8).
private struct TrackRun {
  let count: Int
  private(set) var dataOffset: Int32?
  private(set) var firstFlags: UInt32?
  private let flags: UInt32

  /// Reads everything before the rows, which must all be there.
  init(parsing cursor: inout ByteCursor, defaults: FragmentDefaults) throws(ParseError) {
    flags = try cursor.readVersionAndFlags().flags
    count = Int(try cursor.readUInt32())
    if flags & 0x001 != 0 { dataOffset = try cursor.readInt32() }
    if flags & 0x004 != 0 { firstFlags = try cursor.readUInt32() }
    let width = (flags >> 8 & 15).nonzeroBitCount * 4
    let (needed, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow, needed <= cursor.remaining else {
      throw .truncated(needed: needed, available: cursor.remaining, at: cursor.place)
    }
  }

  func readRow(_ index: Int, _ cursor: inout ByteCursor, _ defaults: FragmentDefaults) throws(ParseError)
    -> SampleColumns.Row
  {
    var row = SampleColumns.Row(
      size: defaults.size, duration: defaults.duration, compositionOffset: 0, flags: defaults.flags)
    if flags & 0x100 != 0 { row.duration = try cursor.readUInt32() }
    if flags & 0x200 != 0 { row.size = try cursor.readUInt32() }
    if flags & 0x400 != 0 { row.flags = try cursor.readUInt32() }
    // Writers use negative offsets in version 0 too, as in 'ctts'.
    if flags & 0x800 != 0 { row.compositionOffset = try cursor.readInt32() }
    if index == 0, let firstFlags { row.flags = firstFlags }
    return row
  }
}

extension ByteCursor {
  /// The payload of a `tfdt` box (8.8.12).
  fileprivate mutating func readDecodeTime() throws(ParseError) -> Int64 {
    let (version, _) = try readVersionAndFlags()
    let place = place
    let time = try readUInt(width: version == 1 ? 8 : 4)
    guard time < UInt64(Int64.max / 2) else {
      throw .invalid("decode time in 'tfdt'", found: "\(time)", expected: "less than 2^62", at: place)
    }
    return Int64(time)
  }
}
