import LivePhotoCore

/// Copies the content of `moov` without metadata of some kind.
struct HeaderStripper {
  private let what: MetadataStripping
  private let movie: Movie
  private let removedTracks: Set<Int>
  private let removedIDs: Set<UInt32>
  private var metadata: MetadataStripper
  /// The track that is being copied.
  private var track: Track?
  /// What went without having been looked into, in words.
  var notes: [String] { metadata.notes }

  /// What a header is made of, beside metadata.
  private static let structure: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "iods", "trak", "mvex", "pssh", "ctab", "clip", "prfl", "rmra"],
    "trak": [
      "tkhd", "edts", "tref", "mdia", "tapt", "clip", "crgn", "matt", "kmat", "load", "imap", "txas", "trgr", "msrc",
    ],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["vmhd", "smhd", "hmhd", "sthd", "nmhd", "gmhd", "hdlr", "dinf", "stbl"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stps", "stsh", "sdtp", "stsc", "stsz", "stz2", "stco", "co64", "stdp",
      "padb", "subs", "sbgp", "csgp", "sgpd", "saiz", "saio",
    ],
  ]

  init(_ what: MetadataStripping, movie: Movie, removedTracks: Set<Int>) {
    self.what = what
    self.movie = movie
    self.removedTracks = removedTracks
    removedIDs = Set(removedTracks.map { movie.tracks[$0].id })
    metadata = MetadataStripper(what)
  }

  mutating func write(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    try write(&cursor, inside: "moov", to: &writer)
  }

  /// Copies what is inside a box; bytes at its end that are no box go.
  private mutating func write(_ cursor: inout ByteCursor, inside parent: FourCC, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var trackIndex = 0
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      if parent == "moov", box.type == "trak" {
        defer { trackIndex += 1 }
        if removedTracks.contains(trackIndex) { continue }
        track = movie.tracks[trackIndex]
      }
      try write(box, &whole, inside: parent, to: &writer)
    }
  }

  /// Copies a box, which `whole` holds with its header.
  private mutating func write(
    _ box: BoxHeader, _ whole: inout ByteCursor, inside parent: FourCC, to writer: inout ByteWriter
  ) throws(ParseError) {
    var content = whole
    try content.skip(box.headerSize)
    switch (parent, box.type) {
    case ("moov", "trak"), ("trak", "mdia"), ("mdia", "minf"), ("minf", "stbl"):
      try writer.container(box) { (writer) throws(ParseError) in
        try write(&content, inside: box.type, to: &writer)
      }
    case (_, "meta"):
      // All keys go but the identifier, which is the movie's.
      try metadata.writeMetadata(
        box, &content, keeping: parent == "moov" ? [MetadataName.contentIdentifier] : [], to: &writer)
    case (_, "udta"): metadata.writeUserData(box, &content, to: &writer)
    case (_, "uuid"): metadata.writeExtended(box, &content, to: &writer)
    case (_, "free"), (_, "skip"), (_, "wide"): writer.box("free") { $0.writeZeros(content.remaining) }
    case ("trak", "tref"): try writeReferences(box, &content, to: &writer)
    case ("moov", "mvhd") where what == .all, ("trak", "tkhd") where what == .all, ("mdia", "mdhd") where what == .all:
      writer.copy(box, Self.undated(box, whole.readRemaining()))
    case ("mdia", "hdlr") where what == .all, ("minf", "hdlr") where what == .all:
      try writeHandler(&content, inside: parent, to: &writer)
    case ("stbl", "stsd"): try writeDescriptions(box, &content, to: &writer)
    default:
      guard Self.structure[parent]?.contains(box.type) ?? false else {
        metadata.note(box.type)
        return
      }
      writer.copy(box, whole.readRemaining())
    }
  }

  /// A header box with no dates.
  private static func undated(_ box: BoxHeader, _ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count > box.headerSize else { return bytes }
    let start = box.headerSize + 4
    let end = start + (bytes[box.headerSize] == 1 ? 16 : 8)
    guard end <= bytes.count else { return bytes }
    bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
    return bytes
  }

  /// Copies references to other tracks, those that went left out.
  private func writeReferences(_ header: BoxHeader, _ cursor: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var references = ByteWriter()
    for box in try cursor.peekChildren() {
      var content = try cursor.slice(box.range.count)
      try content.skip(box.headerSize)
      var ids: [UInt32] = []
      while content.remaining >= 4 { ids.append(try content.readUInt32()) }
      ids.removeAll { removedIDs.contains($0) }
      guard !ids.isEmpty else { continue }
      references.box(box.type) { writer in for id in ids { writer.writeUInt32(id) } }
    }
    if references.count > 0 { writer.box("tref", references.bytes) }
  }

  /// A handler with the name that QuickTime gives it.
  private func writeHandler(_ cursor: inout ByteCursor, inside parent: FourCC, to writer: inout ByteWriter)
    throws(ParseError)
  {
    let handler = try Handler(parsing: &cursor)
    guard parent == "mdia" else {
      return writer.handler("dhlr", handler.type, flags: 0, name: "Core Media Data Handler")
    }
    writer.handler("mhlr", handler.type, flags: 0, name: handler.type.mediaHandlerName)
  }

  // MARK: Sample descriptions

  private func writeDescriptions(_ header: BoxHeader, _ cursor: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    let head = try cursor.readBytes(min(8, cursor.remaining))
    try writer.container(header) { (writer) throws(ParseError) in
      writer.write(head)
      for box in try cursor.peekChildren() {
        var whole = try cursor.slice(box.range.count)
        writer.copy(box, undescribed(whole.readRemaining(), box))
      }
      writer.write(cursor.readRemaining())
    }
  }

  /// A sample entry of video or sound without extended boxes and, where all goes, without the encoder's names.
  private func undescribed(_ bytes: [UInt8], _ box: BoxHeader) -> [UInt8] {
    let descriptions = track?.sampleDescriptions ?? []
    let isVideo = descriptions.contains { $0.video != nil }, isSound = descriptions.contains { $0.audio != nil }
    guard isVideo || isSound else { return Self.withoutExtendedBoxes(bytes, behind: box.headerSize) }
    guard bytes.count >= box.headerSize + (isVideo ? 78 : 28) else { return bytes }
    var bytes = bytes
    if what == .all {
      let vendor = box.headerSize + 12, name = box.headerSize + 42
      bytes.replaceSubrange(vendor..<vendor + 4, with: repeatElement(0, count: 4))
      if isVideo { bytes.replaceSubrange(name..<name + 32, with: repeatElement(0, count: 32)) }
    }
    var cursor = ByteCursor(bytes.span)
    do throws(ParseError) {
      try cursor.skip(box.headerSize + 8)
      if isVideo { try cursor.skip(70) } else { try cursor.skipSoundFields() }
    } catch { return bytes }
    var patched = bytes
    for box in Self.extendedBoxes(&cursor) {
      patched.replaceSubrange(box.range.lowerBound + 4..<box.range.lowerBound + 8, with: Array("free".utf8))
      patched.replaceSubrange(box.content, with: repeatElement(0, count: box.content.count))
    }
    return patched
  }

  /// An entry of another form, in which whatever begins as an extended box does and ends inside becomes free space.
  private static func withoutExtendedBoxes(_ entry: [UInt8], behind header: Int) -> [UInt8] {
    var bytes = entry
    let type = Array("uuid".utf8)
    var position = header + 4
    while position + 20 <= bytes.count, let found = bytes[position...].firstRange(of: type) {
      position = found.upperBound
      var cursor = ByteCursor(entry.span)
      guard (try? cursor.skip(found.lowerBound - 4)) != nil, let box = try? BoxHeader(parsing: &cursor),
        box.sizeForm != .toEnd
      else { continue }
      bytes.replaceSubrange(found, with: Array("free".utf8))
      bytes.replaceSubrange(box.content, with: repeatElement(0, count: box.content.count))
      position = box.range.upperBound
    }
    return bytes
  }

  /// The extended boxes of a sample entry, also those that QuickTime's sound has in `wave`; none behind damage.
  private static func extendedBoxes(_ cursor: inout ByteCursor) -> [BoxHeader] {
    var found: [BoxHeader] = []
    try? cursor.forEachBox { (box, content) throws(ParseError) in
      if box.type == "uuid" { found.append(box) }
      guard box.type == "wave" else { return }
      try? content.forEachBox { (inner, _) throws(ParseError) in if inner.type == "uuid" { found.append(inner) } }
    }
    return found
  }
}

extension FourCC {
  /// The name that QuickTime gives the handler of a media.
  var mediaHandlerName: String {
    switch self {
    case "vide": "Core Media Video"
    case "soun": "Core Media Audio"
    case "meta": "Core Media Metadata"
    case "tmcd": "Core Media Time Code"
    case "text": "Core Media Text"
    case "sbtl": "Core Media Subtitle"
    case "clcp": "Core Media Closed Caption"
    case "auxv": "Core Media Auxiliary Video"
    default: ""
    }
  }
}
