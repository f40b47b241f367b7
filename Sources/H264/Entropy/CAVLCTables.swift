/// The codes of adaptive variable-length coding (ITU-T H.264, 9.2).
struct CAVLCTables {
  /// Numbers of coefficients and of trailing ones, by the class of their surroundings (table 9-5): 0, 2, 4 and 8 or more.
  let tokens: [PrefixTable]
  /// The same of chroma DC, 4:2:0 and 4:2:2.
  let chromaTokens: [PrefixTable]
  /// Zeros before the last coefficient, by the number of coefficients less 1 (tables 9-7 and 9-8).
  let zeros: [PrefixTable]
  /// The same of chroma DC, 4:2:0 (table 9-9 a).
  let chromaZeros420: [PrefixTable]
  /// The same of chroma DC, 4:2:2 (table 9-9 b).
  let chromaZeros422: [PrefixTable]
  /// Zeros before a coefficient, by how many are left, at most 7 (table 9-10).
  let runs: [PrefixTable]

  init() {
    tokens = zip(Self.tokenLengths, Self.tokenCodes).map(Self.tokenTable)
    chromaTokens = [
      Self.tokenTable(Self.chroma420TokenLengths, Self.chroma420TokenCodes),
      Self.tokenTable(Self.chroma422TokenLengths, Self.chroma422TokenCodes),
    ]
    zeros = zip(Self.zeroLengths, Self.zeroCodes).map(Self.table)
    chromaZeros420 = zip(Self.chroma420ZeroLengths, Self.chroma420ZeroCodes).map(Self.table)
    chromaZeros422 = zip(Self.chroma422ZeroLengths, Self.chroma422ZeroCodes).map(Self.table)
    runs = zip(Self.runLengths, Self.runCodes).map(Self.table)
  }

  /// Gives the memory back.
  func free() {
    for table in tokens + chromaTokens + zeros + chromaZeros420 + chromaZeros422 + runs { table.free() }
  }

  /// Each value is the number of coefficients times 4 and the number of trailing ones.
  private static func tokenTable(_ lengths: [UInt8], _ codes: [UInt8]) -> PrefixTable {
    PrefixTable(lengths: lengths, codes: codes, values: lengths.indices.map { UInt8($0) })
  }

  private static func table(_ lengths: [UInt8], _ codes: [UInt8]) -> PrefixTable {
    PrefixTable(lengths: lengths, codes: codes, values: lengths.indices.map { UInt8($0) })
  }
}

// MARK: The standard's tables, as lengths and codes

extension CAVLCTables {
  /// `coded_block_pattern` of intra and of other macroblocks by code, with chroma of 4:2:0 or 4:2:2 (table 9-4 a).
  static let patterns: Pair<[UInt8]> = Pair(
    first: [
      47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46, 16, 3, 5, 10, 12, 19, 21, 26, 28, 35, 37, 42, 44, 1,
      2,
      4, 8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
    ],
    second: [
      0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13, 14, 6, 9, 31, 35, 37, 42, 44, 33, 34, 36, 40, 39, 43, 45,
      46,
      17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41,
    ])
  /// The same without chroma, or with all of it (table 9-4 b).
  static let lumaPatterns: Pair<[UInt8]> = Pair(
    first: [15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9],
    second: [0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9])

  // Four entries a number of coefficients: with 0 to 3 trailing ones.
  private static let tokenLengths: [[UInt8]] = [
    [
      1, 0, 0, 0, 6, 2, 0, 0, 8, 6, 3, 0, 9, 8, 7, 5, 10, 9, 8, 6, 11, 10, 9, 7, 13, 11, 10, 8, 13, 13, 11, 9, 13, 13,
      13,
      10, 14, 14, 13, 11, 14, 14, 14, 13, 15, 15, 14, 14, 15, 15, 15, 14, 16, 15, 15, 15, 16, 16, 16, 15, 16, 16, 16,
      16,
      16, 16, 16, 16,
    ],
    [
      2, 0, 0, 0, 6, 2, 0, 0, 6, 5, 3, 0, 7, 6, 6, 4, 8, 6, 6, 4, 8, 7, 7, 5, 9, 8, 8, 6, 11, 9, 9, 6, 11, 11, 11, 7,
      12,
      11, 11, 9, 12, 12, 12, 11, 12, 12, 12, 11, 13, 13, 13, 12, 13, 13, 13, 13, 13, 14, 13, 13, 14, 14, 14, 13, 14, 14,
      14,
      14,
    ],
    [
      4, 0, 0, 0, 6, 4, 0, 0, 6, 5, 4, 0, 6, 5, 5, 4, 7, 5, 5, 4, 7, 5, 5, 4, 7, 6, 6, 4, 7, 6, 6, 4, 8, 7, 7, 5, 8, 8,
      7,
      6, 9, 8, 8, 7, 9, 9, 8, 8, 9, 9, 9, 8, 10, 9, 9, 9, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
    ],
    [
      6, 0, 0, 0, 6, 6, 0, 0, 6, 6, 6, 0, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
      6,
      6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6,
    ],
  ]
  private static let tokenCodes: [[UInt8]] = [
    [
      1, 0, 0, 0, 5, 1, 0, 0, 7, 4, 1, 0, 7, 6, 5, 3, 7, 6, 5, 3, 7, 6, 5, 4, 15, 6, 5, 4, 11, 14, 5, 4, 8, 10, 13, 4,
      15,
      14, 9, 4, 11, 10, 13, 12, 15, 14, 9, 12, 11, 10, 13, 8, 15, 1, 9, 12, 11, 14, 13, 8, 7, 10, 9, 12, 4, 6, 5, 8,
    ],
    [
      3, 0, 0, 0, 11, 2, 0, 0, 7, 7, 3, 0, 7, 10, 9, 5, 7, 6, 5, 4, 4, 6, 5, 6, 7, 6, 5, 8, 15, 6, 5, 4, 11, 14, 13, 4,
      15,
      10, 9, 4, 11, 14, 13, 12, 8, 10, 9, 8, 15, 14, 13, 12, 11, 10, 9, 12, 7, 11, 6, 8, 9, 8, 10, 1, 7, 6, 5, 4,
    ],
    [
      15, 0, 0, 0, 15, 14, 0, 0, 11, 15, 13, 0, 8, 12, 14, 12, 15, 10, 11, 11, 11, 8, 9, 10, 9, 14, 13, 9, 8, 10, 9, 8,
      15,
      14, 13, 13, 11, 14, 10, 12, 15, 10, 13, 12, 11, 14, 9, 12, 8, 10, 13, 8, 13, 7, 9, 12, 9, 12, 11, 10, 5, 8, 7, 6,
      1, 4,
      3, 2,
    ],
    [
      3, 0, 0, 0, 0, 1, 0, 0, 4, 5, 6, 0, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
      28,
      29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
      57, 58,
      59, 60, 61, 62, 63,
    ],
  ]
  private static let chroma420TokenLengths: [UInt8] = [2, 0, 0, 0, 6, 1, 0, 0, 6, 6, 3, 0, 6, 7, 7, 6, 6, 8, 8, 7]
  private static let chroma420TokenCodes: [UInt8] = [1, 0, 0, 0, 7, 1, 0, 0, 4, 6, 1, 0, 3, 3, 2, 5, 2, 3, 2, 0]
  private static let chroma422TokenLengths: [UInt8] = [
    1, 0, 0, 0, 7, 2, 0, 0, 7, 7, 3, 0, 9, 7, 7, 5, 9, 9, 7, 6, 10, 10, 9, 7, 11, 11, 10, 7, 12, 12, 11, 10, 13, 12, 12,
    11,
  ]
  private static let chroma422TokenCodes: [UInt8] = [
    1, 0, 0, 0, 15, 1, 0, 0, 14, 13, 1, 0, 7, 12, 11, 1, 6, 5, 10, 1, 7, 6, 4, 9, 7, 6, 5, 8, 7, 6, 5, 4, 7, 5, 4, 4,
  ]
  private static let zeroLengths: [[UInt8]] = [
    [1, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9], [3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 6, 6, 6],
    [4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 6, 5, 6], [5, 3, 4, 4, 3, 3, 3, 4, 3, 4, 5, 5, 5],
    [4, 4, 4, 3, 3, 3, 3, 3, 4, 5, 4, 5],
    [6, 5, 3, 3, 3, 3, 3, 3, 4, 3, 6], [6, 5, 3, 3, 3, 2, 3, 4, 3, 6], [6, 4, 5, 3, 2, 2, 3, 3, 6],
    [6, 6, 4, 2, 2, 3, 2, 5],
    [5, 5, 3, 2, 2, 2, 4], [4, 4, 3, 3, 1, 3], [4, 4, 2, 1, 3], [3, 3, 1, 2], [2, 2, 1], [1, 1],
  ]
  private static let zeroCodes: [[UInt8]] = [
    [1, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 1], [7, 6, 5, 4, 3, 5, 4, 3, 2, 3, 2, 3, 2, 1, 0],
    [5, 7, 6, 5, 4, 3, 4, 3, 2, 3, 2, 1, 1, 0], [3, 7, 5, 4, 6, 5, 4, 3, 3, 2, 2, 1, 0],
    [5, 4, 3, 7, 6, 5, 4, 3, 2, 1, 1, 0],
    [1, 1, 7, 6, 5, 4, 3, 2, 1, 1, 0], [1, 1, 5, 4, 3, 3, 2, 1, 1, 0], [1, 1, 1, 3, 3, 2, 2, 1, 0],
    [1, 0, 1, 3, 2, 1, 1, 1],
    [1, 0, 1, 3, 2, 1, 1], [0, 1, 1, 2, 1, 3], [0, 1, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1], [0, 1],
  ]
  private static let chroma420ZeroLengths: [[UInt8]] = [[1, 2, 3, 3], [1, 2, 2], [1, 1]]
  private static let chroma420ZeroCodes: [[UInt8]] = [[1, 1, 1, 0], [1, 1, 0], [1, 0]]
  private static let chroma422ZeroLengths: [[UInt8]] = [
    [1, 3, 3, 4, 4, 4, 5, 5], [3, 2, 3, 3, 3, 3, 3], [3, 3, 2, 2, 3, 3], [3, 2, 2, 2, 3], [2, 2, 2, 2], [2, 2, 1],
    [1, 1],
  ]
  private static let chroma422ZeroCodes: [[UInt8]] = [
    [1, 2, 3, 2, 3, 1, 1, 0], [0, 1, 1, 4, 5, 6, 7], [0, 1, 1, 2, 6, 7], [6, 0, 1, 2, 7], [0, 1, 2, 3], [0, 1, 1],
    [0, 1],
  ]
  private static let runLengths: [[UInt8]] = [
    [1, 1], [1, 2, 2], [2, 2, 2, 2], [2, 2, 2, 3, 3], [2, 2, 3, 3, 3, 3], [2, 3, 3, 3, 3, 3, 3],
    [3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  ]
  private static let runCodes: [[UInt8]] = [
    [1, 0], [1, 1, 0], [3, 2, 1, 0], [3, 2, 1, 1, 0], [3, 2, 3, 2, 1, 0], [3, 0, 1, 3, 2, 5, 4],
    [7, 6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  ]
}
