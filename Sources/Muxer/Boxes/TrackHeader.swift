public import LivePhotoCore

/// The track header, `tkhd` (ISO/IEC 14496-12, 8.3.2; QuickTime File Format, "Track header atom").
public struct TrackHeader: Equatable, Sendable {
  /// The identifier by which other tracks refer to this one; unique in its movie and not 0.
  public var trackID: UInt32
  /// Bit 0: enabled; 1: used in the movie; 2: used in the preview; 3: used in the poster (QuickTime).
  public var flags: UInt32
  /// When the track was made, in seconds since 1904-01-01 UTC.
  public var creationTime: UInt64
  /// When the track was last changed, counted like ``creationTime``.
  public var modificationTime: UInt64
  /// The duration after editing, in ticks of the movie's time scale; nil when the file says that it is unknown.
  public var duration: UInt64?
  /// The track's place in the stack of pictures; smaller is nearer to the viewer.
  public var layer: Int16
  /// Tracks of one group, other than 0, are alternatives to each other.
  public var alternateGroup: Int16
  /// How the track's picture is placed and turned.
  public var matrix: MovieMatrix
  /// The picture's width in pixels before the matrix, a 16.16 fixed-point number in the file.
  public var width: Double
  /// The picture's height in pixels before the matrix.
  public var height: Double

  /// Reads the payload of a `tkhd` box.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)``.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, flags) = try cursor.readVersionAndFlags()
    self.flags = flags
    let times = try HeaderTimes(parsing: &cursor, isLarge: version == 1)
    (creationTime, modificationTime) = (times.creation, times.modification)
    trackID = try cursor.readUInt32()
    try cursor.skip(4)
    duration = try cursor.readDuration(isLarge: version == 1)
    try cursor.skip(8)
    layer = try cursor.readInt16()
    alternateGroup = try cursor.readInt16()
    try cursor.skip(4)
    matrix = try MovieMatrix(parsing: &cursor)
    width = Double(try cursor.readUInt32()) / 65536
    height = Double(try cursor.readUInt32()) / 65536
  }

  /// Whether the track is played at all.
  public var isEnabled: Bool { flags & 1 != 0 }
}

/// The media header, `mdhd` (ISO/IEC 14496-12, 8.4.2; QuickTime File Format, "Media header atom").
public struct MediaHeader: Equatable, Sendable {
  /// Ticks a second of the track's own time scale; positive.
  public var timescale: UInt32
  /// The duration before editing in ticks of ``timescale``; nil when the file says that it is unknown.
  public var duration: UInt64?
  /// The language as it stands in the file: three packed letters (ISO 639-2/T), or below 0x400 a Macintosh code.
  public var languageCode: UInt16

  /// Reads the payload of a `mdhd` box.
  ///
  /// - Throws: ``ParseError`` when it is cut off or the time scale is 0.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, _) = try cursor.readVersionAndFlags()
    _ = try HeaderTimes(parsing: &cursor, isLarge: version == 1)
    let scalePlace = cursor.place
    timescale = try cursor.readUInt32()
    guard timescale > 0 else {
      throw .invalid("media time scale", found: "0", expected: "at least 1", at: scalePlace)
    }
    duration = try cursor.readDuration(isLarge: version == 1)
    languageCode = try cursor.readUInt16()
  }

  /// The language as three letters, such as `eng` or `und`; nil for a Macintosh code.
  public var language: String? { LanguageCode.text(languageCode) }
}

/// The packed languages of `mdhd`, user data and metadata values.
enum LanguageCode {
  /// Undetermined.
  static let undetermined: UInt16 = 0x55C4

  /// Three letters of five bits each, counted from 0x60; nil below 0x400, where Macintosh codes lie.
  static func text(_ code: UInt16) -> String? {
    guard code >= 0x400, code < 0x7FFF else { return nil }
    let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: code >> $0 & 31) + 0x60 }
    guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return nil }
    return String(decoding: letters, as: UTF8.self)
  }
}

/// The handler of a media or of metadata, `hdlr` (ISO/IEC 14496-12, 8.4.3).
public struct Handler: Equatable, Sendable {
  /// QuickTime's component type: `mhlr` for media, `dhlr` for data; 0 in MP4.
  public var componentType: FourCC
  /// What kind of media it is: `vide`, `soun`, `meta`, `mdta` and so on.
  public var type: FourCC
  /// The handler's name: a counted string in QuickTime, a terminated one in MP4; both are read.
  public var name: String

  /// Reads the payload of a `hdlr` box.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)``.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    _ = try cursor.readVersionAndFlags()
    componentType = try cursor.readFourCC()
    type = try cursor.readFourCC()
    try cursor.skip(min(12, cursor.remaining))
    var bytes = cursor.readRemaining()[...]
    if let count = bytes.first, Int(count) == bytes.count - 1 || componentType.rawValue != 0 {
      bytes = bytes.dropFirst().prefix(Int(count))
    }
    name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
