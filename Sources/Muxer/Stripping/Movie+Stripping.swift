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
  /// Of ``MetadataStripping/location`` go keys, user data and XMP properties that say where something was or hold a
  /// position (``PlaceNames/holdsPosition(_:)``), tracks that record positions, and what may do so and cannot be looked
  /// into: other timed metadata than boxed keys, makers' boxes, bytes behind the movie. Of ``MetadataStripping/all`` go
  /// all keys but the content identifier, all user data, XMP, dates, names of handlers and encoders, and all tracks
  /// that neither show, sound nor say how the movie is shown or when its still was taken; lists of chapters and text of
  /// kinds that are not subtitles are among them.
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
      return try find("its pictures have metadata of their own", in: track) { bytes in
        Self.pictureMetadata.contains { bytes.firstRange(of: $0) != nil }
      }
    case .audio: return nil
    case .text:
      if what == .all, isChapterList(track) { return "it lists chapters" }
      if what == .all, !track.sampleDescriptions.allSatisfy({ Self.subtitles.contains($0.format) }) {
        return "it is not known to be shown"
      }
      return try reason(againstTexts: track)
    case .metadata:
      if let reason = reason(againstMetadata: track) { return reason }
      return what == .location && track.hasTexts ? try reason(againstTexts: track) : nil
    case .other(let handler):
      let isHarmless = ["tmcd", "hint", "odsm", "sdsm", "vmap"].contains(handler)
      let tellsPlace = track.sampleDescriptions.contains { PlaceNames.holdsPosition($0.bytes) }
      if isHarmless, !tellsPlace, what == .location || handler != "tmcd" { return nil }
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

  /// What pictures with metadata of their own hold.
  static let pictureMetadata = ["Exif", "adobe:ns:meta"].map { Array($0.utf8) }
  /// How subtitles and captions are coded.
  private static let subtitles: Set<FourCC> = ["text", "tx3g", "wvtt", "stpp", "sbtt", "c608", "c708", "mp4s"]
  /// Parts of names that stand before positions.
  private static let names = ["GPS", "gps", "atitude", "ongitude"].map { Array($0.utf8) }

  private func isChapterList(_ track: Track) -> Bool {
    movie.tracks.contains { $0.references("chap").contains(track.id) }
  }

  /// Why texts go: they tell positions, or may do so.
  private mutating func reason(againstTexts track: Track) throws(MovieWriteError) -> String? {
    if track.sampleDescriptions.contains(where: { PlaceNames.holdsPosition($0.bytes) }) { return "it tells positions" }
    return try find("it tells positions", in: track) { bytes in
      // Without zeros, UTF-16 is read too.
      let letters = bytes.filter { $0 != 0 }
      return Self.names.contains { letters.firstRange(of: $0) != nil } || PlaceNames.holdsPosition(letters)
    }
  }

  /// `reason`, where a sample of a track is of some kind, or there are too many to be looked at.
  private mutating func find(_ reason: String, in track: Track, _ isUnwanted: ([UInt8]) -> Bool)
    throws(MovieWriteError) -> String?
  {
    for sample in track.samples {
      budget -= max(sample.size, 64)
      guard budget >= 0 else { return "its samples are too many to be looked at" }
      let bytes: [UInt8]
      do { bytes = try movie.source.read(sample.range) } catch { throw .header(.source(error)) }
      if isUnwanted(bytes) { return reason }
    }
    return nil
  }
}

extension Track {
  /// Whether values of boxed metadata are texts (QuickTime File Format, "Well-known types": 1, 2, 4 and 5).
  fileprivate var hasTexts: Bool {
    sampleDescriptions.contains { description in
      description.metadataKeys.contains { key in
        if case .wellKnown(let type) = key.dataType { [1, 2, 4, 5].contains(type) } else { false }
      }
    }
  }
}
