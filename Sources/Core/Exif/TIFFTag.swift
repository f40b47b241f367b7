/// The number of a TIFF field.
///
/// What it means depends on the directory: GPS, Interoperability and makers' notes count from 1 again.
public struct TIFFTag: Hashable, Comparable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
  /// The number as it stands in the file.
  public var rawValue: UInt16

  /// Wraps a number.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A tag from a literal such as `0x0112`.
  public init(integerLiteral value: UInt16) { rawValue = value }

  /// Whether `a` stands before `b` in a sorted directory.
  public static func < (a: TIFFTag, b: TIFFTag) -> Bool { a.rawValue < b.rawValue }
}

extension TIFFTag: CustomStringConvertible {
  /// The number in the form `0x927C`.
  public var description: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

// MARK: Image directories (IFD0 and IFD1)

extension TIFFTag {
  /// Make, ASCII.
  public static let make: TIFFTag = 0x010F
  /// Model, ASCII.
  public static let model: TIFFTag = 0x0110
  /// Orientation, SHORT: see ``Orientation``.
  public static let orientation: TIFFTag = 0x0112
  /// XResolution, RATIONAL.
  public static let xResolution: TIFFTag = 0x011A
  /// YResolution, RATIONAL.
  public static let yResolution: TIFFTag = 0x011B
  /// ResolutionUnit, SHORT: 2 is the inch.
  public static let resolutionUnit: TIFFTag = 0x0128
  /// Software, ASCII.
  public static let software: TIFFTag = 0x0131
  /// DateTime, ASCII `YYYY:MM:DD HH:MM:SS`.
  public static let dateTime: TIFFTag = 0x0132
  /// JPEGInterchangeFormat, LONG: where the thumbnail's JPEG begins.
  public static let thumbnailOffset: TIFFTag = 0x0201
  /// JPEGInterchangeFormatLength, LONG.
  public static let thumbnailLength: TIFFTag = 0x0202
  /// YCbCrPositioning, SHORT: 1 centred, 2 co-sited.
  public static let yCbCrPositioning: TIFFTag = 0x0213
  /// The offset of the Exif directory.
  public static let exifDirectory: TIFFTag = 0x8769
  /// The offset of the GPS directory.
  public static let gpsDirectory: TIFFTag = 0x8825
}

// MARK: Exif directory (CIPA DC-008, 4.6.5)

extension TIFFTag {
  /// ExifVersion, four digits.
  public static let exifVersion: TIFFTag = 0x9000
  /// DateTimeOriginal, ASCII `YYYY:MM:DD HH:MM:SS`.
  public static let dateTimeOriginal: TIFFTag = 0x9003
  /// DateTimeDigitized, ASCII `YYYY:MM:DD HH:MM:SS`.
  public static let dateTimeDigitized: TIFFTag = 0x9004
  /// OffsetTime, ASCII `±HH:MM`, of DateTime.
  public static let offsetTime: TIFFTag = 0x9010
  /// OffsetTimeOriginal, ASCII `±HH:MM`.
  public static let offsetTimeOriginal: TIFFTag = 0x9011
  /// OffsetTimeDigitized, ASCII `±HH:MM`.
  public static let offsetTimeDigitized: TIFFTag = 0x9012
  /// ComponentsConfiguration, four bytes.
  public static let componentsConfiguration: TIFFTag = 0x9101
  /// MakerNote.
  public static let makerNote: TIFFTag = 0x927C
  /// SubSecTime, ASCII digits behind the decimal point, of DateTime.
  public static let subSecTime: TIFFTag = 0x9290
  /// SubSecTimeOriginal, ASCII.
  public static let subSecTimeOriginal: TIFFTag = 0x9291
  /// SubSecTimeDigitized, ASCII.
  public static let subSecTimeDigitized: TIFFTag = 0x9292
  /// FlashpixVersion, four digits.
  public static let flashpixVersion: TIFFTag = 0xA000
  /// ColorSpace, SHORT: 1 sRGB, 65535 uncalibrated.
  public static let colorSpace: TIFFTag = 0xA001
  /// PixelXDimension.
  public static let pixelXDimension: TIFFTag = 0xA002
  /// PixelYDimension.
  public static let pixelYDimension: TIFFTag = 0xA003
  /// The offset of the Interoperability directory.
  public static let interoperabilityDirectory: TIFFTag = 0xA005
}

// MARK: GPS directory (CIPA DC-008, 4.6.6)

extension TIFFTag {
  /// GPSVersionID, four bytes.
  public static let gpsVersionID: TIFFTag = 0x0000
  /// GPSLatitudeRef, ASCII `N` or `S`.
  public static let gpsLatitudeRef: TIFFTag = 0x0001
  /// GPSLatitude, three RATIONALs: degrees, minutes, seconds.
  public static let gpsLatitude: TIFFTag = 0x0002
  /// GPSLongitudeRef, ASCII `E` or `W`.
  public static let gpsLongitudeRef: TIFFTag = 0x0003
  /// GPSLongitude, three RATIONALs.
  public static let gpsLongitude: TIFFTag = 0x0004
  /// GPSAltitudeRef, BYTE: 0 above, 1 below sea level.
  public static let gpsAltitudeRef: TIFFTag = 0x0005
  /// GPSAltitude, RATIONAL, in metres.
  public static let gpsAltitude: TIFFTag = 0x0006
}

// MARK: Apple MakerNote

extension TIFFTag {
  /// RunTime: a binary property list with the time since the phone started.
  public static let appleRunTime: TIFFTag = 0x0003
  /// ContentIdentifier, ASCII: what ties the still to its movie.
  public static let appleContentIdentifier: TIFFTag = 0x0011
  /// HDRHeadroom: how bright the gain map may make the picture.
  public static let appleHDRHeadroom: TIFFTag = 0x0021
  /// HDRGain: what goes with the headroom.
  public static let appleHDRGain: TIFFTag = 0x0030
}
