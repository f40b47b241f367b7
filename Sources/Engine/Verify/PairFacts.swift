import LivePhotoCore

/// A width and a height in pixels, as shown.
public struct DisplaySize: Sendable, Codable, Equatable {
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int

  /// A size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// What the rules of a pair look at in the still.
struct PhotoFacts {
  /// The path as the caller gave it.
  var file: String
  var kind: MediaKind
  var identifier: ContentIdentifier?
  /// The picture as shown: cropped and turned.
  var displaySize: DisplaySize?
  /// The coding of a HEIF picture, or of its tiles; nil for JPEG.
  var coding: FourCC?
  /// Seconds on the camera's own clock (MakerNote tag 0x0003).
  var runTime: Double?
}

/// What the rules of a pair look at in the movie.
struct MovieFacts {
  var file: String
  var kind: MediaKind
  var identifier: ContentIdentifier?
  /// The sample entry's code of the video track; nil when there is no video track.
  var videoCodec: FourCC?
  /// The video as shown: clean aperture, pixel aspect and matrix applied.
  var displaySize: DisplaySize?
  /// Seconds for which frames are shown: from the first one's presentation to the last one's end.
  var duration: Double
  /// When the last frame's presentation ends, in seconds; an empty edit delays it.
  var end: Double
  /// The still-image-time tracks.
  var stillTracks: [StillTrack]
  /// Seconds on the camera's clock when the first frame was taken (live-photo-info).
  var firstFrameRunTime: Double?

  /// A timed-metadata track that holds `still-image-time`.
  struct StillTrack {
    /// When its first such sample is presented; nil when no edit shows it.
    var time: RationalTime?
    var sampleCount: Int
    /// The display interval of the frame shown at ``time``; nil when no frame is.
    var frame: Range<RationalTime>?
  }
}
