extension KernelSet {
  /// Plain scalar code: what every other set is held equal to.
  // SAFETY: each closure passes on what it is given; `KernelSet` says what its callers promise.
  package static let reference = unsafe KernelSet(
    convert444: { unsafe ReferenceColor.convert($0, $1, $2, $3, $4, x: 0, y: 0) },
    convert422: { unsafe ReferenceColor.convert($0, $1, $2, $3, $4, x: 1, y: 0) },
    convert420: { unsafe ReferenceColor.convert($0, $1, $2, $3, $4, x: 1, y: 1) },
    convert411: { unsafe ReferenceColor.convert($0, $1, $2, $3, $4, x: 2, y: 0) },
    convertGray: { pixels, layout, groups, luma, _ in
      unsafe ReferenceColor.convertGray(pixels.first, layout, groups * 16, luma.first)
    },
    transformFast: ReferenceTransform.fast,
    transformAccurate: ReferenceTransform.accurate,
    encodeMCUs: ReferenceEntropy.encodeMCUs,
    stuff: ReferenceEntropy.stuff)
}
