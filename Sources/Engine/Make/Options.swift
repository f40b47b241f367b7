public import LivePhotoCore

/// The moment of a clip that its still shows.
public enum StillChoice: Sendable, Equatable {
  /// The movie's own still-image-time where it has one, else the middle.
  case automatic
  /// A given position.
  case at(Position)
  /// The frame around the middle that makes the best still: sharp, well exposed, of a still moment; the middle where no
  /// frame is good for anything.
  case best
  /// The movie's own still-image-time where it has one, else the frame that is most like the photo, where it is like it at
  /// all, else the middle.
  case match

  /// A position in a clip.
  public enum Position: Sendable, Equatable {
    /// A part of the duration, 0 the first frame and 1 the last.
    case fraction(Double)
    /// A time from the start, as the movie is played (through its edit list).
    case time(RationalTime)
  }
}

/// How the still is coded.
public enum StillFormat: Sendable, Equatable {
  /// HEIC, which needs the HEVC trait; quality 1 to 100.
  case heic(quality: Int = 80)
  /// Baseline JPEG; quality 1 to 100.
  case jpeg(quality: Int = 90)

  /// 1 to 100.
  var quality: Int {
    switch self {
    case .heic(let quality), .jpeg(let quality): quality
    }
  }

  /// The extension of the still's file.
  var fileExtension: String {
    switch self {
    case .heic: "HEIC"
    case .jpeg: "JPG"
    }
  }

  /// What a file of it holds.
  var kind: MediaKind {
    switch self {
    case .heic: .heif
    case .jpeg: .jpeg
    }
  }

  /// How a message calls it.
  var name: String {
    switch self {
    case .heic: "HEIC"
    case .jpeg: "JPEG"
    }
  }
}

/// Where the coded bytes of a still that shows a frame come from.
public enum FrameCoding: Sendable, Equatable {
  /// The frame is decoded and encoded.
  case encode
  /// The bytes of a key frame of HEVC video (an IRAP picture) become a HEIC as they are, without loss: of the frame asked
  /// for, or of the key frame that is shown next to it, at most `tolerance` earlier or later.
  case copy(tolerance: RationalTime = .zero)
}

/// How much work goes into a HEIC still: x265's presets of these names, as far as they differ for stills.
///
/// Bytes are at equal structural similarity.
public enum StillPreset: String, Sendable, Equatable, CaseIterable {
  /// Little more than half the time of ``veryfast``, 3 % more bytes.
  case ultrafast
  /// The best quality that a second of work buys.
  case veryfast
  /// Nearly twice the time of ``veryfast``, 3 % fewer bytes.
  case medium
  /// Four times the time of ``veryfast``, 6 % fewer bytes.
  case slow
}

/// Where the two files go and what they may replace.
public struct PairDestination: Sendable, Equatable {
  /// The folder, which is created where it is missing.
  public var folder: String
  /// The name without extension; nil takes the clip's (for pairing, the photo's).
  public var stem: String?
  /// Whether files of these names may be replaced.
  public var overwrite: Bool
  /// Whether file and folder are synced to the disk before the call returns.
  public var durable: Bool

  /// A destination.
  public init(folder: String = ".", stem: String? = nil, overwrite: Bool = false, durable: Bool = false) {
    self.folder = folder
    self.stem = stem
    self.overwrite = overwrite
    self.durable = durable
  }
}

extension PairDestination: ExpressibleByStringLiteral {
  /// A folder, with the names of the source and nothing replaced.
  public init(stringLiteral folder: String) { self.init(folder: folder) }
}

/// A Live Photo on disk: what ``LivePhotoMaker`` and ``PairMaker`` return.
public struct LivePhotoPair: Sendable, Equatable {
  /// The path of the still.
  public var photo: String
  /// The path of the movie.
  public var movie: String
  /// What ties them.
  public var identifier: ContentIdentifier
  /// When the frame that the still shows is presented, as the movie's still-image-time track says it.
  public var stillTime: RationalTime
  /// Why this moment.
  public var stillReason: StillReason
  /// How well the frame was found to serve, 0 to 1, where frames were looked into: of ``StillChoice/best`` its score, of
  /// ``StillChoice/match`` its likeness, the largest there was.
  public var stillScore: Double?
  /// Whether the still is a photo of the caller's with every pixel, so that nothing of how stills are coded concerned it.
  public var keepsPixels = false
  /// How far the key frame whose bytes the still holds is from the frame that was asked for, negative where it is earlier;
  /// nil where no bytes were copied.
  public var copiedFrom: RationalTime?
  /// What was kept of the clip; nil for all.
  public var cut: CutReport?
  /// What the caller should know: nothing here kept the pair from being made.
  public var warnings: [String]
}

/// Why a moment was chosen.
public enum StillReason: String, Sendable, Codable {
  /// The caller asked for it.
  case asked
  /// The movie had a still-image-time of its own.
  case ownStillTime = "own still-image-time"
  /// It scored best of the frames around the middle.
  case best
  /// It is the frame most like the photo.
  case match
  /// The middle, for want of anything better.
  case middle
}
