/// Entropy coding by table: one look-up gives a symbol's Huffman code and its value bits together.
///
/// Bits are written eight bytes at a time without a branch and without stuffing; that is a second pass, which finds
/// bytes of 0xFF eight at a time.
enum FastEntropy {
  static func encodeMCUs(
    _ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>, _ predictions: UnsafeMutablePointer<Int>,
    _ tables: EntropyTables, _ position: BitPosition
  ) -> BitPosition {
    var writer = unsafe BitWriter(out: position.out, bits: position.bits, count: position.count)
    for mcu in 0..<count {
      for index in 0..<blocks.count {
        // SAFETY: the caller's blocks hold `count` MCUs, and its tables and output are as large as they must be.
        let block = unsafe blocks[index]
        let at = unsafe mcu &* block.step
        let coefficients = unsafe block.coefficients + at &* 64
        let dc = unsafe Int(coefficients[0])
        let difference = unsafe dc &- predictions[block.component]
        unsafe predictions[block.component] = dc
        unsafe writer.put(tables.differences[block.table << 12 | difference & 4095])
        let bitmap = unsafe block.bitmaps[at] & ~1
        unsafe encodeAC(
          bitmap, coefficients, tables.symbols + block.table << 11, tables.codes + block.table << 8, tables.order,
          &writer)
      }
    }
    return unsafe (writer.out, writer.bits, writer.count)
  }

  /// Codes the coefficients of a bitmap in zigzag order, and the end of the block.
  @inline(__always)
  private static func encodeAC(
    _ bitmap: UInt64, _ coefficients: UnsafePointer<Int16>, _ symbols: UnsafePointer<UInt32>,
    _ codes: UnsafePointer<UInt32>, _ order: UnsafePointer<UInt8>, _ writer: inout BitWriter
  ) {
    var bitmap = bitmap
    var next = 1
    // What fits in 64 bits between flushes: 7 from before, then a difference (27) and a symbol (23), or two symbols.
    if bitmap != 0 {
      unsafe symbol(&bitmap, &next, coefficients, symbols, codes, order, &writer)
      writer.flush()
    }
    while bitmap != 0 {
      unsafe symbol(&bitmap, &next, coefficients, symbols, codes, order, &writer)
      guard bitmap != 0 else { break }
      unsafe symbol(&bitmap, &next, coefficients, symbols, codes, order, &writer)
      writer.flush()
    }
    if next < 64 { unsafe writer.put(codes[0]) }
    writer.flush()
  }

  @inline(__always)
  private static func symbol(
    _ bitmap: inout UInt64, _ next: inout Int, _ coefficients: UnsafePointer<Int16>, _ symbols: UnsafePointer<UInt32>,
    _ codes: UnsafePointer<UInt32>, _ order: UnsafePointer<UInt8>, _ writer: inout BitWriter
  ) {
    let position = bitmap.trailingZeroBitCount
    bitmap &= bitmap &- 1
    // SAFETY: the position is 1 to 63; the table is indexed only where both parts of the index are in range.
    let value = unsafe Int(coefficients[Int(order[position])])
    let run = position &- next
    next = position &+ 1
    let column = value &+ 64
    if UInt(bitPattern: column | run << 3) < 128 {
      unsafe writer.put(symbols[run << 7 | column])
    } else {
      unsafe writer = escape(run, value, codes, writer)
    }
  }

  /// A symbol that the table does not have: a value beyond -64 to 63, or a run of more than 15.
  @inline(never)
  private static func escape(
    _ run: Int, _ value: Int, _ codes: UnsafePointer<UInt32>, _ writer: BitWriter
  ) -> BitWriter {
    var writer = writer
    var run = run
    writer.flush()
    while run > 15 {
      // SAFETY: 256 codes; so below.
      unsafe writer.put(codes[0xF0])
      writer.flush()
      run &-= 16
    }
    let size = Int.bitWidth &- (value < 0 ? 0 &- value : value).leadingZeroBitCount
    unsafe writer.put(codes[(run << 4 | size) & 255])
    let bits = value < 0 ? value &- 1 &+ 1 << size : value
    writer.put(UInt32(truncatingIfNeeded: bits) << 5 | UInt32(truncatingIfNeeded: size))
    // The second symbol behind the last flush may follow, so nothing may be left over.
    writer.flush()
    return writer
  }

  /// Bits on their way to memory: the top `count` of `bits`, behind the bytes before `out`.
  @safe private struct BitWriter {
    var out: UnsafeMutablePointer<UInt8>
    var bits: UInt64
    var count: Int

    /// Appends `code << 5 | length`.
    @inline(__always)
    mutating func put(_ entry: UInt32) {
      let length = Int(entry & 31)
      count &+= length
      bits |= UInt64(entry &>> 5) &<< UInt64(truncatingIfNeeded: 64 &- count)
    }

    /// Writes out whole bytes and keeps what is left.
    @inline(__always)
    mutating func flush() {
      // SAFETY: the output has room for 8 bytes behind the last one used.
      unsafe UnsafeMutableRawPointer(out).storeBytes(of: bits.bigEndian, as: UInt64.self)
      unsafe out += count &>> 3
      bits = bits &<< UInt64(truncatingIfNeeded: count & ~7)
      count &= 7
    }
  }

  static func stuff(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var output = unsafe output
    var index = 0
    while index &+ 8 <= count {
      // SAFETY: eight bytes follow in the input, and the output has room for twice what is read.
      let word = unsafe UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
      index &+= 8
      // A byte of 0xFF has its top bit set and, one added to it, no longer. Carries only add false alarms.
      if word & ~(word &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 {
        unsafe UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
        unsafe output += 8
      } else {
        unsafe output = ReferenceEntropy.stuff(bytes + index - 8, 8, output)
      }
    }
    return unsafe ReferenceEntropy.stuff(bytes + index, count &- index, output)
  }
}
