/// How a macroblock is coded.
struct MacroblockKind: OptionSet, BitwiseCopyable {
  let rawValue: UInt16

  /// Predicted from its own picture by blocks of 4x4 or 8x8 (`I_NxN`).
  static let intraBlocks = MacroblockKind(rawValue: 1)
  /// Predicted from its own picture as a whole (`Intra_16x16`).
  static let intra16x16 = MacroblockKind(rawValue: 2)
  /// Samples as they are (`I_PCM`).
  static let pcm = MacroblockKind(rawValue: 4)
  /// Nothing is coded (`P_Skip`, `B_Skip`).
  static let skipped = MacroblockKind(rawValue: 8)
  /// Its rows are those of one field.
  static let field = MacroblockKind(rawValue: 16)
  /// It is transformed by blocks of 8x8.
  static let transform8x8 = MacroblockKind(rawValue: 32)
  /// All of it is predicted directly (`B_Skip`, `B_Direct_16x16`).
  static let direct = MacroblockKind(rawValue: 64)
  /// Motion differs inside of it: it has partitions, or direct blocks.
  static let partitioned = MacroblockKind(rawValue: 128)

  /// All kinds of prediction from its own picture.
  static let intra: MacroblockKind = [.intraBlocks, .intra16x16, .pcm]

  @inline(__always) var isIntra: Bool { rawValue & 7 != 0 }
  @inline(__always) var isField: Bool { rawValue & 16 != 0 }
}

/// Two things of one kind, for the two lists.
struct Pair<Element> {
  var first: Element
  var second: Element

  @inline(__always)
  subscript(index: Int) -> Element { index == 0 ? first : second }
}

extension Pair: Sendable where Element: Sendable {}
extension Pair: BitwiseCopyable where Element: BitwiseCopyable {}

/// What is kept of each macroblock of the picture that is being decoded.
///
/// Macroblocks of a frame are numbered row by row. Those of a field, and the pairs of an adaptive frame, are numbered
/// as if the rows of the two fields' macroblocks took turns.
struct MacroblockStore {
  let geometry: Geometry
  /// The slice that each is in; negative where there is none yet.
  let slices: Table<Int32>
  let kinds: Table<MacroblockKind>
  /// `CodedBlockPattern`: four bits of luma, two of chroma.
  let patterns: Table<UInt8>
  /// Which DC blocks have coefficients: bit 0 Y, 1 Cb, 2 Cr.
  let dcFlags: Table<UInt8>
  /// `QPY`.
  let quantizers: Table<Int8>
  let chromaModes: Table<UInt8>
  /// Coefficients of each block of 4x4: 16 of Y, 16 of Cb, 16 of Cr, each row by row.
  let counts: Table<UInt8>
  /// Which blocks of 4x4 of luma have coefficients, row by row.
  let codedBlocks: Table<UInt16>
  /// Modes of intra prediction of each block of 4x4, row by row.
  let intraModes: Table<Int8>
  /// Sizes of the coded differences of vectors, by list.
  let differences: Pair<Table<SIMD2<UInt8>>>
  /// Which blocks of 8x8 are predicted directly.
  let directBlocks: Table<UInt8>

  init(_ geometry: Geometry) {
    self.geometry = geometry
    let count = geometry.macroblocks
    slices = Table(count: count, fill: -1)
    kinds = Table(count: count, fill: [])
    patterns = Table(count: count, fill: 0)
    dcFlags = Table(count: count, fill: 0)
    quantizers = Table(count: count, fill: 0)
    chromaModes = Table(count: count, fill: 0)
    counts = Table(count: count * 48, fill: 0)
    codedBlocks = Table(count: count, fill: 0)
    intraModes = Table(count: count * 16, fill: 0)
    differences = Pair(
      first: Table(count: count * 16, fill: .zero), second: Table(count: count * 16, fill: .zero))
    directBlocks = Table(count: count, fill: 0)
  }

  /// Gives the memory back.
  func free() {
    slices.free()
    kinds.free()
    patterns.free()
    dcFlags.free()
    quantizers.free()
    chromaModes.free()
    counts.free()
    codedBlocks.free()
    intraModes.free()
    differences.first.free()
    differences.second.free()
    directBlocks.free()
  }
}
