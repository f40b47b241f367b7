import LivePhotoCore

extension Track {
  /// Reads the payload of a `trak` box.
  ///
  /// - Throws: ``ParseError`` when a box that every track has is missing or damaged.
  init(
    parsing cursor: inout ByteCursor, range: Range<Int>, movieTimescale: UInt32, limits: Limits,
    warn: (String) -> Void
  ) throws(ParseError) {
    let place = cursor.place
    var header: TrackHeader?
    var edits: [Edit] = []
    var references: [TrackReference] = []
    var metadata = MovieMetadata.none
    var userData = UserData.none
    var parts: MediaParts?
    try cursor.forEachBox(limit: limits.boxesPerContainer) { (box, content) throws(ParseError) in
      switch box.type {
      case "tkhd": header = try TrackHeader(parsing: &content)
      case "edts":
        try content.forEachBox { (box, list) throws(ParseError) in
          if box.type == "elst" { edits = try EditList.parse(&list) }
        }
      case "tref": references = try TrackReference.list(parsing: &content)
      case "mdia": parts = try MediaParts(parsing: &content)
      case "meta":
        do throws(ParseError) { metadata = try MovieMetadata(parsing: &content) } catch {
          warn("metadata of a track is damaged: \(error)")
        }
      case "udta": userData = UserData(parsing: &content, warn: warn)
      default: break
      }
    }
    guard let header else { throw .missing("'tkhd' box", at: place) }
    guard let parts, let media = parts.header else { throw .missing("'mdhd' box", at: place) }
    guard let handler = parts.handler else { throw .missing("'hdlr' box", at: place) }
    try Self.check(edits, timescales: [movieTimescale, media.timescale], limits: limits, at: place)
    self.header = header
    self.media = media
    self.handler = handler
    self.edits = edits
    self.references = references
    self.metadata = metadata
    self.userData = userData
    self.range = range
    self.movieTimescale = movieTimescale
    sampleDescriptions = parts.sampleDescriptions
    compositionShift = parts.tables.compositionShift
    isSelfContained = parts.isSelfContained
    let id = header.trackID
    let isSound = TrackKind(handler: handler.type) == .audio
    samples = try SampleTable(parts.tables, isSound: isSound, limits: limits, at: place) {
      warn("track \(id): \($0)")
    }
    if edits.contains(where: { $0.rate < 0 }) { warn("track \(id): segments that are played backwards are left out") }
  }

  /// Checks that the edits are few, and that all their times fit in 62 bits, so that no sum of them overflows.
  private static func check(_ edits: [Edit], timescales: [UInt32], limits: Limits, at place: Place)
    throws(ParseError)
  {
    guard edits.count <= limits.edits else {
      throw .beyondLimit("number of edits", found: edits.count, limit: limits.edits, at: place)
    }
    var sum: UInt64 = 0
    for edit in edits {
      let (next, overflow) = sum.addingReportingOverflow(edit.duration)
      guard !overflow, next < UInt64(Int64.max / 2), edit.mediaTime.magnitude < UInt64(Int64.max / 2) else {
        throw .invalid("time in 'elst'", found: "beyond 2^62", expected: "less", at: place)
      }
      sum = next
    }
  }
}

extension TrackReference {
  fileprivate static func list(parsing cursor: inout ByteCursor) throws(ParseError) -> [TrackReference] {
    var references: [TrackReference] = []
    try cursor.forEachBox { (box, content) throws(ParseError) in
      var ids: [UInt32] = []
      while content.remaining >= 4 { ids.append(try content.readUInt32()) }
      references.append(TrackReference(type: box.type, trackIDs: ids))
    }
    return references
  }
}

/// What `mdia` holds.
private struct MediaParts {
  var header: MediaHeader?
  var handler: Handler?
  var isSelfContained = true
  var sampleDescriptions: [SampleDescription] = []
  var tables = SampleTableBoxes()

  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    // The handler says how sample descriptions are read, so it is looked for before them.
    var ahead = cursor
    try ahead.forEachBox { (box, content) throws(ParseError) in
      if box.type == "hdlr" { handler = try Handler(parsing: &content) }
    }
    try cursor.forEachBox { (box, content) throws(ParseError) in
      switch box.type {
      case "mdhd": header = try MediaHeader(parsing: &content)
      case "minf": try readInformation(&content)
      default: break
      }
    }
  }

  private mutating func readInformation(_ cursor: inout ByteCursor) throws(ParseError) {
    var hasTable = false
    try cursor.forEachBox { (box, content) throws(ParseError) in
      switch box.type {
      case "dinf":
        try content.forEachBox { (box, references) throws(ParseError) in
          if box.type == "dref" { isSelfContained = try Self.isSelfContained(&references) }
        }
      case "stbl":
        hasTable = true
        try readTable(&content)
      default: break
      }
    }
    if !hasTable { throw .missing("'stbl' box", at: cursor.place) }
  }

  private mutating func readTable(_ cursor: inout ByteCursor) throws(ParseError) {
    let type = handler?.type ?? "    "
    var hasDescriptions = false
    try cursor.forEachBox { (box, content) throws(ParseError) in
      if box.type == "stsd" {
        hasDescriptions = true
        sampleDescriptions = try SampleDescription.list(parsing: &content, handler: type)
      } else {
        try tables.read(box.type, &content)
      }
    }
    if !hasDescriptions { throw .missing("'stsd' box", at: cursor.place) }
  }

  /// Whether every data reference says, by its flag, that the samples are in the same file.
  private static func isSelfContained(_ cursor: inout ByteCursor) throws(ParseError) -> Bool {
    _ = try cursor.readVersionAndFlags()
    try cursor.skip(4)
    var result = true
    try cursor.forEachBox { (_, reference) throws(ParseError) in
      let isHere = try reference.readVersionAndFlags().flags & 1 != 0
      // Some writers forget the flag, but name no other file.
      if !isHere, reference.readRemaining().contains(where: { $0 != 0 }) { result = false }
    }
    return result
  }
}
