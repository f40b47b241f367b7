import LivePhotoH264Kernels

extension SliceDecoder {
  /// Reads the coefficients of a block that is coded by variable lengths (ITU-T H.264, 9.2); how many are not zero.
  ///
  /// - Parameter context: `nC`; −1 and −2 for chroma DC of 4:2:0 and 4:2:2.
  mutating func readVariableLengthBlock(_ block: borrowing ResidualBlock, context: Int) throws(H264Error) -> Int {
    var reader = bits
    let token: Int?
    switch context {
    case -1: token = tables.cavlc.chromaTokens[0].read(&reader)
    case -2: token = tables.cavlc.chromaTokens[1].read(&reader)
    case 0, 1: token = tables.cavlc.tokens[0].read(&reader)
    case 2, 3: token = tables.cavlc.tokens[1].read(&reader)
    case 4...7: token = tables.cavlc.tokens[2].read(&reader)
    default: token = tables.cavlc.tokens[3].read(&reader)
    }
    guard let token else { throw .damaged("coeff_token is no code") }
    let count = token >> 2, ones = token & 3
    guard count <= block.count else { throw .damaged("a block has more coefficients than places") }
    guard count > 0 else {
      bits = reader
      return 0
    }
    readLevels(count, ones, &reader)
    var zeros = 0
    if count < block.count {
      let table =
        context == -1
        ? tables.cavlc.chromaZeros420[count - 1]
        : context == -2 ? tables.cavlc.chromaZeros422[count - 1] : tables.cavlc.zeros[count - 1]
      guard let read = table.read(&reader), read + count <= block.count else {
        throw .damaged("total_zeros is out of range")
      }
      zeros = read
    }
    var position = zeros + count - 1
    for number in 0..<count {
      put(Int(work.levels[number]), position, block)
      position -= 1
      if zeros > 0, number < count - 1 {
        guard let run = tables.cavlc.runs[min(zeros, 7) - 1].read(&reader), run <= zeros else {
          throw .damaged("run_before is out of range")
        }
        zeros -= run
        position -= run
      }
    }
    bits = reader
    return count
  }

  /// Reads levels, the highest frequency first (9.2.2).
  @inline(__always)
  private mutating func readLevels(_ count: Int, _ ones: Int, _ reader: inout SliceBits) {
    for number in 0..<ones { work.levels[number] = reader.flag() ? -1 : 1 }
    guard ones < count else { return }
    var suffixLength = count > 10 && ones < 3 ? 1 : 0
    for number in ones..<count {
      let prefix = min(reader.window.leadingZeroBitCount, 32)
      reader.skip(prefix + 1)
      var code = min(15, prefix) << suffixLength
      let size = prefix == 14 && suffixLength == 0 ? 4 : prefix >= 15 ? prefix - 3 : suffixLength
      if size > 0 { code += reader.bits(size) }
      if prefix >= 15, suffixLength == 0 { code += 15 }
      if prefix >= 16 { code += 1 << (prefix - 3) - 4096 }
      if number == ones, ones < 3 { code += 2 }
      let level = code & 1 == 0 ? (code + 2) >> 1 : (-code - 1) >> 1
      work.levels[number] = Int32(truncatingIfNeeded: level)
      if suffixLength == 0 { suffixLength = 1 }
      if abs(level) > 3 << (suffixLength - 1), suffixLength < 6 { suffixLength += 1 }
    }
  }
}
