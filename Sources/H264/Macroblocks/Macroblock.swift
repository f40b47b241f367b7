import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264Kernels

/// One macroblock, from its syntax to its samples (ITU-T H.264, 7.3.5).
extension SliceDecoder {
  /// Decodes a macroblock that is not skipped.
  mutating func decodeMacroblock() throws(H264Error) {
    guard let type = usesCABAC ? readArithmeticType() : readType() else { throw .damaged("mb_type is out of range") }
    clear()
    switch type {
    case .pcm: return try decodeSamples()
    case .intraBlocks: try decodeIntraBlocks()
    case .intra16x16(let mode, let pattern): try decodeIntra16x16(mode: mode, pattern: pattern)
    case .inter(let shape, let first, let second): try decodeInter(shape, first, second)
    case .direct: try decodeDirect()
    }
  }

  /// Decodes a macroblock of which nothing is coded (8.4.1.1 and 8.4.1.2).
  mutating func skip() throws(H264Error) {
    clear()
    changedQuantizer = false
    kind.insert(.skipped)
    loadMotion(0)
    if isB {
      loadMotion(1)
      kind.formUnion([.direct, .partitioned])
      try predictWholeDirectly()
    } else {
      setMotion(0, x: 0, y: 0, width: 4, height: 4, reference: 0, vector: predictSkipped())
      setNoMotion(1)
    }
    keep()
    predictInter()
  }

  /// Forgets the macroblock before.
  private mutating func clear() {
    pattern = 0
    codedBlocks = 0
    directMask = 0
    coded = [0, 0, 0]
    dcOnly = [0, 0, 0]
    chromaMode = 0
    let index = place.index
    store.counts.fill(index * 48..<index * 48 + 48, with: 0)
    store.dcFlags[index] = 0
    store.patterns[index] = 0
    kind = place.structure.isField ? .field : []
  }

  /// Keeps what later macroblocks and the filter ask for.
  private mutating func keep() {
    let index = place.index
    store.kinds[index] = kind
    store.patterns[index] = pattern
    store.quantizers[index] = Int8(truncatingIfNeeded: quantizer)
    store.chromaModes[index] = UInt8(chromaMode)
    store.codedBlocks[index] = codedBlocks
    store.directBlocks[index] = directMask
    if kind.isIntra {
      storeNoMotion()
    } else {
      storeMotion()
      if usesCABAC, kind.contains(.skipped) || kind.contains(.direct) { forgetDifferences() }
    }
    if !kind.contains(.intraBlocks) { store.intraModes.fill(index * 16..<index * 16 + 16, with: 2) }
  }

  private mutating func forgetDifferences() {
    for list in 0..<2 { store.differences[list].fill(place.index * 16..<place.index * 16 + 16, with: .zero) }
  }
}

// MARK: Intra

extension SliceDecoder {
  private mutating func decodeIntraBlocks() throws(H264Error) {
    kind.insert(.intraBlocks)
    if pps.usesTransform8x8, usesCABAC ? readArithmeticTransform() : bits.flag() { kind.insert(.transform8x8) }
    readIntraModes()
    try readChromaMode()
    pattern = try readPattern(isIntra: true)
    try finishCoded()
    keep()
    try predictIntraBlocks()
    try finishIntra()
  }

  private mutating func decodeIntra16x16(mode: Int, pattern: UInt8) throws(H264Error) {
    kind.insert(.intra16x16)
    try readChromaMode()
    self.pattern = pattern
    try finishCoded()
    keep()
    try predictIntra16x16(mode)
    try finishIntra()
  }

  /// Reads the modes of blocks of 4x4 or 8x8 (8.3.1.1 and 8.3.2.1).
  private mutating func readIntraModes() {
    let is8x8 = kind.contains(.transform8x8)
    let base = place.index * 16
    for number in stride(from: 0, to: 16, by: is8x8 ? 4 : 1) {
      let raster = BlockOrder.raster[number], x = raster & 3, y = raster >> 2
      let left =
        x > 0 ? Int(store.intraModes[base + raster - 1]) : intraMode(near.left(ofRow: y), Int(near.leftRows[y]), 3)
      let top = y > 0 ? Int(store.intraModes[base + raster - 4]) : intraMode(near.top, 3, x)
      let predicted = left < 0 || top < 0 ? 2 : min(left, top)
      var mode = predicted
      if let rest = usesCABAC ? readArithmeticMode() : readMode() { mode = rest < predicted ? rest : rest + 1 }
      store.intraModes[base + raster] = Int8(mode)
      if is8x8 {
        for other in [1, 4, 5] { store.intraModes[base + raster + other] = Int8(mode) }
      }
    }
  }

  /// The mode of a block of a neighbour; negative where it counts as missing.
  private mutating func intraMode(_ index: Int, _ row: Int, _ column: Int) -> Int {
    guard index >= 0 else { return -1 }
    if pps.isConstrainedIntra, !store.kinds[index].isIntra { return -1 }
    return Int(store.intraModes[index * 16 + row * 4 + column])
  }

  private mutating func readMode() -> Int? { bits.flag() ? nil : bits.bits(3) }

  private mutating func readChromaMode() throws(H264Error) {
    guard geometry.chroma == .yuv420 || geometry.chroma == .yuv422 else { return }
    chromaMode = usesCABAC ? readArithmeticChromaMode() : bits.unsigned()
    guard chromaMode < 4 else { throw .damaged("intra_chroma_pred_mode is out of range") }
  }

  /// Samples that are not coded (`I_PCM`).
  private mutating func decodeSamples() throws(H264Error) {
    kind.insert(.pcm)
    if usesCABAC { bits = cabac.reader() } else { bits.align() }
    pattern = 0x2F
    for plane in 0..<geometry.chroma.planeCount {
      let width = geometry.blockWidth(plane), height = geometry.blockHeight(plane)
      let depth = geometry.depth(plane)
      let block = block(of: plane)
      for y in 0..<height {
        for x in 0..<width {
          block.table[block.start + y * block.stride + x] = Sample(truncatingIfNeeded: bits.bits(depth))
        }
      }
    }
    guard !bits.isOverrun else { throw .damaged("a slice ends inside of samples") }
    if usesCABAC { cabac.restart(at: bits) }
    changedQuantizer = false
    keep()
    let index = place.index
    // The filter takes the least quantiser, as encoders and other decoders of deep samples do: QP'Y is 0, where 8.7.2.2
    // says that of QPY.
    store.quantizers[index] = Int8(-6 * (geometry.lumaDepth - 8))
    store.dcFlags[index] = 7
    store.counts.fill(index * 48..<index * 48 + 48, with: 16)
  }
}

// MARK: Inter

extension SliceDecoder {
  private mutating func decodeInter(_ shape: MotionShape, _ first: ListMask, _ second: ListMask) throws(H264Error) {
    loadMotion(0)
    if isB { loadMotion(1) } else { setNoMotion(1) }
    if usesCABAC {
      loadDifferences(0)
      if isB { loadDifferences(1) }
    }
    var allows8x8 = true
    if shape == .quarters {
      kind.insert(.partitioned)
      allows8x8 = try readSubTypes()
      try readQuarters(refersToFirst: second == 0)
    } else {
      if shape != .whole { kind.insert(.partitioned) }
      try readParts(shape, first, second)
    }
    pattern = try readPattern(isIntra: false)
    try readTransform(isAllowed: allows8x8)
    try finishCoded()
    keep()
    predictInter()
    addResidual()
  }

  private mutating func decodeDirect() throws(H264Error) {
    kind.formUnion([.direct, .partitioned])
    loadMotion(0)
    loadMotion(1)
    try predictWholeDirectly()
    pattern = try readPattern(isIntra: false)
    try readTransform(isAllowed: sps.isDirect8x8)
    try finishCoded()
    keep()
    predictInter()
    addResidual()
  }

  private mutating func predictWholeDirectly() throws(H264Error) {
    guard lists.counts.second > 0, lists.counts.first > 0 else { throw .damaged("a list of references is empty") }
    directMask = 15
    predictDirectly()
    for list in 0..<2 {
      for block in 0..<4 { takeDirect(list, block) }
    }
  }

  /// Whether all blocks of 8x8 may be transformed as a whole.
  private mutating func readSubTypes() throws(H264Error) -> Bool {
    var allows8x8 = true
    for block in 0..<4 {
      guard let type = usesCABAC ? readArithmeticSubType() : readSubType() else {
        throw .damaged("sub_mb_type is out of range")
      }
      subTypes[block] = type
      if type.isDirect {
        directMask |= 1 << UInt8(block)
        allows8x8 = allows8x8 && sps.isDirect8x8
      } else {
        allows8x8 = allows8x8 && type.shape == .whole
      }
    }
    if directMask != 0 { predictDirectly() }
    return allows8x8
  }

  private mutating func readTransform(isAllowed: Bool) throws(H264Error) {
    guard pps.usesTransform8x8, isAllowed, pattern & 15 != 0 else { return }
    if usesCABAC ? readArithmeticTransform() : bits.flag() { kind.insert(.transform8x8) }
  }

  /// Sets that a list is not used.
  private mutating func setNoMotion(_ list: Int) {
    setMotion(list, x: 0, y: 0, width: 4, height: 4, reference: -1, vector: .zero)
    for row in 1..<5 { work.differences[list].fill(row * 8 + 1..<row * 8 + 5, with: .zero) }
  }
}

// MARK: Elements of variable length

extension SliceDecoder {
  private mutating func readType() -> MacroblockType? {
    let code = bits.unsigned()
    return switch header.type {
    case .i: MacroblockType(intra: code)
    case .p: MacroblockType(p: code)
    case .b: MacroblockType(b: code)
    }
  }

  private mutating func readSubType() -> SubMacroblockType? {
    let code = bits.unsigned()
    return isB ? SubMacroblockType(b: code) : SubMacroblockType(p: code)
  }

  private mutating func readPattern(isIntra: Bool) throws(H264Error) -> UInt8 {
    guard !usesCABAC else { return readArithmeticPattern() }
    let hasChroma = geometry.chroma == .yuv420 || geometry.chroma == .yuv422
    let patterns = hasChroma ? CAVLCTables.patterns : CAVLCTables.lumaPatterns
    let list = patterns[isIntra ? 0 : 1], code = bits.unsigned()
    guard code < list.count else { throw .damaged("coded_block_pattern is out of range") }
    return list[code]
  }

  /// Reads the quantiser and the coefficients, where there are any.
  private mutating func finishCoded() throws(H264Error) {
    store.kinds[place.index] = kind
    guard pattern != 0 || kind.contains(.intra16x16) else {
      changedQuantizer = false
      return
    }
    let difference = usesCABAC ? readArithmeticQuantizer() : bits.signed()
    changedQuantizer = difference != 0
    // Differences beyond the range come from damaged streams only.
    let range = 52 + 6 * (geometry.lumaDepth - 8), lowest = 52 - range
    guard abs(difference) <= range else { throw .damaged("mb_qp_delta is out of range") }
    quantizer = (quantizer + difference - lowest + 2 * range) % range + lowest
    try readResidual()
  }
}
