public import LivePhotoCore

/// Which parameter set a NAL unit holds: a later unit of the same identity takes the place of an earlier one.
public struct ParameterSetIdentity: Hashable, Sendable {
  /// The number of the NAL unit type.
  public let type: UInt8
  /// The layer; 0 in H.264.
  public let layerID: UInt8
  /// The set's own identifier.
  public let id: Int

  /// The identity of an HEVC video, sequence or picture parameter set.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the unit is none, or its identifier cannot be read.
  public init(hevc unit: [UInt8]) throws(ParseError) {
    let header = try HEVCNALUnitHeader(parsing: unit.span)
    (type, layerID) = (header.type.rawValue, header.layerID)
    switch header.type {
    case .vps: id = try HEVCVideoParameterSet(parsing: unit.span).id
    case .sps: id = try HEVCSequenceParameterSet.id(in: unit.span)
    default: id = try HEVCPictureParameterSet(parsing: unit.span).id
    }
  }

  /// The identity of an H.264 sequence parameter set, an extension or a subset of one, or a picture parameter set.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when its identifier cannot be read.
  public init(h264 unit: [UInt8]) throws(ParseError) {
    let header = try H264NALUnitHeader(parsing: unit.span)
    (type, layerID) = (header.type.rawValue, 0)
    var reader = BitReader(unit.span)
    // A profile, its constraints and a level, none of them 0 twice in a row where a byte could have been inserted.
    try reader.skipBits(header.type == .sps || header.type == .subsetSPS ? 32 : 8)
    id = try reader.readUE("parameter set id", in: 0...255)
  }
}
