public import LivePhotoCore

/// An HEVC video parameter set: its first part, up to profile and level (ITU-T H.265, 7.3.2.1).
public struct HEVCVideoParameterSet: Hashable, Sendable {
  /// `vps_video_parameter_set_id`, 0 to 15.
  public var id: Int
  /// Layers of the stream, 1 to 64; more than 1 in multiview and scalable streams.
  public var maxLayers: Int
  /// Temporal sub-layers, 1 to 7.
  public var maxSubLayers: Int
  /// Whether switching up to any sub-layer is always possible.
  public var isTemporalIDNested: Bool
  /// What the base layer asks of a decoder.
  public var profileTierLevel: HEVCProfileTierLevel

  /// Reads a whole NAL unit, header included.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is no VPS, is cut off, or holds a forbidden value.
  public init(parsing unit: Span<UInt8>) throws(ParseError) {
    self = try HEVCNALUnitHeader.readPayload(of: unit, named: "VPS", if: { $0 == .vps }) {
      (_, reader) throws(ParseError) in
      try HEVCVideoParameterSet(&reader)
    }
  }

  private init(_ reader: inout BitReader) throws(ParseError) {
    id = Int(try reader.readBits(4))
    try reader.skipBits(2)  // vps_base_layer_internal_flag, vps_base_layer_available_flag
    maxLayers = Int(try reader.readBits(6)) + 1
    maxSubLayers = try HEVCSequenceParameterSet.readMaxSubLayers(&reader)
    isTemporalIDNested = try reader.readFlag()
    try reader.skipBits(16)  // vps_reserved_0xffff_16bits
    profileTierLevel = try HEVCProfileTierLevel(parsing: &reader, maxSubLayers: maxSubLayers)
  }
}
