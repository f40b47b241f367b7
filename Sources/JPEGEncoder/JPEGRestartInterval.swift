/// How many minimum coded units (MCUs) lie between restart markers, at which a decoder can begin anew after damage or
/// on another thread (ITU-T T.81, B.2.4.4).
///
/// An MCU is 8×8 pixels in 4:4:4 and grey, 16×8 in 4:2:2, 16×16 in 4:2:0 and 32×8 in 4:1:1.
public enum JPEGRestartInterval: Sendable, Hashable {
  /// This many MCUs, 1 to 65,535.
  case mcus(Int)
  /// This many rows of MCUs; together at most 65,535 MCUs.
  case rows(Int)

  /// The interval in MCUs.
  func mcus(mcusPerRow: Int) throws(JPEGError) -> Int {
    let (mcus, overflow) =
      switch self {
      case .mcus(let count): (count, false)
      case .rows(let count): count.multipliedReportingOverflow(by: mcusPerRow)
      }
    guard !overflow, (1...65_535).contains(mcus) else { throw .restartIntervalOutOfRange(self) }
    return mcus
  }
}
