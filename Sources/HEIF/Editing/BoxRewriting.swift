internal import LivePhotoCore

extension BoxHeader {
  /// The box with another payload, its header in the same form; a size to the end is written out.
  func rewritten(payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    let size = headerSize + payload.count
    writer.writeUInt32(sizeForm == .large ? 1 : UInt32(truncatingIfNeeded: size))
    writer.writeFourCC(type)
    if sizeForm == .large { writer.writeUInt64(UInt64(size)) }
    writer.write(userType ?? [])
    writer.write(payload)
    return writer.bytes
  }

  /// The boxes that a box (whose bytes are given) holds from `start` of its payload on, changed one by one.
  ///
  /// - Parameter change: gives what takes the place of a box; nil to keep it as it is.
  /// - Returns: the boxes, and what follows them.
  func rewritingBoxes(
    in bytes: [UInt8], behind start: Int,
    _ change: (BoxHeader, inout ByteCursor) throws(ParseError) -> [UInt8]?
  ) throws(ParseError) -> (boxes: [UInt8], rest: ArraySlice<UInt8>) {
    var cursor = ByteCursor(bytes.span)
    try cursor.skip(headerSize + start)
    var boxes: [UInt8] = []
    try cursor.forEachBox(limit: .max) { (header, payload) throws(ParseError) in
      // What reaches to the end cannot be followed by more.
      guard header.sizeForm != .toEnd else {
        throw .unsupported("an edit behind a box without a size", at: Place(offset: range.lowerBound))
      }
      boxes += try change(header, &payload) ?? Array(bytes[header.range])
    }
    return (boxes, bytes[cursor.position...])
  }
}
