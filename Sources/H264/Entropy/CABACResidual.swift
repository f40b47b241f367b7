import LivePhotoH264Kernels

/// Where the contexts of a kind of block begin, by `ctxBlockCat` (ITU-T H.264, tables 9-34 and 9-40).
enum ResidualContexts {
  /// `coded_block_flag`.
  static let flags: [Int] = [85, 89, 93, 97, 101, 1012, 460, 464, 468, 1016, 472, 476, 480, 1020]
  /// `significant_coeff_flag`, of frames and of fields.
  static let significant: [[Int]] = [
    [105, 120, 134, 149, 152, 402, 484, 499, 513, 660, 528, 543, 557, 718],
    [277, 292, 306, 321, 324, 436, 776, 791, 805, 675, 820, 835, 849, 733],
  ]
  /// `last_significant_coeff_flag`, of frames and of fields.
  static let last: [[Int]] = [
    [166, 181, 195, 210, 213, 417, 572, 587, 601, 690, 616, 631, 645, 748],
    [338, 353, 367, 382, 385, 451, 864, 879, 893, 699, 908, 923, 937, 757],
  ]
  /// `coeff_abs_level_minus1`.
  static let levels: [Int] = [227, 237, 247, 257, 266, 426, 952, 962, 972, 708, 982, 992, 1002, 766]

  /// The step of `significant_coeff_flag` for each coefficient of an 8x8 block (table 9-43): frames, then fields.
  static let significant8x8: [UInt8] = [
    0, 1, 2, 3, 4, 5, 5, 4, 4, 3, 3, 4, 4, 4, 5, 5, 4, 4, 4, 4, 3, 3, 6, 7, 7, 7, 8, 9, 10, 9, 8, 7, 7, 6, 11, 12, 13,
    11,
    6, 7, 8, 9, 14, 10, 9, 8, 6, 11, 12, 13, 11, 6, 9, 14, 10, 9, 11, 12, 13, 11, 14, 10, 12, 0,
    0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 7, 8, 4, 5, 6, 9, 10, 10, 8, 11, 12, 11, 9, 9, 10, 10, 8, 11, 12, 11, 9, 9, 10,
    10,
    8, 11, 12, 11, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10, 10, 8, 13, 13, 9, 9, 10, 10, 14, 14, 14, 14, 14, 0,
  ]
  /// The step of `last_significant_coeff_flag` likewise.
  static let last8x8: [UInt8] = [
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3,
    3,
    4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8,
  ]
}

/// One block of coefficients to be read.
struct ResidualBlock {
  /// `ctxBlockCat`.
  var category: Int
  /// How many coefficients there may be.
  var count: Int
  /// Where the coefficients go, in the working memory; the block's first one.
  var destination: Int
  /// Their order, and where it begins.
  var scan: Table<UInt8>
  var scanStart: Int
  /// What they are scaled by: a table and where it begins; nil for levels as they are.
  var scale: (table: Table<Int32>, start: Int)?
  /// The logarithm of what the scale is too large by.
  var shift: Int

  /// The same block, with its coefficients put elsewhere.
  func at(_ destination: Int) -> ResidualBlock {
    var block = self
    block.destination = destination
    return block
  }
}

extension SliceDecoder {
  /// Reads the coefficients of a block whose `coded_block_flag` is 1; how many are not zero.
  mutating func readArithmeticBlock(_ block: borrowing ResidualBlock) -> Int {
    var engine = cabac
    let field = place.structure.isField ? 1 : 0
    let category = block.category
    let is8x8 = block.count == 64
    let significant = ResidualContexts.significant[field][category]
    let last = ResidualContexts.last[field][category]
    let positions = work.positions
    var found = 0
    let end = block.count - 1
    var index = 0
    if is8x8 {
      let steps = tables.significant8x8, lastSteps = tables.last8x8
      while index < end {
        if engine.flag(significant + Int(steps[field * 64 + index])) {
          positions[found] = UInt8(truncatingIfNeeded: index)
          found += 1
          if engine.flag(last + Int(lastSteps[index])) { break }
        }
        index += 1
      }
    } else if category == 3 {
      // One context for each coefficient of 4:2:0, for each two of 4:2:2.
      let halves = end == 7 ? 1 : 0
      while index < end {
        let step = min(index >> halves, 2)
        if engine.flag(significant + step) {
          positions[found] = UInt8(truncatingIfNeeded: index)
          found += 1
          if engine.flag(last + step) { break }
        }
        index += 1
      }
    } else {
      while index < end {
        if engine.flag(significant + index) {
          positions[found] = UInt8(truncatingIfNeeded: index)
          found += 1
          if engine.flag(last + index) { break }
        }
        index += 1
      }
    }
    if index == end {
      positions[found] = UInt8(truncatingIfNeeded: end)
      found += 1
    }
    readLevels(block, found, &engine)
    cabac = engine
    return found
  }

  @inline(__always)
  private mutating func readLevels(_ block: borrowing ResidualBlock, _ found: Int, _ engine: inout CABACEngine) {
    let base = ResidualContexts.levels[block.category]
    let mostGreater = block.category == 3 ? 3 : 4
    var ones = 1, greater = 0
    for number in stride(from: found - 1, through: 0, by: -1) {
      let position = Int(work.positions[number])
      var level = 1
      if engine.flag(base + (greater > 0 ? 0 : min(4, ones))) {
        let context = base + 5 + min(mostGreater, greater)
        level = 2
        while level < 15, engine.flag(context) { level += 1 }
        if level == 15 { level += Self.exponential(&engine) }
        greater += 1
      } else {
        ones += 1
      }
      if engine.bypass() == 1 { level = -level }
      put(level, position, block)
    }
  }

  /// The suffix of a level: an Exp-Golomb code of order 0.
  private static func exponential(_ engine: inout CABACEngine) -> Int {
    var order = 0, value = 0
    while order < 24, engine.bypass() == 1 {
      value += 1 << order
      order += 1
    }
    while order > 0 {
      order -= 1
      value += engine.bypass() << order
    }
    return value
  }

  /// Scales a level and puts it where it belongs (8.5.12.1).
  @inline(__always)
  mutating func put(_ level: Int, _ position: Int, _ block: borrowing ResidualBlock) {
    let place = Int(block.scan[block.scanStart + position])
    var value = level
    if let scale = block.scale {
      value = (level &* Int(scale.table[scale.start + place]) &+ (1 << block.shift) >> 1) >> block.shift
    }
    work.coefficients[block.destination + place] = Int32(truncatingIfNeeded: value)
  }
}
