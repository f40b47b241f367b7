/// Prediction of chroma, and weighted prediction, in plain scalar code.
enum ReferencePrediction {
  /// Predicts a chroma block (ITU-T H.264, 8.4.2.2.2); see ``PredictChroma``.
  static func predictChroma<Sample: KernelSample>(
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int
  ) {
    for y in 0..<height {
      for x in 0..<width {
        // SAFETY: the caller has one sample more than the block in both directions, and room for it.
        let (a, b, c, d) = unsafe (
          Int(source[y * sourceStride + x]), Int(source[y * sourceStride + x + 1]),
          Int(source[(y + 1) * sourceStride + x]), Int(source[(y + 1) * sourceStride + x + 1])
        )
        let upper = (8 - xFraction) * a + xFraction * b, lower = (8 - xFraction) * c + xFraction * d
        unsafe output[y * outputStride + x] = Sample(
          truncatingIfNeeded: ((8 - yFraction) * upper + yFraction * lower + 32) >> 6)
      }
    }
  }

  /// Replaces a block by its mean with another (ITU-T H.264, 8-273); see ``Average``.
  static func average<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int
  ) {
    for y in 0..<height {
      for x in 0..<width {
        // SAFETY: the caller's blocks have `width` by `height` samples; so below.
        let sum = unsafe Int(block[y * stride + x]) + Int(other[y * otherStride + x])
        unsafe block[y * stride + x] = Sample(truncatingIfNeeded: (sum + 1) >> 1)
      }
    }
  }

  /// Weights a block (ITU-T H.264, 8-298); see ``Weight``.
  static func weight<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ width: Int, _ height: Int, _ shift: Int, _ weight: Int,
    _ offset: Int, _ maximum: Int
  ) {
    let rounding = shift == 0 ? 0 : 1 << (shift - 1)
    for y in 0..<height {
      for x in 0..<width {
        let value = unsafe (Int(block[y * stride + x]) * weight + rounding) >> shift + offset
        unsafe block[y * stride + x] = Sample(truncatingIfNeeded: min(max(value, 0), maximum))
      }
    }
  }

  /// Weights a block together with another (ITU-T H.264, 8-299); see ``WeightPair``.
  static func weightPair<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int, _ shift: Int, _ weight: Int, _ otherWeight: Int, _ offset: Int, _ maximum: Int
  ) {
    for y in 0..<height {
      for x in 0..<width {
        let sum = unsafe Int(block[y * stride + x]) * weight + Int(other[y * otherStride + x]) * otherWeight
        let value = (sum + 1 << shift) >> (shift + 1) + offset
        unsafe block[y * stride + x] = Sample(truncatingIfNeeded: min(max(value, 0), maximum))
      }
    }
  }
}
