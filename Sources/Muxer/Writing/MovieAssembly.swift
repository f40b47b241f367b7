import LivePhotoCore

/// Puts a movie file together: what ``MovieRemuxer`` and ``LivePhotoMovieWriter`` share.
struct MovieAssembly {
  let movie: Movie
  var container = MovieContainer.quickTime
  var placement = MovieHeaderPlacement.last
  /// How long chunks last where the media are interleaved anew; nil keeps the source's order.
  var interleaving: RationalTime?
  /// The identifier to be set; nil leaves the movie's own.
  var identifier: ContentIdentifier?
  /// Tracks that are left out, by their places among all tracks.
  var removedTracks: [Int] = []
  /// A still-image-time track in the place of the first one removed, or at the end.
  var newTrack: StillImageTimeTrack?

  /// The file.
  ///
  /// - Throws: ``MovieWriteError``.
  func plan() throws(MovieWriteError) -> OutputPlan {
    if movie.isFragmented, let obstacle = movie.tracks.lazy.compactMap(FlatTrack.obstacle).first {
      throw .unsupported(obstacle)
    }
    if let track = movie.tracks.first(where: { !$0.isSelfContained }) {
      throw .unsupported("track \(track.id), whose samples are in another file,")
    }
    var builder = OutputPlanBuilder()
    let arrangement = try arrangement()
    let layout = try FileLayout(
      of: movie, container: container, placement: placement, arrangement: arrangement,
      movieSize: largestHeader(arrangement), mediaSize: newTrack.map { 8 + $0.sample.count } ?? 0, builder: &builder)
    try check(layout)

    let anchor = builder.makeAnchor()
    let editor = MovieBoxEditor(
      movie: movie, layout: layout, container: container, header: header, identifier: identifier,
      removedTracks: removedTracks,
      newTrack: newTrack.map { ($0, anchor) })
    var writer = ByteWriter()
    do { try editor.write(to: &writer) } catch { throw .header(error) }
    layout.assemble(&builder, movie: movie, header: writer, media: newTrack.map { ($0.sample, anchor) })
    do { return try builder.finish() } catch { throw .layout(error) }
  }

  /// The media put together anew, where that is wanted or samples are left out.
  private func arrangement() throws(MovieWriteError) -> MediaArrangement? {
    if let interleaving { return try MediaArrangement(of: movie, interleavedBy: interleaving) }
    return movie.isTrimmed ? try MediaArrangement(keepingOrderOf: movie) : nil
  }

  /// A size that the new `moov` does not exceed: new boxes take less than 4 KiB beside the identifier, and 64-bit
  /// offsets at most double their tables.
  private func largestHeader(_ arrangement: MediaArrangement?) -> Int {
    let tables =
      movie.hasNewTables
      ? movie.tracks.reduce(0) { $0 + $1.samples.largestTables + ($1.fragmentGroups?.largestSize ?? 0) } : 0
    let chunks = arrangement?.tracks.reduce(0) { $0 + 12 * $1.runs.count + 8 * $1.positions.count } ?? 0
    let edits = movie.isTrimmed ? movie.tracks.reduce(0) { $0 + 20 * $1.edits.count + 64 } : 0
    return 2 * movie.movieBytes.count + 4096 + (identifier?.text.utf8.count ?? 0) + tables + chunks + edits
  }

  private var header: MovieHeader {
    var header = movie.header
    if movie.hasNewTables { header.duration = movie.tracks.map { FlatTrack($0).duration }.max() ?? 0 }
    guard let newTrack else { return header }
    if let duration = header.duration { header.duration = max(duration, UInt64(max(0, newTrack.end))) }
    // All ones say that the next identifier has to be looked for, which stays true.
    if header.nextTrackID <= newTrack.trackID { header.nextTrackID = newTrack.trackID &+ 1 }
    return header
  }

  /// Checks that all samples are in the media that is copied.
  private func check(_ layout: FileLayout) throws(MovieWriteError) {
    if !layout.isInPlace, movie.topLevel.first("meta") != nil {
      throw .unsupported("a file that is a picture (HEIF) and a movie at once")
    }
    guard layout.arranged == nil else { return }
    for track in movie.tracks {
      let statesLength = track.statesSampleSizes
      let missing = track.samples.firstChunk { range in
        // Old QuickTime sound counts frames of one byte, however long its packets are: only the start is sure.
        layout.piece(holding: statesLength ? range : range.lowerBound..<range.lowerBound) == nil
      }
      if let range = missing {
        throw .samplesMissing(track: track.id, range, fileSize: movie.source.count)
      }
    }
  }
}
