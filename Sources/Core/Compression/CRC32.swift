/// The cyclic redundancy check of PNG, gzip and zip (PNG, annex D; polynomial 0xEDB88320, bits reflected).
public enum CRC32 {
  /// The checksum of `bytes`, which follow bytes of the checksum `start`.
  public static func checksum(_ bytes: Span<UInt8>, from start: UInt32 = 0) -> UInt32 {
    var crc = ~start
    // SAFETY: tables are indexed by bytes, each of the eight has 256 entries; the bytes below their count.
    unsafe tables.withUnsafeBufferPointer { tables in
      unsafe bytes.withUnsafeBufferPointer { buffer in
        var index = 0
        if let base = buffer.baseAddress {
          while index &+ 8 <= buffer.count {
            let word = unsafe UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self).littleEndian
            unsafe crc = fold(word ^ UInt64(crc), tables)
            index &+= 8
          }
        }
        while index < buffer.count {
          unsafe crc = tables[Int((crc ^ UInt32(buffer[index])) & 0xFF)] ^ crc &>> 8
          index &+= 1
        }
      }
    }
    return ~crc
  }

  /// Eight bytes at once: each is looked up in the table of its distance to the end.
  @inline(__always)
  private static func fold(_ word: UInt64, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
    var crc: UInt32 = 0
    for byte in 0..<8 {
      // SAFETY: there are 2048 entries, and the index is below 256 · 8.
      unsafe crc ^= tables[(7 &- byte) &* 256 &+ Int(truncatingIfNeeded: word &>> UInt64(8 &* byte) & 0xFF)]
    }
    return crc
  }

  /// Table n holds the checksum of each byte followed by n zeros.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { byte in
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0xEDB8_8320 }
      return crc
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
    }
    return tables
  }()
}
