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
    ChromaFormat(coding, sampling: components.map { ($0.horizontal, $0.vertical) })
  }
}

extension ChromaFormat {
  /// The format of planes of a coding, with the sampling factors of each; nil where there is none.
  init?(_ coding: JPEGColorCoding, sampling: [(horizontal: Int, vertical: Int)]) {
    if coding == .gray {
      self = .yuv400
      return
    }
    guard coding == .yCbCr, sampling.count == 3, sampling[1] == sampling[2] else { return nil }
    let (luma, chroma) = (sampling[0], sampling[1])
    let format = Self.allCases.first { format in
      let shift = format.chromaShift
      return format != .yuv400 && luma.horizontal == chroma.horizontal << shift.x
        && luma.vertical == chroma.vertical << shift.y
    }
    guard let format else { return nil }
    self = format
  }
}
