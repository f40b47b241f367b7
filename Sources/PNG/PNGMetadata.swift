public import LivePhotoCore

/// What goes into a PNG file beside the picture; every part is optional.
///
/// Readers let the most exact statement about colours rule: ``color``, then ``icc``, then ``renderingIntent``, then
/// ``chromaticities`` with ``gamma`` (PNG, third edition, 11.3.2).
public struct PNGMetadata: Sendable, Hashable {
  /// An ICC profile (`iCCP`).
  public var icc: [UInt8]?
  /// What the samples stand for as code points of ITU-T H.273 (`cICP`); the matrix is the identity.
  public var color: ColorDescription?
  /// That the colours are sRGB, and ICC's number, 0 to 3, of how they are best fitted into others (`sRGB`).
  public var renderingIntent: UInt8?
  /// The exponent that relates samples to light, times 100 000 (`gAMA`).
  public var gamma: UInt32?
  /// Where white and the primaries lie (`cHRM`).
  public var chromaticities: PNGChromaticities?
  /// A TIFF structure, beginning `MM` or `II` (`eXIf`).
  public var exif: [UInt8]?
  /// An XMP packet as UTF-8 (`iTXt` of the keyword `XML:com.adobe.xmp`).
  public var xmp: [UInt8]?
  /// The resolution (`pHYs`).
  public var density: PNGDensity?

  /// Nothing, unless parts are given.
  public init(
    icc: [UInt8]? = nil, color: ColorDescription? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    density: PNGDensity? = nil
  ) {
    self.icc = icc
    self.color = color
    self.exif = exif
    self.xmp = xmp
    self.density = density
  }
}

/// CIE 1931 x and y of white and the primaries, times 100 000.
public struct PNGChromaticities: Sendable, Hashable {
  /// One colour.
  public struct Point: Sendable, Hashable {
    /// Both coordinates, times 100 000.
    public var x: UInt32, y: UInt32

    /// A colour.
    public init(x: UInt32, y: UInt32) {
      self.x = x
      self.y = y
    }
  }

  /// White and the three primaries.
  public var white: Point, red: Point, green: Point, blue: Point

  /// Four colours.
  public init(white: Point, red: Point, green: Point, blue: Point) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// Pixels a metre, or only the shape of a pixel (PNG, 11.3.4.3).
public struct PNGDensity: Sendable, Hashable {
  /// Pixels across and down, a metre or in proportion.
  public var x: UInt32, y: UInt32
  /// Whether the numbers count pixels a metre; otherwise only their ratio counts.
  public var isPerMetre: Bool

  /// A density.
  public init(x: UInt32, y: UInt32, isPerMetre: Bool = true) {
    self.x = x
    self.y = y
    self.isPerMetre = isPerMetre
  }
}
