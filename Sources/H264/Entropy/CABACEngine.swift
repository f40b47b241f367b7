/// The arithmetic decoder (ITU-T H.264, 9.3.1.2 and 9.3.3.2).
///
/// `value` holds the 9 bits of the standard's offset and `ahead` bits that come next, so that renormalising is a
/// subtraction.
struct CABACEngine {
  private var range: UInt64 = 510
  private var value: UInt64 = 0
  private var ahead = 0
  private var next = 0
  private var bits: SliceBits
  /// Each context's probability state, doubled, and its most probable symbol.
  let contexts: Table<UInt8>
  private let ranges: Table<UInt8>
  private let transitions: Table<UInt8>

  /// A decoder over the bytes from the reader's position on, which is on a byte.
  init(_ bits: SliceBits, contexts: Table<UInt8>, tables: CABACTables) {
    self.bits = bits
    self.contexts = contexts
    ranges = tables.ranges
    transitions = tables.transitions
    start(atByte: bits.position >> 3)
  }

  private mutating func start(atByte byte: Int) {
    range = 510
    next = byte
    value = bits.word(at: next) << 32 | bits.word(at: next + 4)
    // Seven bytes, 9 bits of which are the offset.
    value >>= 8
    ahead = 47
    next += 7
  }

  /// Whether more was read than there is; the stop bit is read at the end of a slice.
  var isOverrun: Bool { next * 8 - ahead > bits.end + 1 }

  @inline(__always)
  private mutating func refill() {
    if ahead < 16 {
      value = value << 32 | bits.word(at: next)
      next += 4
      ahead += 32
    }
  }

  /// Decodes a bin with a context.
  @inline(__always)
  mutating func decode(_ context: Int) -> Int {
    refill()
    let state = contexts[context]
    let lps = UInt64(ranges[Int(state & 0x7E) << 1 | Int(range >> 6 & 3)])
    range -= lps
    let scaled = range << UInt64(truncatingIfNeeded: ahead)
    if value < scaled {
      contexts[context] = transitions[Int(state)]
      if range < 256 {
        range <<= 1
        ahead -= 1
      }
      return Int(state & 1)
    }
    value -= scaled
    contexts[context] = transitions[128 + Int(state)]
    let shift = lps.leadingZeroBitCount - 55
    range = lps << UInt64(truncatingIfNeeded: shift)
    ahead -= shift
    return Int(state & 1) ^ 1
  }

  /// Decodes a bin with a context, as a flag.
  @inline(__always)
  mutating func flag(_ context: Int) -> Bool { decode(context) != 0 }

  /// Decodes a bin whose values are equally probable.
  @inline(__always)
  mutating func bypass() -> Int {
    refill()
    ahead -= 1
    let scaled = range << UInt64(truncatingIfNeeded: ahead)
    if value < scaled { return 0 }
    value -= scaled
    return 1
  }

  /// Decodes the bin that ends a slice or begins samples that are not coded.
  mutating func terminate() -> Bool {
    refill()
    range -= 2
    let scaled = range << UInt64(truncatingIfNeeded: ahead)
    guard value < scaled else { return true }
    if range < 256 {
      range <<= 1
      ahead -= 1
    }
    return false
  }

  /// The reader at the byte behind a terminating bin: where samples stand that are not coded (9.3.1.2).
  func reader() -> SliceBits {
    var reader = bits
    reader.move(toByte: (next * 8 - ahead + 7) >> 3)
    return reader
  }

  /// Begins anew at the byte where `reader` is.
  mutating func restart(at reader: SliceBits) { start(atByte: reader.position >> 3) }
}

/// The constant tables of the arithmetic decoder.
struct CABACTables {
  /// The range of the less probable symbol, by state and the range's two bits (table 9-44).
  let ranges: Table<UInt8>
  /// The next state by state and symbol: after the more probable one, then after the less probable one (table 9-45).
  let transitions: Table<UInt8>

  init() {
    ranges = Table(Self.lessProbableRanges)
    var after = [UInt8](repeating: 0, count: 256)
    for state in 0..<64 {
      for symbol in 0..<2 {
        let index = state << 1 | symbol
        after[index] = UInt8(min(state + 1, state < 63 ? 62 : 63) << 1 | symbol)
        let flipped = state == 0 ? 1 - symbol : symbol
        after[128 + index] = Self.lessProbableStates[state] << 1 | UInt8(flipped)
      }
    }
    transitions = Table(after)
  }

  /// Gives the memory back.
  func free() {
    ranges.free()
    transitions.free()
  }

  /// Sets contexts to what they are at the beginning of a slice (9.3.1.1).
  ///
  /// - Parameter model: 0 for I and SI slices, else `cabac_init_idc + 1`.
  static func initialize(_ contexts: Table<UInt8>, model: Int, quantizer: Int) {
    let pairs = CABACContextTables.models[model]
    let quantizer = min(max(quantizer, 0), 51)
    for index in 0..<1024 {
      let m = Int(pairs[2 * index]), n = Int(pairs[2 * index + 1])
      let state = min(max((m * quantizer) >> 4 + n, 1), 126)
      contexts[index] = state <= 63 ? UInt8(63 - state) << 1 : UInt8(state - 64) << 1 | 1
    }
  }

  private static let lessProbableStates: [UInt8] = [
    0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18, 19, 19, 21, 21, 22, 22, 23, 24,
    24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32, 33, 33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37,
    38, 38, 63,
  ]

  private static let lessProbableRanges: [UInt8] = [
    128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205, 116, 142, 169, 195, 111, 135, 160,
    185, 105, 128, 152, 175, 100, 122, 144, 166, 95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117,
    135, 77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110, 62, 76, 90, 104, 59, 72, 86, 99, 56, 69,
    81, 94, 53, 65, 77, 89, 51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72, 41, 50, 59, 69, 39, 48, 56,
    65, 37, 45, 54, 62, 35, 43, 51, 59, 33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48, 27, 33, 39, 45,
    26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39, 22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31, 18,
    22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25, 14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15,
    18, 21, 12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17, 10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12,
    14,
    8, 10, 12, 14, 8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11, 6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2,
    2,
    2,
  ]
}
