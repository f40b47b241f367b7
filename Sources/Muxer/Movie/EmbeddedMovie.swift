public import LivePhotoCore

/// A movie that stands inside another file: behind the picture of a motion photo, in the `mpvd` box of one in HEIF.
///
/// ```swift
/// if let range = try EmbeddedMovie.range(in: source, from: endOfPicture) {
///   let movie = try Movie(parsing: SubSource(source, range: range))
/// }
/// ```
public enum EmbeddedMovie {
  /// Where the first movie is that begins at or after `start`; nil where there is none.
  ///
  /// It is found by its own `ftyp` box with other boxes of a movie behind it, not by what metadata say of it. The range
  /// ends with the movie's last box, or with the file where that box is cut off; whether the movie can be read is for
  /// ``Movie/init(parsing:limits:)`` to say.
  ///
  /// - Complexity: linear in the bytes passed over, which are read 1 MiB at a time.
  /// - Throws: ``ParseError/source(_:)``.
  public static func range(in source: any ByteSource, from start: Int, limits: Limits = .standard)
    throws(ParseError) -> Range<Int>?
  {
    var position = min(max(0, start), source.count)
    var candidates = 0
    while position + 16 <= source.count {
      let end = min(position + pieceSize, source.count)
      let piece = try source.parseBytes(position..<end)
      for index in FileTypeBox.places(in: piece) {
        candidates += 1
        guard candidates <= maximumCandidates else { return nil }
        if let range = try movie(in: source, at: position + index, limits: limits) { return range }
      }
      guard end < source.count else { return nil }
      // A box may begin in this piece and end in the next.
      position = end - FileTypeBox.headSize + 1
    }
    return nil
  }

  private static let pieceSize = 1 << 20
  /// Places that look like `ftyp` and are followed up: each costs a walk over boxes, and a hostile file has many.
  private static let maximumCandidates = 64
  private static let boxesOfMovies: Set<FourCC> = [
    "moov", "mdat", "moof", "mfra", "free", "skip", "wide", "uuid", "styp", "sidx",
  ]

  /// The boxes from `start` on, if they are a movie's.
  private static func movie(in source: any ByteSource, at start: Int, limits: Limits) throws(ParseError) -> Range<Int>?
  {
    let rest: SubSource
    do { rest = try SubSource(source, range: start..<source.count) } catch { throw .source(error) }
    var few = limits
    few.boxesPerContainer = min(limits.boxesPerContainer, 10_000)
    let boxes: TopLevelBoxes
    do { boxes = try TopLevelBoxes(of: rest, limits: few) } catch {
      if case .source = error { throw error }
      return nil
    }
    guard boxes.boxes.first?.type == "ftyp" else { return nil }
    // A picture has a `meta` box where a movie has its header or media; what follows a movie may look like boxes too.
    let own = boxes.boxes.dropFirst().prefix { boxesOfMovies.contains($0.type) }
    if own.count == boxes.boxes.count - 1, try beginsWithBox(of: rest, at: boxes.rest) { return start..<source.count }
    guard let last = own.last, own.contains(where: { $0.type == "moov" || $0.type == "moof" }) else { return nil }
    return start..<start + last.range.upperBound
  }

  /// Whether what is left of the file is the beginning of one of a movie's boxes.
  private static func beginsWithBox(of source: any ByteSource, at range: Range<Int>) throws(ParseError) -> Bool {
    guard range.count >= 8 else { return false }
    let bytes = try source.parseBytes(range.prefix(8))
    return ByteCursor(bytes.span).peekFourCC(ahead: 4).map(boxesOfMovies.contains) ?? false
  }
}

/// How a `ftyp` box begins: its size, its type, a brand and a version.
private enum FileTypeBox {
  static let headSize = 16

  /// Where such boxes may begin in `bytes`, whole heads only.
  static func places(in bytes: [UInt8]) -> [Int] {
    var places: [Int] = []
    var index = 4
    let end = bytes.count - headSize + 4
    while index < end {
      if bytes[index] == 0x66, bytes[index + 1] == 0x74, bytes[index + 2] == 0x79, bytes[index + 3] == 0x70,
        bytes[index - 4] == 0, bytes[index - 3] == 0, bytes[index - 2] < 4, bytes[index - 1] & 3 == 0
      {
        places.append(index - 4)
      }
      index += 1
    }
    return places
  }
}
