import LivePhotoJPEGKernels

/// The lookup tables of Huffman codes, built once; never changed afterwards.
///
/// Sendable by hand: all its memory is written in `init` and only read from then on.
final class CodingTables: @unchecked Sendable {
  /// The tables of ``HuffmanTables/standard``.
  static let standard = CodingTables(.standard)

  private let symbols: AlignedBuffer<UInt64>
  private let differences: AlignedBuffer<UInt64>
  private let codes: AlignedBuffer<UInt32>
  private let order = AlignedBuffer(Zigzag.stored)

  init(_ tables: HuffmanTables) {
    symbols = AlignedBuffer(tables.ac.flatMap { EntropyTableBuilder.symbols($0.codes()) })
    differences = AlignedBuffer(tables.dc.flatMap { EntropyTableBuilder.differences($0.codes()) })
    codes = AlignedBuffer(tables.ac.flatMap { $0.codes() })
  }

  /// The tables as the entropy kernels take them; valid as long as `self`.
  var entropy: EntropyTables {
    // SAFETY: the buffers live as long as `self`, which whoever uses the pointers keeps.
    unsafe (
      UnsafePointer(symbols.start), UnsafePointer(differences.start), UnsafePointer(codes.start),
      UnsafePointer(order.start)
    )
  }
}
