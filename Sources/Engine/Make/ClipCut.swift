public import LivePhotoCore
import LivePhotoMuxer

/// Which part of a clip is kept.
public struct ClipCut: Sendable, Equatable {
  /// How long the part is.
  public enum Length: Sendable, Equatable {
    /// For a Live Photo, of a clip longer than 5 s the 3 s around the still; all of a shorter one, and of a movie that is
    /// only remuxed.
    case automatic
    /// As long as the clip is.
    case full
    /// So long, as far as the clip reaches.
    case time(RationalTime)
  }

  /// Where the part may begin and end.
  public enum Precision: String, Sendable, Equatable, CaseIterable {
    /// At any frame: frames that are only needed to decode it stay in the file, hidden.
    case frame
    /// On key frames, with no hidden frame: a little earlier and later where it must be.
    case keyframe
  }

  /// Where the part begins, in the clip's time; nil leaves it to ``length``.
  public var start: RationalTime?
  /// How long it is.
  public var length: Length
  /// Where it may begin and end.
  public var precision: Precision

  /// A part, of automatic length around the still unless told otherwise.
  public init(start: RationalTime? = nil, length: Length = .automatic, precision: Precision = .frame) {
    self.start = start
    self.length = length
    self.precision = precision
  }
}

/// What was kept of a clip.
public struct CutReport: Sendable, Codable, Equatable {
  /// Where it begins in the clip.
  public var start: TimeReport
  /// How long it is.
  public var duration: TimeReport
  /// How long the clip is.
  public var clipDuration: TimeReport
  /// How many frames are in the new file without being shown: they are needed to decode others.
  public var hiddenFrames: Int
}

extension ClipCut {
  /// A camera's Live Photo lasts about as long.
  private static let standardLength = RationalTime(3, 1)
  /// A clip of this length or less is kept whole rather than cut for a second.
  private static let wholeLength = RationalTime(5, 1)

  /// The part of a Live Photo's clip, in its own time; nil for all of it.
  ///
  /// - Parameters:
  ///   - still: when the frame of the still is shown, so that automatic parts lie around it.
  ///   - end: how long the clip is.
  func range(around still: RationalTime, end: RationalTime) -> Range<RationalTime>? {
    let first = max(start ?? .zero, .zero)
    let rest = rest(of: end, from: first)
    switch length {
    case .full: return start == nil ? nil : range(from: first, length: rest)
    case .time(let length):
      if start != nil { return range(from: first, length: length) }
      // As long as asked, wherever the still is.
      let half = RationalTime(length.value, length.timescale * 2)
      let latest = max(end.subtracting(length) ?? .zero, .zero)
      return range(from: min(max(still.subtracting(half) ?? .zero, .zero), latest), length: length)
    case .automatic:
      guard rest > Self.wholeLength else { return start == nil ? nil : range(from: first, length: rest) }
      if start != nil { return range(from: first, length: Self.standardLength) }
      let half = RationalTime(Self.standardLength.value, 2)
      let lower = max(still.subtracting(half) ?? .zero, .zero)
      let upper = min(still.adding(half) ?? end, end)
      return lower < upper ? lower..<upper : nil
    }
  }

  /// The part of a movie that is only remuxed; nil for all of it.
  func range(end: RationalTime) -> Range<RationalTime>? {
    let first = max(start ?? .zero, .zero)
    if case .time(let length) = length { return range(from: first, length: length) }
    return start == nil ? nil : range(from: first, length: rest(of: end, from: first))
  }

  /// What is left of a movie; something where nothing is, so that the start is said to be too late.
  private func rest(of end: RationalTime, from first: RationalTime) -> RationalTime {
    guard let rest = end.subtracting(first), rest > .zero else { return RationalTime(1, 1) }
    return rest
  }

  private func range(from first: RationalTime, length: RationalTime) -> Range<RationalTime>? {
    let end = first.adding(max(length, .zero)) ?? first
    return first..<end
  }
}

extension Movie {
  /// The part of the movie that is to be kept, and what to tell about it; the movie itself where that is all.
  ///
  /// - Throws: ``LivePhotoError/unwritable(file:reason:)``.
  func cut(to range: Range<RationalTime>?, precision: ClipCut.Precision, file: String) throws(LivePhotoError)
    -> CutMovie
  {
    guard let range, range.lowerBound > .zero || range.upperBound < end || range.isEmpty else {
      return CutMovie(movie: self, origin: .zero, report: nil, warnings: [])
    }
    do {
      let trimmed = try trimmed(to: range, precision: precision == .frame ? .frame : .keyframe)
      let duration = trimmed.range.upperBound.subtracting(trimmed.range.lowerBound) ?? .zero
      return CutMovie(
        movie: trimmed.movie, origin: trimmed.range.lowerBound,
        report: CutReport(
          start: TimeReport(trimmed.range.lowerBound), duration: TimeReport(duration),
          clipDuration: TimeReport(end), hiddenFrames: trimmed.hiddenFrames),
        warnings: trimmed.emptyTracks.map { "\(file): nothing of track \($0) is left in the part that is kept" })
    } catch { throw .unwritable(file: file, reason: error.description) }
  }

  /// When the last track ends.
  var end: RationalTime { tracks.compactMap { $0.timeline().end }.max() ?? .zero }
}

/// What is kept of a movie.
struct CutMovie {
  var movie: Movie
  /// Where it begins in the source's time.
  var origin: RationalTime
  /// What was cut; nil where all is kept.
  var report: CutReport?
  var warnings: [String]
}

/// The part of a clip that becomes a Live Photo's movie, and the frame of its still.
struct ChosenClip {
  let movie: Movie
  /// The frame, in the time of ``movie``.
  let moment: StillMoment
  let reason: StillReason
  /// How well the frame serves, where frames were looked into.
  let score: Double?
  /// How far the frame is from the one that was chosen first, where only key frames will do; nil where any does.
  let offset: RationalTime?
  /// Where the movie begins in the clip.
  let origin: RationalTime
  let report: CutReport?
  let warnings: [String]

  /// A time of ``movie`` as the clip counts it, by whose clock it is dated.
  func clipTime(of time: RationalTime) -> RationalTime { time.adding(origin) ?? time }

  /// Chooses the still's frame in the clip, then the part to keep, which has to show that frame.
  ///
  /// A still-image-time of the clip's own that a given part leaves out gives way to the part's middle, with a warning.
  ///
  /// - Parameter tolerance: how far the frame may be from the chosen one, where it has to be a key frame; nil where it
  ///   need not be one.
  /// - Throws: ``LivePhotoError``: of ``ChosenMoment``; ``LivePhotoError/momentCutOff(file:moment:start:end:)``,
  ///   ``LivePhotoError/noKeyFrame(file:moment:nearest:tolerance:)``.
  init(
    _ choice: StillChoice, _ cut: ClipCut, movie: Movie, file: String, chooser: FrameChooser,
    keyFramesWithin tolerance: RationalTime? = nil
  ) throws(LivePhotoError) {
    func chosen(_ choice: StillChoice, _ movie: Movie) throws(LivePhotoError) -> (ChosenMoment, RationalTime?) {
      let chosen = try ChosenMoment(choice, movie: movie, file: file, chooser: chooser)
      return try tolerance.map { (tolerance) throws(LivePhotoError) in
        try chosen.movedToKeyFrame(of: movie, file: file, tolerance: tolerance, limits: chooser.limits)
      } ?? (chosen, nil)
    }
    let (first, distance) = try chosen(choice, movie)
    let still = first.moment.displayInterval.lowerBound
    let part = try movie.cut(to: cut.range(around: still, end: movie.end), precision: cut.precision, file: file)
    (self.movie, origin, report) = (part.movie, part.origin, part.report)
    guard part.report != nil else {
      (moment, reason, score, offset, warnings) = (first.moment, first.reason, first.score, distance, part.warnings)
      return
    }
    let end = part.movie.end
    let moved = still.subtracting(part.origin) ?? .zero
    if moved >= .zero, moved < end {
      let again = try ChosenMoment(.at(.time(moved)), movie: part.movie, file: file, chooser: chooser)
      (moment, reason, score, offset, warnings) = (again.moment, first.reason, first.score, distance, part.warnings)
    } else if case .at = choice {
      throw .momentCutOff(
        file: file, moment: still, start: part.origin, end: part.origin.adding(end) ?? part.origin)
    } else {
      let again = try chosen(choice, part.movie)
      (moment, reason, score, offset) = (again.0.moment, again.0.reason, again.0.score, again.1)
      let own = first.reason == .ownStillTime
      let instead = again.0.reason == .middle ? "the middle" : "another moment"
      warnings =
        part.warnings
        + (own ? ["\(file): the clip marks its still outside of what is kept; \(instead) is taken"] : [])
    }
  }
}
