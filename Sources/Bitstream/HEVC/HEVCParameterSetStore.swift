public import LivePhotoCore

/// The parameter sets that a decoder holds, to tell a repeated one from a changed one.
///
/// Streams repeat their parameter sets, before each random access picture or in each tile. A repetition is allowed to
/// change nothing; handing it to a decoder again costs time, and disturbs some.
public struct HEVCParameterSetStore: Sendable {
  private struct Key: Hashable {
    var type: HEVCNALUnitType
    var layerID: UInt8
    var id: Int
  }
  private var sets: [Key: [UInt8]] = [:]

  /// An empty store.
  public init() {}

  /// Remembers a parameter set, and says whether the decoder needs it: whether it is new or differs from the last one
  /// with its identifier.
  ///
  /// After a new sequence parameter set, the picture parameter sets count as new again, since they are read
  /// in its light.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the unit is no parameter set or its identifier cannot be read.
  public mutating func insert(_ unit: [UInt8]) throws(ParseError) -> Bool {
    let header = try HEVCNALUnitHeader(parsing: unit.span)
    let id: Int
    switch header.type {
    case .vps: id = try HEVCVideoParameterSet(parsing: unit.span).id
    case .sps: id = try HEVCSequenceParameterSet.id(in: unit.span)
    default: id = try HEVCPictureParameterSet(parsing: unit.span).id
    }
    let key = Key(type: header.type, layerID: header.layerID, id: id)
    guard sets[key] != unit else { return false }
    if header.type == .sps { sets = sets.filter { $0.key.type != .pps } }
    sets[key] = unit
    return true
  }
}
