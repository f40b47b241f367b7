/// Predicts a luma block at a quarter-sample position (ITU-T H.264, 8.4.2.2.1).
///
/// `source` is the sample at the whole part of the position; two samples before and three behind the block can be
/// read around it in both directions. `width` and `height` are 4, 8 or 16; the fractions 0 to 3.
package typealias PredictLuma<Sample> =
  @Sendable (
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int, _ maximum: Int
  ) -> Void

/// Predicts a chroma block at an eighth-sample position (ITU-T H.264, 8.4.2.2.2).
///
/// One sample behind the block can be read in both directions. `width` is 2, 4 or 8, `height` 2, 4, 8 or 16; the
/// fractions 0 to 7.
package typealias PredictChroma<Sample> =
  @Sendable (
    _ output: UnsafeMutablePointer<Sample>, _ outputStride: Int, _ source: UnsafePointer<Sample>,
    _ sourceStride: Int, _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int
  ) -> Void

/// Replaces a block by its rounded mean with another (ITU-T H.264, 8.4.2.3.1); `width` is 2, 4, 8 or 16.
package typealias Average<Sample> =
  @Sendable (
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int
  ) -> Void

/// Weights a block (ITU-T H.264, 8-298).
///
/// Each sample becomes `((sample * weight + 2^(shift − 1)) >> shift) + offset`, without rounding where `shift` is 0,
/// clipped. `shift` is 0 to 7, `weight` −128 to 128, `offset` already scaled to the depth.
package typealias Weight<Sample> =
  @Sendable (
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ width: Int, _ height: Int, _ shift: Int, _ weight: Int,
    _ offset: Int, _ maximum: Int
  ) -> Void

/// Weights a block together with another (ITU-T H.264, 8-299).
///
/// Each sample becomes `((sample * weight + other * otherWeight + 2^shift) >> (shift + 1)) + offset`, clipped. `offset` is
/// the rounded mean of the two; weights are −128 to 128.
package typealias WeightPair<Sample> =
  @Sendable (
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ other: UnsafePointer<Sample>, _ otherStride: Int,
    _ width: Int, _ height: Int, _ shift: Int, _ weight: Int, _ otherWeight: Int, _ offset: Int, _ maximum: Int
  ) -> Void

/// Transforms scaled coefficients, adds them to the block, and sets them to zero (ITU-T H.264, 8.5.12 and 8.5.13).
///
/// `coefficients` are 16 or 64, row by row.
package typealias AddTransform<Sample> =
  @Sendable (
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>,
    _ maximum: Int
  ) -> Void

/// Does the same where only the first coefficient, `dc`, is not zero: adds `(dc + 32) >> 6`.
package typealias AddDC<Sample> =
  @Sendable (_ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ dc: Int32, _ maximum: Int) -> Void

/// Filters an edge whose boundary strength is below 4 (ITU-T H.264, 8.7.2.3).
///
/// `edge` is the first sample behind the edge, `across` the step from sample to sample across it, `along` that along
/// it. The edge has `segments` pieces of `length` samples. `clipping` holds each piece's tC0, scaled to the depth; a
/// negative one says that the piece is not filtered. `alpha` and `beta` are scaled to the depth.
///
/// Four samples of luma and two of chroma can be read on both sides of the edge.
package typealias Deblock<Sample> =
  @Sendable (
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int,
    _ alpha: Int, _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) -> Void

/// Filters `length` samples of an edge whose boundary strength is 4 (ITU-T H.264, 8.7.2.4); see ``Deblock``.
///
/// Of luma, four samples on both sides are written, too: the outermost as they were.
package typealias DeblockStrongly<Sample> =
  @Sendable (
    _ edge: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) -> Void
