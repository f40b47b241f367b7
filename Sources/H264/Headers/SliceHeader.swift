import LivePhotoBitstream
import LivePhotoCore

/// How the macroblocks of a slice may be predicted (ITU-T H.264, table 7-6).
enum SliceType: Int {
  /// From pictures of one list.
  case p
  /// From pictures of two lists.
  case b
  /// From the picture itself.
  case i
}

/// Whether a picture, or what a macroblock refers to, is a frame or one of its fields.
enum PictureStructure: Int, BitwiseCopyable {
  /// Every row.
  case frame
  /// The even rows.
  case topField
  /// The odd rows.
  case bottomField

  /// 1 for the bottom field, else 0.
  var parity: Int { self == .bottomField ? 1 : 0 }
  /// Whether it is one field.
  var isField: Bool { self != .frame }
  /// The other field; a frame remains one.
  var opposite: PictureStructure {
    switch self {
    case .frame: .frame
    case .topField: .bottomField
    case .bottomField: .topField
    }
  }
}

/// A step of reordering a reference list (ITU-T H.264, 7.4.3.1).
enum ListModification {
  /// By difference of picture numbers; negative ones are subtracted.
  case shortTerm(Int)
  /// By long-term number.
  case longTerm(Int)
}

/// A step of marking reference pictures (ITU-T H.264, 7.4.3.3).
enum MarkingOperation {
  /// 1: a short-term picture is no longer referred to.
  case forgetShortTerm(difference: Int)
  /// 2: a long-term picture is no longer referred to.
  case forgetLongTerm(number: Int)
  /// 3: a short-term picture becomes a long-term one.
  case makeLongTerm(difference: Int, index: Int)
  /// 4: how many long-term indices there are.
  case limitLongTerm(count: Int)
  /// 5: nothing before is referred to.
  case forgetAll
  /// 6: the picture itself is a long-term one.
  case keepLongTerm(index: Int)
}

/// Explicit weights of one reference (ITU-T H.264, 7.4.3.2): Y, Cb, Cr.
struct PredictionWeight: BitwiseCopyable {
  var weights: SIMD4<Int32>
  var offsets: SIMD4<Int32>
}

/// The header of a slice (ITU-T H.264, 7.3.3).
struct SliceHeader {
  var isIDR: Bool
  var referenceIDC: Int
  var firstMacroblock: Int
  var type: SliceType
  var ppsID: Int
  var frameNumber: Int
  var structure = PictureStructure.frame
  var idrID = 0
  /// `pic_order_cnt_lsb`.
  var orderLowBits = 0
  /// `delta_pic_order_cnt_bottom`.
  var bottomOrderDifference = 0
  /// `delta_pic_order_cnt`.
  var orderDifferences = [0, 0]
  var redundantCount = 0
  var isDirectSpatial = false
  /// How many entries the lists have.
  var referenceCounts = [0, 0]
  var modifications: [[ListModification]?] = [nil, nil]
  /// Weights by list and index; empty where there are none.
  var weights: [[PredictionWeight]] = [[], []]
  var lumaWeightShift = 0
  var chromaWeightShift = 0
  var dropsEarlierOutput = false
  var isLongTermReference = false
  /// The steps of adaptive marking; nil for a sliding window.
  var marking: [MarkingOperation]?
  var cabacModel = 0
  var quantizer = 0
  /// `disable_deblocking_filter_idc`.
  var deblocking = 0
  /// Offsets of alpha and of beta.
  var deblockingOffsets = [0, 0]
  /// Where the slice's data begin, in bits of the payload.
  var dataPosition = 0

  /// Whether it is coded with both kinds of macroblocks.
  func isAdaptive(_ sps: H264SequenceParameterSet) -> Bool { sps.isAdaptiveFrameField && structure == .frame }
}

extension SliceHeader {
  /// The parameter sets in force when a slice is read.
  typealias Sets = (pps: H264PictureParameterSet, sps: H264SequenceParameterSet)

  /// The identifier of the picture parameter set that a slice's payload names.
  static func pictureSet(of payload: [UInt8]) throws(H264Error) -> Int {
    var reader = BitReader(payload.span, base: H264NALUnitHeader.size)
    do {
      _ = try reader.readUE()
      _ = try reader.readUE()
      return try reader.readUE("pic_parameter_set_id", in: 0...255)
    } catch { throw .parse(error) }
  }

  /// Reads a header from the payload of a slice's NAL unit.
  ///
  /// - Throws: ``H264Error/parse(_:)``, ``H264Error/unsupported(_:)``.
  init(_ reader: inout BitReader, _ header: H264NALUnitHeader, _ sets: Sets) throws(H264Error) {
    let (pps, sps) = sets
    let code: Int
    isIDR = header.type.isIDR
    referenceIDC = Int(header.referenceIDC)
    frameNumber = 0
    do throws(ParseError) {
      firstMacroblock = try reader.readUE("first_mb_in_slice", in: 0...(1 << 24))
      code = try reader.readUE("slice_type", in: 0...9) % 5
      ppsID = try reader.readUE("pic_parameter_set_id", in: 0...255)
    } catch { throw .parse(error) }
    guard let type = SliceType(rawValue: code) else { throw .unsupported("an SP or SI slice") }
    self.type = type
    do throws(ParseError) {
      try readPicture(&reader, pps, sps)
      try readReferences(&reader, pps, sps)
      if referenceIDC > 0 { try readMarking(&reader) }
      if pps.usesCABAC, type != .i { cabacModel = try reader.readUE("cabac_init_idc", in: 0...2) + 1 }
      quantizer = pps.initialQP + Int(try reader.readSE())
      let lowest = -6 * (sps.format.lumaBitDepth - 8)
      guard (lowest...51).contains(quantizer) else {
        throw .invalid("slice_qp_delta", found: "\(quantizer)", expected: "\(lowest) to 51", at: reader.place)
      }
      if pps.hasDeblockingControl {
        deblocking = try reader.readUE("disable_deblocking_filter_idc", in: 0...2)
        if deblocking != 1 {
          deblockingOffsets = [
            try reader.readSE("slice_alpha_c0_offset_div2", in: -6...6) * 2,
            try reader.readSE("slice_beta_offset_div2", in: -6...6) * 2,
          ]
        }
      }
      dataPosition = reader.position
    } catch { throw .parse(error) }
  }

  private mutating func readPicture(
    _ reader: inout BitReader, _ pps: H264PictureParameterSet, _ sps: H264SequenceParameterSet
  ) throws(ParseError) {
    frameNumber = Int(try reader.readBits(sps.frameNumberBits))
    if !sps.isFrameOnly, try reader.readFlag() { structure = try reader.readFlag() ? .bottomField : .topField }
    if isIDR { idrID = try reader.readUE("idr_pic_id", in: 0...65535) }
    switch sps.pictureOrder {
    case .lowBits(let width):
      orderLowBits = Int(try reader.readBits(width))
      if pps.hasFieldOrder, structure == .frame { bottomOrderDifference = Int(try reader.readSE()) }
    case .offsets(let alwaysZero, _, _, _):
      guard !alwaysZero else { break }
      orderDifferences[0] = Int(try reader.readSE())
      if pps.hasFieldOrder, structure == .frame { orderDifferences[1] = Int(try reader.readSE()) }
    case .decodingOrder: break
    }
    if pps.hasRedundantPictures { redundantCount = try reader.readUE("redundant_pic_cnt", in: 0...127) }
  }

  private mutating func readReferences(
    _ reader: inout BitReader, _ pps: H264PictureParameterSet, _ sps: H264SequenceParameterSet
  ) throws(ParseError) {
    guard type != .i else { return }
    if type == .b { isDirectSpatial = try reader.readFlag() }
    let most = structure.isField ? 32 : 16
    referenceCounts = [min(pps.defaultReferences[0], most), type == .b ? min(pps.defaultReferences[1], most) : 0]
    if try reader.readFlag() {
      referenceCounts[0] = try reader.readUE("num_ref_idx_l0_active_minus1", in: 0...most - 1) + 1
      if type == .b { referenceCounts[1] = try reader.readUE("num_ref_idx_l1_active_minus1", in: 0...most - 1) + 1 }
    }
    modifications[0] = try Self.readModifications(&reader)
    if type == .b { modifications[1] = try Self.readModifications(&reader) }
    if type == .p && pps.hasWeightedPrediction || type == .b && pps.biprediction == 1 {
      try readWeights(&reader, sps)
    }
  }

  private static func readModifications(_ reader: inout BitReader) throws(ParseError) -> [ListModification]? {
    guard try reader.readFlag() else { return nil }
    var steps: [ListModification] = []
    while true {
      switch try reader.readUE("modification_of_pic_nums_idc", in: 0...3) {
      case 0: steps.append(.shortTerm(-1 - (try reader.readUE("abs_diff_pic_num_minus1", in: 0...1 << 17))))
      case 1: steps.append(.shortTerm(1 + (try reader.readUE("abs_diff_pic_num_minus1", in: 0...1 << 17))))
      case 2: steps.append(.longTerm(try reader.readUE("long_term_pic_num", in: 0...1 << 17)))
      default: return steps
      }
      guard steps.count <= 66 else {
        throw .beyondLimit("steps of reordering references", found: steps.count, limit: 66, at: reader.place)
      }
    }
  }

  private mutating func readWeights(
    _ reader: inout BitReader, _ sps: H264SequenceParameterSet
  ) throws(ParseError) {
    let hasChroma = sps.chromaArrayType != .yuv400
    lumaWeightShift = try reader.readUE("luma_log2_weight_denom", in: 0...7)
    if hasChroma { chromaWeightShift = try reader.readUE("chroma_log2_weight_denom", in: 0...7) }
    let luma = Int32(1) << Int32(lumaWeightShift), chroma = Int32(1) << Int32(chromaWeightShift)
    for list in 0..<(type == .b ? 2 : 1) {
      for _ in 0..<referenceCounts[list] {
        var weight = PredictionWeight(weights: [luma, chroma, chroma, 0], offsets: .zero)
        if try reader.readFlag() {
          weight.weights[0] = Int32(try reader.readSE("luma_weight", in: -128...127))
          weight.offsets[0] = Int32(try reader.readSE("luma_offset", in: -128...127))
        }
        if hasChroma, try reader.readFlag() {
          for plane in 1...2 {
            weight.weights[plane] = Int32(try reader.readSE("chroma_weight", in: -128...127))
            weight.offsets[plane] = Int32(try reader.readSE("chroma_offset", in: -128...127))
          }
        }
        weights[list].append(weight)
      }
    }
  }

  private mutating func readMarking(_ reader: inout BitReader) throws(ParseError) {
    if isIDR {
      dropsEarlierOutput = try reader.readFlag()
      isLongTermReference = try reader.readFlag()
      return
    }
    guard try reader.readFlag() else { return }
    var steps: [MarkingOperation] = []
    while true {
      switch try reader.readUE("memory_management_control_operation", in: 0...6) {
      case 1:
        steps.append(.forgetShortTerm(difference: try Self.readDifference(&reader)))
      case 2:
        steps.append(.forgetLongTerm(number: try reader.readUE("long_term_pic_num", in: 0...63)))
      case 3:
        let difference = try Self.readDifference(&reader)
        steps.append(.makeLongTerm(difference: difference, index: try reader.readUE("long_term_frame_idx", in: 0...31)))
      case 4:
        steps.append(.limitLongTerm(count: try reader.readUE("max_long_term_frame_idx_plus1", in: 0...32)))
      case 5: steps.append(.forgetAll)
      case 6: steps.append(.keepLongTerm(index: try reader.readUE("long_term_frame_idx", in: 0...31)))
      default:
        marking = steps
        return
      }
      guard steps.count <= 66 else {
        throw .beyondLimit("steps of marking references", found: steps.count, limit: 66, at: reader.place)
      }
    }
  }

  private static func readDifference(_ reader: inout BitReader) throws(ParseError) -> Int {
    try reader.readUE("difference_of_pic_nums_minus1", in: 0...1 << 17) + 1
  }
}

// MARK: Where pictures begin

extension SliceHeader {
  /// Whether the slice belongs to the same picture as another before it (7.4.1.2.4).
  func continues(_ other: SliceHeader, _ sps: H264SequenceParameterSet) -> Bool {
    frameNumber == other.frameNumber && structure == other.structure
      && (referenceIDC == 0) == (other.referenceIDC == 0) && isIDR == other.isIDR && idrID == other.idrID
      && orderLowBits == other.orderLowBits && bottomOrderDifference == other.bottomOrderDifference
      && orderDifferences == other.orderDifferences
  }

  /// Whether the picture is the second field of a frame whose first one is another picture.
  func isSecondField(of first: SliceHeader) -> Bool {
    first.structure.isField && structure == first.structure.opposite && frameNumber == first.frameNumber
      && (!isIDR || first.isIDR) && (first.referenceIDC > 0 || referenceIDC == 0)
  }
}
