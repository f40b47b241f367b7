public import LivePhotoCore

/// Reads the planes of a JPEG picture in bands of rows, so that something may be done with the first rows while the
/// others are decoded.
///
/// ```swift
/// var reader = try JPEGBandReader(source)
/// try reader.readBands(of: 512) { band in print(band.height) }
/// ```
/// What ``JPEGDecoder`` says of damaged files holds here too.
public struct JPEGBandReader: Sendable {
  /// The structure of the file: its metadata, and what follows the picture.
  public let file: JPEGFile
  /// Chroma sampling and depth of the planes.
  public let format: PixelFormat
  /// What is damaged or missing, as far as it has been read; see ``JPEGPicture/warnings``.
  public private(set) var warnings: [ParseError] = []

  private let frame: DecodedFrame
  private let limits: Limits
  private let isStrict: Bool

  /// Reads the structure of a file.
  ///
  /// - Throws: ``JPEGError/malformed(_:)`` as ``JPEGDecoder/decode(_:)-(ByteSource)``, and for pictures that
  ///   ``JPEGPicture/planarImage()`` does not give planes of.
  public init(_ source: any ByteSource, limits: Limits = .standard, isStrict: Bool = false) throws(JPEGError) {
    self.limits = limits
    self.isStrict = isStrict
    do throws(ParseError) {
      file = try JPEGFile(parsing: source, limits: limits)
      frame = try DecodedFrame(file, limits)
      let coding = try JPEGColorCoding(of: file, components: frame.components.map(\.identifier))
      guard
        let chroma = ChromaFormat(coding, sampling: frame.components.map { ($0.horizontal, $0.vertical) })
      else { throw .unsupported("planes of such colours or sampling", at: Place(offset: 0)) }
      format = PixelFormat(chroma)
    } catch { throw .malformed(error) }
  }

  /// Width in pixels.
  public var width: Int { frame.width }
  /// Height in pixels.
  public var height: Int { frame.height }

  /// Decodes the picture and hands out bands of `height` rows (the last one may have fewer), from the top.
  ///
  /// Samples are those of ``JPEGPicture/planarImage()``. Progressive pictures, and those of several scans, are decoded as
  /// a whole first.
  ///
  /// - Throws: as ``JPEGDecoder/decode(_:)-(ByteSource)``; bands may have been handed out before.
  /// - Precondition: `height` is positive, and even unless the picture is no higher.
  public mutating func readBands(of height: Int, _ body: (PlanarImage) -> Void) throws(JPEGError) {
    precondition(
      height > 0 && (height.isMultiple(of: 2) || height >= self.height), "a band begins where a chroma sample does")
    var decoder = PictureDecoder(file, frame, limits, isStrict: isStrict)
    var next = 0
    func deliver(_ rows: Int, _ components: [DecodedComponent]) {
      while next < self.height, min(next + height, self.height) <= rows {
        let band = next..<min(next + height, self.height)
        body(image(band, components))
        next = band.upperBound
      }
    }
    do throws(ParseError) {
      try decoder.decode { rows, components in deliver(rows, components) }
    } catch { throw .malformed(error) }
    warnings = decoder.warnings
    deliver(self.height, decoder.components)
  }

  /// Rows of the picture.
  private func image(_ rows: Range<Int>, _ components: [DecodedComponent]) -> PlanarImage {
    let planes = components.enumerated().map { index, component in
      let size = format.chroma.planeSize(index, width: width, height: rows.count)
      let first = index == 0 ? rows.lowerBound : rows.lowerBound >> format.chroma.chromaShift.y
      var samples: [UInt8] = []
      samples.reserveCapacity(size.width * size.height)
      for row in first..<first + size.height {
        samples += component.samples[row * component.stride..<row * component.stride + size.width]
      }
      return Plane(width: size.width, height: size.height, samples: .bytes(samples))
    }
    return PlanarImage(width: width, height: rows.count, format: format, color: .jfif, planes: planes)
  }
}
