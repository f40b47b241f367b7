/// Reads bits of a slice's payload, which lies in a table with room behind its end (ITU-T H.264, 7.2 and 9.1).
///
/// Reading beyond the end gives zeros and goes on; ``isOverrun`` says so, and is asked once a macroblock.
@safe struct SliceBits {
  /// The payload without emulation prevention, and zeros.
  private let bytes: Table<UInt8>
  /// Where the payload ends, before its stop bit.
  let end: Int
  /// Where the next read begins, in bits.
  private(set) var position: Int

  /// The zeros that stand behind a payload.
  static let padding = 16

  /// A reader of the first `count` bytes, from bit `position` on.
  init(_ bytes: Table<UInt8>, count: Int, position: Int) {
    precondition(count + Self.padding <= bytes.count)
    self.bytes = bytes
    self.position = position
    var last = count - 1
    while last >= 0, bytes[last] == 0 { last -= 1 }
    end = last < 0 ? 0 : last * 8 + 7 - bytes[last].trailingZeroBitCount
  }

  /// Whether more was read than there is.
  var isOverrun: Bool { position > end }
  /// Whether data precedes the trailing bits (`more_rbsp_data()`).
  var hasMore: Bool { position < end }

  /// At least the next 57 bits in the highest places.
  @inline(__always)
  var window: UInt64 {
    let index = min(position >> 3, bytes.count - 8)
    // SAFETY: eight bytes from there on are in the table.
    let value = unsafe UnsafeRawPointer(bytes.base + index).loadUnaligned(as: UInt64.self).bigEndian
    return value << UInt64(position & 7)
  }

  /// The next bits without stepping over them; `count` is 1 to 32.
  @inline(__always)
  func peek(_ count: Int) -> Int { Int(truncatingIfNeeded: window >> UInt64(64 - count)) }

  /// Steps over bits.
  @inline(__always)
  mutating func skip(_ count: Int) { position += count }

  /// The next bits, 1 to 32.
  @inline(__always)
  mutating func bits(_ count: Int) -> Int {
    let value = peek(count)
    position += count
    return value
  }

  /// The next bit.
  @inline(__always)
  mutating func flag() -> Bool { bits(1) == 1 }

  /// The next unsigned Exp-Golomb code, at most 2³² − 2, which also stands for more zeros than a code has.
  @inline(__always)
  mutating func unsigned() -> Int {
    let zeros = min(window.leadingZeroBitCount, 32)
    if zeros <= 28 {
      let value = Int(truncatingIfNeeded: window >> UInt64(63 - 2 * zeros)) - 1
      position += 2 * zeros + 1
      return value
    }
    position += zeros
    let code = Int(truncatingIfNeeded: window >> UInt64(63 - zeros))
    position += zeros + 1
    return code > 0 ? code - 1 : Int(UInt32.max) - 1
  }

  /// The next signed Exp-Golomb code.
  @inline(__always)
  mutating func signed() -> Int {
    let code = unsigned()
    return code & 1 == 1 ? (code + 1) >> 1 : -(code >> 1)
  }

  /// The next truncated Exp-Golomb code, 0 to `maximum`, or more where the stream is damaged.
  @inline(__always)
  mutating func truncated(_ maximum: Int) -> Int { maximum > 1 ? unsigned() : 1 - bits(1) }

  /// Steps to the next whole byte.
  mutating func align() { position = (position + 7) & ~7 }

  /// The next four bytes at a byte position, as arithmetic decoding takes them; zeros behind the end.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    guard index <= bytes.count - 4 else { return 0 }
    // SAFETY: four bytes from there on are in the table.
    return UInt64(unsafe UnsafeRawPointer(bytes.base + index).loadUnaligned(as: UInt32.self).bigEndian)
  }

  /// Moves to a byte.
  mutating func move(toByte index: Int) { position = index * 8 }
}
