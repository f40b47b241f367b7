/// The lookup tables of the standard Huffman codes, built once; never changed afterwards.
///
/// Sendable by hand: all its memory is written in `init` and only read from then on.
final class CodingTables: @unchecked Sendable {
  /// The tables of ``HuffmanTable/standardDC`` and ``HuffmanTable/standardAC``.
  static let standard = CodingTables(dc: HuffmanTable.standardDC, ac: HuffmanTable.standardAC)

  private let symbols: AlignedBuffer<UInt32>
  private let differences: AlignedBuffer<UInt32>
  private let codes: AlignedBuffer<UInt32>
  private let order = AlignedBuffer(Zigzag.stored)
  private let bitmaps = AlignedBuffer(Zigzag.bitmaps)

  private init(dc: [HuffmanTable], ac: [HuffmanTable]) {
    symbols = AlignedBuffer(ac.flatMap { EntropyTableBuilder.symbols($0.codes()) })
    differences = AlignedBuffer(dc.flatMap { EntropyTableBuilder.differences($0.codes()) })
    codes = AlignedBuffer(ac.flatMap { $0.codes() })
  }

  /// The tables as the entropy kernels take them; valid as long as `self`.
  var entropy: EntropyTables {
    // SAFETY: the buffers live as long as `self`, and `standard`, the only instance, is never freed.
    unsafe (
      UnsafePointer(symbols.start), UnsafePointer(differences.start), UnsafePointer(codes.start),
      UnsafePointer(order.start)
    )
  }

  /// ``Zigzag/bitmaps``; valid as long as `self`.
  var zigzag: UnsafePointer<UInt64> { unsafe UnsafePointer(bitmaps.start) }
}
