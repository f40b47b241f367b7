import LivePhotoCore
import LivePhotoMuxer

/// The one decision about the moment of the still: still and marker both follow it.
struct ChosenMoment {
  /// The frame, and the time of the marker that points at it.
  let moment: StillMoment
  /// Why this moment.
  let reason: StillReason

  /// Chooses: what was asked for, else the movie's own still-image-time, else the middle.
  ///
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/momentOutside(file:moment:end:)`` when no frame
  ///   is shown then, ``LivePhotoError/unwritable(file:reason:)`` when the movie's time scale cannot express it.
  init(_ choice: StillChoice, movie: Movie, file: String) throws(LivePhotoError) {
    guard let timeline = movie.videoTrack?.timeline(), let span = timeline.shownSpan else {
      throw .noVideo(file: file)
    }
    let time: RationalTime
    switch choice {
    case .at(.time(let asked)): (time, reason) = (asked, .asked)
    case .at(.fraction(let fraction)):
      (time, reason) = (timeline.momentShown(from: span.moment(at: fraction)) ?? span.lowerBound, .asked)
    case .automatic:
      if let own = movie.stillImageTime, timeline.sample(shownAt: own) != nil {
        (time, reason) = (own, .ownStillTime)
      } else {
        (time, reason) = (timeline.momentShown(from: span.moment(at: 0.5)) ?? span.lowerBound, .middle)
      }
    }
    moment = try Self.moment(of: movie, at: time, file: file)
  }

  private init(_ moment: StillMoment, _ reason: StillReason) {
    self.moment = moment
    self.reason = reason
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
    return (ChosenMoment(try Self.moment(of: movie, at: time, file: file), reason), nearest.offset)
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
