public import LivePhotoCore

/// The beginning of an HEVC slice segment header: enough to tell pictures apart and to find the parameter sets in use
/// (ITU-T H.265, 7.3.6.1).
public struct HEVCSliceHeader: Hashable, Sendable {
  /// The unit's type, layer and sub-layer.
  public var header: HEVCNALUnitHeader
  /// Whether a new picture begins here (`first_slice_segment_in_pic_flag`).
  public var isFirstInPicture: Bool
  /// The picture parameter set in use, 0 to 63.
  public var ppsID: Int

  /// Reads the beginning of a slice segment; at most 32 bytes of it are looked at.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the unit is no slice segment, is cut off, or holds a forbidden value.
  public init(parsing unit: Span<UInt8>) throws(ParseError) {
    self = try HEVCNALUnitHeader.readPayload(of: unit, named: "slice segment", limit: 32, if: \.isVCL) {
      (header, reader) throws(ParseError) in
      try HEVCSliceHeader(&reader, header)
    }
  }

  private init(_ reader: inout BitReader, _ header: HEVCNALUnitHeader) throws(ParseError) {
    self.header = header
    isFirstInPicture = try reader.readFlag()
    if header.type.isIRAP { try reader.skipBits(1) }  // no_output_of_prior_pics_flag
    ppsID = try reader.readUE("slice_pic_parameter_set_id", in: 0...63)
  }
}

extension HEVCSliceHeader {
  /// Whether a slice segment that begins a picture is coded without reference to other pictures.
  ///
  /// - Parameter parameterSet: the one that the slice names.
  /// - Throws: ``LivePhotoCore/ParseError`` when the unit does not begin a picture, is cut off, or holds a forbidden
  ///   value.
  public static func isIntra(_ unit: Span<UInt8>, with parameterSet: HEVCPictureParameterSet) throws(ParseError) -> Bool
  {
    try HEVCNALUnitHeader.readPayload(of: unit, named: "slice segment", limit: 32, if: \.isVCL) {
      (header, reader) throws(ParseError) in
      guard try HEVCSliceHeader(&reader, header).isFirstInPicture else {
        throw .missing("first slice segment of a picture", at: Place(offset: 0))
      }
      try reader.skipBits(parameterSet.extraSliceHeaderBits)
      return try reader.readUE("slice_type", in: 0...2) == 2
    }
  }
}
