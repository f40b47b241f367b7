public import LivePhotoCore

/// The parameter sets that a decoder holds, to tell a repeated one from a changed one.
///
/// Streams repeat their parameter sets, before each random access picture or in each tile. A repetition is allowed to
/// change nothing; handing it to a decoder again costs time, and disturbs some.
public struct HEVCParameterSetStore: Sendable {
  private var sets: [ParameterSetIdentity: [UInt8]] = [:]

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
    let key = try ParameterSetIdentity(hevc: unit)
    guard sets[key] != unit else { return false }
    if key.type == HEVCNALUnitType.sps.rawValue {
      sets = sets.filter { $0.key.type != HEVCNALUnitType.pps.rawValue }
    }
    sets[key] = unit
    return true
  }
}
