import LivePhotoCore
import LivePhotoH264Kernels

/// Syntax elements of arithmetic coding (ITU-T H.264, 9.3.2 and 9.3.3.1).
extension SliceDecoder {
  @inline(__always)
  private mutating func neighbour(_ index: Int, is condition: (MacroblockKind) -> Bool) -> Int {
    index >= 0 && condition(store.kinds[index]) ? 1 : 0
  }

  /// `mb_skip_flag`.
  mutating func readSkipFlag() -> Bool {
    let a = neighbour(near.left.first) { !$0.contains(.skipped) }
    let b = neighbour(near.top) { !$0.contains(.skipped) }
    return cabac.flag((isB ? 24 : 11) + a + b)
  }

  /// `mb_field_decoding_flag`: whether the pairs to the left and above are those of fields.
  mutating func readFieldFlag() -> Bool {
    let width = geometry.width
    let pair = place.index - (place.index / width & 1) * width
    var context = 70
    if place.x > 0, store.slices[pair - 1] == number, store.kinds[pair - 1].isField { context += 1 }
    let above = pair - 2 * width
    if above >= 0, store.slices[above] == number, store.kinds[above].isField { context += 1 }
    return cabac.flag(context)
  }

  /// `mb_type`.
  mutating func readArithmeticType() -> MacroblockType? {
    switch header.type {
    case .i:
      let a = neighbour(near.left.first) { !$0.contains(.intraBlocks) }
      let b = neighbour(near.top) { !$0.contains(.intraBlocks) }
      guard cabac.flag(3 + a + b) else { return .intraBlocks }
      return MacroblockType(intra: readIntraType(3, 4, 5, 6, 7, base: 3))
    case .p:
      guard cabac.flag(14) else {
        if !cabac.flag(15) { return MacroblockType(p: cabac.flag(16) ? 3 : 0) }
        return MacroblockType(p: cabac.flag(17) ? 1 : 2)
      }
      guard cabac.flag(17) else { return .intraBlocks }
      return MacroblockType(intra: readIntraType(1, 2, 2, 3, 3, base: 17))
    case .b: return readTypeOfB()
    }
  }

  /// The type behind the first bin; the steps are those of contexts.
  private mutating func readIntraType(
    _ luma: Int, _ chroma: Int, _ allChroma: Int, _ high: Int, _ low: Int, base: Int
  ) -> Int {
    if cabac.terminate() { return 25 }
    var code = 1
    if cabac.flag(base + luma) { code += 12 }
    if cabac.flag(base + chroma) { code += 4 + 4 * cabac.decode(base + allChroma) }
    code += 2 * cabac.decode(base + high)
    return code + cabac.decode(base + low)
  }

  private mutating func readTypeOfB() -> MacroblockType? {
    let a = neighbour(near.left.first) { !$0.contains(.direct) }
    let b = neighbour(near.top) { !$0.contains(.direct) }
    guard cabac.flag(27 + a + b) else { return .direct }
    guard cabac.flag(30) else { return MacroblockType(b: 1 + cabac.decode(32)) }
    var code = cabac.decode(31) << 3
    for shift in [2, 1, 0] { code |= cabac.decode(32) << shift }
    switch code {
    case 0..<8: return MacroblockType(b: code + 3)
    case 13:
      guard cabac.flag(32) else { return .intraBlocks }
      return MacroblockType(intra: readIntraType(1, 2, 2, 3, 3, base: 32))
    case 14: return MacroblockType(b: 11)
    case 15: return MacroblockType(b: 22)
    default: return MacroblockType(b: (code << 1 | cabac.decode(32)) - 4)
    }
  }

  /// `sub_mb_type`.
  mutating func readArithmeticSubType() -> SubMacroblockType? {
    guard isB else {
      if cabac.flag(21) { return SubMacroblockType(p: 0) }
      guard cabac.flag(22) else { return SubMacroblockType(p: 1) }
      return SubMacroblockType(p: cabac.flag(23) ? 2 : 3)
    }
    guard cabac.flag(36) else { return .direct }
    guard cabac.flag(37) else { return SubMacroblockType(b: 1 + cabac.decode(39)) }
    var code = 3
    if cabac.flag(38) {
      if cabac.flag(39) { return SubMacroblockType(b: 11 + cabac.decode(39)) }
      code += 4
    }
    code += 2 * cabac.decode(39)
    return SubMacroblockType(b: code + cabac.decode(39))
  }

  /// `ref_idx_l0` or `ref_idx_l1` of the block of 8x8 at a corner of the working memory.
  mutating func readArithmeticReference(_ list: Int, block: Int) -> Int {
    let x = block & 1, y = block >> 1
    var context = 0
    if referenceCounts(list, x: x - 1, y: y) { context += 1 }
    if referenceCounts(list, x: x, y: y - 1) { context += 2 }
    var index = 0
    while index < 32, cabac.flag(54 + context) {
      index += 1
      context = context >> 2 + 4
    }
    return index
  }

  /// Whether a block of 8x8 near the macroblock, or in it, refers to another picture than the first, not directly.
  private mutating func referenceCounts(_ list: Int, x: Int, y: Int) -> Bool {
    if x >= 0, y >= 0 {
      let block = y << 1 | x
      return directMask >> UInt8(block) & 1 == 0 && chosen[list][block] > 0
    }
    if y < 0 {
      guard near.top >= 0, store.directBlocks[near.top] >> UInt8(2 + x) & 1 == 0 else { return false }
      return work.references[list][1 + 2 * x] > 0
    }
    let other = near.left[y]
    let row = Int(near.leftRows[2 * y])
    guard other >= 0, store.directBlocks[other] >> UInt8(row & 2 | 1) & 1 == 0 else { return false }
    return work.references[list][(1 + 2 * y) * 8] > 0
  }

  /// `mvd_l0` or `mvd_l1` of a block of 4x4 of the working memory.
  mutating func readArithmeticDifference(_ list: Int, at position: Int) -> SIMD2<Int> {
    let left = work.differences[list][position - 1], top = work.differences[list][position - 8]
    let x = readDifference(40, Int(left.x) + Int(top.x))
    return SIMD2(x, readDifference(47, Int(left.y) + Int(top.y)))
  }

  private mutating func readDifference(_ base: Int, _ sum: Int) -> Int {
    guard cabac.flag(base + (sum < 3 ? 0 : sum > 32 ? 2 : 1)) else { return 0 }
    var size = 1
    var context = 3
    while size < 9, cabac.flag(base + context) {
      size += 1
      if context < 6 { context += 1 }
    }
    if size == 9 { size += readExponential(3) }
    return cabac.bypass() == 1 ? -size : size
  }

  /// The suffix of an Exp-Golomb code of an order, in bins of equal probability (9.3.2.3).
  mutating func readExponential(_ order: Int) -> Int {
    var order = order
    var value = 0
    while order < 24, cabac.bypass() == 1 {
      value += 1 << order
      order += 1
    }
    while order > 0 {
      order -= 1
      value += cabac.bypass() << order
    }
    return value
  }

  /// `coded_block_pattern`.
  mutating func readArithmeticPattern() -> UInt8 {
    let top = near.top >= 0 ? store.patterns[near.top] : 0x0F
    var luma: UInt8 = 0
    for block in 0..<4 {
      let a = block & 1 == 1 ? luma >> (UInt8(block) - 1) & 1 : patternToTheLeft(block >> 1)
      let b = block & 2 == 2 ? luma >> (UInt8(block) - 2) & 1 : top >> (2 + UInt8(block)) & 1
      luma |= UInt8(cabac.decode(73 + Int(1 - a) + 2 * Int(1 - b))) << UInt8(block)
    }
    guard geometry.chroma == .yuv420 || geometry.chroma == .yuv422 else { return luma }
    let a = near.left.first >= 0 ? store.patterns[near.left.first] >> 4 : 0
    let b = near.top >= 0 ? store.patterns[near.top] >> 4 : 0
    guard cabac.flag(77 + (a != 0 ? 1 : 0) + (b != 0 ? 2 : 0)) else { return luma }
    return luma | UInt8(1 + cabac.decode(81 + (a == 2 ? 1 : 0) + (b == 2 ? 2 : 0))) << 4
  }

  /// Whether the block of 8x8 to the left of a row of them is coded, or there is none.
  private mutating func patternToTheLeft(_ row: Int) -> UInt8 {
    let other = near.left[row]
    return other >= 0 ? store.patterns[other] >> (near.leftRows[2 * row] & 2 | 1) & 1 : 1
  }

  /// `mb_qp_delta`.
  mutating func readArithmeticQuantizer() -> Int {
    var context = changedQuantizer ? 61 : 60
    var code = 0
    while code < 180, cabac.flag(context) {
      context = context < 62 ? 62 : 63
      code += 1
    }
    return code & 1 == 1 ? (code + 1) >> 1 : -(code >> 1)
  }

  /// `intra_chroma_pred_mode`.
  mutating func readArithmeticChromaMode() -> Int {
    let a = near.left.first >= 0 && store.chromaModes[near.left.first] != 0 ? 1 : 0
    let b = near.top >= 0 && store.chromaModes[near.top] != 0 ? 1 : 0
    guard cabac.flag(64 + a + b) else { return 0 }
    guard cabac.flag(67) else { return 1 }
    return cabac.flag(67) ? 3 : 2
  }

  /// `rem_intra4x4_pred_mode` or its like for 8x8; nil where the predicted mode holds.
  mutating func readArithmeticMode() -> Int? {
    guard !cabac.flag(68) else { return nil }
    return cabac.decode(69) | cabac.decode(69) << 1 | cabac.decode(69) << 2
  }

  /// `transform_size_8x8_flag`.
  mutating func readArithmeticTransform() -> Bool {
    let a = neighbour(near.left.first) { $0.contains(.transform8x8) }
    let b = neighbour(near.top) { $0.contains(.transform8x8) }
    return cabac.flag(399 + a + b)
  }
}
