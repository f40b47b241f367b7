import LivePhotoH264Kernels

/// The loop over a slice's macroblocks (ITU-T H.264, 7.3.4).
extension SliceDecoder {
  /// Decodes all macroblocks of the slice; how many there were.
  ///
  /// - Throws: ``H264Error/damaged(_:)``.
  mutating func decode() throws(H264Error) -> Int {
    let first = header.firstMacroblock << (isAdaptive ? 1 : 0)
    var address = first
    guard address < macroblockCount else { throw .damaged("a slice begins beyond the picture") }
    if usesCABAC {
      CABACTables.initialize(
        tables.contexts, model: header.type == .i ? 0 : header.cabacModel, quantizer: header.quantizer)
      address = try decodeArithmetic(from: first)
    } else {
      address = try decodeVariableLength(from: first)
    }
    return address - first
  }

  private mutating func decodeVariableLength(from first: Int) throws(H264Error) -> Int {
    var address = first
    /// Whether it was read what the pair's macroblocks are.
    var isPairKnown = false
    while true {
      if header.type != .i {
        let run = bits.unsigned()
        guard run <= macroblockCount - address else { throw .damaged("more macroblocks are skipped than there are") }
        for left in stride(from: run, to: 0, by: -1) {
          if isAdaptive, address & 1 == 0 {
            // The lower macroblock of the pair, where it is not skipped, says what both are.
            isPairKnown = left == 1 && bits.hasMore
            if isPairKnown { isFieldPair = bits.flag() } else { inferField(address) }
          }
          try begin(address)
          try skip()
          address += 1
        }
        if run > 0, !bits.hasMore { break }
      }
      guard address < macroblockCount else { throw .damaged("a slice reaches beyond the picture") }
      if isAdaptive, address & 1 == 0 || !isPairKnown {
        isFieldPair = bits.flag()
        isPairKnown = true
      }
      try begin(address)
      try decodeMacroblock()
      address += 1
      guard !bits.isOverrun else { throw .damaged("a slice ends early") }
      guard bits.hasMore else { break }
    }
    return address
  }

  private mutating func decodeArithmetic(from first: Int) throws(H264Error) -> Int {
    var address = first
    /// Whether it was read what the pair's macroblocks are.
    var isPairKnown = false
    /// Whether the lower macroblock of the pair is skipped, where that was read with the upper one.
    var isLowerSkipped: Bool?
    while true {
      let isUpper = isAdaptive && address & 1 == 0
      if isUpper { isPairKnown = false }
      var isSkipped = false
      if header.type != .i {
        if let known = isLowerSkipped {
          isSkipped = known
        } else {
          if isUpper { inferField(address) }
          try begin(address)
          isSkipped = readSkipFlag()
        }
        isLowerSkipped = nil
        if isUpper, isSkipped {
          isLowerSkipped = try lookAhead(from: address)
          isPairKnown = isLowerSkipped == false
        }
      }
      if isAdaptive, !isSkipped, !isPairKnown {
        try begin(address)
        isFieldPair = readFieldFlag()
        isPairKnown = true
      }
      try begin(address)
      if isSkipped { try skip() } else { try decodeMacroblock() }
      address += 1
      guard !cabac.isOverrun else { throw .damaged("a slice ends early") }
      if !isUpper, cabac.terminate() { break }
    }
    return address
  }

  /// Reads, behind a skipped upper macroblock, whether the lower one is skipped and, unless it is, what both are.
  private mutating func lookAhead(from address: Int) throws(H264Error) -> Bool {
    store.kinds[place.index].insert(.skipped)
    try begin(address + 1)
    let isSkipped = readSkipFlag()
    if !isSkipped {
      try begin(address)
      isFieldPair = readFieldFlag()
    }
    return isSkipped
  }

  /// What a pair is where nothing says it: what the pair to the left is, or that above (7.4.4).
  private mutating func inferField(_ address: Int) {
    let pair = index(of: address)
    let left = pair % geometry.width > 0 ? pair - 1 : -1, above = pair - 2 * geometry.width
    for other in [left, above] where other >= 0 && store.slices[other] == number {
      isFieldPair = store.kinds[other].isField
      return
    }
    isFieldPair = false
  }

  /// Where a macroblock of an address is stored.
  mutating func index(of address: Int) -> Int {
    let width = geometry.width
    guard isAdaptive else {
      let row = address / width
      let rows = header.structure.isField ? row * 2 + header.structure.parity : row
      return rows * width + address % width
    }
    let pair = address >> 1
    return (pair / width * 2 + (address & 1)) * width + pair % width
  }

  /// Goes to a macroblock and finds its neighbours.
  mutating func begin(_ address: Int) throws(H264Error) {
    guard address < macroblockCount else { throw .damaged("a slice reaches beyond the picture") }
    place.index = index(of: address)
    place.x = place.index % geometry.width
    let row = place.index / geometry.width
    if header.structure.isField {
      place.structure = header.structure
      place.y = (row >> 1) * 16
    } else if isAdaptive, isFieldPair {
      place.structure = row & 1 == 1 ? .bottomField : .topField
      place.y = (row >> 1) * 16
    } else {
      place.structure = .frame
      place.y = row * 16
    }
    store.slices[place.index] = number
    if isAdaptive {
      if isFieldPair { store.kinds[place.index].insert(.field) } else { store.kinds[place.index].remove(.field) }
    }
    near = finder.neighbours(of: place, slice: number)
    kind = place.structure.isField ? .field : []
  }
}
