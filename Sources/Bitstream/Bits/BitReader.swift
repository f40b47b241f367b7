public import LivePhotoCore

/// Reads bit fields and Exp-Golomb codes from a borrowed raw byte sequence payload, most significant bit first
/// (ITU-T H.265, 7.2 and 9.2; ITU-T H.264, 7.2 and 9.1).
///
/// The bytes are an RBSP: emulation prevention is already removed (``EmulationPrevention/removed(from:)``). Each read
/// makes one check and throws ``LivePhotoCore/ParseError/truncated(needed:available:at:)`` when it fails; the reader
/// then stays where it was. Offsets in errors are those of the RBSP's bytes plus `base`.
///
/// ```swift
/// var reader = BitReader(rbsp.span)
/// let identifier = try reader.readBits(4)
/// let width = try reader.readUE()
/// ```
public struct BitReader: ~Escapable {
  private let bytes: Span<UInt8>

  /// Where the next read begins, in bits from the first one.
  public private(set) var position: Int

  /// The position of the last bit that is 1, the `rbsp_stop_one_bit`; 0 where there is none.
  let stopBit: Int

  /// The offset of the first byte in the unit or file that errors speak of.
  public let base: Int

  /// A reader at the first bit of `bytes`.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, base: Int = 0) {
    self.bytes = bytes
    self.base = base
    position = 0
    var last = bytes.count - 1
    while last >= 0, bytes[last] == 0 { last -= 1 }
    stopBit = last < 0 ? 0 : last * 8 + 7 - bytes[last].trailingZeroBitCount
  }

  /// The number of bits not yet read.
  public var remainingBits: Int { bytes.count * 8 - position }

  /// Whether data precedes the trailing bits: `more_rbsp_data()` (ITU-T H.265, 7.2).
  public var hasMoreRBSPData: Bool { position < stopBit }

  /// Whether the next bit is the first one of a byte.
  public var isByteAligned: Bool { position & 7 == 0 }

  /// The place of the byte that holds the next bit, for an error.
  public var place: Place { Place(offset: base + position >> 3) }

  /// At least the next 57 bits in the highest places, zeros beyond the end.
  @inline(__always)
  private var window: UInt64 {
    let index = position >> 3
    var value: UInt64 = 0
    if bytes.count - index >= 8 {
      // SAFETY: eight bytes from `index` on are inside the span; a UInt64 has no invalid bit patterns.
      value = unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).bigEndian
    } else {
      for offset in index..<bytes.count { value |= UInt64(bytes[offset]) << UInt64(56 - 8 * (offset - index)) }
    }
    return value << UInt64(position & 7)
  }
}

// MARK: Fixed widths

extension BitReader {
  /// The next `count` bits as an unsigned integer, `u(n)`; `count` is 0 to 32.
  public mutating func readBits(_ count: Int) throws(ParseError) -> UInt32 {
    let value = peekBits(count)
    try skipBits(count)
    return value
  }

  /// The next bit as a flag, `u(1)`.
  public mutating func readFlag() throws(ParseError) -> Bool {
    try readBits(1) == 1
  }

  /// The next `count` bits without stepping over them, zeros beyond the end.
  ///
  /// - Precondition: `count` is 0 to 32.
  public func peekBits(_ count: Int) -> UInt32 {
    precondition((0...32).contains(count), "a bit field has 0 to 32 bits")
    return UInt32(truncatingIfNeeded: window >> UInt64(64 - count))
  }

  /// Steps over `count` bits.
  public mutating func skipBits(_ count: Int) throws(ParseError) {
    guard count >= 0, count <= remainingBits else {
      let index = position >> 3
      let end = position.addingReportingOverflow(max(count, 0)).partialValue
      throw .truncated(needed: end >> 3 + 1 - index, available: bytes.count - index, at: place)
    }
    position += count
  }
}

// MARK: Exp-Golomb codes

extension BitReader {
  /// The next unsigned Exp-Golomb code, `ue(v)`, 0 to 2³² − 2.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/invalid(_:found:expected:at:)`` for a code of more than 31 leading zeros,
  ///   which no syntax element has.
  public mutating func readUE() throws(ParseError) -> UInt32 {
    let bits = window
    let zeros = bits.leadingZeroBitCount
    guard zeros < remainingBits else { throw .truncated(needed: 1, available: 0, at: place) }
    guard zeros < 32 else {
      throw .invalid("Exp-Golomb code", found: "32 leading zeros or more", expected: "at most 31", at: place)
    }
    if zeros <= 28 {
      try skipBits(2 * zeros + 1)
      return UInt32(truncatingIfNeeded: bits >> UInt64(63 - 2 * zeros)) - 1
    }
    guard remainingBits > 2 * zeros else {
      throw .truncated(needed: (2 * zeros + 8) >> 3, available: remainingBits >> 3, at: place)
    }
    try skipBits(zeros)
    return try readBits(zeros + 1) - 1
  }

  /// The next signed Exp-Golomb code, `se(v)`, −2³¹ + 1 to 2³¹ − 1.
  ///
  /// - Throws: as ``readUE()`` does.
  public mutating func readSE() throws(ParseError) -> Int32 {
    let code = try readUE()
    let magnitude = Int32(code / 2 + code % 2)
    return code % 2 == 1 ? magnitude : -magnitude
  }

  /// The next unsigned code, which has to lie in `range`; `field` is the syntax element's name.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/invalid(_:found:expected:at:)`` when it does not.
  public mutating func readUE(_ field: String, in range: ClosedRange<Int>) throws(ParseError) -> Int {
    let start = place
    let value = Int(try readUE())
    guard range.contains(value) else {
      throw .invalid(field, found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)", at: start)
    }
    return value
  }

  /// The next signed code, which has to lie in `range`; `field` is the syntax element's name.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/invalid(_:found:expected:at:)`` when it does not.
  public mutating func readSE(_ field: String, in range: ClosedRange<Int>) throws(ParseError) -> Int {
    let start = place
    let value = Int(try readSE())
    guard range.contains(value) else {
      throw .invalid(field, found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)", at: start)
    }
    return value
  }
}
