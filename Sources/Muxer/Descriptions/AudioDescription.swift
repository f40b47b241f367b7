public import LivePhotoCore

/// The part of a sample description that is the same for all codings of sound (ISO/IEC 14496-12, 12.2.3; QuickTime
/// File Format, "Sound sample description", versions 0 to 2).
public struct AudioDescription: Equatable, Sendable {
  /// The version of the fixed fields: 0 in MP4, 0 to 2 in QuickTime.
  public let version: UInt16
  /// The number of channels.
  public let channels: Int
  /// Bits a sample, as stated; of no meaning for compressed sound.
  public let bitsPerSample: Int
  /// Samples a second; 0 where a number is stated that is none, or negative.
  public let sampleRate: Double
  /// The bytes of one frame of all channels, where the description says so (versions 1 and 2).
  public let bytesPerFrame: Int?
  /// CoreAudio's flags of a linear PCM format, where the description has them (version 2).
  let formatFlags: UInt32?
  /// All boxes behind the fixed fields, in order.
  public let extensions: [DescriptionExtension]

  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    version = try cursor.readUInt16()
    try cursor.skip(6)
    var channels = Int(try cursor.readUInt16())
    var bits = Int(try cursor.readUInt16())
    try cursor.skip(4)
    var rate = Double(try cursor.readUInt32()) / 65536
    var bytesPerFrame: Int?
    var formatFlags: UInt32?
    if version == 1, cursor.remaining >= 16, !cursor.beginsWithBox {
      try cursor.skip(8)
      bytesPerFrame = Int(try cursor.readUInt32())
      try cursor.skip(4)
    } else if version == 2 {
      try cursor.skip(4)
      rate = Double(bitPattern: try cursor.readUInt64())
      channels = Int(try cursor.readUInt32())
      try cursor.skip(4)
      bits = Int(try cursor.readUInt32())
      formatFlags = try cursor.readUInt32()
      bytesPerFrame = Int(try cursor.readUInt32())
      try cursor.skip(4)
    }
    self.channels = channels
    bitsPerSample = bits
    sampleRate = rate.isFinite && rate > 0 ? rate : 0
    self.bytesPerFrame = bytesPerFrame
    self.formatFlags = formatFlags
    extensions = DescriptionExtension.list(parsing: &cursor)
  }
}

extension AudioDescription {
  /// The payload of the first box of a type, also of those that QuickTime puts into `wave`.
  public func configuration(_ type: FourCC) -> [UInt8]? {
    if let found = extensions.first(where: { $0.type == type }) { return found.payload }
    return waveExtensions.first { $0.type == type }?.payload
  }

  /// Whether an `enda` atom turns the bytes of PCM around (QuickTime File Format, "siDecompressionParam atom").
  var isLittleEndian: Bool { configuration("enda")?.starts(with: [0, 1]) ?? false }

  private var waveExtensions: [DescriptionExtension] {
    guard let wave = extensions.first(where: { $0.type == "wave" })?.payload else { return [] }
    var cursor = ByteCursor(wave.span)
    return DescriptionExtension.list(parsing: &cursor)
  }
}

extension SampleDescription {
  /// Whether the sample table has the sizes of what is described: old QuickTime sound of version 1 counts frames of one
  /// byte, however long its packets are, unless it says that packets vary (compression -2).
  fileprivate var statesSampleSizes: Bool {
    audio?.version != 1 || bytes.dropFirst(28).starts(with: [0xFF, 0xFE])
  }
}

extension Track {
  /// Whether the sample table has the sizes of all samples, as it has but for old compressed sound.
  var statesSampleSizes: Bool { sampleDescriptions.allSatisfy(\.statesSampleSizes) }
}

extension ByteCursor {
  /// Steps over the fixed fields of sound, from its version to the first box.
  mutating func skipSoundFields() throws(ParseError) {
    let version = try readUInt16()
    try skip(18)
    if version == 1, remaining >= 16, !beginsWithBox { try skip(16) }
    if version == 2 { try skip(36) }
  }

  /// Whether a box begins here: MP4's version 1 has boxes where QuickTime's has four more fields.
  fileprivate var beginsWithBox: Bool {
    var ahead = self
    guard let header = try? BoxHeader(parsing: &ahead) else { return false }
    return header.type.description.count == 4
  }
}
