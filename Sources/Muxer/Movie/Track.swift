public import LivePhotoCore

/// One track of a movie.
public struct Track: Sendable {
  /// The track header.
  public internal(set) var header: TrackHeader
  /// The media header.
  public internal(set) var media: MediaHeader
  /// The media's handler.
  public let handler: Handler
  /// The edit list; empty when there is none and all of the media is shown from the movie's start.
  public internal(set) var edits: [Edit]
  /// References to other tracks, in order.
  public let references: [TrackReference]
  /// The sample descriptions, in order.
  public let sampleDescriptions: [SampleDescription]
  /// The samples in decoding order.
  public internal(set) var samples: SampleTable
  /// How composition times relate to decode times as a whole; nil when the movie does not say.
  public let compositionShift: CompositionShift?
  /// The items of the track's own `meta` box.
  public let metadata: MovieMetadata
  /// The track's own user data.
  public let userData: UserData
  /// Whether the samples are in this file, as the data references say.
  public let isSelfContained: Bool
  /// The time scale of the movie, in which edits and the header's duration are counted.
  public internal(set) var movieTimescale: UInt32

  /// Where the `trak` box is in the file.
  package let range: Range<Int>
  /// The samples of the source that are left, in order; nil when all are.
  var keptSamples: [Range<Int>]?
  /// What fragments say of groups of samples; nil where they say nothing.
  var fragmentGroups: SampleGroups?
}

// MARK: What a track is

/// The kind of media that a track holds.
public enum TrackKind: Hashable, Sendable {
  /// Pictures that are shown: handler `vide`.
  case video
  /// Pictures that are not shown by themselves: handler `auxv`.
  case auxiliaryVideo
  /// Pictures of a HEIF image sequence (ISO/IEC 23008-12, 7.2): handler `pict`.
  case imageSequence
  /// Sound: handler `soun`.
  case audio
  /// Timed metadata: handler `meta`.
  case metadata
  /// Text, subtitles and captions: handlers `text`, `sbtl`, `subt`, `subp` and `clcp`.
  case text
  /// Anything else, by its handler.
  case other(FourCC)

  init(handler: FourCC) {
    switch handler {
    case "vide": self = .video
    case "auxv": self = .auxiliaryVideo
    case "pict": self = .imageSequence
    case "soun": self = .audio
    case "meta": self = .metadata
    case "text", "sbtl", "subt", "subp", "clcp": self = .text
    default: self = .other(handler)
    }
  }
}

/// References of one type from a track to others, in `tref` (ISO/IEC 14496-12, 8.3.3).
public struct TrackReference: Equatable, Sendable {
  /// What the reference means: `cdsc` describes, `chap` has the chapters of, `vmap` is a map for.
  public var type: FourCC
  /// The identifiers of the tracks referred to.
  public var trackIDs: [UInt32]
}

extension Track {
  /// The identifier by which other tracks refer to this one.
  public var id: UInt32 { header.trackID }
  /// The kind of media.
  public var kind: TrackKind { TrackKind(handler: handler.type) }
  /// Whether the track is played at all.
  public var isEnabled: Bool { header.isEnabled }
  /// The coding of the first sample description: `hvc1`, `avc1`, `mp4a`, `mebx` and so on.
  public var codec: FourCC? { sampleDescriptions.first?.format }
  /// Ticks a second of the track's own time scale.
  public var timescale: UInt32 { media.timescale }
  /// The language as three letters, such as `eng` or `und`; nil for a Macintosh code.
  public var language: String? { media.language }
  /// How the track's picture is placed and turned.
  public var matrix: MovieMatrix { header.matrix }
  /// The picture's dimensions before the matrix, as the track header says.
  public var dimensions: Dimensions { Dimensions(width: header.width, height: header.height) }
  /// The coded dimensions of the first sample description; nil for tracks without pictures.
  public var codedDimensions: Dimensions? {
    sampleDescriptions.first?.video.map { Dimensions(width: Double($0.width), height: Double($0.height)) }
  }
  /// The picture's dimensions as shown: after the matrix.
  public var displayDimensions: Dimensions { dimensions.transformed(by: matrix) }

  /// The identifiers that references of one type name.
  public func references(_ type: FourCC) -> [UInt32] {
    references.filter { $0.type == type }.flatMap(\.trackIDs)
  }

  /// Samples a second on average over the media; nil when the track has no duration.
  public var averageFrameRate: Double? {
    samples.totalDuration > 0 ? Double(samples.count) * Double(timescale) / Double(samples.totalDuration) : nil
  }
}

/// A width and a height in pixels; track headers hold fractions of pixels.
public struct Dimensions: Hashable, Sendable {
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Dimensions as given.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The bounding box of a picture of these dimensions after a matrix.
  func transformed(by matrix: MovieMatrix) -> Dimensions {
    func extent(_ x: Int32, _ y: Int32) -> Double {
      let ends = (Double(x) / 65536 * width, Double(y) / 65536 * height)
      let corners = [0, ends.0, ends.1, ends.0 + ends.1]
      return (corners.max() ?? 0) - (corners.min() ?? 0)
    }
    return Dimensions(width: extent(matrix.a, matrix.c), height: extent(matrix.b, matrix.d))
  }
}

extension Dimensions: CustomStringConvertible {
  /// `1920x1440`; fractions only where there are some.
  public var description: String {
    func text(_ value: Double) -> String {
      let text = value.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return "\(text(width))x\(text(height))"
  }
}

// MARK: Time

extension Track {
  /// The duration of the media before editing.
  public var mediaDuration: RationalTime { RationalTime(samples.totalDuration, Int64(timescale)) }

  /// How long the track lasts in the movie: the edit list's segments together, or the media without one.
  public var editedDuration: RationalTime {
    guard let last = edits.last else { return mediaDuration }
    // The reader has checked that the sum fits.
    let ticks = edits.reduce(0) { $0 &+ Int64(truncatingIfNeeded: $1.duration) }
    let stated = RationalTime(ticks, Int64(movieTimescale))
    guard last.duration == 0, !last.isEmpty else { return stated }
    let rest = RationalTime(max(0, samples.endTime - max(0, last.mediaTime)), Int64(timescale))
    return stated.adding(rest) ?? stated
  }

  /// When each sample is shown, to be kept where many times are asked for.
  ///
  /// - Complexity: O(n) for n samples where frames change places with near ones, O(n log n) where with any, O(1) where
  ///   with none.
  public func timeline() -> PresentationTimeline {
    PresentationTimeline(
      samples: samples,
      edits: EditTimeline(edits: edits, movieTimescale: movieTimescale, mediaTimescale: timescale))
  }

  /// When a sample is shown first, counted from the movie's start; nil when the edit list leaves it out.
  ///
  /// One without a duration, as the last of many recordings is, has a time at which it would be.
  public func presentationTime(ofSample index: Int) -> RationalTime? { timeline().presentationTime(ofSample: index) }

  /// When a sample is shown first, and until when; nil when the edit list leaves it out.
  public func displayInterval(ofSample index: Int) -> Range<RationalTime>? {
    timeline().displayInterval(ofSample: index)
  }

  /// The sample that is shown at a time, counted from the movie's start; nil where the track shows nothing then.
  public func sample(shownAt time: RationalTime) -> Int? { timeline().sample(shownAt: time) }
}
