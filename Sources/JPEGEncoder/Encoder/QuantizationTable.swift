import LivePhotoJPEGKernels

/// The 64 divisors of a component's coefficients, in natural (row by row) order, each 1 to 255.
struct QuantizationTable: Hashable, Sendable {
  let values: [UInt8]

  /// Whether 16 bits inside the transform cost less than 0.05 dB beside what this table takes away.
  ///
  /// The transform's own error has one size whatever the table is: about that of quantising by 0.45. It may be 1 % of
  /// what quantising adds, which is measured on coefficients that pictures have: those of the lowest frequencies, and of
  /// the others no more than a quantiser of 5 takes. The standard tables pass up to quality 94.
  var allowsFastTransform: Bool {
    let lowest = Zigzag.natural.prefix(10).map { Int(values[Int($0)]) }
    let all = values.map { min(5, Int($0)) }
    func squares(_ values: [Int]) -> Int { values.reduce(0) { $0 + $1 * $1 } }
    return squares(lowest) >= 20 && squares(all) >= 16 * 64
  }

  /// One of the example tables of ITU-T T.81, K.1, scaled to a quality of 1 to 100 the way the Independent JPEG
  /// Group's software does it: 50 is the table itself, 100 is all ones.
  static func standard(_ example: Example, quality: Int) -> QuantizationTable {
    let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return QuantizationTable(
      values: example.values.map { UInt8(min(255, max(1, (Int($0) * scale + 50) / 100))) })
  }

  /// The example tables.
  enum Example: Sendable {
    case luma, chroma

    var values: [UInt8] {
      switch self {
      case .luma:
        [
          16, 11, 10, 16, 24, 40, 51, 61,
          12, 12, 14, 19, 26, 58, 60, 55,
          14, 13, 16, 24, 40, 57, 69, 56,
          14, 17, 22, 29, 51, 87, 80, 62,
          18, 22, 37, 56, 68, 109, 103, 77,
          24, 35, 55, 64, 81, 104, 113, 92,
          49, 64, 78, 87, 103, 121, 120, 101,
          72, 92, 95, 98, 112, 100, 103, 99,
        ]
      case .chroma:
        [
          17, 18, 24, 47, 99, 99, 99, 99,
          18, 21, 26, 66, 99, 99, 99, 99,
          24, 26, 56, 99, 99, 99, 99, 99,
          47, 66, 99, 99, 99, 99, 99, 99,
          99, 99, 99, 99, 99, 99, 99, 99,
          99, 99, 99, 99, 99, 99, 99, 99,
          99, 99, 99, 99, 99, 99, 99, 99,
          99, 99, 99, 99, 99, 99, 99, 99,
        ]
      }
    }
  }
}
