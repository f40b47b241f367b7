public import LivePhotoCore

/// A decoded JPEG picture: its components as they were stored.
public struct JPEGPicture: Sendable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// What the components stand for.
  public let coding: JPEGColorCoding
  /// The components, in the order of the frame header.
  public let components: [Component]
  /// What is damaged or missing, in file order, the first 16 findings; empty for a sound file.
  public let warnings: [ParseError]
  /// The structure of the file: its metadata, and what follows the picture.
  public let file: JPEGFile

  /// One component.
  public struct Component: Sendable {
    /// Its sampling factors, 1 to 4.
    public let horizontal: Int, vertical: Int
    /// Its samples; what could not be decoded is 128.
    public let plane: Plane
  }

  /// The largest sampling factors of all components.
  var maximumSampling: (horizontal: Int, vertical: Int) {
    (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
  }

  /// The stored planes as a picture of full-range BT.601 (``ColorDescription/jfif``).
  ///
  /// - Returns: nil for colours other than YCbCr and grey, and for samplings that ``ChromaFormat`` does not have, such
  ///   as 4:4:0; ``raster()`` shows those.
  public func planarImage() -> PlanarImage? {
    guard let chroma = chromaFormat else { return nil }
    return PlanarImage(
      width: width, height: height, format: PixelFormat(chroma), color: .jfif, planes: components.map(\.plane))
  }

  private var chromaFormat: ChromaFormat? {
    if coding == .gray { return .yuv400 }
    guard coding == .yCbCr, components.count == 3 else { return nil }
    let (luma, first, second) = (components[0], components[1], components[2])
    guard (first.horizontal, first.vertical) == (second.horizontal, second.vertical),
      (luma.horizontal, luma.vertical) == maximumSampling
    else { return nil }
    return ChromaFormat.allCases.first { format in
      let shift = format.chromaShift
      return format != .yuv400 && luma.horizontal == first.horizontal << shift.x
        && luma.vertical == first.vertical << shift.y
    }
  }
}
