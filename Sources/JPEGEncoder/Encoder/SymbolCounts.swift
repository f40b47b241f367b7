import LivePhotoJPEGKernels

/// How often each symbol occurs in a scan: sizes of DC differences, and runs and sizes of AC coefficients, for luma
/// and for chroma.
struct SymbolCounts: ~Copyable {
  /// 256 counts of DC symbols and 256 of AC symbols, for luma and then for chroma.
  private let counts = AlignedBuffer<Int>(count: 4 * 256)
  private let order = AlignedBuffer(Zigzag.stored)

  /// Counts the symbols of `count` MCUs, as ``EncodeMCUs`` would code them.
  func add(_ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>, _ predictions: UnsafeMutablePointer<Int>) {
    for mcu in 0..<count {
      for index in 0..<blocks.count {
        // SAFETY: the caller's blocks hold `count` MCUs, with a prediction for each component.
        let block = unsafe blocks[index]
        let at = unsafe mcu &* block.step
        let coefficients = unsafe block.coefficients + at &* 64
        let dc = unsafe Int(coefficients[0])
        let difference = unsafe dc &- predictions[block.component]
        unsafe predictions[block.component] = dc
        let table = unsafe counts.start + block.table &* 512
        unsafe table[Self.size(difference)] &+= 1
        unsafe addAC(block.bitmaps[at] & ~1, coefficients, table + 256)
      }
    }
  }

  @inline(__always)
  private func addAC(_ bitmap: UInt64, _ coefficients: UnsafePointer<Int16>, _ table: UnsafeMutablePointer<Int>) {
    var bitmap = bitmap, next = 1
    while bitmap != 0 {
      let position = bitmap.trailingZeroBitCount
      bitmap &= bitmap &- 1
      var run = position &- next
      next = position &+ 1
      while run > 15 {
        // SAFETY: the position is 1 to 63, runs are up to 15 and sizes up to 10; so below.
        unsafe table[0xF0] &+= 1
        run &-= 16
      }
      unsafe table[run << 4 | Self.size(Int(coefficients[Int(order.start[position])]))] &+= 1
    }
    if next < 64 { unsafe table[0] &+= 1 }
  }

  /// The bits of a value's magnitude.
  @inline(__always)
  private static func size(_ value: Int) -> Int {
    Int.bitWidth &- (value < 0 ? 0 &- value : value).leadingZeroBitCount
  }

  /// Begins again.
  func clear() {
    // SAFETY: there are as many.
    unsafe counts.start.update(repeating: 0, count: counts.count)
  }

  /// Adds what another thread has counted.
  func add(_ other: borrowing SymbolCounts) {
    // SAFETY: both have as many counts.
    for index in 0..<counts.count { unsafe counts.start[index] += other.counts.start[index] }
  }

  /// The shortest codes for what was counted; chroma's where there is chroma.
  func tables(hasChroma: Bool) -> HuffmanTables {
    let tables = hasChroma ? 2 : 1
    return HuffmanTables(
      dc: (0..<tables).map { HuffmanTable(shortestFor: symbols($0 * 512)) },
      ac: (0..<tables).map { HuffmanTable(shortestFor: symbols($0 * 512 + 256)) })
  }

  private func symbols(_ first: Int) -> [Int] {
    // SAFETY: 256 counts follow.
    (first..<first + 256).map { unsafe counts.start[$0] }
  }
}
