import LivePhotoCore

extension Movie {
  /// The movie with another header, whose samples stay where they are in the source.
  ///
  /// - Parameters:
  ///   - newSource: what the samples are then in; the present source where nil.
  ///   - rewrite: writes the content of the new `moov` box; the cursor stands at the content of the present one.
  /// - Throws: ``ParseError`` as `rewrite` does, or when the new header cannot be read.
  func rewritingHeader(
    over newSource: (any ByteSource)? = nil, limits: Limits,
    _ rewrite: (inout ByteCursor, inout ByteWriter) throws(ParseError) -> Void
  ) throws(ParseError) -> Movie {
    var cursor = ByteCursor(movieBytes.span, base: movieBox.range.lowerBound)
    try cursor.skip(movieBox.headerSize)
    var writer = ByteWriter()
    try writer.container(movieBox) { (writer) throws(ParseError) in try rewrite(&cursor, &writer) }
    return try Movie(newSource ?? source, header: writer.bytes, limits: limits).trimmed(like: self)
  }

  /// The movie with only those samples of its tracks that another has left of the same ones; itself where that has all.
  func trimmed(like other: Movie) -> Movie {
    guard other.isTrimmed else { return self }
    var movie = self
    (movie.header.timescale, movie.header.duration) = (other.header.timescale, other.header.duration)
    movie.header.clearSelections()
    for index in tracks.indices {
      guard let trimmed = other.track(id: tracks[index].id) else { continue }
      movie.tracks[index].movieTimescale = trimmed.movieTimescale
      movie.tracks[index].samples = trimmed.samples
      movie.tracks[index].keptSamples = trimmed.keptSamples
      movie.tracks[index].edits = trimmed.edits
      movie.tracks[index].setDurations()
    }
    movie.keptPart = other.keptPart
    movie.findMarkers()
    return movie
  }
}
