import LivePhotoBitstream

/// What coefficients are scaled by, for each list and quantiser, times 16 for 4x4 and times 64 for 8x8 (ITU-T H.264,
/// 8.5.9): `LevelScale << (qP / 6)`.
struct ScaleTables {
  /// By list (intra Y, Cb, Cr, inter Y, Cb, Cr), quantiser (0 to 87) and position, row by row.
  let small: Table<Int32>
  /// By list (Y intra, Y inter, Cb intra, and so on), quantiser and position.
  let large: Table<Int32>

  /// The most values of a quantiser: 52 and 6 for each bit above 8.
  static let quantizers = 88

  init(_ sps: H264SequenceParameterSet, _ pps: H264PictureParameterSet) {
    let lists = Self.lists(sps, pps)
    var small: [Int32] = [], large: [Int32] = []
    small.reserveCapacity(6 * Self.quantizers * 16)
    large.reserveCapacity(6 * Self.quantizers * 64)
    for list in lists[..<6] {
      for quantizer in 0..<Self.quantizers {
        for position in 0..<16 {
          let x = position & 3, y = position >> 2
          let norm = Self.norms4x4[quantizer % 6]
          let factor = x & 1 == 0 && y & 1 == 0 ? norm.0 : x & 1 == 1 && y & 1 == 1 ? norm.1 : norm.2
          small.append(Int32(list[position]) * factor << Int32(quantizer / 6))
        }
      }
    }
    for list in lists[6...] {
      for quantizer in 0..<Self.quantizers {
        for position in 0..<64 {
          let factor = Self.norms8x8[quantizer % 6][Self.kind8x8(position & 7, position >> 3)]
          large.append(Int32(list[position]) * factor << Int32(quantizer / 6))
        }
      }
    }
    self.small = Table(small)
    self.large = Table(large)
  }

  /// Gives the memory back.
  func free() {
    small.free()
    large.free()
  }

  private static let norms4x4: [(Int32, Int32, Int32)] = [
    (10, 16, 13), (11, 18, 14), (13, 20, 16), (14, 23, 18), (16, 25, 20), (18, 29, 23),
  ]
  private static let norms8x8: [[Int32]] = [
    [20, 18, 32, 19, 25, 24], [22, 19, 35, 21, 28, 26], [26, 23, 42, 24, 33, 31], [28, 25, 45, 26, 35, 33],
    [32, 28, 51, 30, 40, 38], [36, 32, 58, 34, 46, 43],
  ]

  /// Which of the six norms a position of an 8x8 block has (8-315).
  private static func kind8x8(_ x: Int, _ y: Int) -> Int {
    switch (x & 3, y & 3) {
    case (0, 0): 0
    case (1, 1), (1, 3), (3, 1), (3, 3): 1
    case (2, 2): 2
    case (0, 1), (0, 3), (1, 0), (3, 0): 3
    case (0, 2), (2, 0): 4
    default: 5
    }
  }
}

// MARK: Scaling lists

extension ScaleTables {
  /// The twelve lists in force, row by row: six of 4x4, six of 8x8 in the order of table 7-2.
  private static func lists(_ sps: H264SequenceParameterSet, _ pps: H264PictureParameterSet) -> [[UInt8]] {
    let flat = (0..<12).map { [UInt8](repeating: 16, count: $0 < 6 ? 16 : 64) }
    let ofSequence = sps.scalingMatrix.map { resolve($0.lists, fallback: defaults) }
    let coded = pps.scalingMatrix.map { resolve($0.lists, fallback: ofSequence ?? defaults) }
    return (coded ?? ofSequence ?? flat).enumerated().map { index, list in
      let scan = index < 6 ? BlockOrder.zigzag4x4 : BlockOrder.zigzag8x8
      var rows = list
      // Flat lists are the same in each order.
      for (position, factor) in zip(scan, list) { rows[Int(position)] = factor }
      return rows
    }
  }

  /// Lists as they are said, those left out by the fall-back rules (table 7-2).
  private static func resolve(_ said: [H264ScalingMatrix.List], fallback: [[UInt8]]) -> [[UInt8]] {
    var lists: [[UInt8]] = []
    for index in 0..<12 {
      let list = index < said.count ? said[index] : .fallback
      let before = index < 6 ? (index % 3 == 0 ? nil : index - 1) : (index < 8 ? nil : index - 2)
      switch list {
      case .factors(let factors): lists.append(factors)
      case .standard: lists.append(defaults[index])
      case .fallback: lists.append(before.map { lists[$0] } ?? fallback[index])
      }
    }
    return lists
  }

  /// Tables 7-3 and 7-4, in zig-zag order.
  private static let defaults: [[UInt8]] = {
    let intra4x4: [UInt8] = [6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42]
    let inter4x4: [UInt8] = [10, 14, 14, 20, 20, 20, 24, 24, 24, 24, 27, 27, 27, 30, 30, 34]
    let intra8x8: [UInt8] = [
      6, 10, 10, 13, 11, 13, 16, 16, 16, 16, 18, 18, 18, 18, 18, 23, 23, 23, 23, 23, 23, 25, 25, 25, 25, 25, 25, 25, 27,
      27, 27, 27, 27, 27, 27, 27, 29, 29, 29, 29, 29, 29, 29, 31, 31, 31, 31, 31, 31, 33, 33, 33, 33, 33, 36, 36, 36,
      36,
      38, 38, 38, 40, 40, 42,
    ]
    let inter8x8: [UInt8] = [
      9, 13, 13, 15, 13, 15, 17, 17, 17, 17, 19, 19, 19, 19, 19, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 24,
      24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 27, 27, 27, 27, 27, 27, 28, 28, 28, 28, 28, 30, 30, 30,
      30,
      32, 32, 32, 33, 33, 35,
    ]
    return [
      intra4x4, intra4x4, intra4x4, inter4x4, inter4x4, inter4x4, intra8x8, inter8x8, intra8x8, inter8x8, intra8x8,
      inter8x8,
    ]
  }()
}
