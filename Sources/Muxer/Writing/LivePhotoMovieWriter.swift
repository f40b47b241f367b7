public import LivePhotoCore

/// Makes a movie the moving half of a Live Photo: sets its identifier and marks the moment of the still.
///
/// ```swift
/// let moment = try movie.stillMoment(at: RationalTime(3, 2))
/// let result = try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: movie)
/// ```
///
/// The result is a QuickTime movie whose samples are ranges of the source, in their order and interleaving. All
/// tracks, boxes and keys stay as they are, unknown ones among them; only what has to change does:
///
/// - `ftyp` says `qt  `, where it did not or was absent;
/// - `com.apple.quicktime.content.identifier` is set among the movie's keys, which are added where there are none
///   (MP4's own metadata is left alone beside them);
/// - a still-image-time track as cameras write it is added, or takes the place of one that points at another frame;
/// - durations, offsets and the next track identifier follow;
/// - of a fragmented movie, the samples of fragments enter the sample tables, and the fragments' own boxes go.
///
/// An MP4 source becomes QuickTime first: see ``Movie/asQuickTime(limits:)``.
public struct LivePhotoMovieWriter: Sendable {
  /// The identifier, which the still has to have too.
  public var identifier: ContentIdentifier
  /// The moment of the still, from ``Movie/stillMoment(at:)``.
  public var moment: StillMoment
  /// Where the movie header comes.
  ///
  /// Last by default, as cameras write it: the media then stay where they are in the file, so that most movies are
  /// written without a single offset changed.
  public var headerPlacement: MovieHeaderPlacement
  /// How the still maps to its frame, which a new still-image-time track says.
  public var transform = StillImageTransform.identity
  /// Further changes to the keys of the movie and its tracks; the identifier is set after them.
  public var metadata = MovieMetadataEdit()

  /// A writer for one identifier and one moment.
  public init(
    identifier: ContentIdentifier, moment: StillMoment, headerPlacement: MovieHeaderPlacement = .last
  ) {
    self.identifier = identifier
    self.moment = moment
    self.headerPlacement = headerPlacement
  }

  /// The new movie.
  ///
  /// - Throws: ``MovieWriteError``.
  public func plan(for movie: Movie) throws(MovieWriteError) -> LivePhotoMoviePlan {
    try plan(forQuickTime: movie.asQuickTime())
  }

  /// The new movie of one that is as QuickTime has it.
  func plan(forQuickTime movie: Movie) throws(MovieWriteError) -> LivePhotoMoviePlan {
    let movie = try movie.applying(metadata)
    guard let video = movie.videoTrack else { throw .noVideo }
    let (marker, removed) = try markerChange(in: movie)
    var assembly = MovieAssembly(movie: movie)
    assembly.placement = headerPlacement
    assembly.identifier = identifier
    assembly.removedTracks = removed
    if marker != .kept {
      assembly.newTrack = newTrack(in: movie, replacing: removed.first.map { movie.tracks[$0].id }, video: video)
    }
    return LivePhotoMoviePlan(output: try assembly.plan(), marker: marker, time: moment.time)
  }

  /// What happens to the still-image-time track, and which tracks it makes superfluous.
  private func markerChange(in movie: Movie) throws(MovieWriteError) -> (MarkerChange, removed: [Int]) {
    if movie.stillImageTime == moment.time { return (.kept, []) }
    let present = movie.tracks.indices.filter { index in
      movie.tracks[index].sampleDescriptions.contains {
        $0.metadataKeys.contains { $0.name == MetadataName.stillImageTime }
      }
    }
    for track in present.map({ movie.tracks[$0] })
    where !track.sampleDescriptions.allSatisfy({ StillImageTimeTrack.canReplace($0.metadataKeys) }) {
      throw .unsupported("another still time in track \(track.id), which holds other metadata too,")
    }
    return (present.isEmpty ? .added : .replaced, present)
  }

  private func newTrack(in movie: Movie, replacing old: UInt32?, video: Track) -> StillImageTimeTrack {
    StillImageTimeTrack(
      trackID: old ?? movie.freeTrackID, videoTrackID: video.id,
      time: moment.time.ticks(in: Int64(movie.header.timescale), rounding: .up) ?? 0,
      timescale: movie.header.timescale,
      dates: HeaderTimes(creation: video.header.creationTime, modification: video.header.modificationTime),
      referenceDimensions: transform.referenceDimensions ?? video.codedDimensions ?? video.dimensions,
      transform: transform)
  }
}

/// Where the movie header (`moov`) comes in a file.
public enum MovieHeaderPlacement: Sendable {
  /// Behind the media, as cameras write it.
  case last
  /// Before the media, so that a player can begin before it has the whole file.
  case first
}

/// What was done about the still-image-time track.
public enum MarkerChange: Sendable {
  /// It pointed at the frame already, and is as it was.
  case kept
  /// It pointed at another frame, and has given its place to a new one.
  case replaced
  /// There was none.
  case added
}

/// A movie to be written, and what it will say.
public struct LivePhotoMoviePlan: Sendable {
  /// The bytes of the file.
  public let output: OutputPlan
  /// What was done about the still-image-time track.
  public let marker: MarkerChange
  /// The moment of the still, as the movie says it.
  public let time: RationalTime
}

extension Movie {
  /// The identifier for a new track: the one that the header proposes, if it is free.
  var freeTrackID: UInt32 {
    let used = Set(tracks.map(\.id))
    if header.nextTrackID > (used.max() ?? 0), header.nextTrackID < .max { return header.nextTrackID }
    let largest = used.max() ?? 0
    if largest < .max - 1 { return largest + 1 }
    return (1...UInt32.max - 1).first { !used.contains($0) } ?? 1
  }
}
