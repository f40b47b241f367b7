/// The weights, in 256ths, by which the means of 5 × 5 blocks give the lowest coefficients of the one in the middle.
enum SmoothingKernels {
  /// Where AC coefficients are known in part: DC (not used), then five in zigzag order.
  static let narrow: [[Int]] = [
    [], narrow01, transposed(narrow01), transposed(narrow02),
    [
      0, -1, 0, 1, 0,
      -1, 10, 0, -10, 1,
      0, 0, 0, 0, 0,
      1, -10, 0, 10, -1,
      0, 1, 0, -1, 0,
    ],
    narrow02,
  ]

  /// Where none is known: DC, then nine in zigzag order.
  static let wide: [[Int]] = [
    [
      -2, -6, -8, -6, -2,
      -6, 6, 42, 6, -6,
      -8, 42, 152, 42, -8,
      -6, 6, 42, 6, -6,
      -2, -6, -8, -6, -2,
    ],
    wide01, transposed(wide01), transposed(wide02),
    [
      -1, 0, 0, 0, 1,
      0, 9, 0, -9, 0,
      0, 0, 0, 0, 0,
      0, -9, 0, 9, 0,
      1, 0, 0, 0, -1,
    ],
    wide02, wide03, wide12, transposed(wide12), transposed(wide03),
  ]

  private static let narrow01 = onMiddleRow([-7, 50, 0, -50, 7])
  private static let narrow02 = onMiddleRow([-1, 13, -24, 13, -1])
  private static let wide01 = [
    -1, -1, 0, 1, 1,
    -3, 13, 0, -13, 3,
    -3, 38, 0, -38, 3,
    -3, 13, 0, -13, 3,
    -1, -1, 0, 1, 1,
  ]
  private static let wide02 = [
    0, 0, 0, 0, 0,
    0, 2, -5, 2, 0,
    1, 7, -14, 7, 1,
    0, 2, -5, 2, 0,
    0, 0, 0, 0, 0,
  ]
  private static let wide03 = [
    0, 0, 0, 0, 0,
    0, 1, 0, -1, 0,
    0, 2, 0, -2, 0,
    0, 1, 0, -1, 0,
    0, 0, 0, 0, 0,
  ]
  private static let wide12 = [
    0, 0, 0, 0, 0,
    0, 1, -3, 1, 0,
    0, 0, 0, 0, 0,
    0, -1, 3, -1, 0,
    0, 0, 0, 0, 0,
  ]

  private static func onMiddleRow(_ weights: [Int]) -> [Int] {
    let empty = [Int](repeating: 0, count: 10)
    return empty + weights + empty
  }

  /// The weights of the coefficient with the two frequencies exchanged.
  private static func transposed(_ weights: [Int]) -> [Int] {
    (0..<25).map { weights[$0 % 5 * 5 + $0 / 5] }
  }
}
