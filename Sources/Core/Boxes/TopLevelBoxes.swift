/// The boxes of a file's top level, found by reading only their headers.
public struct TopLevelBoxes: Sendable {
  /// The boxes, in the order of the file.
  public private(set) var boxes: [BoxHeader] = []

  /// The bytes from the end of the last whole box to the end of the file: empty unless the file was cut off or
  /// something that is no box follows.
  public private(set) var rest: Range<Int>

  /// Why the walk ended before the end of the file, if it did.
  public private(set) var restReason: ParseError?

  /// Walks the top level of `source`.
  ///
  /// A damaged or cut-off box ends the walk without an error: what came before it may be all that is needed.
  ///
  /// - Throws: ``ParseError/source(_:)`` when the source cannot be read, ``ParseError/beyondLimit(_:found:limit:at:)``
  ///   when there are more boxes than `limits` allows.
  public init(of source: any ByteSource, limits: Limits = .standard) throws(ParseError) {
    var offset = 0
    rest = 0..<0
    while source.count - offset >= 8 {
      guard boxes.count < limits.boxesPerContainer else {
        throw .beyondLimit(
          "number of boxes", found: boxes.count + 1, limit: limits.boxesPerContainer, at: Place(offset: offset))
      }
      let head = try source.parseBytes(offset..<min(offset + 32, source.count))
      var cursor = ByteCursor(head.span, base: offset)
      do {
        let header = try BoxHeader(parsing: &cursor, available: source.count - offset)
        boxes.append(header)
        offset = header.range.upperBound
      } catch {
        restReason = error
        break
      }
    }
    rest = offset..<source.count
  }

  /// The first box of a type.
  public func first(_ type: FourCC) -> BoxHeader? { boxes.first { $0.type == type } }
}
