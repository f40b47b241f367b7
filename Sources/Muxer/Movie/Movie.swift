public import LivePhotoCore

/// A QuickTime or MP4 movie: its tracks, their samples' places and times, and its metadata.
///
/// ```swift
/// let movie = try Movie(parsing: source)
/// for track in movie.tracks { print(track.kind, track.codec, track.samples.count, track.editedDuration) }
/// ```
///
/// The movie header (`moov`) is read whole, samples never: they stay ranges of ``source``.
public struct Movie: Sendable {
  /// Where the movie was read from.
  public let source: any ByteSource
  /// The boxes of the file's top level, in order.
  public let topLevel: TopLevelBoxes
  /// The brands; nil where the file has none, as old movies and movies pulled off a phone.
  public let fileType: FileType?
  /// The movie header.
  public let header: MovieHeader
  /// The tracks, in order.
  public let tracks: [Track]
  /// The items of the movie's `meta` box.
  public let metadata: MovieMetadata
  /// The movie's user data.
  public let userData: UserData
  /// The still-image-time samples of all tracks: one in a Live Photo.
  public let stillImageMarkers: [StillImageMarker]
  /// What is odd in the file and was tolerated, one line each.
  public let warnings: [String]

  /// The `moov` box as it stands in the file.
  package let movieBox: BoxHeader
  package let movieBytes: [UInt8]
  /// Where the box of ``metadata`` is in the file.
  package let metadataRange: Range<Int>?

  /// Reads the movie in `source`.
  ///
  /// - Throws: ``ParseError`` when there is no movie, when its header is damaged or beyond `limits`, or when it is of
  ///   a kind that is not read: fragmented (`moof`), a segment without its header, compressed (`cmov`).
  public init(parsing source: some ByteSource, limits: Limits = .standard) throws(ParseError) {
    let topLevel = try TopLevelBoxes(of: source, limits: limits)
    let movieBox = try Self.findMovieBox(in: topLevel, of: source)
    guard movieBox.range.count <= limits.metadataBytes else {
      throw .beyondLimit(
        "size of 'moov'", found: movieBox.range.count, limit: limits.metadataBytes,
        at: Place(offset: movieBox.range.lowerBound))
    }
    let bytes = try source.parseBytes(movieBox.range)
    var cursor = ByteCursor(bytes.span, base: movieBox.range.lowerBound)
    try cursor.skip(movieBox.headerSize)
    var parts = MovieParts()
    do { try parts.read(&cursor, limits: limits) } catch { throw error.inside("moov") }
    guard let header = parts.header else {
      throw .missing("'mvhd' box", at: Place(offset: movieBox.range.lowerBound, path: ["moov"]))
    }
    if let reason = topLevel.restReason { parts.warnings.append("the file ends in a damaged box: \(reason)") }

    self.source = source
    self.topLevel = topLevel
    self.header = header
    self.movieBox = movieBox
    movieBytes = bytes
    tracks = parts.tracks
    metadata = parts.metadata
    metadataRange = parts.metadataRange
    userData = parts.userData
    fileType = try topLevel.first("ftyp").map { (box) throws(ParseError) in
      try Self.readFileType(box, in: source, limits: limits)
    }
    var markers: [StillImageMarker] = []
    var budget = StillImageMarker.searchedBytes
    for track in parts.tracks {
      do throws(ParseError) {
        markers += try StillImageMarker.markers(of: track, in: source, budget: &budget, limits: limits)
      } catch {
        parts.warnings.append("track \(track.id): the still-image-time sample cannot be read: \(error)")
      }
    }
    stillImageMarkers = markers
    warnings = parts.warnings
  }

  /// The `moov` box, or why there is none that can be read.
  private static func findMovieBox(in topLevel: TopLevelBoxes, of source: any ByteSource) throws(ParseError)
    -> BoxHeader
  {
    if let fragment = topLevel.first("moof") {
      throw .unsupported("a fragmented movie ('moof')", at: Place(offset: fragment.range.lowerBound))
    }
    if let box = topLevel.first("moov") { return box }
    for type in ["styp", "sidx"] as [FourCC] {
      if let segment = topLevel.first(type) {
        throw .unsupported(
          "a media segment without its movie header ('\(type)', DASH or HLS)",
          at: Place(offset: segment.range.lowerBound))
      }
    }
    if topLevel.first("meta") != nil {
      throw .unsupported("a picture (HEIF) in place of a movie", at: Place(offset: 0))
    }
    if let reason = topLevel.restReason, !topLevel.boxes.isEmpty { throw reason }
    throw .missing("'moov' box of a QuickTime or MP4 movie", at: Place(offset: topLevel.rest.lowerBound))
  }

  private static func readFileType(_ box: BoxHeader, in source: any ByteSource, limits: Limits) throws(ParseError)
    -> FileType
  {
    guard box.payload.count <= limits.boxesPerContainer else {
      throw .beyondLimit(
        "size of 'ftyp'", found: box.payload.count, limit: limits.boxesPerContainer,
        at: Place(offset: box.range.lowerBound))
    }
    let bytes = try source.parseBytes(box.payload)
    var cursor = ByteCursor(bytes.span, base: box.payload.lowerBound)
    do { return try FileType(parsing: &cursor) } catch { throw error.inside("ftyp") }
  }
}

/// What `moov` holds.
private struct MovieParts {
  var header: MovieHeader?
  var tracks: [Track] = []
  var metadata = MovieMetadata.none
  var metadataRange: Range<Int>?
  var userData = UserData.none
  var warnings: [String] = []

  mutating func read(_ cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    // Tracks need the movie's time scale, and 'mvhd' need not come first.
    var ahead = cursor
    try ahead.forEachBox { (box, content) throws(ParseError) in
      switch box.type {
      case "mvhd" where header == nil: header = try MovieHeader(parsing: &content)
      case "cmov": throw .unsupported("a compressed movie header ('cmov')", at: content.place)
      default: break
      }
    }
    guard let header else { throw .missing("'mvhd' box", at: cursor.place) }
    var warnings: [String] = []
    try cursor.forEachBox(limit: limits.boxesPerContainer) { (box, content) throws(ParseError) in
      switch box.type {
      case "trak":
        guard tracks.count < limits.tracks else {
          throw .beyondLimit("number of tracks", found: tracks.count + 1, limit: limits.tracks, at: content.place)
        }
        let track = try Track(
          parsing: &content, range: box.range, movieTimescale: header.timescale, limits: limits
        ) { warnings.append($0) }
        tracks.append(track)
      case "meta":
        do throws(ParseError) { try use(MovieMetadata(parsing: &content), at: box.range) } catch {
          warnings.append("the movie's metadata is damaged: \(error)")
        }
      case "udta": userData = UserData(parsing: &content) { warnings.append($0) }
      default: break
      }
    }
    self.warnings += warnings
  }

  /// Takes the first `meta` box, but QuickTime's keys rather than any other kind.
  private mutating func use(_ found: MovieMetadata, at range: Range<Int>) {
    guard metadataRange == nil || (found.handler == "mdta" && metadata.handler != "mdta") else { return }
    metadata = found
    metadataRange = range
  }
}
