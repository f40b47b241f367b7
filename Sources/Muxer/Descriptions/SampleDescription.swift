public import LivePhotoCore

/// One entry of `stsd`: how the samples that refer to it are coded (ISO/IEC 14496-12, 8.5.2).
public struct SampleDescription: Sendable {
  /// The coding: `hvc1`, `avc1`, `mp4a`, `mebx` and so on.
  public let format: FourCC
  /// The data reference of the samples, counted from 1.
  public let dataReferenceIndex: UInt16
  /// The whole entry as it stands in the file, its size and format included.
  public let bytes: [UInt8]
  /// What the entry says of pictures; only in tracks of video and auxiliary video.
  public let video: VideoDescription?
  /// What the entry says of sound; only in tracks of sound.
  public let audio: AudioDescription?
  /// The keys of boxed metadata; only where ``format`` is `mebx`.
  public let metadataKeys: [TimedMetadataKey]

  /// Reads one entry, whose header has been read, in a track with the given handler.
  ///
  /// What follows the fixed fields is read as far as it is well-formed.
  init(parsing cursor: inout ByteCursor, header: BoxHeader, handler: FourCC, bytes: [UInt8]) throws(ParseError) {
    format = header.type
    self.bytes = bytes
    try cursor.skip(6)
    dataReferenceIndex = try cursor.readUInt16()
    switch handler {
    case "vide", "auxv", "pict":
      (video, audio, metadataKeys) = (try VideoDescription(parsing: &cursor), nil, [])
    case "soun":
      (video, audio, metadataKeys) = (nil, try AudioDescription(parsing: &cursor), [])
    default:
      (video, audio) = (nil, nil)
      metadataKeys = format == "mebx" ? try TimedMetadataKey.list(parsing: &cursor) : []
    }
  }

  /// Reads the payload of `stsd`.
  static func list(parsing cursor: inout ByteCursor, handler: FourCC) throws(ParseError) -> [SampleDescription] {
    _ = try cursor.readVersionAndFlags()
    let count = Int(try cursor.readUInt32())
    var entries: [SampleDescription] = []
    try cursor.forEachBox { (header, entry) throws(ParseError) in
      guard entries.count < count else { return }
      var whole = entry
      try whole.seek(to: 0)
      var writer = ByteWriter()
      writer.box(header.type, whole.readRemaining())
      entries.append(
        try SampleDescription(parsing: &entry, header: header, handler: handler, bytes: writer.bytes))
    }
    return entries
  }
}

/// A box inside a sample description, as it stands in the file: `hvcC`, `avcC`, `esds` and so on.
public struct DescriptionExtension: Equatable, Sendable {
  /// The type.
  public let type: FourCC
  /// What follows the header.
  public let payload: [UInt8]

  /// A box as given.
  public init(type: FourCC, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }

  /// Reads boxes to the end, or as far as they are well-formed: some old entries end in bytes that are no box.
  static func list(parsing cursor: inout ByteCursor) -> [DescriptionExtension] {
    var boxes: [DescriptionExtension] = []
    try? cursor.forEachBox { (header, payload) throws(ParseError) in
      boxes.append(DescriptionExtension(type: header.type, payload: payload.readRemaining()))
    }
    return boxes
  }
}
