/// The kernels for samples of 9 to 14 bits, in vectors of the standard library.
package enum DeepKernels {
  // SAFETY: each kernel says what its caller promises; so in all of this.

  /// See ``PredictLuma``.
  package static func predictLuma(
    _ output: UnsafeMutablePointer<UInt16>, _ outputStride: Int, _ source: UnsafePointer<UInt16>, _ sourceStride: Int,
    _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int, _ maximum: Int
  ) {
    unsafe VectorKernels<DeepFamily>.predictLuma(
      output, outputStride, source, sourceStride, width, height, xFraction, yFraction, maximum)
  }

  /// See ``PredictChroma``.
  package static func predictChroma(
    _ output: UnsafeMutablePointer<UInt16>, _ outputStride: Int, _ source: UnsafePointer<UInt16>, _ sourceStride: Int,
    _ width: Int, _ height: Int, _ xFraction: Int, _ yFraction: Int
  ) {
    unsafe VectorKernels<DeepFamily>.predictChroma(
      output, outputStride, source, sourceStride, width, height, xFraction, yFraction)
  }

  /// See ``Average``.
  package static func average(
    _ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ other: UnsafePointer<UInt16>, _ otherStride: Int,
    _ width: Int, _ height: Int
  ) {
    unsafe VectorKernels<DeepFamily>.average(block, stride, other, otherStride, width, height)
  }

  /// See ``Weight``.
  package static func weight(
    _ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ width: Int, _ height: Int, _ shift: Int, _ weight: Int,
    _ offset: Int, _ maximum: Int
  ) {
    unsafe VectorKernels<DeepFamily>.weight(block, stride, width, height, shift, weight, offset, maximum)
  }

  /// See ``WeightPair``.
  package static func weightPair(
    _ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ other: UnsafePointer<UInt16>, _ otherStride: Int,
    _ width: Int, _ height: Int, _ shift: Int, _ weight: Int, _ otherWeight: Int, _ offset: Int, _ maximum: Int
  ) {
    let weights = PairWeights(shift: shift, weight: weight, otherWeight: otherWeight, offset: offset)
    unsafe VectorKernels<DeepFamily>.weightPair(block, stride, other, otherStride, width, height, weights, maximum)
  }

  /// See ``AddTransform``.
  package static func add4x4(
    _ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    unsafe VectorTransform.add4x4(block, stride, coefficients, maximum)
  }

  /// See ``AddTransform``.
  package static func add8x8(
    _ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    unsafe VectorTransform.add8x8(block, stride, coefficients, maximum)
  }

  /// See ``AddDC``.
  package static func addDC4x4(_ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ dc: Int32, _ maximum: Int) {
    unsafe VectorTransform.addDC4x4(block, stride, dc, maximum)
  }

  /// See ``AddDC``.
  package static func addDC8x8(_ block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ dc: Int32, _ maximum: Int) {
    unsafe VectorTransform.addDC8x8(block, stride, dc, maximum)
  }

  /// See ``Deblock``.
  package static func deblockLuma(
    _ edge: UnsafeMutablePointer<UInt16>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    unsafe VectorKernels<DeepFamily>.deblockLuma(
      edge, across, along, segments, length, alpha, beta, clipping, maximum)
  }

  /// See ``DeblockStrongly``.
  package static func deblockLumaStrongly(
    _ edge: UnsafeMutablePointer<UInt16>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    unsafe VectorKernels<DeepFamily>.deblockLumaStrongly(edge, across, along, length, alpha, beta)
  }

  /// See ``Deblock``.
  package static func deblockChroma(
    _ edge: UnsafeMutablePointer<UInt16>, _ across: Int, _ along: Int, _ segments: Int, _ length: Int, _ alpha: Int,
    _ beta: Int, _ clipping: UnsafePointer<Int32>, _ maximum: Int
  ) {
    unsafe VectorKernels<DeepFamily>.deblockChroma(
      edge, across, along, segments, length, alpha, beta, clipping, maximum)
  }

  /// See ``DeblockStrongly``.
  package static func deblockChromaStrongly(
    _ edge: UnsafeMutablePointer<UInt16>, _ across: Int, _ along: Int, _ length: Int, _ alpha: Int, _ beta: Int
  ) {
    unsafe VectorKernels<DeepFamily>.deblockChromaStrongly(edge, across, along, length, alpha, beta)
  }
}
