import LivePhotoJPEGKernels

/// Samples to quantised coefficients, with the arithmetic that the quantisers ask for.
///
/// Where quantisers are coarse, 16 bits give what 32 bits give; see ``QuantizationTable/allowsFastTransform``.
struct BlockTransform: ~Copyable {
  private enum Tables: ~Copyable {
    case fast(AlignedBuffer<Int16>)
    case accurate(AlignedBuffer<Int32>)
  }

  private let tables: Tables
  private let zigzag = AlignedBuffer(Zigzag.bitmaps)
  private let kernels: KernelSet

  /// The transform for quantisers of luma and chroma.
  init(_ quantization: [QuantizationTable], kernels: KernelSet) {
    self.kernels = kernels
    let fast = quantization.compactMap { FastQuantizer.table(for: $0.values) }
    if fast.count == quantization.count, quantization.allSatisfy(\.allowsFastTransform) {
      tables = .fast(AlignedBuffer(fast.flatMap { $0 }))
    } else {
      tables = .accurate(
        AlignedBuffer(
          quantization.flatMap { table in
            (0..<64).map { Int32(table.values[$0 % 8 * 8 + $0 / 8]) * 8 }
          }))
    }
  }

  /// Transforms `pairs` pairs of neighbouring blocks with the quantisers of `table`.
  func callAsFunction(
    _ samples: UnsafePointer<UInt8>, stride: Int, pairs: Int, table: Int,
    to coefficients: UnsafeMutablePointer<Int16>, _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    // SAFETY: the caller gives `pairs` pairs of samples, coefficients and bitmaps; `table` is one of those of `init`.
    let zigzag = unsafe UnsafePointer(zigzag.start)
    switch tables {
    case .fast(let values):
      unsafe kernels.transformFast(
        samples, stride, pairs, values.start + table * FastQuantizer.count, zigzag, coefficients, bitmaps)
    case .accurate(let values):
      unsafe kernels.transformAccurate(
        samples, stride, pairs, values.start + table * 64, zigzag, coefficients, bitmaps)
    }
  }
}
