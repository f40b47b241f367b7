/// Reads big-endian (or, where asked, little-endian) values from borrowed bytes, front to back.
///
/// Each read makes one bounds check and throws ``ParseError/truncated(needed:available:at:)`` when it
/// fails; the cursor then stays where it was. Nothing is copied until an array is asked for.
///
/// ```swift
/// var cursor = ByteCursor(bytes.span)
/// let version = try cursor.readUInt8()
/// let count = try cursor.readUInt32()
/// ```
public struct ByteCursor: ~Escapable {
  @usableFromInline let bytes: Span<UInt8>

  /// Where the next read begins, in bytes from the start of this cursor's own bytes.
  public private(set) var position: Int

  /// The offset of this cursor's first byte in the file (or blob) that errors speak of.
  public let base: Int

  /// A cursor at the start of `bytes`, which lie at `base` in their file.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, base: Int = 0) {
    self.bytes = bytes
    self.base = base
    position = 0
  }

  /// The number of bytes in all, read or not.
  public var count: Int { bytes.count }

  /// The number of bytes not yet read.
  public var remaining: Int { bytes.count - position }

  /// Whether every byte has been read.
  public var isAtEnd: Bool { remaining == 0 }

  /// The offset of the next byte in the file.
  public var fileOffset: Int { base + position }

  /// The place of the next byte, for an error.
  public var place: Place { Place(offset: fileOffset) }

  /// Checks that `count` bytes follow, steps over them and returns where they begin.
  @inline(__always)
  private mutating func take(_ count: Int) throws(ParseError) -> Int {
    guard count >= 0, count <= remaining else {
      throw .truncated(needed: count, available: remaining, at: place)
    }
    defer { position += count }
    return position
  }

  @inline(__always)
  private func byte(_ index: Int) -> UInt8 {
    // SAFETY: every caller passes an index below the end of a range that `take` has checked.
    unsafe bytes[unchecked: index]
  }
}

// MARK: Integers

extension ByteCursor {
  /// The next byte.
  public mutating func readUInt8() throws(ParseError) -> UInt8 {
    byte(try take(1))
  }

  /// The next byte, signed.
  public mutating func readInt8() throws(ParseError) -> Int8 {
    Int8(bitPattern: try readUInt8())
  }

  /// The next two bytes, big-endian unless told otherwise.
  public mutating func readUInt16(_ order: ByteOrder = .big) throws(ParseError) -> UInt16 {
    let at = try take(2)
    let value = UInt16(byte(at)) << 8 | UInt16(byte(at + 1))
    return order == .big ? value : value.byteSwapped
  }

  /// The next two bytes, signed.
  public mutating func readInt16(_ order: ByteOrder = .big) throws(ParseError) -> Int16 {
    Int16(bitPattern: try readUInt16(order))
  }

  /// The next three bytes, big-endian.
  public mutating func readUInt24() throws(ParseError) -> UInt32 {
    let at = try take(3)
    return UInt32(byte(at)) << 16 | UInt32(byte(at + 1)) << 8 | UInt32(byte(at + 2))
  }

  /// The next four bytes, big-endian unless told otherwise.
  public mutating func readUInt32(_ order: ByteOrder = .big) throws(ParseError) -> UInt32 {
    let at = try take(4)
    let high = UInt32(byte(at)) << 24 | UInt32(byte(at + 1)) << 16
    let value = high | UInt32(byte(at + 2)) << 8 | UInt32(byte(at + 3))
    return order == .big ? value : value.byteSwapped
  }

  /// The next four bytes, signed.
  public mutating func readInt32(_ order: ByteOrder = .big) throws(ParseError) -> Int32 {
    Int32(bitPattern: try readUInt32(order))
  }

  /// The next eight bytes, big-endian unless told otherwise.
  public mutating func readUInt64(_ order: ByteOrder = .big) throws(ParseError) -> UInt64 {
    guard remaining >= 8 else { throw .truncated(needed: 8, available: remaining, at: place) }
    let first = UInt64(try readUInt32()), second = UInt64(try readUInt32())
    let value = first << 32 | second
    return order == .big ? value : value.byteSwapped
  }

  /// The next eight bytes, signed.
  public mutating func readInt64(_ order: ByteOrder = .big) throws(ParseError) -> Int64 {
    Int64(bitPattern: try readUInt64(order))
  }

  /// An unsigned big-endian integer of `width` bytes, 0 to 8; a width of 0 reads as 0.
  public mutating func readUInt(width: Int) throws(ParseError) -> UInt64 {
    guard (0...8).contains(width) else {
      throw .invalid("integer width", found: "\(width)", expected: "0 to 8", at: place)
    }
    let at = try take(width)
    var value: UInt64 = 0
    for index in at..<at + width { value = value << 8 | UInt64(byte(index)) }
    return value
  }

  /// The next four bytes as a four-character code.
  public mutating func readFourCC() throws(ParseError) -> FourCC {
    FourCC(rawValue: try readUInt32())
  }
}

// MARK: Bytes and parts

extension ByteCursor {
  /// Steps over `count` bytes.
  public mutating func skip(_ count: Int) throws(ParseError) {
    _ = try take(count)
  }

  /// Moves to `position`, counted from the start of this cursor's bytes.
  public mutating func seek(to position: Int) throws(ParseError) {
    guard position >= 0, position <= count else {
      throw .truncated(needed: position, available: count, at: Place(offset: base))
    }
    self.position = position
  }

  /// A copy of the next `count` bytes.
  public mutating func readBytes(_ count: Int) throws(ParseError) -> [UInt8] {
    let at = try take(count)
    let part = bytes.extracting(at..<at + count)
    // SAFETY: the buffer is read only inside the closure, while the borrowed bytes are alive.
    return unsafe part.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// The next `count` big-endian integers of 32 bits each, checked together and so much faster than one by one.
  public mutating func readUInt32s(_ count: Int) throws(ParseError) -> [UInt32] {
    let (size, overflow) = count.multipliedReportingOverflow(by: 4)
    guard count >= 0, !overflow else { throw .truncated(needed: count, available: remaining, at: place) }
    let at = try take(size)
    let part = bytes.extracting(at..<at + size)
    // SAFETY: `part` has four bytes for each of the `count` elements, which are all initialized.
    return unsafe part.withUnsafeBytes { source in
      unsafe [UInt32](unsafeUninitializedCapacity: count) { elements, filled in
        for index in 0..<count {
          let value = unsafe UInt32(bigEndian: source.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
          unsafe elements.initializeElement(at: index, to: value)
        }
        filled = count
      }
    }
  }

  /// A copy of all bytes not yet read.
  public mutating func readRemaining() -> [UInt8] {
    // The count is the cursor's own, so the read cannot fail.
    (try? readBytes(remaining)) ?? []
  }

  /// A cursor over the next `count` bytes, which this cursor steps over.
  @_lifetime(copy self)
  public mutating func slice(_ count: Int) throws(ParseError) -> ByteCursor {
    let at = try take(count)
    return ByteCursor(bytes.extracting(at..<at + count), base: base + at)
  }

  /// A cursor over `range` (counted from the start of this cursor's bytes), wherever this one stands.
  @_lifetime(copy self)
  public func part(_ range: Range<Int>) throws(ParseError) -> ByteCursor {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(needed: range.upperBound, available: count, at: Place(offset: base))
    }
    return ByteCursor(bytes.extracting(range), base: base + range.lowerBound)
  }

  /// The next `count` bytes as UTF-8, repaired where they are not.
  public mutating func readUTF8(_ count: Int) throws(ParseError) -> String {
    String(decoding: try readBytes(count), as: UTF8.self)
  }

  /// The bytes up to the next NUL as UTF-8, repaired where they are not; all that are left where there is no NUL.
  ///
  /// The cursor then stands behind the NUL.
  public mutating func readTerminatedUTF8() -> String {
    var end = position
    while end < count, byte(end) != 0 { end += 1 }
    // Both counts are within the cursor's own, so neither read can fail.
    let text = (try? readUTF8(end - position)) ?? ""
    try? skip(min(1, remaining))
    return text
  }

  /// The next four bytes as a code, without stepping over them; nil near the end.
  public func peekFourCC(ahead: Int = 0) -> FourCC? {
    guard ahead >= 0, remaining >= 4, ahead <= remaining - 4 else { return nil }
    let at = position + ahead
    let value = (at..<at + 4).reduce(UInt32(0)) { $0 << 8 | UInt32(byte($1)) }
    return FourCC(rawValue: value)
  }
}

/// The order of the bytes of an integer.
public enum ByteOrder: Sendable {
  /// Most significant byte first: boxes, JPEG, "MM" TIFF.
  case big
  /// Least significant byte first: "II" TIFF, Samsung trailers.
  case little
}
