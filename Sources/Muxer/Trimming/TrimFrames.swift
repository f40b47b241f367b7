import LivePhotoCore

/// The frames of a movie's video at which it can be trimmed.
struct TrimFrames {
  private let movie: Movie
  private let track: Track?
  private let timeline: PresentationTimeline?
  /// The samples that are left out since they are decoded behind the first sync sample but shown before it; nil where
  /// none are.
  private(set) var droppedLeading: Range<Int>?

  init(of movie: Movie) {
    self.movie = movie
    track = movie.videoTrack
    timeline = track?.timeline()
  }

  /// When the first frame is shown.
  var start: RationalTime? { timeline?.start }

  /// The stretch to be kept: whole frames, in the movie's own time.
  mutating func range(for asked: Range<RationalTime>, precision: TrimPrecision) throws(MovieTrimError)
    -> Range<RationalTime>
  {
    guard asked.lowerBound < asked.upperBound else { throw .emptyRange }
    let end = movie.tracks.compactMap { $0.timeline().end }.max() ?? .zero
    let start = max(asked.lowerBound, .zero)
    guard start < end else { throw .startBeyondEnd(start: start, end: end) }
    var lower = timeline?.frame(shownAt: start)?.interval.lowerBound ?? tick(at: start, .down)
    var upper = min(asked.upperBound, end)
    if let frame = timeline?.frame(shownAt: upper) {
      if frame.interval.lowerBound < upper { upper = frame.interval.upperBound }
    } else if upper < end {
      upper = tick(at: upper, .up)
    }
    guard lower < upper else { throw .emptyRange }
    if precision == .keyframe { widen(&lower, &upper) }
    return lower..<upper
  }

  private func tick(at time: RationalTime, _ rounding: TimeRounding) -> RationalTime {
    time.rescaled(to: Int64(movie.header.timescale), rounding: rounding) ?? time
  }

  /// Moves the bounds outwards until no frame that has to be decoded is hidden.
  private mutating func widen(_ lower: inout RationalTime, _ upper: inout RationalTime) {
    guard let track, let timeline, let sync = syncSample(at: lower, track, timeline), sync.moment < upper else {
      return
    }
    // Where no frame is shown yet, the first one may be a sync sample as it is.
    if timeline.frame(shownAt: lower) != nil || sync.moment < lower { lower = sync.moment }
    let samples = track.samples
    let start = samples.compositionTime(of: sync.sample)
    let leading = (sync.sample + 1..<max(samples.count, sync.sample + 1)).prefix {
      !samples.isSync($0) && samples.compositionTime(of: $0) < start
    }
    if !leading.isEmpty { droppedLeading = leading }
    // All that is decoded before the last of the frames, and shown behind them.
    var rank = timeline.rank(ofSample: sync.sample), decoded = sync.sample - 1, newest = sync.sample
    var last = upper
    while let frame = timeline.lastFrame(before: upper), frame.interval.lowerBound >= lower {
      while rank < timeline.rank(ofSample: frame.sample) {
        rank += 1
        newest = max(newest, timeline.sample(atRank: rank))
      }
      while decoded < newest {
        decoded += 1
        if let interval = timeline.displayInterval(ofSample: decoded) { last = max(last, interval.upperBound) }
      }
      guard last > upper else { return }
      upper = last
    }
  }

  /// The sync sample to begin with: the last one shown at or before a moment, in the segment that it falls in, else the
  /// first behind it.
  private func syncSample(at moment: RationalTime, _ track: Track, _ timeline: PresentationTimeline)
    -> (sample: Int, moment: RationalTime)?
  {
    // Without a list all are sync samples; they may be too many to be listed.
    guard let listed = track.samples.syncSamples else {
      return syncSample(at: moment, of: track.samples.indices, timeline)
    }
    return syncSample(at: moment, of: listed.lazy.map { Int($0) }, timeline)
  }

  private func syncSample(
    at moment: RationalTime, of all: some BidirectionalCollection<Int>, _ timeline: PresentationTimeline
  ) -> (sample: Int, moment: RationalTime)? {
    let shown = all.lazy.compactMap { sample in
      timeline.presentationTime(ofSample: sample).map { (sample: sample, moment: $0) }
    }.filter { sync in
      // A frame whose beginning the edit list hides is no beginning.
      timeline.frame(shownAt: sync.moment).map { $0.sample == sync.sample && $0.isWhole } ?? false
    }
    return shown.last { $0.moment <= moment } ?? shown.first { $0.moment > moment }
  }
}
