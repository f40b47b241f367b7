extension KernelSet {
  /// Plain scalar code: what every other set is held equal to.
  // SAFETY: `KernelSet` says what the callers of each kernel promise.
  @inline(__always)
  static var scalar: KernelSet {
    unsafe KernelSet(
      predictLuma: { unsafe ReferenceLuma.predict($0, $1, $2, $3, $4, $5, $6, $7, $8) },
      predictChroma: { unsafe ReferencePrediction.predictChroma($0, $1, $2, $3, $4, $5, $6, $7) },
      average: { unsafe ReferencePrediction.average($0, $1, $2, $3, $4, $5) },
      weight: { unsafe ReferencePrediction.weight($0, $1, $2, $3, $4, $5, $6, $7) },
      weightPair: { unsafe ReferencePrediction.weightPair($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) },
      add4x4: { unsafe ReferenceTransform.add4x4($0, $1, $2, $3) },
      add8x8: { unsafe ReferenceTransform.add8x8($0, $1, $2, $3) },
      addDC4x4: { unsafe ReferenceTransform.addDC($0, $1, $2, $3, size: 4) },
      addDC8x8: { unsafe ReferenceTransform.addDC($0, $1, $2, $3, size: 8) },
      deblockLuma: { unsafe ReferenceDeblocking.filterLuma($0, $1, $2, $3, $4, $5, $6, $7, $8) },
      deblockLumaStrongly: { unsafe ReferenceDeblocking.filterLumaStrongly($0, $1, $2, $3, $4, $5) },
      deblockChroma: { unsafe ReferenceDeblocking.filterChroma($0, $1, $2, $3, $4, $5, $6, $7, $8) },
      deblockChromaStrongly: { unsafe ReferenceDeblocking.filterChromaStrongly($0, $1, $2, $3, $4, $5) })
  }
}

extension KernelSet where Sample == UInt8 {
  /// Plain scalar code: what every other set is held equal to.
  package static let reference = scalar
}

extension KernelSet where Sample == UInt16 {
  /// Plain scalar code: what every other set is held equal to.
  package static let reference = scalar
}
