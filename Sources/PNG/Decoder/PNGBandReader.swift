public import LivePhotoCore

/// Reads a PNG picture in bands of rows, so that it need not be whole in memory, and that something may be done with the
/// first rows while the others are decoded.
///
/// ```swift
/// var reader = try PNGBandReader(source)
/// try reader.readBands(of: 512) { band in print(band.height) }
/// ```
/// What ``PNGDecoder`` says of damaged files holds here too.
public struct PNGBandReader: Sendable {
  private var file: PNGFileReader
  /// The file; empty when the pixels have been decoded.
  private var bytes: [UInt8]

  /// Reads all but the pixels; the source is read whole.
  ///
  /// - Throws: ``PNGError/malformed(_:)`` when a chunk that the picture depends on is damaged or not known, or a limit is
  ///   exceeded; with `isStrict`, when anything is damaged.
  public init(_ source: any ByteSource, limits: Limits = .standard, isStrict: Bool = false) throws(PNGError) {
    let bytes: [UInt8]
    do throws(ParseError) {
      guard source.count <= limits.decodedBytes else {
        throw .beyondLimit(
          "size of the file", found: source.count, limit: limits.decodedBytes, at: Place(offset: 0))
      }
      bytes = try source.parseBytes(0..<source.count)
    } catch { throw .malformed(error) }
    try self.init(bytes, limits: limits, isStrict: isStrict)
  }

  /// Reads all but the pixels of a file in memory.
  ///
  /// - Throws: as ``init(_:limits:isStrict:)-(ByteSource,_,_)``.
  public init(_ bytes: [UInt8], limits: Limits = .standard, isStrict: Bool = false) throws(PNGError) {
    do throws(ParseError) {
      file = try PNGFileReader(bytes.span, limits: limits, isStrict: isStrict)
      try file.readChunks(bytes.span)
    } catch { throw .malformed(error) }
    self.bytes = bytes
  }

  /// How the samples are stored.
  public var header: PNGHeader { file.header }
  /// The samples of the pixels that are handed out.
  public var channels: RasterImage.Channels { header.channels(hasTransparency: file.transparency != nil) }
  /// How many bits of the samples the file says to be meant; see ``PNGPicture/significantBits``.
  public var significantBits: Int? { file.significantBits }
  /// What stands beside the picture.
  public var metadata: PNGMetadata { file.metadata }
  /// What is damaged or missing, as far as it has been read; see ``PNGPicture/warnings``.
  public var warnings: [ParseError] { file.log.findings }

  /// Decodes the picture, once, and hands out bands of `height` rows (the last one may have fewer), from the top.
  ///
  /// Samples are those of ``PNGPicture/raster``. Interlaced pictures are decoded as a whole first.
  ///
  /// - Throws: ``PNGError/malformed(_:)`` when there are no pixels; with `isStrict`, when any are damaged. Bands may have
  ///   been handed out before.
  /// - Precondition: `height` is positive.
  public mutating func readBands(of height: Int, _ body: (RasterImage) -> Void) throws(PNGError) {
    precondition(height > 0, "a band has rows")
    let bytes = exchange(&bytes, with: [])
    do { try file.decodePixels(of: bytes, bandHeight: height, body) } catch { throw .malformed(error) }
  }
}
