public import LivePhotoCore

/// Where a trimmed movie may begin and end.
public enum TrimPrecision: String, Sendable, CaseIterable {
  /// At any frame: what has to be decoded before it stays in the file, hidden by the edit list.
  case frame
  /// On a sync sample, and so that no frame is hidden: a little earlier and later than asked where it must be.
  case keyframe
}

/// A movie of which a stretch is kept: the result of ``Movie/trimmed(to:precision:)``.
public struct TrimmedMovie: Sendable {
  /// The stretch as a movie, whose samples still lie in the source's file; any writer of movies takes it.
  public let movie: Movie
  /// What is kept, in the time of the source: whole frames of its video.
  public let range: Range<RationalTime>
  /// How many frames of the video are in the file without being shown.
  public let hiddenFrames: Int
  /// How many of ``hiddenFrames`` come before the first one that is shown.
  public let preRollFrames: Int
  /// The tracks that have no sample left, by their identifiers.
  public let emptyTracks: [UInt32]
}

/// Why a movie could not be trimmed.
public enum MovieTrimError: Error, Equatable, Sendable {
  /// The stretch begins where the movie, which lasts until `end`, shows nothing any more.
  case startBeyondEnd(start: RationalTime, end: RationalTime)
  /// The stretch lasts no time.
  case emptyRange
  /// The movie holds something that would be lost or broken.
  case unsupported(String)
}

extension MovieTrimError: CustomStringConvertible {
  /// The cause and the remedy in one line.
  public var description: String {
    switch self {
    case .startBeyondEnd(let start, let end):
      "the movie ends at \(Self.seconds(end)) s and cannot be cut from \(Self.seconds(start)) s on; choose an earlier start"
    case .emptyRange: "nothing is left of the movie; choose a longer duration"
    case .unsupported(let what): "\(what) cannot be trimmed yet"
    }
  }

  private static func seconds(_ time: RationalTime) -> Double { (time.seconds * 1000).rounded() / 1000 }
}

extension Movie {
  /// A stretch of the movie, without coding a sample again.
  ///
  /// The stretch is widened to whole frames of the video. Of each track the samples are kept that it needs: those of
  /// video from the sync sample that the first frame can be decoded from, those of sound with the packets that bring
  /// its decoder into the right state. Edit lists, cut alike, hide what comes too early and too late. The movie's time
  /// scale becomes finer where it cannot express the cut.
  ///
  /// - Throws: ``MovieTrimError``.
  /// - Complexity: O(n log n) for n samples where frames are reordered, else linear; O(e log e) for e edits.
  public func trimmed(to asked: Range<RationalTime>, precision: TrimPrecision = .frame) throws(MovieTrimError)
    -> TrimmedMovie
  {
    if let track = tracks.first(where: { track in track.edits.contains { $0.rate < 0 } }) {
      throw .unsupported("track \(track.id), which is played backwards,")
    }
    if let track = tracks.first(where: { $0.sampleDescriptions.contains(where: \.isProtected) }) {
      throw .unsupported("track \(track.id), whose samples are encrypted,")
    }
    var frames = TrimFrames(of: self)
    let range = try frames.range(for: asked, precision: precision)
    let times = [range.lowerBound, range.upperBound] + (frames.start.map { $0 > range.lowerBound ? [$0] : [] } ?? [])
    let timescale = Self.timescale(for: times, atLeast: header.timescale)

    var movie = self
    movie.header.timescale = timescale
    movie.tracks = []
    for track in tracks {
      let leading = track.id == videoTrack?.id ? frames.droppedLeading : nil
      let trimmer = TrackTrimmer(track, range: range, timescale: timescale, dropping: leading)
      movie.tracks.append(try trimmer.trimmed())
    }
    movie.header.duration = movie.tracks.compactMap(\.header.duration).max() ?? 0
    movie.header.clearSelections()
    let origin = keptPart?.lowerBound ?? .zero
    let bounds = [range.lowerBound, range.upperBound].map { origin.adding($0) ?? $0 }
    movie.keptPart = bounds[0]..<max(bounds[0], bounds[1])
    movie.findMarkers()
    let video = movie.videoTrack
    let (shown, before) = video?.timeline().shownCount ?? (0, 0)
    return TrimmedMovie(
      movie: movie, range: range, hiddenFrames: (video?.samples.count ?? 0) - shown, preRollFrames: before,
      emptyTracks: zip(tracks, movie.tracks).filter { !$0.samples.isEmpty && $1.samples.isEmpty }.map(\.1.id))
  }

  /// A time scale in which the times, and all edits of the source, count whole ticks; the movie's own where it would
  /// have to be finer than 1/10 000 000 s.
  private static func timescale(for times: [RationalTime], atLeast own: UInt32) -> UInt32 {
    var scale = Int64(own)
    for time in times {
      guard let lowest = time.adding(RationalTime(0, time.timescale == 1 ? 2 : 1)) else { return own }
      var (a, b) = (scale, lowest.timescale)
      while b != 0 { (a, b) = (b, a % b) }
      let (product, overflow) = (scale / a).multipliedReportingOverflow(by: lowest.timescale)
      guard !overflow, product <= 10_000_000 else { return own }
      scale = product
    }
    return UInt32(scale)
  }
}
