public import LivePhotoCore

/// An H.264 picture parameter set (ITU-T H.264, 7.3.2.2).
public struct H264PictureParameterSet: Hashable, Sendable {
  /// `pic_parameter_set_id`, 0 to 255.
  public var id: Int
  /// The sequence parameter set that it refers to, 0 to 31.
  public var spsID: Int
  /// Whether entropy coding is arithmetic (CABAC) rather than by variable lengths (CAVLC).
  public var usesCABAC: Bool
  /// Whether slice headers hold the order of the bottom field.
  public var hasFieldOrder: Bool
  /// Slice groups, 1 to 8; more than 1 is flexible macroblock ordering.
  public var sliceGroups: Int
  /// The default numbers of active references in list 0 and list 1, 1 to 32.
  public var defaultReferences: [Int]
  /// Whether P slices have explicit prediction weights.
  public var hasWeightedPrediction: Bool
  /// `weighted_bipred_idc`: 0 averages, 1 explicit weights, 2 implicit ones.
  public var biprediction: Int
  /// `26 + pic_init_qp_minus26`; negative at high bit depths.
  public var initialQP: Int
  /// `26 + pic_init_qs_minus26`, of use only in SP and SI slices.
  public var initialQS: Int
  /// The offsets of the quantiser for Cb and Cr, −12 to 12.
  public var chromaQPOffsets: [Int]
  /// Whether slice headers hold deblocking parameters.
  public var hasDeblockingControl: Bool
  /// Whether intra prediction uses only intra neighbours.
  public var isConstrainedIntra: Bool
  /// Whether slice headers hold `redundant_pic_cnt`.
  public var hasRedundantPictures: Bool
  /// Whether 8x8 transforms are in use.
  public var usesTransform8x8 = false
  /// The scaling lists, if the set has any.
  public var scalingMatrix: H264ScalingMatrix?

  /// Reads a whole NAL unit, header included.
  ///
  /// How many scaling lists there are depends on the chroma format: `sequence` gives the sequence parameter set of an
  /// identifier. It is asked only where there are lists.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is no PPS, is cut off, holds a forbidden value, or has
  ///   scaling lists but no known sequence parameter set.
  public init(
    parsing unit: Span<UInt8>, sequence: (Int) -> H264SequenceParameterSet?
  ) throws(ParseError) {
    self = try H264NALUnitHeader.readPayload(of: unit, named: "PPS", types: [.pps]) { (reader) throws(ParseError) in
      try H264PictureParameterSet(&reader, sequence: sequence)
    }
  }

  private init(_ reader: inout BitReader, sequence: (Int) -> H264SequenceParameterSet?) throws(ParseError) {
    id = try reader.readUE("pic_parameter_set_id", in: 0...255)
    spsID = try reader.readUE("seq_parameter_set_id", in: 0...31)
    usesCABAC = try reader.readFlag()
    hasFieldOrder = try reader.readFlag()
    sliceGroups = try reader.readUE("num_slice_groups_minus1", in: 0...7) + 1
    if sliceGroups > 1 { try Self.skipSliceGroups(&reader, count: sliceGroups) }
    defaultReferences = [
      try reader.readUE("num_ref_idx_l0_default_active_minus1", in: 0...31) + 1,
      try reader.readUE("num_ref_idx_l1_default_active_minus1", in: 0...31) + 1,
    ]
    hasWeightedPrediction = try reader.readFlag()
    biprediction = Int(try reader.readBits(2))
    initialQP = 26 + (try reader.readSE("pic_init_qp_minus26", in: -62...25))
    // The standard asks for -26 or more; the reference encoder goes below it at high bit depths.
    initialQS = 26 + (try reader.readSE("pic_init_qs_minus26", in: -62...25))
    let offset = try reader.readSE("chroma_qp_index_offset", in: -12...12)
    chromaQPOffsets = [offset, offset]
    hasDeblockingControl = try reader.readFlag()
    isConstrainedIntra = try reader.readFlag()
    hasRedundantPictures = try reader.readFlag()
    guard reader.hasMoreRBSPData else { return }
    usesTransform8x8 = try reader.readFlag()
    if try reader.readFlag() {
      guard let set = sequence(spsID) else { throw .missing("SPS \(spsID)", at: reader.place) }
      let lists8x8 = usesTransform8x8 ? (set.format.chroma == .yuv444 ? 6 : 2) : 0
      scalingMatrix = try H264ScalingMatrix(parsing: &reader, count: 6 + lists8x8)
    }
    chromaQPOffsets[1] = try reader.readSE("second_chroma_qp_index_offset", in: -12...12)
  }

  /// Steps over the map of slice groups.
  private static func skipSliceGroups(_ reader: inout BitReader, count: Int) throws(ParseError) {
    switch try reader.readUE("slice_group_map_type", in: 0...6) {
    case 0:
      for _ in 0..<count { _ = try reader.readUE() }
    case 2:
      for _ in 0..<2 * (count - 1) { _ = try reader.readUE() }
    case 3, 4, 5:
      try reader.skipBits(1)
      _ = try reader.readUE()
    case 6:
      let units = Int(try reader.readUE()) + 1
      try reader.skipBits(units * (count > 4 ? 3 : count > 2 ? 2 : 1))
    default: break
    }
  }
}
