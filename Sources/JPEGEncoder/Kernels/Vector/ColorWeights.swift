/// The weights of red, green and blue in Y, Cb and Cr (ITU-T T.871, 7), times 32768.
///
/// Each row of luma adds up to 32768 and of chroma to 0, so that grey stays grey exactly.
package enum ColorWeights {
  package static let lumaRed: Int16 = 9798
  package static let lumaGreen: Int16 = 19235
  package static let lumaBlue: Int16 = 3735
  package static let blueRed: Int16 = -5529
  package static let blueGreen: Int16 = -10855
  package static let blueBlue: Int16 = 16384
  package static let redRed: Int16 = 16384
  package static let redGreen: Int16 = -13720
  package static let redBlue: Int16 = -2664

  /// What is added before `>> 15` for luma: one half.
  package static let lumaRounding: Int32 = 1 << 14

  /// What is added before `>> 15 + shift` for chroma of 2^`shift` pixels: 128 and just under one half, so that pure
  /// blue and red give 255 and not 256.
  @inline(__always)
  package static func chromaRounding(_ shift: Int32) -> Int32 { (128 << 15 + 1 << 14) << shift - 1 }
}
