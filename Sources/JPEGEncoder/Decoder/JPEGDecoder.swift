public import LivePhotoCore

/// Decodes JPEG pictures of 8 bits a sample: baseline, extended sequential and progressive, Huffman-coded
/// (ITU-T T.81).
///
/// ```swift
/// let picture = try JPEGDecoder().decode(bytes)
/// let pixels = try picture.raster()          // RGB or grey, what libjpeg's accurate settings give
/// let planes = picture.planarImage()         // YCbCr as it was stored
/// ```
/// A damaged picture yields what is there, and ``JPEGPicture/warnings`` say what is not; with ``isStrict`` the first
/// such finding is thrown.
public struct JPEGDecoder: Sendable {
  /// What is accepted: pixels, scans and memory among them.
  public var limits: Limits
  /// Whether damage is an error.
  public var isStrict: Bool

  /// A decoder.
  public init(limits: Limits = .standard, isStrict: Bool = false) {
    self.limits = limits
    self.isStrict = isStrict
  }

  /// The picture that `source` begins with.
  ///
  /// - Throws: ``JPEGError/malformed(_:)`` when there is nothing to decode, the coding is not one of those above, or
  ///   a limit is exceeded; with ``isStrict``, when anything is damaged.
  public func decode(_ source: any ByteSource) throws(JPEGError) -> JPEGPicture {
    do { return try decodeParsed(JPEGFile(parsing: source, limits: limits)) } catch { throw .malformed(error) }
  }

  /// The picture that `bytes` begin with.
  ///
  /// - Throws: as ``decode(_:)-(ByteSource)``.
  public func decode(_ bytes: [UInt8]) throws(JPEGError) -> JPEGPicture {
    try decode(MemorySource(bytes))
  }

  /// The picture of a file whose structure has been read.
  ///
  /// - Throws: as ``decode(_:)-(ByteSource)``.
  public func decode(_ file: JPEGFile) throws(JPEGError) -> JPEGPicture {
    do { return try decodeParsed(file) } catch { throw .malformed(error) }
  }

  private func decodeParsed(_ file: JPEGFile) throws(ParseError) -> JPEGPicture {
    let frame = try DecodedFrame(file, limits)
    let coding = try JPEGColorCoding(of: file, components: frame.components.map(\.identifier))
    var decoder = PictureDecoder(file, frame, limits, isStrict: isStrict)
    try decoder.decode()
    return decoder.picture(coding)
  }
}
