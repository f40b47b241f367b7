/// The bits of compressed data, least significant first (RFC 1951, 3.1.1).
///
/// Behind the end zeros follow; ``isExhausted`` says that some were used.
@safe struct InflateInput {
  private let start: UnsafePointer<UInt8>
  private let end: Int
  /// The next byte to be loaded.
  private var position = 0
  /// The bits that are loaded; above them may stand some of the bits that follow.
  private(set) var bits: UInt64 = 0
  private(set) var count = 0

  /// The bits of `count` bytes from `start` on, which outlive this value.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    end = count
  }

  /// Whether bits were taken that are not there.
  var isExhausted: Bool { count < 0 }

  /// Bytes of which at least one bit was taken.
  var consumed: Int { position - max(0, count) / 8 }

  /// Whether ``refillFast()`` may be called twice.
  @inline(__always)
  var isAmple: Bool { end &- position >= 16 }

  /// Sees to at least 56 bits, unless the input ends before.
  @inline(__always)
  mutating func refill() {
    while count < 56, position < end {
      // SAFETY: `position` is below the buffer's count.
      unsafe bits |= UInt64(start[position]) &<< UInt64(truncatingIfNeeded: count)
      position &+= 1
      count &+= 8
    }
  }

  /// Sees to at least 56 bits, where ``isAmple``.
  @inline(__always)
  mutating func refillFast() {
    // SAFETY: eight bytes follow in the buffer.
    let word = unsafe UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self).littleEndian
    bits |= word &<< UInt64(truncatingIfNeeded: count)
    position &+= (63 &- count) &>> 3
    count |= 56
  }

  /// The next bits as a number, which stay.
  @inline(__always)
  func peek(_ size: Int) -> Int {
    Int(truncatingIfNeeded: bits) & ((1 &<< size) &- 1)
  }

  /// Steps over bits.
  @inline(__always)
  mutating func skip(_ size: Int) {
    bits &>>= UInt64(truncatingIfNeeded: size)
    count &-= size
  }

  /// The next bits as a number.
  @inline(__always)
  mutating func take(_ size: Int) -> Int {
    let value = peek(size)
    skip(size)
    return value
  }

  /// The length of a stored block, and that with all bits inverted, from the next whole byte on; nil at the end.
  mutating func takeStoredLength() -> (count: Int, complement: Int)? {
    let start = consumed
    (bits, count) = (0, 0)
    position = start
    guard end - start >= 4 else { return nil }
    refill()
    return (take(16), take(16))
  }

  /// Copies whole bytes, as many as there are up to `size`, and returns their number.
  mutating func copy(_ size: Int, to goal: UnsafeMutablePointer<UInt8>) -> Int {
    position = consumed
    (bits, count) = (0, 0)
    let part = min(size, end - position)
    // SAFETY: `part` bytes are left in the buffer; the caller has room for `size`.
    unsafe goal.update(from: start + position, count: part)
    position += part
    return part
  }
}
