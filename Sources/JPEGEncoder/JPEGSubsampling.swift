public import LivePhotoCore

/// How many chroma samples a JPEG picture holds for its luma samples.
public enum JPEGSubsampling: Sendable, Hashable, CaseIterable {
  /// Chroma of full size.
  case yuv444
  /// Chroma of half width.
  case yuv422
  /// Chroma of half width and half height.
  case yuv420
  /// Chroma of a quarter of the width.
  case yuv411
  /// No chroma.
  case gray

  /// How far width and height are halved for chroma, as shifts.
  var chromaShift: (x: Int, y: Int) {
    switch self {
    case .yuv444, .gray: (0, 0)
    case .yuv422: (1, 0)
    case .yuv420: (1, 1)
    case .yuv411: (2, 0)
    }
  }

  /// The sampling that keeps the chroma planes of `format` as they are.
  public init(_ format: ChromaFormat) {
    self =
      switch format {
      case .yuv400: .gray
      case .yuv420: .yuv420
      case .yuv422: .yuv422
      case .yuv444: .yuv444
      }
  }
}
