/// Divisors of coefficients that the caller chooses, in place of those that ``JPEGEncoder/quality`` stands for.
public struct JPEGQuantizationTables: Sendable, Hashable {
  /// The divisors for luma: 64 values of 1 to 255, row by row (vertical frequency × 8 + horizontal frequency), as
  /// ITU-T T.81 prints them in K.1.
  public let luma: [UInt8]
  /// The divisors for both chroma components, in the same order.
  public let chroma: [UInt8]

  /// Tables of 64 values in row by row order; chroma's are luma's unless they are given.
  ///
  /// - Throws: ``JPEGError/quantizationTableMalformed(_:)`` unless there are 64 values in each, none of them 0.
  public init(luma: [UInt8], chroma: [UInt8]? = nil) throws(JPEGError) {
    for (name, values) in [("luma", luma), ("chroma", chroma ?? luma)] {
      guard values.count == 64 else { throw .quantizationTableMalformed("\(name) has \(values.count) values") }
      guard !values.contains(0) else { throw .quantizationTableMalformed("\(name) has a 0") }
    }
    self.luma = luma
    self.chroma = chroma ?? luma
  }
}
