public import LivePhotoCore

/// An HEVC sequence parameter set (ITU-T H.265, 7.3.2.2): what there is to know of a stream without decoding it.
///
/// All is read up to the timing in the video usability information; the hypothetical reference decoder and the
/// extensions behind it are not.
public struct HEVCSequenceParameterSet: Hashable, Sendable {
  /// `sps_seq_parameter_set_id`, 0 to 15.
  public var id: Int
  /// The video parameter set that it refers to, 0 to 15.
  public var vpsID: Int
  /// Temporal sub-layers, 1 to 7.
  public var maxSubLayers: Int
  /// Whether switching up to any sub-layer is always possible.
  public var isTemporalIDNested: Bool
  /// What it asks of a decoder.
  public var profileTierLevel: HEVCProfileTierLevel
  /// Whether the three planes of a 4:4:4 picture are coded one by one, as pictures of luma only.
  public var hasSeparateColourPlanes: Bool
  /// Size, cropping, samples, colour, shape of a sample, frame duration.
  public var format: VideoFormat
  /// The default display window, a hint that decoders may ignore; nil where there is none, or where it leaves nothing.
  ///
  /// It lies inside ``VideoFormat/area`` and is counted from the coded picture's corner.
  public var defaultDisplayWindow: PictureArea?
  /// Whether each picture is a field (`field_seq_flag`).
  public var isFieldSequence: Bool

  /// Reads a whole NAL unit, header included.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is no SPS, is cut off, holds a forbidden value or a picture beyond
  ///   `limits`; `unsupported` for one of an enhancement layer, whose size stands in the VPS.
  public init(parsing unit: Span<UInt8>, limits: Limits = .standard) throws(ParseError) {
    self = try HEVCNALUnitHeader.readPayload(of: unit, named: "SPS", if: { $0 == .sps }) {
      (header, reader) throws(ParseError) in
      try HEVCSequenceParameterSet(&reader, layerID: header.layerID, limits: limits)
    }
  }

  /// The identifier of a sequence parameter set, of whatever layer, without reading the rest.
  static func id(in unit: Span<UInt8>) throws(ParseError) -> Int {
    try HEVCNALUnitHeader.readPayload(of: unit, named: "SPS", if: { $0 == .sps }) {
      (header, reader) throws(ParseError) in
      try reader.skipBits(4)
      if isEnhancement(header.layerID, reader) {
        try reader.skipBits(3)
      } else {
        let layers = try readMaxSubLayers(&reader)
        try reader.skipBits(1)
        _ = try HEVCProfileTierLevel(parsing: &reader, maxSubLayers: layers)
      }
      return try reader.readUE("sps_seq_parameter_set_id", in: 0...15)
    }
  }

  /// Whether the set leaves all but its identifier to the VPS extension (ITU-T H.265, F.7.3.2.2.1).
  private static func isEnhancement(_ layerID: UInt8, _ reader: borrowing BitReader) -> Bool {
    layerID > 0 && reader.peekBits(3) == 7
  }

  private init(_ reader: inout BitReader, layerID: UInt8, limits: Limits) throws(ParseError) {
    vpsID = Int(try reader.readBits(4))
    guard !Self.isEnhancement(layerID, reader) else {
      throw .unsupported("the sequence parameter set of an enhancement layer", at: reader.place)
    }
    maxSubLayers = try Self.readMaxSubLayers(&reader)
    isTemporalIDNested = try reader.readFlag()
    profileTierLevel = try HEVCProfileTierLevel(parsing: &reader, maxSubLayers: maxSubLayers)
    id = try reader.readUE("sps_seq_parameter_set_id", in: 0...15)

    let chromaCode = try reader.readUE("chroma_format_idc", in: 0...3)
    let chroma = ChromaFormat(rawValue: UInt8(chromaCode)) ?? .yuv420
    hasSeparateColourPlanes = chroma == .yuv444 ? try reader.readFlag() : false
    let sizePlace = reader.place
    let width = Int(try reader.readUE()), height = Int(try reader.readUE())
    let unit = (x: 1 << chroma.chromaShift.x, y: 1 << chroma.chromaShift.y)
    let crop =
      try reader.readFlag() ? CropOffsets(&reader, unitX: unit.x, unitY: unit.y) : CropOffsets()
    let area = try PictureArea(width: width, height: height, cropped: crop, limits: limits, at: sizePlace)
    format = VideoFormat(
      codedWidth: width, codedHeight: height, area: area, chroma: chroma,
      lumaBitDepth: try reader.readUE("bit_depth_luma_minus8", in: 0...8) + 8,
      chromaBitDepth: try reader.readUE("bit_depth_chroma_minus8", in: 0...8) + 8,
      color: .unspecified)
    isFieldSequence = false
    try Self.skipCodingTools(&reader, maxSubLayers: maxSubLayers, width: width, height: height)
    if try reader.readFlag() { try readUsability(&reader, cropUnit: unit) }
  }

  /// Reads `max_sub_layers_minus1`.
  static func readMaxSubLayers(_ reader: inout BitReader) throws(ParseError) -> Int {
    let place = reader.place
    let code = Int(try reader.readBits(3))
    guard code < 7 else {
      throw .invalid("max_sub_layers_minus1", found: "7", expected: "0 to 6", at: place)
    }
    return code + 1
  }

  /// Reads `vui_parameters()` up to the timing (ITU-T H.265, E.2.1).
  private mutating func readUsability(_ reader: inout BitReader, cropUnit: (x: Int, y: Int)) throws(ParseError) {
    let usability = try VideoUsability(parsing: &reader)
    format.color = usability.color
    format.pixelAspect = usability.pixelAspect
    format.chromaLocation = usability.chromaLocation
    try reader.skipBits(1)  // neutral_chroma_indication_flag
    isFieldSequence = try reader.readFlag()
    try reader.skipBits(1)  // frame_field_info_present_flag
    if try reader.readFlag() {
      let offsets = try CropOffsets(&reader, unitX: cropUnit.x, unitY: cropUnit.y)
      defaultDisplayWindow = PictureArea(width: format.width, height: format.height, without: offsets)
      defaultDisplayWindow?.x += format.area.x
      defaultDisplayWindow?.y += format.area.y
    }
    if try reader.readFlag() {
      format.frameDuration = try VideoUsability.readDuration(&reader, ticks: isFieldSequence ? 2 : 1)
    }
  }
}
