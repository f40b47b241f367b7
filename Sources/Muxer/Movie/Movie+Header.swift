import LivePhotoCore

extension Movie {
  /// The movie with another header, whose samples stay where they are in the source.
  ///
  /// - Parameter rewrite: writes the content of the new `moov` box; the cursor stands at the content of the present one.
  /// - Throws: ``ParseError`` as `rewrite` does, or when the new header cannot be read.
  func rewritingHeader(
    limits: Limits, _ rewrite: (inout ByteCursor, inout ByteWriter) throws(ParseError) -> Void
  ) throws(ParseError) -> Movie {
    var cursor = ByteCursor(movieBytes.span, base: movieBox.range.lowerBound)
    try cursor.skip(movieBox.headerSize)
    var writer = ByteWriter()
    try writer.container(movieBox) { (writer) throws(ParseError) in try rewrite(&cursor, &writer) }
    return try Movie(source, header: writer.bytes, limits: limits)
  }
}
