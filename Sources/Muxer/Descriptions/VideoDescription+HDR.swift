import LivePhotoCore

/// How bright the pictures of a video are at most, `clli` (CTA-861.3; ISO/IEC 14496-12, 12.1.6).
public struct ContentLight: Equatable, Sendable {
  /// The brightest pixel, in candelas a square metre; 0 where it is not known.
  public let maximum: Int
  /// The brightest average of a picture, in candelas a square metre; 0 where it is not known.
  public let maximumAverage: Int
}

/// The display that a video was graded on, `mdcv` (SMPTE ST 2086; ISO/IEC 14496-12, 12.1.7).
public struct MasteringDisplay: Equatable, Sendable {
  /// A colour as CIE 1931 chromaticities, in units of 1/50 000.
  public struct Chromaticity: Equatable, Sendable {
    /// The coordinate x.
    public let x: Int
    /// The coordinate y.
    public let y: Int
  }

  /// The red primary.
  public let red: Chromaticity
  /// The green primary.
  public let green: Chromaticity
  /// The blue primary.
  public let blue: Chromaticity
  /// The white point.
  public let white: Chromaticity
  /// The highest luminance, in units of 1/10 000 candela a square metre.
  public let maximumLuminance: Int
  /// The lowest luminance, in units of 1/10 000 candela a square metre.
  public let minimumLuminance: Int
}

/// What `dvcC`, `dvvC` or `dvwC` says of a Dolby Vision stream (Dolby Vision Streams Within the ISO Base Media File
/// Format, 3.2).
public struct DolbyVision: Equatable, Sendable {
  /// The profile, such as 5, 8 or 10.
  public let profile: Int
  /// The level, 1 to 13.
  public let level: Int
  /// Whether dynamic metadata (RPU) come with the pictures.
  public let hasMetadata: Bool
  /// Whether an enhancement layer is in the track.
  public let hasEnhancementLayer: Bool
  /// Whether the base layer is in the track.
  public let hasBaseLayer: Bool
  /// What the base layer is to others: 0 nothing, 1 HDR10, 2 SDR, 4 HLG.
  public let compatibility: Int
}

extension VideoDescription {
  /// How bright the pictures are; nil where nothing is said.
  public var contentLight: ContentLight? {
    parse("clli") { (cursor) throws(ParseError) in
      ContentLight(maximum: Int(try cursor.readUInt16()), maximumAverage: Int(try cursor.readUInt16()))
    }
  }

  /// The display that the video was graded on; nil where nothing is said.
  public var masteringDisplay: MasteringDisplay? {
    parse("mdcv") { (cursor) throws(ParseError) in
      func next() throws(ParseError) -> MasteringDisplay.Chromaticity {
        MasteringDisplay.Chromaticity(x: Int(try cursor.readUInt16()), y: Int(try cursor.readUInt16()))
      }
      let (green, blue, red, white) = (try next(), try next(), try next(), try next())
      return MasteringDisplay(
        red: red, green: green, blue: blue, white: white, maximumLuminance: Int(try cursor.readUInt32()),
        minimumLuminance: Int(try cursor.readUInt32()))
    }
  }

  /// The Dolby Vision stream; nil where it is none.
  public var dolbyVision: DolbyVision? {
    for type in ["dvcC", "dvvC", "dvwC"] as [FourCC] {
      let found = parse(type) { (cursor) throws(ParseError) in
        try cursor.skip(2)
        let bits = try cursor.readUInt16()
        return DolbyVision(
          profile: Int(bits >> 9), level: Int(bits >> 3 & 63), hasMetadata: bits >> 2 & 1 == 1,
          hasEnhancementLayer: bits >> 1 & 1 == 1, hasBaseLayer: bits & 1 == 1,
          compatibility: Int(try cursor.readUInt8() >> 4))
      }
      if let found { return found }
    }
    return nil
  }

  /// Whether the samples hold further views as layers of HEVC (MV-HEVC; ISO/IEC 14496-15, 9.5.3): a `lhvC` box.
  public var isMultiview: Bool { configuration("lhvC") != nil }
}
