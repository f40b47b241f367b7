/// Decompresses deflate data (RFC 1951), bare or as a zlib stream (RFC 1950).
///
/// What zlib accepts is accepted, anything else is an error. A call blocks and uses one thread.
///
/// ```swift
/// let bytes = try Inflater(limit: 1 << 20).inflate(compressed.span)
/// ```
public struct Inflater: Sendable {
  /// What stands around the compressed data.
  public enum Format: Sendable, Hashable {
    /// A header of two bytes, and the data's Adler-32 behind them (RFC 1950).
    case zlib
    /// Nothing (RFC 1951).
    case deflate
  }

  /// What stands around the compressed data.
  public var format: Format
  /// How many bytes are accepted; a few bytes may stand for very many.
  public var limit: Int

  /// A decompressor.
  ///
  /// - Precondition: `limit` is not negative.
  public init(_ format: Format = .zlib, limit: Int) {
    precondition(limit >= 0, "a limit is not negative")
    self.format = format
    self.limit = limit
  }

  /// What the stream holds that `data` begins with; bytes behind it are left alone.
  ///
  /// - Throws: ``ParseError`` when the stream is damaged or cut off, or holds more than ``limit`` bytes.
  public func inflate(_ data: Span<UInt8>) throws(ParseError) -> [UInt8] {
    let inflated = inflatePart(of: data)
    if let damage = inflated.damage { throw damage }
    return inflated.bytes
  }

  /// What can be had of the stream that `data` begins with.
  ///
  /// - Parameter size: how many bytes are expected, so that memory for them is taken at once; ``limit`` still holds.
  public func inflatePart(of data: Span<UInt8>, expecting size: Int? = nil) -> InflatedData {
    // SAFETY: the machine and its pointers are used only inside the closure.
    unsafe data.withUnsafeBufferPointer { buffer in
      if let damage = unsafe self.damage(inHeaderOf: buffer) {
        return InflatedData(bytes: [], consumed: buffer.count < headerSize ? buffer.count : 0, damage: damage)
      }
      guard let start = buffer.baseAddress else { return .truncated(at: 0) }
      let head = headerSize
      var machine = unsafe InflateMachine(InflateInput(start + head, count: buffer.count - head))
      let (bytes, outcome) = run(&machine, size: size ?? max(1 << 16, buffer.count.multipliedOrMax(by: 4)))
      let consumed = head + machine.input.consumed
      let damage =
        bytes.count > limit
        ? Self.tooMuch(limit, at: consumed)
        : unsafe self.damage(outcome, checksum: Adler32.checksum(bytes.span), buffer, consumed)
      let trailer = outcome == .finished && format == .zlib ? min(4, buffer.count - consumed) : 0
      return InflatedData(
        bytes: bytes.count > limit ? Array(bytes[..<limit]) : bytes, consumed: consumed + trailer, damage: damage)
    }
  }

  /// Runs the machine in memory that grows with what comes out.
  private func run(_ machine: inout InflateMachine, size: Int) -> ([UInt8], InflateMachine.Outcome) {
    // With more room than any symbol takes, the limit is exceeded before the machine stops.
    let slack = 2 * DeflateAlphabet.longestMatch + 64
    var bytes: [UInt8] = []
    var size = min(size, limit)
    while true {
      var outcome = InflateMachine.Outcome.needsRoom
      let capacity = size.addingReportingOverflow(slack)
      guard !capacity.overflow else { return (bytes, outcome) }
      let before = bytes
      // SAFETY: what was written before is copied first; the machine writes below the capacity, all of it up to its
      // own count.
      unsafe bytes = [UInt8](unsafeUninitializedCapacity: capacity.partialValue) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        unsafe before.withUnsafeBufferPointer { old in
          if let source = old.baseAddress { unsafe start.update(from: source, count: old.count) }
        }
        unsafe outcome = machine.run(start, capacity: capacity.partialValue)
        count = machine.produced
      }
      guard outcome == .needsRoom, size < limit else { return (bytes, outcome) }
      size = min(limit, size.multipliedOrMax(by: 2))
    }
  }

  /// The bytes in front of the compressed data.
  var headerSize: Int { format == .zlib ? 2 : 0 }

  /// What is wrong with the beginning of a stream (RFC 1950, 2.2).
  func damage(inHeaderOf buffer: UnsafeBufferPointer<UInt8>) -> ParseError? {
    guard buffer.count >= headerSize else {
      return InflatedData.truncated(at: buffer.count).damage
    }
    guard format == .zlib else { return nil }
    // SAFETY: the buffer has at least two bytes.
    let (first, second) = unsafe (buffer[0], buffer[1])
    let place = Place(offset: 0, path: ["zlib"])
    let text = "\(first) \(second)"
    guard (Int(first) << 8 | Int(second)) % 31 == 0 else {
      return .invalid("header", found: text, expected: "a multiple of 31", at: place)
    }
    guard first & 15 == 8, first >> 4 <= 7 else {
      return .invalid("compression method and window", found: text, expected: "deflate, up to 32 KiB", at: place)
    }
    return second & 0x20 == 0 ? nil : .unsupported("a preset dictionary", at: place)
  }

  static func tooMuch(_ limit: Int, at offset: Int) -> ParseError {
    .beyondLimit("decompressed size", found: limit + 1, limit: limit, at: Place(offset: offset, path: ["deflate"]))
  }

  /// What is wrong with a stream that did not end well, or whose checksum is another.
  func damage(
    _ outcome: InflateMachine.Outcome, checksum: @autoclosure () -> UInt32, _ buffer: UnsafeBufferPointer<UInt8>,
    _ end: Int
  ) -> ParseError? {
    switch outcome {
    case .needsRoom: return Self.tooMuch(limit, at: end)
    case .truncated: return InflatedData.truncated(at: end).damage
    case .damaged(let fault): return fault.error(at: end)
    case .finished: break
    }
    guard format == .zlib else { return nil }
    let place = Place(offset: end, path: ["zlib"])
    guard buffer.count - end >= 4 else { return .truncated(needed: 4, available: buffer.count - end, at: place) }
    // SAFETY: four bytes follow in the buffer.
    let stated = (end..<end + 4).reduce(UInt32(0)) { unsafe $0 << 8 | UInt32(buffer[$1]) }
    let found = checksum()
    return found == stated
      ? nil : .invalid("Adler-32 of the data", found: "\(found)", expected: "\(stated)", at: place)
  }
}

/// What was decompressed, as far as it goes.
public struct InflatedData: Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// How many bytes of the compressed data were used, wrapping included.
  public let consumed: Int
  /// Why they may be fewer than the stream should hold, or others; nil for a sound stream.
  public let damage: ParseError?

  static func truncated(at offset: Int) -> InflatedData {
    InflatedData(
      bytes: [], consumed: offset,
      damage: .truncated(needed: 1, available: 0, at: Place(offset: offset, path: ["deflate"])))
  }
}

extension InflateMachine.Fault {
  fileprivate func error(at offset: Int) -> ParseError {
    let (field, found, expected) =
      switch self {
      case .blockType: ("block type", "3", "0 to 2")
      case .storedLength: ("length of a stored block", "not the complement of its complement", "both to fit")
      case .codeCounts: ("number of codes", "more", "up to 286 and 30")
      case .lengthCode: ("code of code lengths", "over-subscribed or incomplete", "a complete code")
      case .repeatedLength: ("repeated code length", "without a length before or beyond the end", "a fitting one")
      case .missingEnd: ("code of the end of the block", "missing", "a length")
      case .literalCode: ("code of literals and lengths", "over-subscribed or incomplete", "a complete code")
      case .distanceCode: ("code of distances", "over-subscribed or incomplete", "a complete code")
      case .unusedCode: ("code", "none of its alphabet", "a code that is in use")
      case .distance: ("distance", "before the beginning of the data", "one to what was written")
      }
    return .invalid(field, found: found, expected: expected, at: Place(offset: offset, path: ["deflate"]))
  }
}

extension Int {
  /// The product, or the largest number where that does not fit.
  fileprivate func multipliedOrMax(by factor: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
