public import LivePhotoCore

/// An HEVC picture parameter set: its identifiers, and what the reading of slices depends on (ITU-T H.265, 7.3.2.3).
public struct HEVCPictureParameterSet: Hashable, Sendable {
  /// `pps_pic_parameter_set_id`, 0 to 63.
  public var id: Int
  /// The sequence parameter set that it refers to, 0 to 15.
  public var spsID: Int
  /// Reserved bits in front of the slice type (`num_extra_slice_header_bits`), 0 to 7.
  public var extraSliceHeaderBits: Int

  /// Reads a whole NAL unit, header included.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is no PPS, is cut off, or holds a forbidden value.
  public init(parsing unit: Span<UInt8>) throws(ParseError) {
    self = try HEVCNALUnitHeader.readPayload(of: unit, named: "PPS", limit: 32, if: { $0 == .pps }) {
      (_, reader) throws(ParseError) in
      try HEVCPictureParameterSet(&reader)
    }
  }

  private init(_ reader: inout BitReader) throws(ParseError) {
    id = try reader.readUE("pps_pic_parameter_set_id", in: 0...63)
    spsID = try reader.readUE("pps_seq_parameter_set_id", in: 0...15)
    try reader.skipBits(2)  // dependent_slice_segments_enabled_flag, output_flag_present_flag
    extraSliceHeaderBits = Int(try reader.readBits(3))
  }
}
