/// Entropy coding and stuffing in plain scalar code, symbol by symbol.
enum ReferenceEntropy {
  static func encodeMCUs(
    _ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>, _ predictions: UnsafeMutablePointer<Int>,
    _ tables: EntropyTables, _ position: BitPosition
  ) -> BitPosition {
    var position = unsafe position
    for mcu in 0..<count {
      for index in 0..<blocks.count {
        // SAFETY: the caller's blocks hold `count` MCUs, and its tables and output are as large as they must be.
        let block = unsafe blocks[index]
        let coefficients = unsafe block.coefficients + mcu * block.step * 64
        let dc = unsafe Int(coefficients[0])
        let difference = unsafe dc - predictions[block.component]
        unsafe predictions[block.component] = dc
        let entry = unsafe tables.differences[block.table << 12 | difference & 4095]
        unsafe put(UInt32(entry >> (64 - (entry & 63))) << 5 | UInt32(entry & 63), &position)
        unsafe encodeAC(coefficients, tables.codes + block.table * 256, tables.order, &position)
      }
    }
    return unsafe position
  }

  /// ITU-T T.81, F.1.2.2.
  private static func encodeAC(
    _ coefficients: UnsafePointer<Int16>, _ codes: UnsafePointer<UInt32>, _ order: UnsafePointer<UInt8>,
    _ position: inout BitPosition
  ) {
    var run = 0
    for k in 1..<64 {
      let value = unsafe Int(coefficients[Int(order[k])])
      guard value != 0 else {
        run += 1
        continue
      }
      while run > 15 {
        unsafe put(codes[0xF0], &position)
        run -= 16
      }
      let size = Int.bitWidth - abs(value).leadingZeroBitCount
      unsafe put(codes[run << 4 | size], &position)
      let bits = value < 0 ? value + 1 << size - 1 : value
      unsafe put(UInt32(bits) << 5 | UInt32(size), &position)
      run = 0
    }
    if run > 0 { unsafe put(codes[0], &position) }
  }

  /// Appends `code << 5 | length`.
  private static func put(_ entry: UInt32, _ position: inout BitPosition) {
    let length = Int(entry & 31)
    unsafe position.bits |= UInt64(entry >> 5) << UInt64(64 - position.count - length)
    unsafe position.count += length
    while unsafe position.count >= 8 {
      unsafe position.out.pointee = UInt8(position.bits >> 56)
      unsafe position.out += 1
      unsafe position.bits <<= 8
      unsafe position.count -= 8
    }
  }

  static func stuff(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var output = unsafe output
    for index in 0..<count {
      unsafe output.pointee = bytes[index]
      unsafe output += 1
      if unsafe bytes[index] == 0xFF {
        unsafe output.pointee = 0
        unsafe output += 1
      }
    }
    return unsafe output
  }
}
