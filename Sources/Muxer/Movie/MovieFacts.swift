public import LivePhotoCore

extension Movie {
  /// The track that a player shows: the first enabled video track with samples, else the first with samples.
  public var videoTrack: Track? {
    let candidates = tracks.filter { $0.kind == .video && !$0.samples.isEmpty }
    return candidates.first(where: \.isEnabled) ?? candidates.first
  }

  /// The first image sequence (ISO/IEC 23008-12, 7.2) that has samples.
  public var imageSequence: Track? { tracks.first { $0.kind == .imageSequence && $0.samples.count > 0 } }

  /// The first enabled track of sound with samples, else the first with samples.
  public var audioTrack: Track? {
    let candidates = tracks.filter { $0.kind == .audio && !$0.samples.isEmpty }
    return candidates.first(where: \.isEnabled) ?? candidates.first
  }

  /// The track with an identifier.
  public func track(id: UInt32) -> Track? { tracks.first { $0.id == id } }

  /// The duration that the movie header states, else the longest track's, which is a fragmented movie's.
  public var duration: RationalTime {
    if !isFragmented, let stated = header.duration, let value = Int64(exactly: stated), value > 0 {
      return RationalTime(value, Int64(header.timescale))
    }
    return tracks.map(\.editedDuration).max() ?? .zero
  }

  /// The picture's dimensions as shown: the video track's, after its matrix and the movie's own.
  public var displayDimensions: Dimensions? { videoTrack?.displayDimensions.transformed(by: header.matrix) }

  /// The string that ties the movie to its still: `com.apple.quicktime.content.identifier`, as it stands in the file.
  public var contentIdentifier: ContentIdentifier? {
    metadata.text(ofKey: MetadataName.contentIdentifier).map { ContentIdentifier(asRead: $0) }
  }

  /// The moment of the still: the presentation time, through the edit list, of the first sample that holds
  /// `com.apple.quicktime.still-image-time`, whatever its value.
  public var stillImageTime: RationalTime? { stillImageMarkers.lazy.compactMap(\.time).first }
}

/// The names of metadata that this module reads and writes.
enum MetadataName {
  static let contentIdentifier = "com.apple.quicktime.content.identifier"
  static let stillImageTime = "com.apple.quicktime.still-image-time"
  static let videoOrientation = "com.apple.quicktime.video-orientation"
  static let stillImageTransform = "com.apple.quicktime.live-photo-still-image-transform"
  static let stillImageReferenceDimensions =
    "com.apple.quicktime.live-photo-still-image-transform-reference-dimensions"
}
