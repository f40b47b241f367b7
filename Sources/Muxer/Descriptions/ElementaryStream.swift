import LivePhotoBitstream
import LivePhotoCore

/// What an `esds` box says of the stream (ISO/IEC 14496-1, 7.2.6; ISO/IEC 14496-14, 5.6).
struct ElementaryStream: Equatable {
  /// The coding, `objectTypeIndication` (registered at mp4ra.org).
  let objectType: UInt8
  /// The configuration of AAC and its relatives.
  let audioConfiguration: AudioSpecificConfig?

  /// Reads the payload of an `esds` box; nil when there is no decoder configuration in it.
  init?(payload: [UInt8]) {
    var cursor = ByteCursor(payload.span)
    var parts = Parts()
    try? parts.read(&cursor)
    guard let objectType = parts.objectType else { return nil }
    self.objectType = objectType
    audioConfiguration = parts.configuration
  }

  /// What was read before the end, or before damage.
  private struct Parts {
    var objectType: UInt8?
    var configuration: AudioSpecificConfig?

    mutating func read(_ cursor: inout ByteCursor) throws(ParseError) {
      try cursor.skip(4)
      guard try cursor.readDescriptor() == 3 else { return }
      try cursor.skip(2)
      let flags = try cursor.readUInt8()
      if flags & 0x80 != 0 { try cursor.skip(2) }
      if flags & 0x40 != 0 { try cursor.skip(Int(try cursor.readUInt8())) }
      if flags & 0x20 != 0 { try cursor.skip(2) }
      guard try cursor.readDescriptor() == 4 else { return }
      objectType = try cursor.readUInt8()
      try cursor.skip(12)
      guard objectType == 0x40, cursor.remaining > 0, try cursor.readDescriptor() == 5 else { return }
      configuration = AudioSpecificConfig(parsing: cursor.readRemaining())
    }
  }

  /// The coding in words.
  var name: String {
    switch objectType {
    case 0x20: "MPEG-4 Visual"
    case 0x40: audioConfiguration?.name ?? "AAC"
    case 0x60...0x65: "MPEG-2 Video"
    case 0x66: "MPEG-2 AAC Main"
    case 0x67: "MPEG-2 AAC LC"
    case 0x68: "MPEG-2 AAC SSR"
    case 0x69, 0x6B: "MP3"
    case 0x6A: "MPEG-1 Video"
    case 0x6C: "JPEG"
    case 0x6D: "PNG"
    case 0x6E: "JPEG 2000"
    case 0xA5: "AC-3"
    case 0xA6: "E-AC-3"
    case 0xA9...0xAC: "DTS"
    case 0xAD: "Opus"
    case 0xDD: "Vorbis"
    case 0xE0: "VobSub"
    case 0xE1: "QCELP"
    default: "MPEG-4 object type \(objectType)"
    }
  }
}

extension SampleDescription {
  /// The coding in words that an `esds` box names in an entry of video (`mp4v`) or of other streams (`mp4s`); nil where
  /// there is none.
  public var elementaryStreamName: String? {
    guard coding == "mp4v" || coding == "mp4s" else { return nil }
    var payload = video?.configuration("esds")
    if coding == "mp4s" {
      let boxes = Array(bytes.dropFirst(16))
      var cursor = ByteCursor(boxes.span)
      payload = DescriptionExtension.list(parsing: &cursor).first { $0.type == "esds" }?.payload
    }
    return payload.flatMap(ElementaryStream.init)?.name
  }
}

extension ByteCursor {
  /// The tag of a descriptor, whose size of one to four bytes is passed over: what it holds is read in order anyway.
  fileprivate mutating func readDescriptor() throws(ParseError) -> UInt8 {
    let tag = try readUInt8()
    for _ in 0..<4 where try readUInt8() & 0x80 == 0 { break }
    return tag
  }
}

/// `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1), as far as it says what comes out of the decoder.
struct AudioSpecificConfig: Equatable {
  /// `audioObjectType`: 2 AAC LC, 5 with SBR, 29 with SBR and PS, 42 USAC.
  private(set) var objectType: Int
  /// Samples a second of what is decoded, after SBR where that is announced; 0 for a reserved index.
  private(set) var sampleRate: Int
  /// 0 where a program configuration says it.
  private(set) var channels: Int

  init?(parsing bytes: [UInt8]) {
    var bits = BitReader(bytes.span)
    guard let objectType = try? bits.readObjectType(), let rate = try? bits.readSampleRate(),
      let configuration = try? bits.readBits(4)
    else { return nil }
    self.objectType = objectType
    sampleRate = rate
    let counts = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8, 0]
    channels = counts[Int(configuration)]
    var core = objectType
    if objectType == 5 || objectType == 29 {
      guard let extended = try? bits.readSampleRate(), let inner = try? bits.readObjectType() else { return }
      (sampleRate, core) = (extended, inner)
    }
    guard [1, 2, 3, 4, 6, 7].contains(core), (try? bits.skipGeneralConfiguration()) != nil else { return }
    if configuration == 0 {
      guard let counted = try? bits.readProgramChannels() else { return }
      channels = counted
    }
    if core == objectType { try? takeExtension(&bits) }
    // Parametric stereo makes two channels of one.
    if self.objectType == 29, channels == 1 { channels = 2 }
  }

  /// SBR and PS as they are announced behind the configuration, where older decoders do not look.
  private mutating func takeExtension(_ bits: inout BitReader) throws(ParseError) {
    guard bits.remainingBits >= 16, try bits.readBits(11) == 0x2B7, try bits.readObjectType() == 5,
      try bits.readFlag()
    else { return }
    sampleRate = try bits.readSampleRate()
    objectType = 5
    if bits.remainingBits >= 12, try bits.readBits(11) == 0x548, try bits.readFlag() { objectType = 29 }
  }

  /// The coding in words.
  var name: String {
    switch objectType {
    case 1: "AAC Main"
    case 2: "AAC LC"
    case 3: "AAC SSR"
    case 4: "AAC LTP"
    case 5: "HE-AAC"
    case 29: "HE-AAC v2"
    case 23: "AAC LD"
    case 39: "AAC ELD"
    case 42: "xHE-AAC"
    case 34: "MP3"
    case 36: "MPEG-4 ALS"
    default: "MPEG-4 audio object type \(objectType)"
    }
  }
}

extension BitReader {
  fileprivate mutating func readObjectType() throws(ParseError) -> Int {
    let type = Int(try readBits(5))
    return type == 31 ? 32 + Int(try readBits(6)) : type
  }

  fileprivate mutating func readSampleRate() throws(ParseError) -> Int {
    let index = Int(try readBits(4))
    if index == 15 { return Int(try readBits(24)) }
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]
    return rates.indices.contains(index) ? rates[index] : 0
  }

  /// `GASpecificConfig` (4.4.1) up to its program configuration.
  fileprivate mutating func skipGeneralConfiguration() throws(ParseError) {
    try skipBits(1)
    if try readFlag() { try skipBits(14) }
    try skipBits(1)
  }

  /// The channels of a `program_config_element` (4.4.1.1).
  fileprivate mutating func readProgramChannels() throws(ParseError) -> Int {
    try skipBits(4 + 2 + 4)
    let counts = (
      front: try readBits(4), side: try readBits(4), back: try readBits(4), low: try readBits(2)
    )
    let (data, coupling) = (try readBits(3), try readBits(4))
    if try readFlag() { try skipBits(4) }
    if try readFlag() { try skipBits(4) }
    if try readFlag() { try skipBits(3) }
    var channels = Int(counts.low)
    for _ in 0..<counts.front + counts.side + counts.back {
      channels += try readFlag() ? 2 : 1
      try skipBits(4)
    }
    try skipBits(Int(counts.low) * 4 + Int(data) * 4 + Int(coupling) * 5)
    try skipBits((8 - position % 8) % 8)
    try skipBits(Int(try readBits(8)) * 8)
    return channels
  }
}
