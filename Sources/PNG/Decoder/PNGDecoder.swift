public import LivePhotoCore

/// Decodes PNG pictures of every colour type, depth and interlacing (PNG, third edition; ISO/IEC 15948).
///
/// ```swift
/// let picture = try PNGDecoder().decode(bytes)
/// let pixels = picture.raster          // grey or RGB, with alpha where the file has any; 8 or 16 bits
/// ```
/// A picture that is cut off, or damaged inside its compressed data, yields what is there, and
/// ``PNGPicture/warnings`` say what is not; with ``isStrict`` the first such finding is thrown. A chunk that the picture
/// depends on must have the right checksum; of others those with a wrong one are left out, with a warning.
public struct PNGDecoder: Sendable {
  /// What is accepted: pixels, memory and the size of profiles among them.
  public var limits: Limits
  /// Whether damage is an error.
  public var isStrict: Bool

  /// A decoder.
  public init(limits: Limits = .standard, isStrict: Bool = false) {
    self.limits = limits
    self.isStrict = isStrict
  }

  /// The picture that `source` begins with; of an animation, the one that readers without animations show.
  ///
  /// The source is read whole.
  ///
  /// - Throws: ``PNGError/malformed(_:)`` when there is nothing to decode, a chunk that the picture depends on is damaged
  ///   or not known, or a limit is exceeded; with ``isStrict``, when anything is damaged.
  public func decode(_ source: any ByteSource) throws(PNGError) -> PNGPicture {
    try picture(try PNGBandReader(source, limits: limits, isStrict: isStrict))
  }

  /// The picture that `bytes` begin with.
  ///
  /// - Throws: as ``decode(_:)-(ByteSource)``.
  public func decode(_ bytes: [UInt8]) throws(PNGError) -> PNGPicture {
    try picture(try PNGBandReader(bytes, limits: limits, isStrict: isStrict))
  }

  private func picture(_ reader: consuming PNGBandReader) throws(PNGError) -> PNGPicture {
    var reader = reader, raster: RasterImage?
    try reader.readBands(of: reader.header.height) { raster = $0 }
    guard let raster else { throw .malformed(.missing("IDAT", at: Place(offset: 0))) }
    return PNGPicture(
      raster: raster, header: reader.header, significantBits: reader.significantBits, metadata: reader.metadata,
      warnings: reader.warnings)
  }
}

/// A decoded PNG picture.
public struct PNGPicture: Sendable {
  /// The pixels as stored, not turned.
  ///
  /// Palettes are resolved, grey of fewer than 8 bits is scaled to 8; a transparent colour or palette has become alpha.
  /// What could not be decoded is 0.
  public let raster: RasterImage
  /// How they were stored.
  public let header: PNGHeader
  /// How many bits of the samples the file says to be meant, the largest number of all channels (`sBIT`); nil where it
  /// says nothing.
  public let significantBits: Int?
  /// What stands beside the picture.
  public let metadata: PNGMetadata
  /// What is damaged or missing, in file order, the first 16 findings; empty for a sound file.
  public let warnings: [ParseError]
}
