import LivePhotoCore

/// The boxes of a sample table as they stand in the file, before they are put in relation to each other.
struct SampleTableBoxes {
  /// `stts`: counts and durations.
  var times: [(count: UInt32, delta: UInt32)] = []
  /// `ctts`.
  var composition = CompositionColumn()
  /// `stsc`: first chunk (counted from 1), samples a chunk, description (counted from 1).
  var chunkRuns: [(first: UInt32, samples: UInt32, description: UInt32)] = []
  /// `stsz` or `stz2`.
  var sizes: Sizes?
  /// `stco` or `co64`.
  var chunkOffsets: [Int]?
  /// `stss`, counted from 1.
  var syncSamples: [UInt32]?
  /// `sdtp`, one byte a sample.
  var dependencies: [UInt8] = []
  /// `cslg`.
  var compositionShift: CompositionShift?

  /// The boxes that say something of each sample.
  static let types: Set<FourCC> = ["stts", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp", "cslg"]

  /// What `stsz` and `stz2` say.
  enum Sizes {
    case constant(size: UInt32, count: UInt32)
    case listed([UInt32])
  }

  /// Reads one child of `stbl`; boxes that are not about samples' places and times are left alone.
  mutating func read(_ type: FourCC, _ cursor: inout ByteCursor) throws(ParseError) {
    switch type {
    case "stts":
      times = []
      try cursor.forEachPair(of: { times.reserveCapacity($0) }) { times.append((count: $0, delta: $1)) }
    case "ctts":
      // QuickTime writes negative offsets in version 0 too, and no movie needs offsets of 2^31 ticks.
      try cursor.forEachPair(of: { composition = CompositionColumn(entries: $0) }) {
        composition.append(count: $0, offset: Int32(bitPattern: $1))
      }
    case "stsc": chunkRuns = try cursor.readTriples()
    case "stsz": sizes = try cursor.readSizes()
    case "stz2": sizes = try cursor.readCompactSizes()
    case "stco": chunkOffsets = try cursor.readTable().map { Int($0) }
    case "co64": chunkOffsets = try cursor.readLargeTable("chunk offset")
    case "stss": syncSamples = try cursor.readTable()
    case "sdtp":
      _ = try cursor.readVersionAndFlags()
      dependencies = cursor.readRemaining()
    case "cslg": compositionShift = try CompositionShift(parsing: &cursor)
    default: break
    }
  }
}

/// How composition times relate to decode times as a whole, `cslg` (ISO/IEC 14496-12, 8.6.1.4); in ticks of the track.
public struct CompositionShift: Equatable, Sendable {
  /// What has to be added to composition times so that none is before its decode time.
  public var compositionToDecodeShift: Int64
  /// The smallest composition offset.
  public var leastOffset: Int64
  /// The largest composition offset.
  public var greatestOffset: Int64
  /// The smallest composition time.
  public var startTime: Int64
  /// The largest composition time plus that sample's duration.
  public var endTime: Int64

  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, _) = try cursor.readVersionAndFlags()
    func next(_ cursor: inout ByteCursor) throws(ParseError) -> Int64 {
      version == 0 ? Int64(try cursor.readInt32()) : try cursor.readInt64()
    }
    compositionToDecodeShift = try next(&cursor)
    leastOffset = try next(&cursor)
    greatestOffset = try next(&cursor)
    startTime = try next(&cursor)
    endTime = try next(&cursor)
  }
}

extension ByteCursor {
  /// The version, the flags, and the entry count of a table whose entries of `width` bytes must all be there.
  fileprivate mutating func readCount(width: Int) throws(ParseError) -> Int {
    _ = try readVersionAndFlags()
    let count = Int(try readUInt32())
    guard count <= remaining / width else {
      throw .truncated(needed: count * width, available: remaining, at: place)
    }
    return count
  }

  fileprivate mutating func readTable() throws(ParseError) -> [UInt32] {
    try readUInt32s(try readCount(width: 4))
  }

  /// A table of 64-bit values, of which none may be 2^63 or more.
  fileprivate mutating func readLargeTable(_ what: String) throws(ParseError) -> [Int] {
    let place = place
    var table: [Int] = []
    try forEachPair(of: { table.reserveCapacity($0) }) { (high, low) throws(ParseError) in
      let value = UInt64(high) << 32 | UInt64(low)
      guard let exact = Int(exactly: value) else {
        throw .invalid(what, found: "\(value)", expected: "less than 2^63", at: place)
      }
      table.append(exact)
    }
    return table
  }

  /// Calls `reserve` with the number of entries of a table, then `body` with the two halves of each.
  ///
  /// A few thousand are read at a time.
  fileprivate mutating func forEachPair(
    of reserve: (Int) -> Void, _ body: (UInt32, UInt32) throws(ParseError) -> Void
  ) throws(ParseError) {
    var left = try readCount(width: 8)
    reserve(left)
    while left > 0 {
      let count = min(left, 4096)
      let values = try readUInt32s(2 * count)
      for index in 0..<count { try body(values[2 * index], values[2 * index + 1]) }
      left -= count
    }
  }

  fileprivate mutating func readTriples() throws(ParseError)
    -> [(first: UInt32, samples: UInt32, description: UInt32)]
  {
    let count = try readCount(width: 12)
    var table: [(first: UInt32, samples: UInt32, description: UInt32)] = []
    table.reserveCapacity(count)
    for _ in 0..<count { table.append((try readUInt32(), try readUInt32(), try readUInt32())) }
    return table
  }

  fileprivate mutating func readSizes() throws(ParseError) -> SampleTableBoxes.Sizes {
    var ahead = self
    _ = try ahead.readVersionAndFlags()
    let size = try ahead.readUInt32()
    if size != 0 { return .constant(size: size, count: try ahead.readUInt32()) }
    try skip(4)
    return .listed(try readTable())
  }

  fileprivate mutating func readCompactSizes() throws(ParseError) -> SampleTableBoxes.Sizes {
    _ = try readVersionAndFlags()
    let widthPlace = place
    let bits = Int(try readUInt32() & 0xFF)
    guard [4, 8, 16].contains(bits) else {
      throw .invalid("field size of 'stz2'", found: "\(bits)", expected: "4, 8 or 16", at: widthPlace)
    }
    let count = Int(try readUInt32())
    let needed = (count * bits + 7) / 8
    guard needed <= remaining else { throw .truncated(needed: needed, available: remaining, at: place) }
    var sizes: [UInt32] = []
    sizes.reserveCapacity(count)
    while sizes.count < count {
      if bits == 16 {
        sizes.append(UInt32(try readUInt16()))
      } else {
        let byte = UInt32(try readUInt8())
        if bits == 8 { sizes.append(byte) } else { sizes += [byte >> 4, byte & 15].prefix(count - sizes.count) }
      }
    }
    return .listed(sizes)
  }
}
