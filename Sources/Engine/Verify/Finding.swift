/// One thing that checking a pair brought to light.
public struct Finding: Sendable, Codable, Equatable {
  /// Which rule speaks.
  public var rule: Rule
  /// How much it matters.
  public var severity: Severity
  /// The half of the pair that it concerns.
  public var half: Half
  /// What was found.
  public var fact: String
  /// Why it matters.
  public var why: String
  /// What helps.
  public var remedy: String

  /// How much a finding matters.
  public enum Severity: String, Sendable, Codable, Comparable {
    /// Worth knowing; nothing has to be done.
    case note
    /// Importers may accept the pair, but something is not as a camera writes it.
    case warning
    /// The files do not pair, or not on every importer.
    case error

    /// A note is less than a warning, a warning less than an error.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// A half of the pair, or both.
  public enum Half: String, Sendable, Codable {
    /// The still.
    case photo
    /// The movie.
    case movie
    /// Their relation.
    case both
  }
}

/// The rules of a pair.
///
/// The raw values are stable: they stand in the JSON and in SPEC.md.
public enum Rule: String, Sendable, Codable, CaseIterable {
  /// The still holds no content identifier (Apple MakerNote tag 0x0011).
  case photoIdentifierMissing = "photo-identifier-missing"
  /// The movie holds no `com.apple.quicktime.content.identifier`.
  case movieIdentifierMissing = "movie-identifier-missing"
  /// Both halves hold an identifier, and they differ.
  case identifiersDiffer = "identifiers-differ"
  /// An identifier is not an upper-case UUID.
  case identifierMalformed = "identifier-malformed"
  /// The movie has no timed-metadata track with `still-image-time`.
  case stillTimeMissing = "still-time-missing"
  /// The still-image-time track has more than one sample, or there is more than one such track.
  case stillTimeAmbiguous = "still-time-ambiguous"
  /// The still-image-time lies outside the movie.
  case stillTimeOutsideMovie = "still-time-outside-movie"
  /// The still-image-time lies in no frame's display interval.
  case stillTimeBetweenFrames = "still-time-between-frames"
  /// Still and movie are shown in different shapes.
  case geometryDiffers = "geometry-differs"
  /// The movie's video is not coded as `hvc1` or `avc1`.
  case videoCodec = "video-codec"
  /// The still is HEIF, but not coded as HEVC.
  case photoCodec = "photo-codec"
  /// A file's extension does not fit its content.
  case extensionMismatch = "extension-mismatch"
  /// The clip is shorter than a second.
  case movieShort = "movie-short"
  /// The still's run time and the movie's live-photo-info give another still time than the movie's track.
  case runTimeMismatch = "run-time-mismatch"
}

/// What checking a pair found.
public struct VerificationReport: Sendable, Codable, Equatable {
  /// The version of this shape.
  public var version = 1
  /// The outcome in a phrase.
  public var verdict: Verdict
  /// All findings, errors first.
  public var findings: [Finding]

  /// The outcome.
  public enum Verdict: String, Sendable, Codable {
    /// Nothing but notes.
    case pairs
    /// Warnings, but no error.
    case pairsWithWarnings = "pairs with warnings"
    /// At least one error.
    case doesNotPair = "does not pair"
  }

  /// A report over findings, which it sorts by severity.
  public init(findings: [Finding]) {
    self.findings =
      findings.enumerated()
      .sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }
      .map(\.element)
    let worst = findings.map(\.severity).max() ?? .note
    verdict =
      switch worst {
      case .note: .pairs
      case .warning: .pairsWithWarnings
      case .error: .doesNotPair
      }
  }

  /// The findings that keep the files from pairing; empty when they pair.
  public var errors: [Finding] { findings.filter { $0.severity == .error } }

  /// The findings that are warnings.
  public var warnings: [Finding] { findings.filter { $0.severity == .warning } }
}
