public import LivePhotoCore

/// An H.264 sequence parameter set (ITU-T H.264, 7.3.2.1.1), of all profiles.
public struct H264SequenceParameterSet: Hashable, Sendable {
  /// How pictures are numbered in output order (ITU-T H.264, 8.2.1).
  public enum PictureOrder: Hashable, Sendable {
    /// Type 0: the low bits of the order stand in each slice header.
    case lowBits(width: Int)
    /// Type 1: offsets to an expected order.
    case offsets(alwaysZero: Bool, nonReference: Int32, topToBottom: Int32, cycle: [Int32])
    /// Type 2: output order is decoding order.
    case decodingOrder
  }

  /// `profile_idc`: 66 Baseline, 77 Main, 100 High, and others.
  public var profile: UInt8
  /// `constraint_set0_flag` to `constraint_set5_flag` and two reserved bits; flag 0 is bit 7.
  public var constraintFlags: UInt8
  /// `level_idc`, 10 times the level's number.
  public var level: UInt8
  /// `seq_parameter_set_id`, 0 to 31.
  public var id: Int
  /// Size, cropping, samples, colour, shape of a sample, frame duration.
  public var format: VideoFormat
  /// Whether the three planes of a 4:4:4 picture are coded one by one, as pictures of luma only.
  public var hasSeparateColourPlanes = false
  /// Whether blocks with a quantiser of 0 bypass transform and quantisation.
  public var hasLosslessBypass = false
  /// The scaling lists, if the set has any.
  public var scalingMatrix: H264ScalingMatrix?
  /// Bits of `frame_num`, 4 to 16.
  public var frameNumberBits: Int
  /// How pictures are numbered.
  public var pictureOrder: PictureOrder
  /// `max_num_ref_frames`, 0 to 16.
  public var maxReferenceFrames: Int
  /// Whether numbers of frames may be missing on purpose.
  public var allowsFrameNumberGaps: Bool
  /// Whether all pictures are whole frames; otherwise there may be fields, or frames of field macroblocks.
  public var isFrameOnly: Bool
  /// Whether macroblocks of one frame may be frame and field ones.
  public var isAdaptiveFrameField: Bool
  /// Whether direct prediction works on 8x8 blocks.
  public var isDirect8x8: Bool
  /// The most frames that precede one in decoding order and follow it in output order; nil when nothing is said.
  public var maxReorderedFrames: Int?
  /// The frames that the decoded picture buffer has to hold; nil when nothing is said.
  public var maxBufferedFrames: Int?

  /// The width in macroblocks of 16 luma samples.
  public var widthInMacroblocks: Int { format.codedWidth / 16 }
  /// The height of a whole frame in macroblocks of 16 luma samples.
  public var heightInMacroblocks: Int { format.codedHeight / 16 }
  /// The chroma format that decoding goes by: luma only where planes are coded one by one (`ChromaArrayType`).
  public var chromaArrayType: ChromaFormat { hasSeparateColourPlanes ? .yuv400 : format.chroma }

  /// Reads a whole NAL unit, header included: an SPS, or the common part of a subset SPS.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is neither, is cut off, holds a forbidden value or a picture beyond
  ///   `limits`.
  public init(parsing unit: Span<UInt8>, limits: Limits = .standard) throws(ParseError) {
    self = try H264NALUnitHeader.readPayload(of: unit, named: "SPS", types: [.sps, .subsetSPS]) {
      (reader) throws(ParseError) in
      try H264SequenceParameterSet(&reader, limits: limits)
    }
  }
}

// MARK: Reading

extension H264SequenceParameterSet {
  private init(_ reader: inout BitReader, limits: Limits) throws(ParseError) {
    profile = UInt8(try reader.readBits(8))
    constraintFlags = UInt8(try reader.readBits(8))
    level = UInt8(try reader.readBits(8))
    id = try reader.readUE("seq_parameter_set_id", in: 0...31)
    format = VideoFormat(
      codedWidth: 0, codedHeight: 0, area: PictureArea(x: 0, y: 0, width: 0, height: 0), chroma: .yuv420,
      lumaBitDepth: 8, chromaBitDepth: 8, color: .unspecified)
    if Self.highProfiles.contains(profile) {
      let chroma = try reader.readUE("chroma_format_idc", in: 0...3)
      format.chroma = ChromaFormat(rawValue: UInt8(chroma)) ?? .yuv420
      if format.chroma == .yuv444 { hasSeparateColourPlanes = try reader.readFlag() }
      format.lumaBitDepth = try reader.readUE("bit_depth_luma_minus8", in: 0...6) + 8
      format.chromaBitDepth = try reader.readUE("bit_depth_chroma_minus8", in: 0...6) + 8
      hasLosslessBypass = try reader.readFlag()
      if try reader.readFlag() {
        scalingMatrix = try H264ScalingMatrix(parsing: &reader, count: format.chroma == .yuv444 ? 12 : 8)
      }
    }
    frameNumberBits = try reader.readUE("log2_max_frame_num_minus4", in: 0...12) + 4
    pictureOrder = try Self.readPictureOrder(&reader)
    maxReferenceFrames = try reader.readUE("max_num_ref_frames", in: 0...16)
    allowsFrameNumberGaps = try reader.readFlag()
    let sizePlace = reader.place
    format.codedWidth = (Int(try reader.readUE()) + 1) * 16
    let mapHeight = (Int(try reader.readUE()) + 1) * 16
    isFrameOnly = try reader.readFlag()
    format.codedHeight = isFrameOnly ? mapHeight : mapHeight * 2
    isAdaptiveFrameField = isFrameOnly ? false : try reader.readFlag()
    isDirect8x8 = try reader.readFlag()
    let crop = try reader.readFlag() ? readCropping(&reader) : CropOffsets()
    format.area = try PictureArea(
      width: format.codedWidth, height: format.codedHeight, cropped: crop, limits: limits, at: sizePlace)
    if try reader.readFlag() { try readUsability(&reader) }
  }

  /// The profiles whose sets name chroma format, bit depth and scaling lists.
  private static let highProfiles: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 134, 135, 138, 139]

  private static func readPictureOrder(_ reader: inout BitReader) throws(ParseError) -> PictureOrder {
    switch try reader.readUE("pic_order_cnt_type", in: 0...2) {
    case 0: return .lowBits(width: try reader.readUE("log2_max_pic_order_cnt_lsb_minus4", in: 0...12) + 4)
    case 1:
      let alwaysZero = try reader.readFlag()
      let nonReference = try reader.readSE(), topToBottom = try reader.readSE()
      var cycle: [Int32] = []
      for _ in 0..<(try reader.readUE("num_ref_frames_in_pic_order_cnt_cycle", in: 0...255)) {
        cycle.append(try reader.readSE())
      }
      return .offsets(alwaysZero: alwaysZero, nonReference: nonReference, topToBottom: topToBottom, cycle: cycle)
    default: return .decodingOrder
    }
  }

  /// Reads the frame cropping offsets, in the units of ITU-T H.264, 7.4.2.1.1.
  private func readCropping(_ reader: inout BitReader) throws(ParseError) -> CropOffsets {
    let shift = chromaArrayType.chromaShift
    return try CropOffsets(&reader, unitX: 1 << shift.x, unitY: (1 << shift.y) * (isFrameOnly ? 1 : 2))
  }

  /// Reads `vui_parameters()` (ITU-T H.264, E.1.1).
  private mutating func readUsability(_ reader: inout BitReader) throws(ParseError) {
    let usability = try VideoUsability(parsing: &reader)
    format.color = usability.color
    format.pixelAspect = usability.pixelAspect
    format.chromaLocation = usability.chromaLocation
    if try reader.readFlag() {
      // A tick is a field's time, also where all pictures are frames.
      format.frameDuration = try VideoUsability.readDuration(&reader, ticks: 2)
      try reader.skipBits(1)  // fixed_frame_rate_flag
    }
    let hasNAL = try reader.readFlag()
    if hasNAL { try Self.skipReferenceDecoder(&reader) }
    let hasVCL = try reader.readFlag()
    if hasVCL { try Self.skipReferenceDecoder(&reader) }
    if hasNAL || hasVCL { try reader.skipBits(1) }  // low_delay_hrd_flag
    try reader.skipBits(1)  // pic_struct_present_flag
    guard try reader.readFlag() else { return }
    try reader.skipBits(1)  // motion_vectors_over_pic_boundaries_flag
    for _ in 0..<4 { _ = try reader.readUE() }  // bytes, bits, and motion vector lengths
    maxReorderedFrames = try reader.readUE("max_num_reorder_frames", in: 0...16)
    maxBufferedFrames = try reader.readUE("max_dec_frame_buffering", in: 0...16)
  }

  /// Steps over `hrd_parameters()` (ITU-T H.264, E.1.2).
  private static func skipReferenceDecoder(_ reader: inout BitReader) throws(ParseError) {
    let count = try reader.readUE("cpb_cnt_minus1", in: 0...31) + 1
    try reader.skipBits(8)
    for _ in 0..<count {
      _ = try reader.readUE()
      _ = try reader.readUE()
      try reader.skipBits(1)
    }
    try reader.skipBits(20)
  }
}

// MARK: Names

extension H264SequenceParameterSet {
  /// The profile's name in ITU-T H.264, annex A, or `profile 12`.
  public var profileName: String {
    func flag(_ index: UInt8) -> Bool { constraintFlags >> (7 - index) & 1 == 1 }
    return switch profile {
    case 44: "CAVLC 4:4:4 Intra"
    case 66: flag(1) ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 83: "Scalable Baseline"
    case 86: "Scalable High"
    case 88: "Extended"
    case 100: flag(4) ? (flag(5) ? "Constrained High" : "Progressive High") : "High"
    case 110: flag(3) ? "High 10 Intra" : "High 10"
    case 118: "Multiview High"
    case 122: flag(3) ? "High 4:2:2 Intra" : "High 4:2:2"
    case 128: "Stereo High"
    case 244: flag(3) ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    default: "profile \(profile)"
    }
  }

  /// The level's number, such as `3.1`, `4` or `1b`.
  public var levelName: String {
    let hasFlag = [66, 77, 88].contains(profile) && constraintFlags & 0x10 != 0
    if level == 9 || level == 11 && hasFlag { return "1b" }
    return level % 10 == 0 ? "\(level / 10)" : "\(level / 10).\(level % 10)"
  }

  /// The codec string of RFC 6381, such as `avc1.64001F`.
  ///
  /// `sampleEntry` is the four-character code of the sample entry, `avc1` or `avc3`.
  public func codecString(sampleEntry: FourCC = "avc1") -> String {
    let digits = [profile, constraintFlags, level].map { value in
      let text = String(value, radix: 16, uppercase: true)
      return text.utf8.count < 2 ? "0" + text : text
    }
    return "\(sampleEntry).\(digits.joined())"
  }
}
