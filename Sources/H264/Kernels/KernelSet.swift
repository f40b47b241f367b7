/// What a sample of a decoded picture is stored in: 8 bits, or 16 for depths of 9 to 14.
package typealias KernelSample = FixedWidthInteger & UnsignedInteger & SIMDScalar & BitwiseCopyable & Sendable

/// The inner loops of the decoder for one size of samples, as one choice of implementation.
///
/// Every set gives the same samples: ``reference`` is plain scalar code, the others are held equal to it by tests.
/// Kernels speak in pointers and integers only, so that the same sources can be built for other instruction sets.
/// Strides are counted in samples. `maximum` is the largest value of a sample, `1 << depth - 1`.
@safe package struct KernelSet<Sample: KernelSample>: Sendable {
  package var predictLuma: PredictLuma<Sample>
  package var predictChroma: PredictChroma<Sample>
  package var average: Average<Sample>
  package var weight: Weight<Sample>
  package var weightPair: WeightPair<Sample>
  package var add4x4: AddTransform<Sample>
  package var add8x8: AddTransform<Sample>
  package var addDC4x4: AddDC<Sample>
  package var addDC8x8: AddDC<Sample>
  package var deblockLuma: Deblock<Sample>
  package var deblockLumaStrongly: DeblockStrongly<Sample>
  package var deblockChroma: Deblock<Sample>
  package var deblockChromaStrongly: DeblockStrongly<Sample>
}
