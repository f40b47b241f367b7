/// Writes blocks of literals and matches, each in the form that takes the fewest bits.
struct DeflateBlockWriter {
  /// A literal is its byte from bit 16 on; a match its length less 3 from bit 16 on, and its distance below.
  typealias Token = UInt32

  private(set) var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var bitCount = 0

  private static let fixedLiterals = PrefixCode(lengths: DeflateAlphabet.fixedLiterals)
  private static let fixedDistances = PrefixCode(lengths: DeflateAlphabet.fixedDistances)
  private static let lengthSymbols: [UInt8] = (0..<256).map { length in
    UInt8((DeflateAlphabet.lengths.lastIndex { $0.base <= length + 3 }) ?? 0)
  }

  /// Writes a block of `tokens`, which stand for the bytes `data`.
  mutating func write(_ tokens: [Token], of data: Span<UInt8>, isLast: Bool) {
    let count = Self.frequencies(tokens)
    let literals = PrefixCode(frequencies: count.literals, limit: DeflateAlphabet.longestCode)
    let distances = PrefixCode(frequencies: count.distances, limit: DeflateAlphabet.longestCode)
    let header = DeflateCodeHeader(literals, distances)
    let dynamic = header.size + literals.size(count.literals) + distances.size(count.distances) + count.extraBits
    let fixed =
      Self.fixedLiterals.size(count.literals) + Self.fixedDistances.size(count.distances) + count.extraBits
    // A stored block takes three bits, the rest of their byte, and four bytes.
    let stored = (data.count + 5 * (data.count / 65_535 + 1)) * 8
    if stored < min(dynamic, fixed) {
      writeStored(data, isLast: isLast)
    } else if fixed <= dynamic {
      put(isLast ? 3 : 2, 3)
      write(tokens, Self.fixedLiterals, Self.fixedDistances, size: fixed)
    } else {
      put(isLast ? 5 : 4, 3)
      header.write(to: &self)
      write(tokens, literals, distances, size: dynamic)
    }
  }

  /// The whole output, filled up to a whole byte.
  consuming func finish() -> [UInt8] {
    alignToByte()
    return bytes
  }

  /// Appends up to 32 bits.
  mutating func put(_ value: Int, _ size: Int) {
    bits |= UInt64(truncatingIfNeeded: value) << UInt64(bitCount)
    bitCount += size
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private mutating func alignToByte() {
    if bitCount > 0 { put(0, 8 - bitCount) }
  }

  private mutating func writeStored(_ data: Span<UInt8>, isLast: Bool) {
    var start = 0
    repeat {
      let size = min(65_535, data.count - start)
      put(isLast && start + size == data.count ? 1 : 0, 3)
      alignToByte()
      put(size, 16)
      put(~size & 0xFFFF, 16)
      for index in start..<start + size { bytes.append(data[index]) }
      start += size
    } while start < data.count
  }

  /// How often each symbol occurs, the end of the block once, and the extra bits of all.
  private static func frequencies(_ tokens: [Token]) -> (literals: [Int], distances: [Int], extraBits: Int) {
    var literals = [Int](repeating: 0, count: DeflateAlphabet.literalCount)
    var distances = [Int](repeating: 0, count: DeflateAlphabet.distanceCount)
    literals[DeflateAlphabet.endOfBlock] = 1
    for token in tokens {
      let value = Int(token >> 16)
      guard token & 0xFFFF != 0 else {
        literals[value] += 1
        continue
      }
      literals[257 + Int(lengthSymbols[value])] += 1
      distances[distanceSymbol(Int(token & 0xFFFF)).symbol] += 1
    }
    let extraBits =
      zip(literals[257...], DeflateAlphabet.lengths).reduce(0) { $0 + $1.0 * $1.1.extra }
      + zip(distances, DeflateAlphabet.distances).reduce(0) { $0 + $1.0 * $1.1.extra }
    return (literals, distances, extraBits)
  }

  /// The symbol of a distance and the number of its extra bits (RFC 1951, 3.2.5): two symbols for each power of two.
  @inline(__always)
  private static func distanceSymbol(_ distance: Int) -> (symbol: Int, extra: Int) {
    let value = distance &- 1
    guard value >= 2 else { return (value, 0) }
    let extra = 62 &- value.leadingZeroBitCount
    return (2 &* extra &+ value &>> extra, extra)
  }

  /// Writes symbols that take `size` bits together, the end of the block among them.
  private mutating func write(_ tokens: [Token], _ literals: PrefixCode, _ distances: PrefixCode, size: Int) {
    // Each entry is the bits and, in its low five, their number.
    let literalEntries = zip(literals.codes, literals.lengths).map { UInt32($0) << 5 | UInt32($1) }
    let lengthEntries = (0..<256).map { length in
      let symbol = Int(Self.lengthSymbols[length]), range = DeflateAlphabet.lengths[symbol]
      let code = literalEntries[257 + symbol]
      let extra = UInt32(length + 3 - range.base) << (code & 31)
      return code + extra << 5 + UInt32(range.extra)
    }
    let distanceEntries = zip(distances.codes, distances.lengths).map { UInt32($0) << 5 | UInt32($1) }
    var (bits, count) = (bits, bitCount)
    // SAFETY: literals and lengths are below 256, distance symbols below 30; what is written was counted before, and
    // each store of eight bytes begins at most at the last of them.
    let written = unsafe [UInt8](unsafeUninitializedCapacity: size / 8 + 16) { buffer, written in
      guard let start = buffer.baseAddress else { return }
      var goal = UnsafeMutableRawPointer(start)
      @inline(__always)
      func append(_ entry: UInt32) {
        bits |= UInt64(entry &>> 5) &<< UInt64(truncatingIfNeeded: count)
        count &+= Int(entry & 31)
      }
      @inline(__always)
      func flush() {
        unsafe goal.storeBytes(of: bits.littleEndian, as: UInt64.self)
        unsafe goal += count &>> 3
        bits &>>= UInt64(truncatingIfNeeded: count & ~7)
        count &= 7
      }
      unsafe literalEntries.withUnsafeBufferPointer { literals in
        unsafe lengthEntries.withUnsafeBufferPointer { lengths in
          unsafe distanceEntries.withUnsafeBufferPointer { distances in
            for token in tokens {
              let value = Int(token &>> 16), distance = Int(token & 0xFFFF)
              if distance == 0 {
                unsafe append(literals[value])
              } else {
                unsafe append(lengths[value])
                let (symbol, extra) = Self.distanceSymbol(distance)
                unsafe append(distances[symbol])
                bits |= UInt64((distance &- 1) & ((1 &<< extra) &- 1)) &<< UInt64(truncatingIfNeeded: count)
                count &+= extra
              }
              flush()
            }
            unsafe append(literals[DeflateAlphabet.endOfBlock])
            flush()
          }
        }
      }
      unsafe written = goal - UnsafeMutableRawPointer(start)
    }
    bytes += written
    (self.bits, bitCount) = (bits, count)
  }
}

/// The codes of a dynamic block as they stand at its head (RFC 1951, 3.2.7).
struct DeflateCodeHeader {
  /// Code lengths and their repetitions, each with its extra bits.
  private var symbols: [(symbol: Int, extra: Int, extraBits: Int)] = []
  private let code: PrefixCode
  private let literalCount: Int, distanceCount: Int, lengthCount: Int
  /// The number of bits.
  let size: Int

  init(_ literals: PrefixCode, _ distances: PrefixCode) {
    literalCount = max(257, (literals.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    distanceCount = max(1, (distances.lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    symbols = Self.repetitions(Array(literals.lengths[..<literalCount] + distances.lengths[..<distanceCount]))
    var frequencies = [Int](repeating: 0, count: DeflateAlphabet.lengthCodeOrder.count)
    for entry in symbols { frequencies[entry.symbol] += 1 }
    let code = PrefixCode(frequencies: frequencies, limit: DeflateAlphabet.longestLengthCode)
    self.code = code
    lengthCount = max(4, (DeflateAlphabet.lengthCodeOrder.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    size = 14 + 3 * lengthCount + code.size(frequencies) + symbols.reduce(0) { $0 + $1.extraBits }
  }

  private static func repetitions(_ lengths: [UInt8]) -> [(symbol: Int, extra: Int, extraBits: Int)] {
    var symbols: [(Int, Int, Int)] = []
    var index = 0
    while index < lengths.count {
      let value = lengths[index]
      var run = lengths[index...].prefix { $0 == value }.count
      index += run
      if value > 0 {
        symbols.append((Int(value), 0, 0))
        run -= 1
      }
      while run >= 3 {
        if value > 0 {
          let part = min(run, 6)
          symbols.append((16, part - 3, 2))
          run -= part
        } else {
          let part = min(run, 138)
          symbols.append(part > 10 ? (18, part - 11, 7) : (17, part - 3, 3))
          run -= part
        }
      }
      symbols += repeatElement((Int(value), 0, 0), count: run)
    }
    return symbols
  }

  func write(to writer: inout DeflateBlockWriter) {
    writer.put(literalCount - 257, 5)
    writer.put(distanceCount - 1, 5)
    writer.put(lengthCount - 4, 4)
    for symbol in DeflateAlphabet.lengthCodeOrder.prefix(lengthCount) { writer.put(Int(code.lengths[symbol]), 3) }
    for entry in symbols {
      writer.put(Int(code.codes[entry.symbol]), Int(code.lengths[entry.symbol]))
      writer.put(entry.extra, entry.extraBits)
    }
  }
}
