import LivePhotoBitstream

/// Counts pictures in the order in which they are shown (ITU-T H.264, 8.2.1).
struct PictureOrder {
  private var previousHigh = 0
  private var previousLow = 0
  private var previousNumber = 0
  private var previousOffset = 0

  /// The counts of the top and the bottom field of a picture; that of a field which is not there means nothing.
  mutating func orders(_ header: SliceHeader, _ sps: H264SequenceParameterSet) -> [Int] {
    switch sps.pictureOrder {
    case .lowBits(let width): return fromLowBits(header, width: width)
    case .offsets(_, let nonReference, let topToBottom, let cycle):
      let offset = advance(header, sps)
      return fromOffsets(
        header, offset: offset, nonReference: Int(nonReference), topToBottom: Int(topToBottom),
        cycle: cycle.map(Int.init))
    case .decodingOrder:
      let offset = advance(header, sps)
      let count = header.isIDR ? 0 : 2 * (offset + header.frameNumber) - (header.referenceIDC == 0 ? 1 : 0)
      return [count, count]
    }
  }

  /// Says that all was forgotten after a picture (`memory_management_control_operation` 5), whose top field then has
  /// the count `top`.
  mutating func forgetAll(structure: PictureStructure, top: Int) {
    previousHigh = 0
    previousLow = structure == .bottomField ? 0 : top
    previousNumber = 0
    previousOffset = 0
  }

  private mutating func fromLowBits(_ header: SliceHeader, width: Int) -> [Int] {
    if header.isIDR { (previousHigh, previousLow) = (0, 0) }
    let low = header.orderLowBits, range = 1 << width
    var high = previousHigh
    if low < previousLow, previousLow - low >= range / 2 { high += range }
    if low > previousLow, low - previousLow > range / 2 { high -= range }
    if header.referenceIDC > 0 { (previousHigh, previousLow) = (high, low) }
    let top = high + low
    return [top, header.structure == .frame ? top + header.bottomOrderDifference : top]
  }

  /// `FrameNumOffset` of the picture, kept for the next.
  private mutating func advance(_ header: SliceHeader, _ sps: H264SequenceParameterSet) -> Int {
    var offset = previousOffset
    if header.isIDR {
      offset = 0
    } else if previousNumber > header.frameNumber {
      offset += 1 << sps.frameNumberBits
    }
    (previousOffset, previousNumber) = (offset, header.frameNumber)
    return offset
  }

  private func fromOffsets(
    _ header: SliceHeader, offset: Int, nonReference: Int, topToBottom: Int, cycle: [Int]
  ) -> [Int] {
    var number = cycle.isEmpty ? 0 : offset + header.frameNumber
    if header.referenceIDC == 0, number > 0 { number -= 1 }
    var expected = 0
    if number > 0 {
      let (cycles, position) = (number - 1).quotientAndRemainder(dividingBy: cycle.count)
      expected = cycles * cycle.reduce(0, +) + cycle[...position].reduce(0, +)
    }
    if header.referenceIDC == 0 { expected += nonReference }
    let differences = header.orderDifferences
    switch header.structure {
    case .frame:
      let top = expected + differences[0]
      return [top, top + topToBottom + differences[1]]
    case .topField: return [expected + differences[0], 0]
    case .bottomField: return [0, expected + topToBottom + differences[0]]
    }
  }
}
