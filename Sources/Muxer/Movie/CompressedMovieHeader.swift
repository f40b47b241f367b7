import LivePhotoCore

/// A movie header that is stored compressed, `cmov` (QuickTime File Format, "Compressed movie resources").
enum CompressedMovieHeader {
  /// The `moov` box that stands in the `cmov` box at `cursor`.
  ///
  /// - Throws: ``ParseError`` when it is damaged, beyond `limits`, or not compressed by zlib.
  static func read(_ cursor: inout ByteCursor, limits: Limits) throws(ParseError) -> [UInt8] {
    var movie: [UInt8]?
    try cursor.forEachBox { (box, content) throws(ParseError) in
      guard box.type == "cmov", movie == nil else { return }
      let bytes = try inflate(&content, limits: limits)
      var inner = ByteCursor(bytes.span)
      let header = try BoxHeader(parsing: &inner)
      guard header.type == "moov" else {
        throw .invalid("compressed box", found: "'\(header.type)'", expected: "'moov'", at: content.place)
      }
      movie = Array(bytes[header.range])
    }
    guard let movie else { throw .missing("'cmov' box", at: cursor.place) }
    return movie
  }

  private static func inflate(_ cursor: inout ByteCursor, limits: Limits) throws(ParseError) -> [UInt8] {
    let place = cursor.place
    var bytes: [UInt8]?
    try cursor.forEachBox { (box, content) throws(ParseError) in
      switch box.type {
      case "dcom":
        let method = try content.readFourCC()
        guard method == "zlib" else {
          throw .unsupported("a movie header compressed by '\(method)'", at: content.place)
        }
      case "cmvd":
        let stated = Int(try content.readUInt32())
        guard stated <= limits.metadataBytes else {
          throw .beyondLimit("size of 'moov'", found: stated, limit: limits.metadataBytes, at: content.place)
        }
        bytes = try Inflater(limit: stated).inflate(content.readRemaining().span)
      default: break
      }
    }
    guard let bytes else { throw .missing("'cmvd' box", at: place) }
    return bytes
  }
}
