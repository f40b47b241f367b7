import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264Kernels

/// The residual of a macroblock: which blocks are read, and what their numbers of coefficients mean for others
/// (ITU-T H.264, 7.3.5.3).
extension SliceDecoder {
  /// The quantiser of a plane, `QP'Y` or `QP'C` (8.5.8).
  mutating func quantizer(ofPlane plane: Int) -> Int {
    plane == 0
      ? quantizer + 6 * (geometry.lumaDepth - 8) : chromaQuantizer(quantizer, plane) + 6 * (geometry.chromaDepth - 8)
  }

  /// `QPC` of a plane for a `QPY`.
  mutating func chromaQuantizer(_ luma: Int, _ plane: Int) -> Int {
    ChromaQuantizer.value(luma + pps.chromaQPOffsets[plane - 1], lowest: -6 * (geometry.chromaDepth - 8))
  }

  /// Whether coefficients are differences of samples, neither scaled nor transformed.
  var isBypass: Bool { sps.hasLosslessBypass && quantizer + 6 * (geometry.lumaDepth - 8) == 0 }

  /// Reads all coefficients of the macroblock.
  mutating func readResidual() throws(H264Error) {
    try readLikeLuma(plane: 0)
    switch geometry.chroma {
    case .yuv400: break
    case .yuv420, .yuv422: try readChroma()
    case .yuv444:
      try readLikeLuma(plane: 1)
      try readLikeLuma(plane: 2)
    }
  }

  /// The number of coefficients of a block, as its neighbours see it.
  @inline(__always)
  private mutating func countIndex(_ index: Int, _ plane: Int, _ x: Int, _ y: Int) -> Int {
    index * 48 + plane * 16 + y * 4 + x
  }

  /// The numbers of coefficients to the left of a block and above it; negative where there is no block.
  @inline(__always)
  private mutating func counts(around x: Int, _ y: Int, plane: Int, columns: Int, rows: Int) -> (left: Int, top: Int) {
    let left: Int, top: Int
    if x > 0 {
      left = Int(store.counts[countIndex(place.index, plane, x - 1, y)])
    } else {
      // Of the rows of chroma of 4:2:0, each stands for two of luma.
      let lumaRow = rows == 2 ? 2 * y : y
      let other = near.left(ofRow: lumaRow)
      let row = Int(near.leftRows[lumaRow]) >> (rows == 2 ? 1 : 0)
      left = other < 0 ? -1 : Int(store.counts[countIndex(other, plane, columns - 1, row)])
    }
    if y > 0 {
      top = Int(store.counts[countIndex(place.index, plane, x, y - 1)])
    } else {
      top = near.top < 0 ? -1 : Int(store.counts[countIndex(near.top, plane, x, rows - 1)])
    }
    return (left, top)
  }

  /// The same for a block of 8x8 that has a flag of its own: macroblocks with smaller blocks count as empty, unless
  /// their samples are not coded.
  private mutating func large(around x: Int, _ y: Int, plane: Int) -> (left: Int, top: Int) {
    var around = counts(around: x, y, plane: plane, columns: 4, rows: 4)
    func hasLarge(_ index: Int) -> Bool { !store.kinds[index].isDisjoint(with: [.transform8x8, .pcm]) }
    if x == 0, around.left > 0, !hasLarge(near.left(ofRow: y)) { around.left = 0 }
    if y == 0, around.top > 0, !hasLarge(near.top) { around.top = 0 }
    return around
  }

  /// `nC` of variable-length coding (9.2.1).
  @inline(__always)
  private mutating func context(_ around: (left: Int, top: Int)) -> Int {
    switch (around.left, around.top) {
    case (0..., 0...): (around.left + around.top + 1) >> 1
    case (0..., _): around.left
    case (_, 0...): around.top
    default: 0
    }
  }

  /// `coded_block_flag` (9.3.3.1.1.9).
  @inline(__always)
  private mutating func readFlag(_ category: Int, _ around: (left: Int, top: Int)) -> Bool {
    let missing = kind.isIntra ? 1 : 0
    let a = around.left < 0 ? missing : around.left > 0 ? 1 : 0
    let b = around.top < 0 ? missing : around.top > 0 ? 1 : 0
    return cabac.flag(tables.flags[category] + a + 2 * b)
  }

  /// Whether the DC blocks of a plane to the left and above have coefficients; negative where there is no macroblock.
  private mutating func dcFlags(around plane: Int) -> (left: Int, top: Int) {
    func flag(_ index: Int) -> Int { index < 0 ? -1 : Int(store.dcFlags[index] >> UInt8(plane) & 1) }
    return (flag(near.left.first), flag(near.top))
  }
}

// MARK: Planes coded as luma is

extension SliceDecoder {
  private mutating func readLikeLuma(plane: Int) throws(H264Error) {
    let quantizer = quantizer(ofPlane: plane)
    let isInter = !kind.isIntra
    let small = ((isInter ? 3 : 0) + plane) * ScaleTables.quantizers * 16 + quantizer * 16
    let large = (2 * plane + (isInter ? 1 : 0)) * ScaleTables.quantizers * 64 + quantizer * 64
    // ctxBlockCat counts on by 6 and 10 for Cb and Cr (table 9-42).
    let categories = plane == 0 ? 0 : plane == 1 ? 6 : 10
    if kind.contains(.intra16x16) { try readDC(plane: plane, category: categories, scale: small) }
    for block in 0..<4 where pattern >> UInt8(block) & 1 == 1 {
      if kind.contains(.transform8x8) {
        try read8x8(block, plane: plane, category: plane == 0 ? 5 : plane == 1 ? 9 : 13, scale: large)
      } else {
        for part in 4 * block..<4 * block + 4 {
          try read4x4(part, plane: plane, category: categories, scale: small)
        }
      }
    }
  }

  /// The DC coefficients of a macroblock that is predicted as a whole, transformed and put into their blocks (8.5.10).
  private mutating func readDC(plane: Int, category: Int, scale: Int) throws(H264Error) {
    let block = ResidualBlock(
      category: category, count: 16, destination: 0, scan: tables.scans.small,
      scanStart: place.structure.isField ? 16 : 0, scale: nil, shift: 0)
    let base = plane * 256
    var count = 0
    if usesCABAC {
      if readFlag(category, dcFlags(around: plane)) { count = readArithmeticBlock(intoLevels: block) }
      if count > 0 { store.dcFlags[place.index] |= 1 << UInt8(plane) }
    } else {
      let around = counts(around: 0, 0, plane: plane, columns: 4, rows: 4)
      count = try readVariableLengthBlock(intoLevels: block, context: context(around))
    }
    guard count > 0 else { return }
    if !isBypass { DCTransform.transform4x4(work.dc, scale: Int(scales.small[scale])) }
    for index in 0..<16 {
      let value = work.dc[BlockOrder.raster[index]]
      work.dc[BlockOrder.raster[index]] = 0
      work.coefficients[base + index * 16] = value
      if value != 0 { mark(index, plane, isDCOnly: true) }
    }
  }

  private mutating func read4x4(_ index: Int, plane: Int, category: Int, scale: Int) throws(H264Error) {
    let raster = BlockOrder.raster[index], x = raster & 3, y = raster >> 2
    let isAC = kind.contains(.intra16x16)
    let block = ResidualBlock(
      category: category + (isAC ? 1 : 2), count: isAC ? 15 : 16, destination: plane * 256 + index * 16,
      scan: tables.scans.small, scanStart: (place.structure.isField ? 16 : 0) + (isAC ? 1 : 0),
      scale: isBypass ? nil : (scales.small, scale), shift: 4)
    let around = counts(around: x, y, plane: plane, columns: 4, rows: 4)
    let count: Int
    if usesCABAC {
      count = readFlag(block.category, around) ? readArithmeticBlock(block) : 0
    } else {
      count = try readVariableLengthBlock(block, context: context(around))
    }
    guard count > 0 else { return }
    store.counts[countIndex(place.index, plane, x, y)] = UInt8(count)
    mark(index, plane, isDCOnly: !isAC && count == 1 && work.coefficients[block.destination] != 0)
  }

  private mutating func read8x8(_ index: Int, plane: Int, category: Int, scale: Int) throws(H264Error) {
    let x = index & 1, y = index >> 1, field = place.structure.isField ? 1 : 0
    let destination = plane * 256 + index * 64
    let scaling: (Table<Int32>, Int)? = isBypass ? nil : (scales.large, scale)
    var total = 0
    if usesCABAC {
      let block = ResidualBlock(
        category: category, count: 64, destination: destination, scan: tables.scans.large, scanStart: field * 64,
        scale: scaling, shift: 6)
      var isCoded = true
      if geometry.chroma == .yuv444 { isCoded = readFlag(category, large(around: 2 * x, 2 * y, plane: plane)) }
      if isCoded { total = readArithmeticBlock(block) }
      // Where no flag is coded, others take it for 1.
      for part in 0..<4 where total > 0 {
        store.counts[countIndex(place.index, plane, 2 * x + part & 1, 2 * y + part >> 1)] = UInt8(total)
      }
    } else {
      for part in 0..<4 {
        let block = ResidualBlock(
          category: 2, count: 16, destination: destination, scan: tables.scans.interleaved,
          scanStart: field * 64 + part * 16, scale: scaling, shift: 6)
        let px = 2 * x + (part & 1), py = 2 * y + part >> 1
        let around = counts(around: px, py, plane: plane, columns: 4, rows: 4)
        let count = try readVariableLengthBlock(block, context: context(around))
        store.counts[countIndex(place.index, plane, px, py)] = UInt8(count)
        total += count
      }
    }
    guard total > 0 else { return }
    let isDCOnly = total == 1 && work.coefficients[destination] != 0
    for part in 0..<4 { mark(4 * index + part, plane, isDCOnly: isDCOnly) }
  }

  /// Remembers that a block has coefficients.
  @inline(__always)
  private mutating func mark(_ index: Int, _ plane: Int, isDCOnly: Bool) {
    let bit = UInt16(1) << UInt16(index)
    coded[plane] |= bit
    if isDCOnly { dcOnly[plane] |= bit } else { dcOnly[plane] &= ~bit }
    if plane == 0 { codedBlocks |= 1 << UInt16(BlockOrder.raster[index]) }
  }
}

// MARK: Chroma of 4:2:0 and 4:2:2

extension SliceDecoder {
  private mutating func readChroma() throws(H264Error) {
    let rows = geometry.chroma == .yuv420 ? 2 : 4
    guard pattern & 0x30 != 0 else { return }
    for plane in 1...2 { try readChromaDC(plane: plane, count: rows * 2) }
    guard pattern & 0x20 != 0 else { return }
    for plane in 1...2 {
      let list = (kind.isIntra ? 0 : 3) + plane
      let scale = (list * ScaleTables.quantizers + quantizer(ofPlane: plane)) * 16
      for index in 0..<rows * 2 {
        let x = index & 1, y = index >> 1
        let block = ResidualBlock(
          category: 4, count: 15, destination: plane * 256 + index * 16, scan: tables.scans.small,
          scanStart: (place.structure.isField ? 16 : 0) + 1, scale: isBypass ? nil : (scales.small, scale), shift: 4)
        let around = counts(around: x, y, plane: plane, columns: 2, rows: rows)
        let count: Int
        if usesCABAC {
          count = readFlag(4, around) ? readArithmeticBlock(block) : 0
        } else {
          count = try readVariableLengthBlock(block, context: context(around))
        }
        guard count > 0 else { continue }
        store.counts[countIndex(place.index, plane, x, y)] = UInt8(count)
        coded[plane] |= 1 << UInt16(index)
        dcOnly[plane] &= ~(1 << UInt16(index))
      }
    }
  }

  /// The DC coefficients of chroma, transformed and put into their blocks (8.5.11).
  private mutating func readChromaDC(plane: Int, count: Int) throws(H264Error) {
    let block = ResidualBlock(
      category: 3, count: count, destination: 0, scan: tables.scans.plain, scanStart: 0, scale: nil, shift: 0)
    let found: Int
    if usesCABAC {
      found = readFlag(3, dcFlags(around: plane)) ? readArithmeticBlock(intoLevels: block) : 0
      if found > 0 { store.dcFlags[place.index] |= 1 << UInt8(plane) }
    } else {
      found = try readVariableLengthBlock(intoLevels: block, context: count == 4 ? -1 : -2)
    }
    guard found > 0 else { return }
    let list = (kind.isIntra ? 0 : 3) + plane
    let quantizer = quantizer(ofPlane: plane) + (count == 8 ? 3 : 0)
    if count == 8 { DCTransform.order422(work.dc) }
    if !isBypass {
      let scale = Int(scales.small[(list * ScaleTables.quantizers + quantizer) * 16])
      if count == 4 {
        DCTransform.transform2x2(work.dc, scale: scale)
      } else {
        DCTransform.transform2x4(work.dc, scale: scale)
      }
    }
    for index in 0..<count {
      let value = work.dc[index]
      work.dc[index] = 0
      guard value != 0 else { continue }
      work.coefficients[plane * 256 + index * 16] = value
      coded[plane] |= 1 << UInt16(index)
      dcOnly[plane] |= 1 << UInt16(index)
    }
  }
}

// MARK: Levels as they are

extension SliceDecoder {
  /// Reads a block of DC levels into ``WorkingMemory/dc``.
  private mutating func readArithmeticBlock(intoLevels block: borrowing ResidualBlock) -> Int {
    readArithmeticBlock(block.at(WorkingMemory<Sample>.dcOffset))
  }

  private mutating func readVariableLengthBlock(
    intoLevels block: borrowing ResidualBlock, context: Int
  ) throws(H264Error) -> Int {
    try readVariableLengthBlock(block.at(WorkingMemory<Sample>.dcOffset), context: context)
  }
}

/// The quantiser of chroma for that of luma (ITU-T H.264, table 8-15).
enum ChromaQuantizer {
  private static let table: [Int] = [
    29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39,
  ]

  /// `QPC` for an index, `QPY` and the plane's offset.
  static func value(_ index: Int, lowest: Int) -> Int {
    let index = min(max(index, lowest), 51)
    return index < 30 ? index : table[index - 30]
  }
}
