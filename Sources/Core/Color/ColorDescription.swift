/// How sample values stand for colours: the code points of ITU-T H.273 and the range.
///
/// Unspecified stays unspecified (2): no reader here guesses.
public struct ColorDescription: Hashable, Sendable {
  /// Colour primaries, H.273 table 2: 1 BT.709, 9 BT.2020, 12 P3-D65, 2 unspecified.
  public var primaries: UInt16
  /// Transfer characteristics, H.273 table 3: 1 BT.709, 13 sRGB, 16 PQ, 18 HLG, 2 unspecified.
  public var transfer: UInt16
  /// Matrix coefficients, H.273 table 4: 0 identity (GBR), 1 BT.709, 6 BT.601, 9 BT.2020, 2 unspecified.
  public var matrix: UInt16
  /// Whether samples use the full range of values (0...255 at 8 bit) rather than the limited one (16...235).
  public var isFullRange: Bool

  /// A colour description from code points.
  public init(primaries: UInt16 = 2, transfer: UInt16 = 2, matrix: UInt16 = 2, isFullRange: Bool = false) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// Nothing said, limited range: what a video stream without colour information means.
  public static let unspecified = ColorDescription()

  /// What JFIF means: full-range BT.601 YCbCr of sRGB colours.
  public static let jfif = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)

  /// Whether the transfer is one of the two HDR curves, PQ or HLG.
  public var isHDR: Bool { transfer == 16 || transfer == 18 }

  /// The luma weights of red and blue for the matrix; BT.601's where it is unspecified (H.273, 8.3).
  ///
  /// - Returns: nil for a matrix that is not of the form `Y = kr·R + (1 - kr - kb)·G + kb·B`.
  public var lumaWeights: (red: Double, blue: Double)? {
    switch matrix {
    case 1: (0.2126, 0.0722)
    case 2, 5, 6: (0.299, 0.114)
    case 4: (0.30, 0.11)
    case 7: (0.212, 0.087)
    case 9, 10: (0.2627, 0.0593)
    default: nil
    }
  }
}
