/// How the samples of interleaved pixels follow each other, one byte a sample.
public enum PixelLayout: Int, Sendable, CaseIterable {
  /// Red, green, blue.
  case rgb
  /// Blue, green, red.
  case bgr
  /// Red, green, blue, and a fourth byte that is ignored.
  case rgba
  /// Blue, green, red, and a fourth byte that is ignored.
  case bgra
  /// One grey sample.
  case gray

  /// Bytes a pixel.
  public var bytesPerPixel: Int {
    switch self {
    case .rgb, .bgr: 3
    case .rgba, .bgra: 4
    case .gray: 1
    }
  }
}

/// A picture of interleaved 8-bit pixels that somebody else owns.
///
/// Samples are full-range values, by convention of sRGB; an ICC profile in ``JPEGMetadata`` says otherwise.
public struct PixelView: ~Escapable {
  /// The pixels, at least `stride * (height - 1) + width * layout.bytesPerPixel` bytes.
  public let bytes: Span<UInt8>
  /// Pixels a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from the start of one row to the start of the next.
  public let stride: Int
  /// The order of the samples.
  public let layout: PixelLayout

  /// Borrows `bytes`; rows follow each other without a gap unless `stride` is given.
  ///
  /// - Precondition: there are enough bytes for `height` rows.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, width: Int, height: Int, stride: Int? = nil, layout: PixelLayout) {
    precondition(width >= 0 && height >= 0, "a picture has no negative side")
    let rowBytes = width * layout.bytesPerPixel
    let stride = stride ?? rowBytes
    precondition(stride >= rowBytes, "a row's stride is at least its size")
    precondition(height == 0 || bytes.count >= stride * (height - 1) + rowBytes, "too few bytes")
    self.bytes = bytes
    self.width = width
    self.height = height
    self.stride = stride
    self.layout = layout
  }
}
