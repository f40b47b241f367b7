/// Which chroma planes a picture has and how they are sampled.
public enum ChromaFormat: UInt8, Sendable, CaseIterable {
  /// Luma only. The raw values are HEVC's and H.264's `chroma_format_idc`.
  case yuv400 = 0
  /// Chroma of half width and half height.
  case yuv420 = 1
  /// Chroma of half width.
  case yuv422 = 2
  /// Chroma of full size.
  case yuv444 = 3

  /// How far width and height are halved for chroma, as shifts.
  public var chromaShift: (x: Int, y: Int) {
    switch self {
    case .yuv400, .yuv444: (0, 0)
    case .yuv422: (1, 0)
    case .yuv420: (1, 1)
    }
  }

  /// 1 or 3.
  public var planeCount: Int { self == .yuv400 ? 1 : 3 }

  /// The size of plane `index` (0 luma, 1 and 2 chroma) of a picture, odd sizes rounded up.
  public func planeSize(_ index: Int, width: Int, height: Int) -> (width: Int, height: Int) {
    guard index > 0 else { return (width, height) }
    let (x, y) = chromaShift
    return ((width + (1 << x) - 1) >> x, (height + (1 << y) - 1) >> y)
  }
}

/// The layout of a planar picture: chroma sampling and bits a sample.
public struct PixelFormat: Hashable, Sendable {
  /// The chroma planes.
  public var chroma: ChromaFormat
  /// Bits a sample, 8 to 16.
  ///
  /// Samples of 8 bits take a byte, deeper ones two.
  public var bitDepth: Int

  /// A format.
  ///
  /// - Precondition: `bitDepth` is 8 to 16.
  public init(_ chroma: ChromaFormat, bitDepth: Int = 8) {
    precondition((8...16).contains(bitDepth), "8 to 16 bits a sample")
    self.chroma = chroma
    self.bitDepth = bitDepth
  }

  /// The largest sample value.
  public var maximum: Int { (1 << bitDepth) - 1 }
}
