/// Entropy coding by table: one look-up gives a symbol's Huffman code and its value bits together.
///
/// Bits are written eight bytes at a time without a branch and without stuffing; that is a second pass, which finds
/// bytes of 0xFF eight at a time.
package enum FastEntropy {
  package static func encodeMCUs(
    _ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>, _ predictions: UnsafeMutablePointer<Int>,
    _ tables: EntropyTables, _ position: BitPosition
  ) -> BitPosition {
    var writer = unsafe BitWriter(out: position.out, bits: position.bits, count: UInt64(position.count))
    for mcu in 0..<count {
      for index in 0..<blocks.count {
        // SAFETY: the caller's blocks hold `count` MCUs, and its tables and output are as large as they must be.
        let block = unsafe blocks[index]
        let at = unsafe mcu &* block.step
        let coefficients = unsafe block.coefficients + at &* 64
        let dc = unsafe Int(coefficients[0])
        let difference = unsafe dc &- predictions[block.component]
        unsafe predictions[block.component] = dc
        unsafe writer.put(tables.differences[block.table &<< 12 | difference & 4095])
        let bitmap = unsafe block.bitmaps[at]
        let symbols = unsafe tables.symbols + block.table &<< 11 + 64
        var remaining = bitmap & ~1, last = 0
        if bitmap & 1 == 0 {
          unsafe encode(&remaining, &last, coefficients, symbols, tables.order, &writer)
        }
        if remaining != 0 {
          unsafe writer = encodeLarge(
            remaining, last &>> 7 &+ 1, coefficients, symbols, tables.codes + block.table &<< 8, tables.order, writer)
        }
        unsafe writer.put(bitmap &>> 63 == 0 ? symbols[0] : 0)
        writer.flush()
      }
    }
    return unsafe (writer.out, writer.bits, Int(writer.count))
  }

  /// Codes the coefficients of a bitmap in zigzag order up to a run of more than 15 zeros.
  ///
  /// All values are such that the table has them; `symbols` is its entry of run 0 and value 0. `last` is the position
  /// coded last, and thereby all before it, times the 128 entries of a run.
  @inline(__always)
  private static func encode(
    _ remaining: inout UInt64, _ last: inout Int, _ coefficients: UnsafePointer<Int16>,
    _ symbols: UnsafePointer<UInt64>, _ order: UnsafePointer<UInt8>, _ writer: inout BitWriter
  ) {
    // SAFETY: what is added to an entry's number below is at least 128.
    let runs = unsafe symbols - 128
    // What fits in 64 bits between flushes: 7 from before, then a difference (22) and a symbol (23), or two symbols.
    guard remaining != 0, unsafe symbol(&remaining, &last, coefficients, runs, order, &writer) else { return }
    writer.flush()
    while remaining != 0 {
      guard unsafe symbol(&remaining, &last, coefficients, runs, order, &writer), remaining != 0,
        unsafe symbol(&remaining, &last, coefficients, runs, order, &writer)
      else { return }
      writer.flush()
    }
  }

  /// Codes one coefficient, unless more than 15 zeros stand before it.
  @inline(__always)
  private static func symbol(
    _ remaining: inout UInt64, _ last: inout Int, _ coefficients: UnsafePointer<Int16>,
    _ runs: UnsafePointer<UInt64>, _ order: UnsafePointer<UInt8>, _ writer: inout BitWriter
  ) -> Bool {
    let position = remaining.trailingZeroBitCount
    let scaled = position &<< 7, run = scaled &- last
    guard run <= 16 &<< 7 else { return false }
    remaining &= remaining &- 1
    // SAFETY: the position is 1 to 63; the table has entries for runs of 0 to 15 and values of -64 to 63.
    let value = unsafe Int(coefficients[Int(order[position])])
    unsafe writer.put(runs[run &+ value])
    last = scaled
    return true
  }

  /// Codes the coefficients of a bitmap, whatever their values and runs; all before position `first` are coded.
  @inline(never)
  private static func encodeLarge(
    _ bitmap: UInt64, _ first: Int, _ coefficients: UnsafePointer<Int16>, _ symbols: UnsafePointer<UInt64>,
    _ codes: UnsafePointer<UInt32>, _ order: UnsafePointer<UInt8>, _ writer: BitWriter
  ) -> BitWriter {
    var writer = writer, remaining = bitmap, next = first
    writer.flush()
    while remaining != 0 {
      let position = remaining.trailingZeroBitCount
      remaining &= remaining &- 1
      var run = position &- next
      next = position &+ 1
      while run > 15 {
        // SAFETY: the table has an entry for a run of 15 and value 0, and those of ``symbol``.
        unsafe writer.put(symbols[15 &<< 7])
        writer.flush()
        run &-= 16
      }
      let value = unsafe Int(coefficients[Int(order[position])])
      if -64 <= value, value < 64 {
        unsafe writer.put(symbols[run &<< 7 &+ value])
      } else {
        unsafe putLarge(run, value, codes, &writer)
      }
      writer.flush()
    }
    return writer
  }

  /// Appends the code of a run of up to 15 and a value's size, and the value's bits.
  @inline(__always)
  private static func putLarge(
    _ run: Int, _ value: Int, _ codes: UnsafePointer<UInt32>, _ writer: inout BitWriter
  ) {
    let size = Int.bitWidth &- (value < 0 ? 0 &- value : value).leadingZeroBitCount
    // SAFETY: there are 256 codes.
    let code = unsafe UInt64(codes[(run &<< 4 | size) & 255])
    let bits = UInt64(bitPattern: Int64(value < 0 ? value &- 1 &+ (1 &<< size) : value))
    let length = code & 31 &+ UInt64(size)
    writer.put(((code &>> 5) &<< UInt64(size) | bits) &<< (64 &- length) | length)
  }

  /// Bits on their way to memory: the top ones of `bits`, behind the bytes before `out`.
  @safe private struct BitWriter {
    var out: UnsafeMutablePointer<UInt8>
    /// Below the bits that are in use there may be others, of the lowest five after ``put(_:)``.
    var bits: UInt64
    /// The number of bits in use in the lowest six bits, and anything above.
    var count: UInt64

    /// Appends the top bits of an entry, which has their number in its lowest six.
    @inline(__always)
    mutating func put(_ entry: UInt64) {
      bits |= entry &>> count
      count &+= entry
    }

    /// Writes out whole bytes and keeps what is left.
    @inline(__always)
    mutating func flush() {
      // SAFETY: the output has room for 8 bytes behind the last one used.
      unsafe UnsafeMutableRawPointer(out).storeBytes(of: bits.bigEndian, as: UInt64.self)
      let whole = count & 0x38
      unsafe out += Int(truncatingIfNeeded: whole &>> 3)
      bits = (bits & ~31) &<< whole
      count &= 7
    }
  }

  package static func stuff(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var output = unsafe output
    var index = 0
    while index &+ 8 <= count {
      // SAFETY: eight bytes follow in the input, and the output has room for twice what is read.
      let word = unsafe UnsafeRawPointer(bytes + index).loadUnaligned(as: UInt64.self)
      // A byte of 0xFF has its top bit set and, one added to it, no longer. Carries only add false alarms.
      if word & ~(word &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 {
        unsafe UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
        unsafe output += 8
      } else {
        unsafe output = stuffSingly(bytes + index, 8, output)
      }
      index &+= 8
    }
    return unsafe stuffSingly(bytes + index, count &- index, output)
  }

  @inline(__always)
  private static func stuffSingly(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var output = unsafe output
    for index in 0..<count {
      // SAFETY: as above. What is written behind a byte that is not 0xFF is written over by the next.
      let byte = unsafe bytes[index]
      unsafe output[0] = byte
      unsafe output[1] = 0
      unsafe output += byte == 0xFF ? 2 : 1
    }
    return unsafe output
  }
}
