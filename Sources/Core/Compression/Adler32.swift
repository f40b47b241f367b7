/// The checksum behind zlib streams (RFC 1950, 8.2).
public enum Adler32 {
  /// The largest prime below 65536.
  private static let modulus: UInt64 = 65_521
  /// Vectors whose columns are summed before their sums are widened: 255 · (1 + 2 + … + 20) fits in 16 bits.
  private static let rows = 20

  /// The checksum of `bytes`, which follow bytes of the checksum `start`.
  public static func checksum(_ bytes: Span<UInt8>, from start: UInt32 = 1) -> UInt32 {
    var first = UInt64(start & 0xFFFF), second = UInt64(start >> 16)
    // SAFETY: the buffer is read only inside the closure, at indices below its count.
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      if let base = buffer.baseAddress {
        let memory = unsafe UnsafeRawPointer(base)
        while index &+ 16 &* rows <= buffer.count {
          unsafe add(memory + index, &first, &second)
          index &+= 16 &* rows
        }
      }
      while index < buffer.count {
        unsafe first &+= UInt64(buffer[index])
        second &+= first
        index &+= 1
      }
    }
    return UInt32(second % modulus) << 16 | UInt32(first % modulus)
  }

  /// Adds one group of vectors: a byte counts in the second sum as often as there are bytes from it on.
  @inline(__always)
  private static func add(_ memory: UnsafeRawPointer, _ first: inout UInt64, _ second: inout UInt64) {
    var sums = SIMD16<UInt16>.zero, weighted = SIMD16<UInt16>.zero
    for row in 0..<rows {
      // SAFETY: the caller sees to `rows` vectors of 16 bytes.
      let vector = unsafe (memory + row &* 16).loadUnaligned(as: SIMD16<UInt8>.self)
      sums &+= SIMD16<UInt16>(truncatingIfNeeded: vector)
      weighted &+= sums
    }
    let wide = SIMD16<UInt32>(truncatingIfNeeded: sums)
    let columns = SIMD16<UInt32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let total = SIMD16<UInt32>(truncatingIfNeeded: weighted).wrappedSum() &* 16 &- (wide &* columns).wrappedSum()
    second = (second &+ first &* UInt64(16 &* rows) &+ UInt64(total)) % modulus
    first = (first &+ UInt64(wide.wrappedSum())) % modulus
  }
}
