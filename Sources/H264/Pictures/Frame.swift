import LivePhotoBitstream
import LivePhotoH264Kernels

/// A frame, or the two fields of one: its samples, the motion that later pictures may take over, and its place in the
/// buffer of decoded pictures.
final class Frame<Sample: KernelSample> {
  let geometry: Geometry
  /// The samples, row by row without gaps: Y, Cb, Cr.
  let planes: [Table<Sample>]
  /// Vectors by list: 16 a macroblock, row by row.
  let vectors: [Table<SIMD2<Int16>>]
  /// Reference indices by list: four a macroblock; negative where there is none.
  let references: [Table<Int8>]
  /// What they refer to: ``Frame/id`` times 4 and the structure.
  let identities: [Table<Int32>]
  /// How each macroblock was coded.
  let kinds: Table<MotionKind>

  /// A number of its own among the frames of a decoder.
  var id = 0
  /// `frame_num`.
  var number = 0
  /// `FrameNumWrap`, as the current picture sees it.
  var wrappedNumber = 0
  /// `LongTermFrameIdx`.
  var longTermIndex = 0
  /// The picture order counts of the top and the bottom field.
  var orders = [0, 0]
  /// Which fields are decoded: 1 top, 2 bottom.
  var fields = 0
  /// Which fields may be referred to by number.
  var shortTerm = 0
  /// Which fields may be referred to by long-term index.
  var longTerm = 0
  /// Whether it was coded as two fields, or one.
  var isCodedAsFields = false
  /// Whether it stands for a number that was left out.
  var isMissing = false
  /// Whether it still has to come out.
  var isWaiting = false
  /// Whether nothing more is decoded into it.
  var isComplete = false
  /// What came with its first slice.
  var tag: Int64 = 0
  /// What is wrong with it.
  var damage: String?
  /// The parameter set that says how it is shown.
  var sequence: H264SequenceParameterSet?

  init(_ geometry: Geometry) {
    self.geometry = geometry
    planes = (0..<geometry.planes).map { plane in
      Table(
        count: geometry.macroblocks * geometry.blockWidth(plane) * geometry.blockHeight(plane),
        fill: Sample(truncatingIfNeeded: 1 << (geometry.depth(plane) - 1)))
    }
    let count = geometry.macroblocks
    vectors = (0..<2).map { _ in Table(count: count * 16, fill: .zero) }
    references = (0..<2).map { _ in Table(count: count * 4, fill: -1) }
    identities = (0..<2).map { _ in Table(count: count * 4, fill: -1) }
    kinds = Table(count: count, fill: [])
  }

  deinit {
    for table in planes { table.free() }
    for table in vectors { table.free() }
    for table in references { table.free() }
    for table in identities { table.free() }
    kinds.free()
  }

  /// Forgets what the frame was, but for its memory.
  func reset(id: Int) {
    self.id = id
    (number, wrappedNumber, longTermIndex, orders) = (0, 0, 0, [0, 0])
    (fields, shortTerm, longTerm) = (0, 0, 0)
    (isCodedAsFields, isMissing, isWaiting, isComplete) = (false, false, false, false)
    (tag, damage, sequence) = (0, nil, nil)
  }

  /// The samples of a plane's row.
  func stride(_ plane: Int) -> Int { geometry.width * geometry.blockWidth(plane) }

  /// Which fields may be referred to.
  var referenced: Int { shortTerm | longTerm }

  /// The picture order count of a field, or of a frame: the lower of its fields' (ITU-T H.264, 8-1).
  func order(_ structure: PictureStructure) -> Int {
    switch structure {
    case .topField: orders[0]
    case .bottomField: orders[1]
    case .frame: fields == 3 ? min(orders[0], orders[1]) : fields == 2 ? orders[1] : orders[0]
    }
  }
}

/// How a macroblock was coded, for those that take over its motion.
struct MotionKind: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// It was predicted from its own picture.
  static let intra = MotionKind(rawValue: 1)
  /// Its rows are those of one field.
  static let field = MotionKind(rawValue: 2)
}

extension PictureStructure {
  /// The bits of its fields: 1 top, 2 bottom.
  var fields: Int {
    switch self {
    case .frame: 3
    case .topField: 1
    case .bottomField: 2
    }
  }
}
