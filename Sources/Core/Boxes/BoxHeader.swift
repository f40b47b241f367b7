/// The header of a box: its type, where it lies and how long it is (ISO/IEC 14496-12, 4.2).
public struct BoxHeader: Equatable, Sendable {
  /// The type; `uuid` for a box whose type is in ``userType``.
  public var type: FourCC

  /// The 16 bytes of an extended type, present only when ``type`` is `uuid`.
  public var userType: [UInt8]?

  /// The whole box, header included, in bytes of the file.
  public var range: Range<Int>

  /// The number of bytes before the payload: 8, 16 with a 64-bit size, and 16 more for a `uuid`.
  public var headerSize: Int

  /// How the size was written.
  public var sizeForm: SizeForm

  /// How a box states its size.
  public enum SizeForm: Sendable {
    /// A 32-bit size.
    case compact
    /// The value 1 and a 64-bit size behind the type.
    case large
    /// The value 0: the box extends to the end of what surrounds it.
    case toEnd
  }

  /// Where the payload lies in the file.
  public var payload: Range<Int> { range.lowerBound + headerSize..<range.upperBound }

  /// What follows size and type in the file: the extended type of a `uuid`, and the payload.
  package var content: Range<Int> { range.lowerBound + (sizeForm == .large ? 16 : 8)..<range.upperBound }
}

extension BoxHeader {
  /// Reads a header; the cursor then stands at the payload.
  ///
  /// `available` is the number of bytes from the header's first byte to the end of what surrounds the box. It is
  /// the cursor's own rest unless the cursor holds only the first bytes of a larger file.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)`` when the header is cut off or the box reaches beyond
  ///   `available`; ``ParseError/invalid(_:found:expected:at:)`` when the size is smaller than the header.
  public init(parsing cursor: inout ByteCursor, available: Int? = nil) throws(ParseError) {
    let start = cursor.fileOffset
    let available = available ?? cursor.remaining
    let shortSize = Int(try cursor.readUInt32())
    type = try cursor.readFourCC()
    headerSize = 8
    var size = shortSize
    sizeForm = .compact
    if shortSize == 1 {
      let large = try cursor.readUInt64()
      guard let exact = Int(exactly: large) else {
        throw .invalid(
          "size of '\(type)'", found: "\(large)", expected: "a size that fits in the file", at: Place(offset: start))
      }
      size = exact
      headerSize += 8
      sizeForm = .large
    } else if shortSize == 0 {
      size = available
      sizeForm = .toEnd
    }
    if type == "uuid" {
      userType = try cursor.readBytes(16)
      headerSize += 16
    }
    guard size >= headerSize else {
      throw .invalid(
        "size of '\(type)'", found: "\(size)", expected: "at least \(headerSize)", at: Place(offset: start))
    }
    guard size <= available else {
      throw .truncated(needed: size, available: available, at: Place(offset: start, path: [type.description]))
    }
    range = start..<start + size
  }
}

extension ByteCursor {
  /// Calls `body` with each box from here to the end of this cursor's bytes, in order.
  ///
  /// Fewer than eight bytes at the end, and the four or eight zero bytes by which QuickTime ends some lists, are not
  /// a box: the cursor then stands before them. An error inside a box is reported with the box's type in its path.
  ///
  /// - Throws: what `body` throws, and ``ParseError`` for a damaged header or more than `limit` boxes.
  public mutating func forEachBox(
    limit: Int = Limits.standard.boxesPerContainer,
    _ body: (BoxHeader, inout ByteCursor) throws(ParseError) -> Void
  ) throws(ParseError) {
    var count = 0
    while remaining >= 8 {
      if peekFourCC()?.rawValue == 0, peekFourCC(ahead: 4)?.rawValue == 0 { return }
      count += 1
      guard count <= limit else { throw .beyondLimit("number of boxes", found: count, limit: limit, at: place) }
      let header = try BoxHeader(parsing: &self)
      var payload = try slice(header.payload.count)
      do { try body(header, &payload) } catch { throw error.inside(header.type.description) }
    }
  }

  /// Reads the version and flags that a `FullBox` begins with.
  public mutating func readVersionAndFlags() throws(ParseError) -> (version: UInt8, flags: UInt32) {
    (try readUInt8(), try readUInt24())
  }
}
