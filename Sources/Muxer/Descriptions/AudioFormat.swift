import LivePhotoCore

/// How the samples of a track of sound are coded, as far as the description says it.
///
/// Where the coding has a configuration of its own (`esds`, `alac`, `dOps`, …), that rules: the fixed fields of a sample
/// entry are often left at two channels of 16 bits.
public struct AudioFormat: Equatable, Sendable {
  /// The coding in words: `AAC LC`, `Apple Lossless`, `AC-3`, `Opus`, `FLAC`, `PCM`; nil where it is not known.
  public internal(set) var name: String?
  /// The number of channels; 0 where nothing is said.
  public internal(set) var channels: Int
  /// Samples a second; 0 where nothing is said.
  public internal(set) var sampleRate: Double
  /// Bits a sample, where no bit is lost by the coding; nil for others.
  public internal(set) var bitDepth: Int?
  /// How the samples of PCM are written: `integer`, `unsigned` or `float`; nil for other codings.
  public internal(set) var numbers: Numbers?
  /// Whether the first byte of a sample of PCM is its most significant one.
  public internal(set) var isBigEndian = false

  /// The numbers that PCM consists of.
  public enum Numbers: Equatable, Sendable {
    /// Signed integers.
    case integer
    /// Integers with half their range as zero, as WAVE has them in 8 bits.
    case unsigned
    /// IEEE 754 floating-point numbers.
    case float
  }
}

extension SampleDescription {
  /// How the samples are coded; nil in tracks that are no sound.
  public var audioFormat: AudioFormat? { audio.map { AudioFormat($0, coding: coding) } }
}

extension AudioFormat {
  init(_ description: AudioDescription, coding: FourCC) {
    channels = description.channels
    sampleRate = description.sampleRate
    switch coding {
    case "mp4a": takeElementaryStream(of: description)
    case "alac":
      take(description, "alac", as: "Apple Lossless") { (cursor, format) throws(ParseError) in
        try cursor.skip(9)
        format.bitDepth = Int(try cursor.readUInt8())
        try cursor.skip(3)
        format.channels = Int(try cursor.readUInt8())
        try cursor.skip(10)
        format.sampleRate = Double(try cursor.readUInt32())
      }
    case "fLaC":
      take(description, "dfLa", as: "FLAC") { (cursor, format) throws(ParseError) in
        // The version, then STREAMINFO behind its own header and four sizes (RFC 9639, 8.2).
        try cursor.skip(4 + 4 + 10)
        let bits = try cursor.readUInt64()
        format.sampleRate = Double(bits >> 44)
        format.channels = Int(bits >> 41 & 7) + 1
        format.bitDepth = Int(bits >> 36 & 31) + 1
      }
    case "Opus":
      take(description, "dOps", as: "Opus") { (cursor, format) throws(ParseError) in
        try cursor.skip(1)
        format.channels = Int(try cursor.readUInt8())
        // Whatever the encoder was given, it is decoded at this rate (RFC 7845, 5.1).
        format.sampleRate = 48_000
      }
    case "ac-3":
      take(description, "dac3", as: "AC-3") { (cursor, format) throws(ParseError) in
        let bits = UInt32(try cursor.readUInt16()) << 8 | UInt32(try cursor.readUInt8())
        format.takeDolby(rate: Int(bits >> 22), mode: Int(bits >> 11 & 7), hasLowFrequency: bits >> 10 & 1 == 1)
      }
    case "ec-3":
      take(description, "dec3", as: "E-AC-3") { (cursor, format) throws(ParseError) in
        try cursor.skip(2)
        let bits = UInt32(try cursor.readUInt16()) << 8 | UInt32(try cursor.readUInt8())
        format.takeDolby(rate: Int(bits >> 22), mode: Int(bits >> 9 & 7), hasLowFrequency: bits >> 8 & 1 == 1)
      }
    case "samr": (name, channels, sampleRate) = ("AMR", 1, 8000)
    case "sawb": (name, channels, sampleRate) = ("AMR-WB", 1, 16_000)
    case "dtsc", "dtse", "dtsh", "dtsl": name = coding == "dtse" ? "DTS Express" : "DTS"
    case ".mp3", "ms\0\u{55}": name = "MP3"
    case "ulaw": name = "µ-law"
    case "alaw": name = "A-law"
    default: takePCM(description, coding)
    }
  }

  /// Reads the first box of a type; where it is cut off, the fixed fields stay.
  private mutating func take(
    _ description: AudioDescription, _ type: FourCC, as name: String,
    _ read: (inout ByteCursor, inout AudioFormat) throws(ParseError) -> Void
  ) {
    self.name = name
    guard let payload = description.configuration(type) else { return }
    var cursor = ByteCursor(payload.span)
    var format = self
    do throws(ParseError) { try read(&cursor, &format) } catch { return }
    self = format
  }

  /// What AC-3 and E-AC-3 say in the same codes (ETSI TS 102 366, 4.4).
  private mutating func takeDolby(rate: Int, mode: Int, hasLowFrequency: Bool) {
    let rates = [48_000.0, 44_100, 32_000]
    if rates.indices.contains(rate) { sampleRate = rates[rate] }
    channels = [2, 1, 2, 3, 3, 4, 4, 5][mode] + (hasLowFrequency ? 1 : 0)
  }

  private mutating func takeElementaryStream(of description: AudioDescription) {
    name = "MPEG-4 audio"
    guard let payload = description.configuration("esds"), let stream = ElementaryStream(payload: payload) else {
      return
    }
    name = stream.name
    if let config = stream.audioConfiguration {
      if config.channels > 0 { channels = config.channels }
      if config.sampleRate > 0 { sampleRate = Double(config.sampleRate) }
    }
  }
}

// MARK: PCM

extension AudioFormat {
  private mutating func takePCM(_ description: AudioDescription, _ coding: FourCC) {
    let stated = description.bitsPerSample
    switch coding {
    case "sowt": setPCM(.integer, stated)
    case "twos": setPCM(.integer, stated, isBigEndian: true)
    // QuickTime's oldest: 8 bits around 128, or 16 as `twos` has them.
    case "raw ", "NONE": setPCM(stated == 16 ? .integer : .unsigned, stated, isBigEndian: true)
    case "in24": setPCM(.integer, 24, isBigEndian: !description.isLittleEndian)
    case "in32": setPCM(.integer, 32, isBigEndian: !description.isLittleEndian)
    case "fl32": setPCM(.float, 32, isBigEndian: !description.isLittleEndian)
    case "fl64": setPCM(.float, 64, isBigEndian: !description.isLittleEndian)
    case "lpcm":
      // CoreAudio's flags: float, big-endian, signed.
      let flags = description.formatFlags ?? 4
      let isFloat = flags & 1 == 1
      setPCM(isFloat ? .float : flags & 4 != 0 ? .integer : .unsigned, stated, isBigEndian: flags & 2 != 0)
    case "ipcm", "fpcm":
      // ISO/IEC 23003-5, 5.
      setPCM(coding == "ipcm" ? .integer : .float, stated, isBigEndian: true)
      guard let payload = description.configuration("pcmC"), payload.count >= 6 else { return }
      setPCM(coding == "ipcm" ? .integer : .float, Int(payload[5]), isBigEndian: payload[4] & 1 == 0)
    default: break
    }
  }

  private mutating func setPCM(_ numbers: Numbers, _ bits: Int, isBigEndian: Bool = false) {
    name = "PCM"
    self.numbers = numbers
    bitDepth = bits > 0 ? bits : nil
    self.isBigEndian = isBigEndian && bits > 8
  }
}
