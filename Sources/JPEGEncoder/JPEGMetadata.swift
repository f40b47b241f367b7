/// What goes into a JPEG file beside the picture; every part is optional.
///
/// ``JPEGEncoder`` writes the segments in the conventional order: JFIF, Exif, XMP, ICC profile, segments of the
/// caller's, comment.
public struct JPEGMetadata: Sendable, Hashable {
  /// The most bytes that Exif can have in a JPEG file.
  public static let largestExif = 65_527
  /// The most bytes that an XMP packet can have in one segment.
  public static let largestXMP = 65_504

  /// Whether to write the JFIF segment (ITU-T T.871), which says that the samples are full-range BT.601 YCbCr.
  public var includesJFIF = true
  /// The resolution that JFIF states.
  public var density = JPEGDensity()
  /// A TIFF structure (beginning `MM` or `II`), at most ``largestExif`` bytes; written as Exif in APP1 (CIPA DC-008, 4.7.2).
  public var exif: [UInt8]?
  /// An XMP packet as UTF-8, at most ``largestXMP`` bytes; written in APP1 (XMP part 3, 1.1.3).
  public var xmp: [UInt8]?
  /// An ICC profile, at most 255 × 65,519 bytes; written in as many APP2 segments as it needs (ICC.1, B.4).
  public var icc: [UInt8]?
  /// A comment, at most 65,533 bytes.
  public var comment: [UInt8]?
  /// Further application segments, written as they are.
  public var applicationSegments: [JPEGApplicationSegment] = []

  /// JFIF and nothing else, unless parts are given.
  public init(exif: [UInt8]? = nil, xmp: [UInt8]? = nil, icc: [UInt8]? = nil, comment: [UInt8]? = nil) {
    self.exif = exif
    self.xmp = xmp
    self.icc = icc
    self.comment = comment
  }
}

/// The resolution, or only the shape, of pixels (ITU-T T.871, 10.1).
public struct JPEGDensity: Sendable, Hashable {
  /// What the two numbers count.
  public enum Unit: UInt8, Sendable {
    /// Only the ratio of the two numbers counts: the shape of a pixel.
    case aspectRatio = 0
    /// Pixels an inch.
    case perInch = 1
    /// Pixels a centimetre.
    case perCentimetre = 2
  }

  /// The unit of both numbers.
  public var unit: Unit
  /// Horizontal density, not 0.
  public var x: UInt16
  /// Vertical density, not 0.
  public var y: UInt16

  /// A density; square pixels of no stated size unless told otherwise.
  public init(unit: Unit = .aspectRatio, x: UInt16 = 1, y: UInt16 = 1) {
    self.unit = unit
    self.x = x
    self.y = y
  }
}

/// An application segment (APPn) that the caller adds.
public struct JPEGApplicationSegment: Sendable, Hashable {
  /// The n of APPn, 0 to 15.
  public let number: Int
  /// The content, identifier included, at most 65,533 bytes.
  public let payload: [UInt8]

  /// A segment APP`number`.
  ///
  /// - Precondition: `number` is 0 to 15.
  public init(_ number: Int, payload: [UInt8]) {
    precondition((0...15).contains(number), "application segments are APP0 to APP15")
    self.number = number
    self.payload = payload
  }
}
