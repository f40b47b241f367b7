public import LivePhotoCore

/// How NAL units stand one after the other: behind start codes, or behind their lengths.
public enum NALFraming: Hashable, Sendable {
  /// The byte stream format: start codes of three or four bytes (ITU-T H.264 and H.265, annex B).
  case annexB
  /// Each unit behind its length, as in samples and items of ISO files (ISO/IEC 14496-15, 4.2 and 8.2).
  case lengthPrefixed(LengthSize)

  /// The number of bytes of a length.
  public enum LengthSize: Int, Sendable, CaseIterable {
    /// One byte.
    case one = 1
    /// Two bytes.
    case two = 2
    /// Four bytes, what nearly all files use.
    case four = 4
  }

  /// Where the units lie in `bytes`, in order, without start codes, lengths and trailing zeros.
  ///
  /// Units of no bytes are left out, and so is what stands before the first start code. `base` is the offset of the
  /// first byte in the file, for errors.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/truncated(needed:available:at:)`` when a length reaches beyond the end. The
  ///   byte stream format cannot fail.
  public func units(in bytes: Span<UInt8>, base: Int = 0) throws(ParseError) -> [Range<Int>] {
    switch self {
    case .annexB: Self.startCodeUnits(in: bytes)
    case .lengthPrefixed(let size): try Self.prefixedUnits(in: bytes, lengthSize: size.rawValue, base: base)
    }
  }

  /// The units in one run of bytes: behind four-byte start codes, or behind their lengths.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/beyondLimit(_:found:limit:at:)`` when a unit is too long for the length's
  ///   size.
  public func joined(_ units: some Collection<some Collection<UInt8>>) throws(ParseError) -> [UInt8] {
    var writer = ByteWriter()
    writer.reserve(units.reduce(0) { $0 + 4 + $1.count })
    for unit in units {
      switch self {
      case .annexB: writer.writeUInt32(1)
      case .lengthPrefixed(let size):
        let largest = 1 << (8 * size.rawValue) - 1
        guard unit.count <= largest else {
          throw .beyondLimit("bytes of a NAL unit", found: unit.count, limit: largest, at: Place(offset: writer.count))
        }
        writer.writeUInt(UInt64(unit.count), width: size.rawValue)
      }
      writer.write(unit)
    }
    return writer.bytes
  }
}

extension NALFraming {
  private static func prefixedUnits(
    in bytes: Span<UInt8>, lengthSize: Int, base: Int
  ) throws(ParseError) -> [Range<Int>] {
    var cursor = ByteCursor(bytes, base: base)
    var units: [Range<Int>] = []
    while !cursor.isAtEnd {
      // At most four bytes wide, so it fits.
      let length = Int(try cursor.readUInt(width: lengthSize))
      let start = cursor.position
      try cursor.skip(length)
      if length > 0 { units.append(start..<start + length) }
    }
    return units
  }

  private static func startCodeUnits(in bytes: Span<UInt8>) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var start: Int?
    var index = 0
    while let code = nextStartCode(in: bytes, from: index) {
      if let start { appendUnit(start..<code, of: bytes, to: &units) }
      index = code + 3
      start = index
    }
    if let start { appendUnit(start..<bytes.count, of: bytes, to: &units) }
    return units
  }

  /// Appends `range` without the zeros at its end: they belong to the next start code or are trailing ones, since
  /// the last byte of a unit is never zero.
  private static func appendUnit(_ range: Range<Int>, of bytes: Span<UInt8>, to units: inout [Range<Int>]) {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == 0 { end -= 1 }
    if end > range.lowerBound { units.append(range.lowerBound..<end) }
  }

  /// Where the next start code of three bytes stands, from an index on; nil where there is none.
  package static func nextStartCode(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while bytes.count - index >= 3 {
      let third = bytes[index + 2]
      if third == 0 {
        index += 1
      } else if third == 1, bytes[index] == 0, bytes[index + 1] == 0 {
        return index
      } else {
        index += 3
      }
    }
    return nil
  }
}
