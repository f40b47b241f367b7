/// Takes the filter from a row (PNG, 9.2).
enum Unfilter {
  /// What has to follow a row's bytes in `above` and `row`: whole words are read and written.
  static let slack = 8

  /// Takes the filter from the bytes of `source` and puts them to the front of `row`; `above` is the row above without
  /// its filter, zeros where there is none.
  ///
  /// - Precondition: `above` and `row` have at least ``slack`` bytes more than `source`, whose count is a multiple of
  ///   `distance`, which is 1 to 8.
  static func row(
    _ filter: PNGFilter, _ source: Span<UInt8>, above: [UInt8], into row: inout [UInt8], distance: Int
  ) {
    let count = source.count
    precondition((1...8).contains(distance) && count % distance == 0, "whole pixels")
    precondition(min(above.count, row.count) >= count + slack, "rows with slack")
    unsafe source.withUnsafeBufferPointer { source in
      unsafe above.withUnsafeBufferPointer { above in
        unsafe row.withUnsafeMutableBufferPointer { row in
          guard let source = source.baseAddress, let above = above.baseAddress, let row = row.baseAddress else {
            return
          }
          // SAFETY: the sizes were checked above.
          let memory = unsafe RowMemory(source: source, above: above, row: row, count: count, distance: distance)
          unsafe apply(filter, memory)
        }
      }
    }
  }

  private static func apply(_ filter: PNGFilter, _ memory: RowMemory) {
    switch filter {
    case .none:
      // SAFETY: both have `count` bytes.
      unsafe memory.row.update(from: memory.source, count: memory.count)
    case .sub:
      var left = SIMD8<UInt8>.zero
      unsafe memory.forEachPixel { source, _ in
        // SAFETY: both types are eight bytes.
        unsafe left &+= unsafeBitCast(source, to: SIMD8<UInt8>.self)
        return unsafe unsafeBitCast(left, to: UInt64.self)
      }
    case .up: unsafe up(memory)
    case .average:
      var left = SIMD8<Int16>.zero
      unsafe memory.forEachPixel { source, above in
        left = (WideSamples.of(source) &+ (left &+ WideSamples.of(above)) &>> 1) & 0xFF
        return WideSamples.bytes(left)
      }
    case .paeth:
      var left = SIMD8<Int16>.zero, corner = SIMD8<Int16>.zero
      unsafe memory.forEachPixel { source, above in
        let up = WideSamples.of(above)
        left = PaethPredictor.sum(WideSamples.of(source), left, up, corner) & 0xFF
        corner = up
        return WideSamples.bytes(left)
      }
    }
  }

  private static func up(_ memory: RowMemory) {
    var index = 0
    // SAFETY: all three have `count` bytes.
    while unsafe index &+ 16 <= memory.count {
      let sum =
        unsafe UnsafeRawPointer(memory.source + index).loadUnaligned(as: SIMD16<UInt8>.self)
        &+ UnsafeRawPointer(memory.above + index).loadUnaligned(as: SIMD16<UInt8>.self)
      unsafe UnsafeMutableRawPointer(memory.row + index).storeBytes(of: sum, as: SIMD16<UInt8>.self)
      index &+= 16
    }
    while unsafe index < memory.count {
      unsafe memory.row[index] = memory.source[index] &+ memory.above[index]
      index &+= 1
    }
  }
}

/// The rows that a filter is taken from.
@unsafe private struct RowMemory {
  let source: UnsafePointer<UInt8>
  let above: UnsafePointer<UInt8>
  let row: UnsafeMutablePointer<UInt8>
  let count: Int
  let distance: Int

  /// Writes what `value` makes of each pixel's filtered bytes and those above; its words hold what follows too, and
  /// what it gives for that is overwritten.
  @inline(__always)
  func forEachPixel(_ value: (UInt64, UInt64) -> UInt64) {
    var index = 0
    // SAFETY: eight bytes follow in each, as the two unfiltered rows have slack.
    while unsafe index &+ 8 <= count {
      let source = unsafe UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self).littleEndian
      unsafe put(value(source, load(above, index)), index)
      unsafe index &+= distance
    }
    while unsafe index < count {
      var bytes: UInt64 = 0
      for offset in 0..<(unsafe min(8, count - index)) {
        // SAFETY: the byte is one of the `count` bytes.
        unsafe bytes |= UInt64(source[index + offset]) &<< UInt64(8 * offset)
      }
      unsafe put(value(bytes, load(above, index)), index)
      unsafe index &+= distance
    }
  }

  @inline(__always)
  private func load(_ row: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
    // SAFETY: a row has eight bytes behind its last one.
    unsafe UnsafeRawPointer(row + index).loadUnaligned(as: UInt64.self).littleEndian
  }

  @inline(__always)
  private func put(_ value: UInt64, _ index: Int) {
    // SAFETY: a row has eight bytes behind its last one.
    unsafe UnsafeMutableRawPointer(row + index).storeBytes(of: value.littleEndian, as: UInt64.self)
  }
}
