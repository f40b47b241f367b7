public import LivePhotoCore

/// A QuickTime or MP4 movie: its tracks, their samples' places and times, and its metadata.
///
/// ```swift
/// let movie = try Movie(parsing: source)
/// for track in movie.tracks { print(track.kind, track.codec, track.samples.count, track.editedDuration) }
/// ```
///
/// The movie header (`moov`) and the headers of fragments (`moof`) are read whole, samples never: they stay ranges of
/// ``source``.
public struct Movie: Sendable {
  /// Where the movie was read from.
  public let source: any ByteSource
  /// The boxes of the file's top level, in order.
  public let topLevel: TopLevelBoxes
  /// The brands; nil where the file has none, as old movies and movies pulled off a phone.
  public let fileType: FileType?
  /// The movie header.
  public internal(set) var header: MovieHeader
  /// The tracks, in order.
  public internal(set) var tracks: [Track]
  /// The items of the movie's `meta` box.
  public let metadata: MovieMetadata
  /// The movie's user data.
  public let userData: UserData
  /// The still-image-time samples of all tracks: one in a Live Photo.
  public internal(set) var stillImageMarkers: [StillImageMarker]
  /// What is odd in the file and was tolerated, one line each.
  public var warnings: [String] { tolerated + unreadMarkers }
  /// What is odd in the boxes, or was changed in them.
  var tolerated: [String]
  /// What is odd in the still-image-time samples.
  private var unreadMarkers: [String] = []
  /// What was accepted from the file.
  private let limits: Limits

  /// Whether samples are described by movie fragments (`moof`) too.
  public let isFragmented: Bool
  /// The part of the source that is left, in its time, as of ``trimmed(to:precision:)``; nil for all.
  var keptPart: Range<RationalTime>?
  /// Whether tracks hold a part of the source's samples.
  var isTrimmed: Bool { keptPart != nil }
  /// Whether ``movieBytes`` are the source's own.
  private let hasOwnHeader: Bool
  /// Whether the movie says what its file does: it was not trimmed, nor has it another header.
  var isAsRead: Bool { hasOwnHeader && !isTrimmed }
  /// Whether the boxes of the source do not say what the tracks do: all sample tables have to be written anew.
  var hasNewTables: Bool { isFragmented || isTrimmed }

  /// The `moov` box: its place in the file, and the header of ``movieBytes``.
  package let movieBox: BoxHeader
  /// The whole box, decompressed where the file has it compressed.
  package let movieBytes: [UInt8]
  /// Where the box of ``metadata`` is in the file.
  package let metadataRange: Range<Int>?

  /// Reads the movie in `source`.
  ///
  /// - Throws: ``ParseError`` when there is no movie, when its header is damaged or beyond `limits`, or when it is of
  ///   a kind that is not read: a segment without its header.
  public init(parsing source: some ByteSource, limits: Limits = .standard) throws(ParseError) {
    try self.init(source, header: nil, limits: limits)
  }

  /// Reads the movie in `source`, with a header other than the one that the file has.
  ///
  /// - Parameter header: a whole `moov` box to be read in the place of the file's own; nil reads that.
  package init(_ source: any ByteSource, header replacement: [UInt8]?, limits: Limits) throws(ParseError) {
    let topLevel = try TopLevelBoxes(of: source, limits: limits)
    let found = try Self.findMovieBox(in: topLevel, of: source)
    let (movieBox, bytes) =
      if let replacement { (try found.describing(replacement), replacement) } else {
        try Self.readMovieBox(found, of: source, limits: limits)
      }
    var cursor = ByteCursor(bytes.span, base: movieBox.range.lowerBound)
    try cursor.skip(movieBox.headerSize)
    var parts = MovieParts()
    do { try parts.read(&cursor, limits: limits) } catch { throw error.inside("moov") }
    guard let header = parts.header else {
      throw .missing("'mvhd' box", at: Place(offset: movieBox.range.lowerBound, path: ["moov"]))
    }
    let fragments = topLevel.boxes.filter { $0.type == "moof" }
    try parts.read(fragments, of: source, limits: limits)
    for track in parts.tracks where track.isSelfContained && track.samples.reaches(beyond: source.count) {
      parts.warnings.append("track \(track.id): some of its samples lie beyond the end of the file, which was cut off")
    }
    if let reason = topLevel.restReason {
      let what = fragments.isEmpty ? "the file ends in a damaged box" : "the file is cut off in its last fragment"
      parts.warnings.append("\(what): \(reason)")
    }

    self.source = source
    self.topLevel = topLevel
    self.header = header
    isFragmented = !fragments.isEmpty
    self.movieBox = movieBox
    movieBytes = bytes
    hasOwnHeader = replacement == nil
    tracks = parts.tracks
    metadata = parts.metadata
    metadataRange = parts.metadataRange
    userData = parts.userData
    fileType = try topLevel.first("ftyp").map { (box) throws(ParseError) in
      try Self.readFileType(box, in: source, limits: limits)
    }
    self.limits = limits
    stillImageMarkers = []
    tolerated = parts.warnings
    findMarkers()
  }

  /// Looks for the still-image-time samples of all tracks.
  mutating func findMarkers() {
    (stillImageMarkers, unreadMarkers) = ([], [])
    var budget = StillImageMarker.searchedBytes
    for track in tracks {
      do throws(ParseError) {
        stillImageMarkers += try StillImageMarker.markers(of: track, in: source, budget: &budget, limits: limits)
      } catch {
        unreadMarkers.append("track \(track.id): the still-image-time sample cannot be read: \(error)")
      }
    }
  }

  /// The `moov` box, or why there is none that can be read.
  private static func findMovieBox(in topLevel: TopLevelBoxes, of source: any ByteSource) throws(ParseError)
    -> BoxHeader
  {
    if let box = topLevel.first("moov") { return box }
    for type in ["styp", "sidx", "moof"] as [FourCC] {
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

  /// The whole box in memory, decompressed where it holds a `cmov`, and the header of what is there then.
  private static func readMovieBox(_ box: BoxHeader, of source: any ByteSource, limits: Limits) throws(ParseError)
    -> (BoxHeader, [UInt8])
  {
    guard box.range.count <= limits.metadataBytes else {
      throw .beyondLimit(
        "size of 'moov'", found: box.range.count, limit: limits.metadataBytes, at: Place(offset: box.range.lowerBound))
    }
    let bytes = try source.parseBytes(box.range)
    var cursor = ByteCursor(bytes.span, base: box.range.lowerBound)
    try cursor.skip(box.headerSize)
    guard cursor.peekFourCC(ahead: 4) == "cmov" else { return (box, bytes) }
    do {
      let bytes = try CompressedMovieHeader.read(&cursor, limits: limits)
      return (try box.describing(bytes), bytes)
    } catch { throw error.inside("moov") }
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

extension BoxHeader {
  /// The header of another box in the place of this one.
  fileprivate func describing(_ bytes: [UInt8]) throws(ParseError) -> BoxHeader {
    var cursor = ByteCursor(bytes.span, base: range.lowerBound)
    let header = try BoxHeader(parsing: &cursor)
    var box = self
    (box.headerSize, box.sizeForm) = (header.headerSize, header.sizeForm)
    return box
  }
}

/// What `moov` holds.
private struct MovieParts {
  var header: MovieHeader?
  var tracks: [Track] = []
  var metadata = MovieMetadata.none
  var metadataRange: Range<Int>?
  var userData = UserData.none
  var fragmentDefaults: [UInt32: FragmentDefaults] = [:]
  var warnings: [String] = []

  /// Adds the samples of fragments to the tracks.
  mutating func read(_ fragments: [BoxHeader], of source: any ByteSource, limits: Limits) throws(ParseError) {
    guard !fragments.isEmpty else { return }
    var reader = FragmentReader(tracks, defaults: fragmentDefaults, source: source, limits: limits)
    for fragment in fragments { try reader.read(fragment) }
    for index in tracks.indices {
      if let samples = reader.samples(of: tracks[index].id) { tracks[index].samples = samples }
      tracks[index].fragmentGroups = reader.groups(of: tracks[index].id)
    }
    warnings += reader.warnings
  }

  mutating func read(_ cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    // Tracks need the movie's time scale, and 'mvhd' need not come first.
    var ahead = cursor
    try ahead.forEachBox { (box, content) throws(ParseError) in
      if box.type == "mvhd", header == nil { header = try MovieHeader(parsing: &content) }
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
      case "mvex": fragmentDefaults = try FragmentDefaults.all(parsing: &content, limits: limits)
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
