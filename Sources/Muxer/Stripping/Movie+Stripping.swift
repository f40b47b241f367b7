public import LivePhotoCore

/// A movie from which metadata was taken, and what is to be told of it.
public struct StrippedMovie: Sendable {
  /// The movie, to be written like any other.
  public let movie: Movie
  /// What went although it cannot be looked into, or was more than metadata, in words.
  public let removed: [String]
}

extension Movie {
  /// The movie without metadata of some kind.
  ///
  /// Of ``MetadataStripping/location`` go keys, user data and XMP properties that say where something was, tracks that
  /// record positions, and what may do so and cannot be looked into: other timed metadata than boxed keys, makers'
  /// boxes, bytes behind the movie. Of ``MetadataStripping/all`` go all keys but the content identifier, all user
  /// data, XMP, dates, names of handlers and encoders, and all tracks that neither show, sound nor say how the movie is
  /// shown or when its still was taken.
  ///
  /// Removed samples, bytes of the media that no sample has, and free space are zeros in the movie's ``source``.
  /// Samples that stay are not looked into.
  ///
  /// - Throws: ``MovieWriteError`` when a box is damaged.
  public func stripping(_ what: MetadataStripping, limits: Limits = .standard) throws(MovieWriteError) -> StrippedMovie
  {
    let choice = try TrackChoice(what, of: self, limits: limits)
    var stripper = HeaderStripper(what, movie: self, removedTracks: choice.removed)
    var writer = ByteWriter()
    do throws(ParseError) {
      var cursor = ByteCursor(movieBytes.span, base: movieBox.range.lowerBound)
      try cursor.skip(movieBox.headerSize)
      try writer.container(movieBox) { (writer) throws(ParseError) in try stripper.write(&cursor, to: &writer) }
      var eraser = MediaEraser(self, removed: choice.removed)
      let source = eraser.source()
      return StrippedMovie(
        movie: try Movie(source, header: writer.bytes, limits: limits).trimmed(like: self),
        removed: choice.notes + stripper.notes + eraser.notes)
    } catch { throw .header(error) }
  }
}

/// Which tracks go.
struct TrackChoice {
  /// Their places among all tracks.
  private(set) var removed: Set<Int> = []
  private(set) var notes: [String] = []
  private let what: MetadataStripping
  private let movie: Movie
  /// Bytes of samples that may still be looked at.
  private var budget = 4 << 20

  init(_ what: MetadataStripping, of movie: Movie, limits: Limits) throws(MovieWriteError) {
    self.what = what
    self.movie = movie
    let shown = movie.videoTrack?.id
    for (index, track) in movie.tracks.enumerated() where track.id != shown {
      guard let reason = try reason(against: track, limits: limits) else { continue }
      removed.insert(index)
      notes.append("track \(track.id) ('\(track.codec?.description ?? "none")') was left out: \(reason)")
    }
  }

  /// Why a track goes; nil where it stays.
  private mutating func reason(against track: Track, limits: Limits) throws(MovieWriteError) -> String? {
    switch track.kind {
    case .video, .auxiliaryVideo, .imageSequence:
      let pictures: Set<FourCC> = ["jpeg", "mjpa", "mjpb", "png ", "tiff"]
      guard let codec = track.codec, pictures.contains(codec) else { return nil }
      return try find(["Exif", "adobe:ns:meta"], in: track, orElse: "its pictures have metadata of their own")
    case .audio: return nil
    case .text:
      return try find(["GPS", "gps", "atitude", "ongitude"], in: track, orElse: "it tells positions")
    case .metadata: return reason(againstMetadata: track)
    case .other(let handler):
      let isHarmless = ["tmcd", "hint", "odsm", "sdsm", "vmap"].contains(handler)
      if isHarmless, what == .location || handler != "tmcd" { return nil }
      return what == .location ? "it may tell positions" : "it describes"
    }
  }

  private func reason(againstMetadata track: Track) -> String? {
    let keys = track.sampleDescriptions.flatMap { $0.metadataKeys.map(\.name) }
    guard track.sampleDescriptions.allSatisfy({ $0.format == "mebx" }), !keys.isEmpty else {
      return what == .location ? "it may tell positions" : "it describes"
    }
    switch what {
    case .location: return keys.contains(where: PlaceNames.matches) ? "it tells positions" : nil
    case .all:
      let needed: Set<String> = [
        MetadataName.stillImageTime, MetadataName.stillImageTransform, MetadataName.stillImageReferenceDimensions,
        MetadataName.videoOrientation,
      ]
      return keys.allSatisfy(needed.contains) ? nil : "it describes"
    }
  }

  /// `reason`, where samples of a track hold one of some texts, or are too many to be looked at.
  private mutating func find(_ texts: [String], in track: Track, orElse reason: String) throws(MovieWriteError)
    -> String?
  {
    for sample in track.samples {
      budget -= max(sample.size, 64)
      guard budget >= 0 else { return "its samples are too many to be looked at" }
      let bytes: [UInt8]
      do { bytes = try movie.source.read(sample.range) } catch { throw .header(.source(error)) }
      if texts.contains(where: { bytes.firstRange(of: Array($0.utf8)) != nil }) { return reason }
    }
    return nil
  }
}
