import LivePhotoCore
import LivePhotoMuxer

/// The one decision about the moment of the still: still and marker both follow it.
struct ChosenMoment {
  /// The frame, and the time of the marker that points at it.
  let moment: StillMoment
  /// Why this moment.
  let reason: StillReason
  /// How well it serves, where frames were looked into.
  let score: Double?

  /// How like the photo a frame has to be, at least: see ``PhotoLikeness``.
  static let leastLikeness = 0.8

  /// Chooses: what was asked for, else the movie's own still-image-time, else the middle.
  ///
  /// - Parameter chooser: looks into frames, where `choice` asks for that.
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/momentOutside(file:moment:end:)`` when no frame
  ///   is shown then, ``LivePhotoError/unwritable(file:reason:)`` when the movie's time scale cannot express it; what
  ///   decoding throws.
  init(_ choice: StillChoice, movie: Movie, file: String, chooser: FrameChooser) throws(LivePhotoError) {
    guard let timeline = movie.videoTrack?.timeline(), let span = timeline.shownSpan else {
      throw .noVideo(file: file)
    }
    func place(at fraction: Double) -> RationalTime {
      timeline.momentShown(from: span.moment(at: fraction)) ?? span.lowerBound
    }
    func start(of choice: FrameChooser.Choice) -> RationalTime? {
      timeline.displayInterval(ofSample: choice.sample)?.lowerBound
    }
    let own = movie.stillImageTime.flatMap { timeline.sample(shownAt: $0) == nil ? nil : $0 }
    let time: RationalTime
    switch (choice, own) {
    case (.at(.time(let asked)), _): (time, reason, score) = (asked, .asked, nil)
    case (.at(.fraction(let fraction)), _): (time, reason, score) = (place(at: fraction), .asked, nil)
    case (.automatic, let own?), (.match, let own?): (time, reason, score) = (own, .ownStillTime, nil)
    case (.automatic, nil): (time, reason, score) = (place(at: 0.5), .middle, nil)
    case (.best, _):
      let best = try chooser.best(of: movie)
      score = best?.score
      if let best = best.flatMap(start(of:)) {
        (time, reason) = (best, .best)
      } else {
        (time, reason) = (place(at: 0.5), .middle)
      }
    case (.match, nil):
      let match = try chooser.match(in: movie)
      score = match?.score
      if let match, match.score >= Self.leastLikeness, let found = start(of: match) {
        (time, reason) = (found, .match)
      } else {
        (time, reason) = (place(at: 0.5), .middle)
      }
    }
    self.moment = try Self.moment(of: movie, at: time, file: file)
  }

  private init(_ moment: StillMoment, _ reason: StillReason, _ score: Double?) {
    self.moment = moment
    self.reason = reason
    self.score = score
  }

  /// The key frame that is shown next to this moment, and how far from it.
  ///
  /// - Throws: ``LivePhotoError``: of ``KeyFrames``.
  func movedToKeyFrame(of movie: Movie, file: String, tolerance: RationalTime, limits: Limits) throws(LivePhotoError)
    -> (ChosenMoment, RationalTime?)
  {
    let keyFrames = try KeyFrames(of: movie, file: file, limits: limits)
    let nearest = try keyFrames.nearest(to: moment.sampleIndex, tolerance: tolerance)
    guard nearest.sample != moment.sampleIndex, let time = moment.displayInterval.lowerBound.adding(nearest.offset)
    else {
      return (self, .zero)
    }
    return (ChosenMoment(try Self.moment(of: movie, at: time, file: file), reason, score), nearest.offset)
  }

  private static func moment(of movie: Movie, at time: RationalTime, file: String) throws(LivePhotoError) -> StillMoment
  {
    do { return try movie.stillMoment(at: time) } catch {
      switch error {
      case .noVideo: throw .noVideo(file: file)
      case .noFrame(let time, let end): throw .momentOutside(file: file, moment: time, end: end)
      default: throw .unwritable(file: file, reason: error.description)
      }
    }
  }
}

extension PresentationTimeline {
  /// From the first picture's presentation to the last one's end; nil when nothing is ever shown.
  var shownSpan: Range<RationalTime>? {
    guard let start, let end, start < end else { return nil }
    return start..<end
  }
}

extension Range<RationalTime> {
  /// The moment at a fraction of the range, to a thousandth of its time scale; 1 is just before its end.
  fileprivate func moment(at fraction: Double) -> RationalTime {
    guard fraction.isFinite else { return lowerBound }
    let parts: Int128 = 1_000_000
    let part = Swift.min(Int128((Swift.min(Swift.max(fraction, 0), 1) * Double(parts)).rounded()), parts - 1)
    guard let length = upperBound.subtracting(lowerBound),
      let value = Int64(exactly: Int128(length.value) * 1000 * part / parts),
      let timescale = Int64(exactly: Int128(length.timescale) * 1000),
      let moment = lowerBound.adding(RationalTime(value, timescale))
    else { return lowerBound }
    return moment
  }
}
