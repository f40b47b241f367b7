/// Reads the bits of a scan's data, most significant first, stuffing taken away (ITU-T T.81, F.2.2.5).
///
/// Behind the end, or a marker that has not been passed, zeros follow; ``isExhausted`` says that some were
/// used.
struct BitReader: ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0
  private var bits: UInt64 = 0
  private var count = 0
  /// The second byte of the marker in front of which reading stopped.
  private var marker: UInt8?
  /// How many codes were none of their table's.
  private(set) var badCodes = 0
  /// How many restart markers were not where they belong.
  private(set) var lostRestarts = 0
  /// The whole bytes that were passed over in front of restart markers.
  private(set) var skippedBytes = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// Whether bits were used that are not there.
  var isExhausted: Bool { count < 0 }

  /// Whether there is nothing more, not even a marker.
  var isAtEnd: Bool { marker == nil && position == bytes.count && count <= 0 }

  /// The whole bytes that were not used.
  var unusedBytes: Int { bytes.count - position + max(0, count) / 8 }

  /// Sees to at least 33 bits, as many as a code and its value take.
  @inline(__always)
  mutating func refill() {
    if count < 33 { fill() }
  }

  @inline(never)
  private mutating func fill() {
    guard marker == nil else { return }
    while count <= 56, position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0xFF {
        guard let code = passCode() else { return }
        guard code == 0 else { return marker = code }
      }
      bits |= UInt64(byte) &<< UInt64(56 &- count)
      count &+= 8
    }
  }

  /// The byte that follows one or more 0xFF; nil at the end.
  private mutating func passCode() -> UInt8? {
    while position < bytes.count {
      let code = bytes[position]
      position += 1
      if code != 0xFF { return code }
    }
    return nil
  }

  /// The next 1 to 16 bits, which ``refill()`` has seen to.
  @inline(__always)
  mutating func take(_ size: Int) -> Int {
    let value = Int(truncatingIfNeeded: bits &>> UInt64(64 &- size))
    bits &<<= UInt64(size)
    count &-= size
    return value
  }

  /// The next bit.
  @inline(__always)
  mutating func takeBit() -> Bool {
    if count < 1 { fill() }
    return take(1) == 1
  }

  /// A value of 1 to 15 bits as differences and coefficients are coded (ITU-T T.81, F.2.2.1).
  @inline(__always)
  mutating func takeValue(_ size: Int) -> Int {
    let value = take(size)
    return value < 1 &<< (size &- 1) ? value &- (1 &<< size) &+ 1 : value
  }

  /// The symbol of the next code; 0 for a code that there is not.
  ///
  /// At least 16 bits are left of what ``refill()`` saw to.
  @inline(__always)
  mutating func takeSymbol(_ table: borrowing HuffmanDecoder) -> Int {
    let entry = table.lookup[Int(truncatingIfNeeded: bits &>> UInt64(64 - HuffmanDecoder.lookupBits))]
    guard entry != 0 else { return takeLongSymbol(table) }
    let length = Int(entry &>> 8)
    bits &<<= UInt64(length)
    count &-= length
    return Int(entry & 0xFF)
  }

  @inline(never)
  private mutating func takeLongSymbol(_ table: borrowing HuffmanDecoder) -> Int {
    for length in HuffmanDecoder.lookupBits + 1...16 {
      let code = Int(truncatingIfNeeded: bits &>> UInt64(64 &- length))
      if code <= table.largest[length] {
        _ = take(length)
        return Int(table.symbols[code + table.offsets[length]])
      }
    }
    badCodes += 1
    _ = take(16)
    _ = take(1)
    return 0
  }

  /// Moves behind the restart marker with a number, and looks for where to go on if another stands there.
  ///
  /// A restart marker that is due soon is waited for, one that was due before is passed over, any other is taken for
  /// the one that is due. A reserved marker is damage in the data; any other ends them. This is what libjpeg does.
  ///
  /// - Returns: whether data follow; otherwise the interval is lost.
  mutating func passRestart(_ number: UInt8) -> Bool {
    skippedBytes += max(0, count) / 8
    (bits, count) = (0, 0)
    if marker == nil { findMarker() }
    if marker != 0xD0 + number { lostRestarts += 1 }
    while let found = marker {
      switch found {
      case ..<0xC0: findMarker()
      case 0xD0...0xD7:
        switch (found &- number) & 7 {
        case 1, 2: return false
        case 6, 7: findMarker()
        default:
          marker = nil
          return true
        }
      default: return false
      }
    }
    return false
  }

  private mutating func findMarker() {
    marker = nil
    let start = position
    defer { if marker != nil { skippedBytes += position - start - 2 } }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0xFF, let code = passCode(), code != 0 { return marker = code }
    }
  }
}
