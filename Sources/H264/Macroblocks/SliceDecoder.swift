import LivePhotoBitstream
import LivePhotoH264Kernels

/// Decodes the macroblocks of one slice (ITU-T H.264, 7.3.4 and 8).
///
/// Its parts stand in files of their own: reading syntax elements (Entropy), macroblocks and their motion
/// (Macroblocks), samples (Reconstruction).
///
/// Its methods are all mutating: for one that only reads the compiler would copy the decoder.
struct SliceDecoder<Sample: KernelSample>: ~Copyable {
  // What holds for the slice.
  let header: SliceHeader
  let sps: H264SequenceParameterSet
  let pps: H264PictureParameterSet
  let geometry: Geometry
  let kernels: KernelSet<Sample>
  let tables: DecoderTables
  let scales: ScaleTables
  let store: MacroblockStore
  let finder: NeighbourFinder
  let work: WorkingMemory<Sample>
  /// The picture that is decoded.
  let frame: Frame<Sample>
  let target: FrameMemory<Sample>
  let lists: SliceReferences<Sample>
  /// The slice's number in the picture.
  let number: Int32
  let isAdaptive: Bool
  let usesCABAC: Bool

  // Where the stream is read.
  var bits: SliceBits
  var cabac: CABACEngine

  // What holds for the macroblock.
  var place = MacroblockPlace()
  var near = Neighbours()
  var kind: MacroblockKind = []
  var pattern: UInt8 = 0
  /// `QPY`, of the macroblock before until a difference is read.
  var quantizer: Int
  /// Whether the macroblock before changed the quantiser.
  var changedQuantizer = false
  /// Whether the pair's macroblocks are those of fields.
  var isFieldPair = false
  /// How blocks of 8x8 are divided.
  var subTypes: InlineArray<4, SubMacroblockType> = .init(repeating: .direct)
  /// Reference indices of the blocks of 8x8, by list.
  var chosen: Pair<SIMD4<Int8>> = Pair(first: SIMD4(repeating: -1), second: SIMD4(repeating: -1))
  /// Which blocks of 8x8 are predicted directly, and the reference indices of all of them by list.
  var directMask: UInt8 = 0
  var directReferences: Pair<SIMD4<Int8>> = Pair(first: .zero, second: .zero)
  /// `intra_chroma_pred_mode`.
  var chromaMode = 0
  /// Which blocks of 4x4 of luma have coefficients, row by row.
  var codedBlocks: UInt16 = 0
  /// Which blocks of each plane have coefficients, in coding order, and which only the first one.
  var coded: InlineArray<3, UInt16> = [0, 0, 0]
  var dcOnly: InlineArray<3, UInt16> = [0, 0, 0]
  /// Whether a picture is referred to that is missing or damaged.
  var refersToBroken = false

  init(
    _ parts: SliceParts<Sample>, bits: SliceBits, number: Int32
  ) {
    header = parts.header
    sps = parts.sps
    pps = parts.pps
    geometry = parts.frame.geometry
    kernels = parts.kernels
    tables = parts.tables
    scales = parts.scales
    store = parts.store
    work = parts.work
    frame = parts.frame
    target = FrameMemory(parts.frame)
    lists = parts.references
    self.number = number
    isAdaptive = parts.header.isAdaptive(parts.sps)
    usesCABAC = parts.pps.usesCABAC
    finder = NeighbourFinder(
      width: geometry.width, rowStep: geometry.width * (header.structure.isField ? 2 : 1), isAdaptive: isAdaptive,
      slices: store.slices, kinds: store.kinds)
    self.bits = bits
    self.bits.align()
    cabac = CABACEngine(self.bits, contexts: parts.tables.contexts, tables: parts.tables.cabac)
    self.bits = bits
    quantizer = header.quantizer
  }

  /// Macroblocks of the picture: of a frame, or of one field.
  var macroblockCount: Int { geometry.macroblocks / (header.structure.isField ? 2 : 1) }
  var isB: Bool { header.type == .b }
  /// Whether the current macroblock's rows are those of one field of a frame whose macroblocks differ.
  var isFieldMacroblock: Bool { isAdaptive && place.structure.isField }
}

/// What a slice is decoded from.
struct SliceParts<Sample: KernelSample> {
  var header: SliceHeader
  var sps: H264SequenceParameterSet
  var pps: H264PictureParameterSet
  var kernels: KernelSet<Sample>
  var tables: DecoderTables
  var scales: ScaleTables
  var store: MacroblockStore
  var work: WorkingMemory<Sample>
  var frame: Frame<Sample>
  var references: SliceReferences<Sample>
}

/// The constant tables of a decoder, and the contexts of its arithmetic decoder.
struct DecoderTables {
  let cabac = CABACTables()
  let cavlc = CAVLCTables()
  let scans = ScanTables()
  let contexts = Table<UInt8>(count: 1024, fill: 0)
  /// ``ResidualContexts/flags``.
  let flags = Table(ResidualContexts.flags)
  /// ``ResidualContexts/significant8x8``.
  let significant8x8 = Table(ResidualContexts.significant8x8)
  /// ``ResidualContexts/last8x8``.
  let last8x8 = Table(ResidualContexts.last8x8)

  /// Gives the memory back.
  func free() {
    cabac.free()
    cavlc.free()
    scans.free()
    contexts.free()
    flags.free()
    significant8x8.free()
    last8x8.free()
  }
}

/// A frame's memory, without a reference to the frame.
struct FrameMemory<Sample: KernelSample> {
  let planes: InlineArray<3, Table<Sample>>
  let vectors: Pair<Table<SIMD2<Int16>>>
  let references: Pair<Table<Int8>>
  let identities: Pair<Table<Int32>>
  let kinds: Table<MotionKind>

  init(_ frame: Frame<Sample>) {
    let first = frame.planes[0]
    planes = [
      first, frame.planes.count > 1 ? frame.planes[1] : first, frame.planes.count > 2 ? frame.planes[2] : first,
    ]
    vectors = Pair(first: frame.vectors[0], second: frame.vectors[1])
    references = Pair(first: frame.references[0], second: frame.references[1])
    identities = Pair(first: frame.identities[0], second: frame.identities[1])
    kinds = frame.kinds
  }
}

/// Memory for the macroblock at hand.
struct WorkingMemory<Sample: KernelSample> {
  /// Coefficients, scaled: 16 blocks of 16 a plane, in coding order, each row by row; then 16 DC coefficients.
  let coefficients = Table<Int32>(count: 784, fill: 0)
  /// Where the DC coefficients are.
  static var dcOffset: Int { 768 }
  /// The DC coefficients that are being transformed.
  var dc: DCTable { DCTable(table: coefficients, start: Self.dcOffset) }
  /// Levels of a block that is coded by variable lengths.
  let levels = Table<Int32>(count: 64, fill: 0)
  /// Where a block has coefficients that are not zero.
  let positions = Table<UInt8>(count: 64, fill: 0)
  /// Vectors of the blocks of 4x4 and of those around, by list: six columns and five rows, eight apart.
  let vectors = Pair(
    first: Table<SIMD2<Int16>>(count: 48, fill: .zero), second: Table<SIMD2<Int16>>(count: 48, fill: .zero))
  /// Their reference indices: −1 where there is none, −2 where there is no block.
  let references = Pair(first: Table<Int8>(count: 48, fill: -2), second: Table<Int8>(count: 48, fill: -2))
  /// Sizes of coded differences of vectors, likewise.
  let differences = Pair(
    first: Table<SIMD2<UInt8>>(count: 48, fill: .zero), second: Table<SIMD2<UInt8>>(count: 48, fill: .zero))
  /// Motion that is predicted directly, by list: 16 vectors and 4 indices.
  let directVectors = Pair(
    first: Table<SIMD2<Int16>>(count: 16, fill: .zero), second: Table<SIMD2<Int16>>(count: 16, fill: .zero))
  /// A prediction from list 1.
  let prediction = Table<Sample>(count: 16 * 16, fill: 0)
  /// Samples around a block that reaches beyond the picture: up to 21 rows of 24.
  let edge = Table<Sample>(count: 24 * 24, fill: 0)
  /// ``SliceReferences/entries`` and ``SliceReferences/implicitWeights``.
  let entries: Table<ReferenceEntry<Sample>>
  let implicitWeights = Table<Int16>(count: 3 * 32 * 32, fill: 32)
  /// The clipping of the pieces of an edge.
  let clipping = Table<Int32>(count: 16, fill: 0)

  init() {
    // Nothing refers to these planes before a slice sets them.
    let none = prediction
    entries = Table(
      count: 6 * SliceReferences<Sample>.capacity,
      fill: ReferenceEntry(
        planes: (none, none, none), identity: -1, order: 0, structure: .frame, isLongTerm: false, isBroken: true))
  }

  /// Gives the memory back.
  func free() {
    coefficients.free()
    levels.free()
    positions.free()
    for pair in [vectors, directVectors] {
      pair.first.free()
      pair.second.free()
    }
    references.first.free()
    references.second.free()
    differences.first.free()
    differences.second.free()
    prediction.free()
    edge.free()
    entries.free()
    implicitWeights.free()
    clipping.free()
  }
}
