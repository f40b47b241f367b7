extension KernelSet {
  /// Vectors of the standard library, for any processor.
  // SAFETY: these take what the reference kernels take, on the same promises of their callers.
  package static let simd = unsafe KernelSet(
    convert444: SIMDColor.convert444,
    convert422: SIMDColor.convert422,
    convert420: SIMDColor.convert420,
    convert411: reference.convert411,
    convertGray: SIMDColor.convertGray,
    transformFast: SIMDTransform.transform,
    transformAccurate: SIMDAccurateTransform.transform,
    encodeMCUs: FastEntropy.encodeMCUs,
    stuff: FastEntropy.stuff)
}
