extension KernelSet where Sample == UInt8 {
  /// Vectors of the standard library, for any processor.
  // SAFETY: these take what the reference kernels take, on the same promises of their callers.
  package static let simd = unsafe KernelSet(
    predictLuma: ByteKernels.predictLuma,
    predictChroma: ByteKernels.predictChroma,
    average: ByteKernels.average,
    weight: ByteKernels.weight,
    weightPair: ByteKernels.weightPair,
    add4x4: ByteKernels.add4x4,
    add8x8: ByteKernels.add8x8,
    addDC4x4: ByteKernels.addDC4x4,
    addDC8x8: ByteKernels.addDC8x8,
    deblockLuma: ByteKernels.deblockLuma,
    deblockLumaStrongly: ByteKernels.deblockLumaStrongly,
    deblockChroma: ByteKernels.deblockChroma,
    deblockChromaStrongly: ByteKernels.deblockChromaStrongly)
}

extension KernelSet where Sample == UInt16 {
  /// Vectors of the standard library, for any processor.
  // SAFETY: these take what the reference kernels take, on the same promises of their callers.
  package static let simd = unsafe KernelSet(
    predictLuma: DeepKernels.predictLuma,
    predictChroma: DeepKernels.predictChroma,
    average: DeepKernels.average,
    weight: DeepKernels.weight,
    weightPair: DeepKernels.weightPair,
    add4x4: DeepKernels.add4x4,
    add8x8: DeepKernels.add8x8,
    addDC4x4: DeepKernels.addDC4x4,
    addDC8x8: DeepKernels.addDC8x8,
    deblockLuma: DeepKernels.deblockLuma,
    deblockLumaStrongly: DeepKernels.deblockLumaStrongly,
    deblockChroma: DeepKernels.deblockChroma,
    deblockChromaStrongly: DeepKernels.deblockChromaStrongly)
}
