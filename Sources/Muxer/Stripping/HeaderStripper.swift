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
      if box.type == "trak" {
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
    switch box.type {
    case "trak", "mdia", "minf", "stbl":
      try writer.container(box) { (writer) throws(ParseError) in
        try write(&content, inside: box.type, to: &writer)
      }
    case "meta":
      // All keys go but the identifier, which is the movie's.
      try metadata.writeMetadata(
        box, &content, keeping: parent == "moov" ? [MetadataName.contentIdentifier] : [], to: &writer)
    case "udta": metadata.writeUserData(box, &content, to: &writer)
    case "uuid": metadata.writeExtended(box, &content, to: &writer)
    case "free", "skip", "wide": writer.box("free") { $0.writeZeros(content.remaining) }
    case "tref": try writeReferences(box, &content, to: &writer)
    case "mvhd" where what == .all, "tkhd" where what == .all, "mdhd" where what == .all:
      writer.copy(box, Self.undated(box, whole.readRemaining()))
    case "hdlr" where what == .all && parent == "mdia": try writeHandler(&content, to: &writer)
    case "stsd": try writeDescriptions(box, &content, to: &writer)
    default:
      guard Self.structure[parent]?.contains(box.type) ?? true else {
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
  private func writeHandler(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let handler = try Handler(parsing: &cursor)
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

  /// A sample entry of video without extended boxes and, where all goes, without the encoder's names.
  private func undescribed(_ bytes: [UInt8], _ box: BoxHeader) -> [UInt8] {
    let isVideo = track?.sampleDescriptions.contains { $0.video != nil } ?? false
    let fixed = box.headerSize + 78
    guard isVideo, bytes.count >= fixed else { return bytes }
    var bytes = bytes
    if what == .all {
      let vendor = box.headerSize + 12, name = box.headerSize + 42
      bytes.replaceSubrange(vendor..<vendor + 4, with: repeatElement(0, count: 4))
      bytes.replaceSubrange(name..<name + 32, with: repeatElement(0, count: 32))
    }
    var cursor = ByteCursor(bytes.span)
    guard (try? cursor.skip(fixed)) != nil, let boxes = try? cursor.peekChildren() else { return bytes }
    var patched = bytes
    for box in boxes where box.type == "uuid" {
      patched.replaceSubrange(box.range.lowerBound + 4..<box.range.lowerBound + 8, with: Array("free".utf8))
      let payload = box.range.lowerBound + (box.sizeForm == .large ? 16 : 8)..<box.range.upperBound
      patched.replaceSubrange(payload, with: repeatElement(0, count: payload.count))
    }
    return patched
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
