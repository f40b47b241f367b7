public import LivePhotoCore

/// An HEVC picture parameter set: its identifiers (ITU-T H.265, 7.3.2.3).
public struct HEVCPictureParameterSet: Hashable, Sendable {
  /// `pps_pic_parameter_set_id`, 0 to 63.
  public var id: Int
  /// The sequence parameter set that it refers to, 0 to 15.
  public var spsID: Int

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
  }
}
