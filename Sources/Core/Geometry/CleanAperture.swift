/// The part of a coded picture that is meant to be shown: the `clap` box of movies and of HEIF items
/// (ISO/IEC 14496-12, 12.1.4).
///
/// The values are fractions as they stand in the file; the offsets are those of the area's centre from the picture's.
public struct CleanAperture: Hashable, Sendable {
  /// The area's width.
  public var width: Fraction
  /// The area's height.
  public var height: Fraction
  /// How far the area's centre lies to the right of the picture's.
  public var horizontalOffset: Fraction
  /// How far the area's centre lies below the picture's.
  public var verticalOffset: Fraction

  /// A fraction as `clap` writes it; it may be negative, and from a file its denominator may be zero.
  public struct Fraction: Hashable, Sendable {
    /// The number above the line.
    public var numerator: Int32
    /// The number below the line.
    public var denominator: UInt32

    /// The fraction `numerator / denominator`.
    public init(_ numerator: Int32, _ denominator: UInt32 = 1) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// An area from its four fractions.
  public init(width: Fraction, height: Fraction, horizontalOffset: Fraction, verticalOffset: Fraction) {
    self.width = width
    self.height = height
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
  }

  /// Reads the 32 bytes of a `clap` box's payload.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)``.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    width = try Fraction(parsing: &cursor)
    height = try Fraction(parsing: &cursor)
    horizontalOffset = try Fraction(parsing: &cursor)
    verticalOffset = try Fraction(parsing: &cursor)
  }

  /// Writes the 32 bytes of a `clap` box's payload.
  public func write(to writer: inout ByteWriter) {
    for fraction in [width, height, horizontalOffset, verticalOffset] {
      writer.writeInt32(fraction.numerator)
      writer.writeUInt32(fraction.denominator)
    }
  }

  /// The area in whole pixels of a picture of `width` × `height`, its edges rounded to the nearest pixel.
  ///
  /// - Returns: nil when a denominator is zero, or the area is empty or not inside the picture.
  public func rectangle(inWidth pictureWidth: Int, height pictureHeight: Int)
    -> (x: Int, y: Int, width: Int, height: Int)?
  {
    guard let horizontal = Self.span(width, horizontalOffset, pictureWidth),
      let vertical = Self.span(height, verticalOffset, pictureHeight)
    else { return nil }
    return (horizontal.start, vertical.start, horizontal.length, vertical.length)
  }

  /// Where the area begins and how long it is along one axis.
  private static func span(_ length: Fraction, _ offset: Fraction, _ picture: Int) -> (start: Int, length: Int)? {
    guard length.denominator > 0, offset.denominator > 0, picture > 0, picture <= Int32.max else { return nil }
    // Everything over the common denominator 2·a·b; no product of these widths overflows 128 bits.
    let a = Int128(length.denominator), b = Int128(offset.denominator)
    let unit = 2 * a * b
    let centre = Int128(picture) * a * b + 2 * Int128(offset.numerator) * a
    let half = Int128(length.numerator) * b
    func rounded(_ value: Int128) -> Int128 { (2 * value + unit).floorQuotient(2 * unit) }
    let start = rounded(centre - half), end = rounded(centre + half)
    guard start >= 0, end <= Int128(picture), end > start else { return nil }
    return (Int(start), Int(end - start))
  }
}

extension CleanAperture.Fraction {
  fileprivate init(parsing cursor: inout ByteCursor) throws(ParseError) {
    numerator = try cursor.readInt32()
    denominator = try cursor.readUInt32()
  }
}

extension Int128 {
  fileprivate func floorQuotient(_ divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// The shape of a pixel: the `pasp` box of movies and of HEIF items (ISO/IEC 14496-12, 12.1.4).
public struct PixelAspectRatio: Hashable, Sendable {
  /// The relative width of a pixel.
  public var horizontalSpacing: UInt32
  /// The relative height of a pixel.
  public var verticalSpacing: UInt32

  /// A pixel of `horizontalSpacing` : `verticalSpacing`.
  public init(horizontalSpacing: UInt32, verticalSpacing: UInt32) {
    self.horizontalSpacing = horizontalSpacing
    self.verticalSpacing = verticalSpacing
  }

  /// Reads the eight bytes of a `pasp` box's payload.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)``.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    horizontalSpacing = try cursor.readUInt32()
    verticalSpacing = try cursor.readUInt32()
  }

  /// Writes the eight bytes of a `pasp` box's payload.
  public func write(to writer: inout ByteWriter) {
    writer.writeUInt32(horizontalSpacing)
    writer.writeUInt32(verticalSpacing)
  }

  /// Whether pixels are square; nothing said (0:0) counts as square.
  public var isSquare: Bool { horizontalSpacing == verticalSpacing }
}
