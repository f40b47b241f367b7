public import LivePhotoCore

/// When each sample of a track is shown, through composition offsets and edit list, and which one at a given time.
///
/// ```swift
/// let timeline = track.timeline()
/// let frame = timeline.sample(shownAt: RationalTime(3, 2))
/// ```
///
/// A sample is shown until the next one in display order begins; the last one until the track's media ends. All
/// times are exact and are counted from the movie's start.
public struct PresentationTimeline: Sendable {
  private let samples: SampleTable
  private let edits: EditTimeline
  /// Sample indices in display order; nil when that is the decoding order.
  private let order: [UInt32]?
  /// The inverse of ``order``.
  private let ranks: [UInt32]?
  /// Where the media ends, in composition time.
  let mediaEnd: Int64
  /// Which segment is the first to show each sample.
  private var showings = FirstShowings()

  /// - Complexity: O(n) for n samples where frames change places with near ones, O(n log n) where with any, O(1) where
  ///   with none; and O(e log e) for e segments of the edit list.
  init(samples: SampleTable, edits: EditTimeline) {
    self.samples = samples
    self.edits = edits
    if samples.isReordered {
      let times = samples.compositionTimes
      let order = DisplayOrder.order(of: times)
      var ranks = [UInt32](repeating: 0, count: order.count)
      for (rank, index) in order.enumerated() { ranks[Int(index)] = UInt32(rank) }
      self.order = order
      self.ranks = ranks
      let first = order.first.map { times[Int($0)] } ?? 0
      let last = order.last.map { times[Int($0)] } ?? 0
      // The composition timeline is as long as the decoding timeline, wherever it begins.
      mediaEnd = max(first &+ samples.totalDuration, last)
    } else {
      (order, ranks, mediaEnd) = (nil, nil, samples.endTime)
    }
    showings = FirstShowings(edits.segments.map(ranksShown))
  }

  /// The number of samples.
  public var count: Int { samples.count }

  /// The sample that comes at `rank` in display order, both counted from 0.
  public func sample(atRank rank: Int) -> Int { order.map { Int($0[rank]) } ?? rank }

  /// The place of a sample in display order, both counted from 0.
  public func rank(ofSample index: Int) -> Int { ranks.map { Int($0[index]) } ?? index }

  /// When a sample is shown first, and until when; nil when the edit list leaves it out or it has no duration.
  public func displayInterval(ofSample index: Int) -> Range<RationalTime>? {
    stretch(ofSample: index).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// When a sample is shown first: where its ``displayInterval(ofSample:)`` begins, and for a sample without a duration
  /// the moment at which it would.
  public func presentationTime(ofSample index: Int) -> RationalTime? { stretch(ofSample: index)?.lowerBound }

  /// The first stretch of the movie's time that a sample has, empty where it has no duration.
  private func stretch(ofSample index: Int) -> Range<RationalTime>? {
    guard index >= 0, index < count else { return nil }
    let rank = rank(ofSample: index)
    return showings.segment(ofRank: rank).flatMap { interval(ofRank: rank, in: edits.segments[$0]) }
  }

  /// When a segment shows the sample at a place in display order; nil when it does not.
  private func interval(ofRank rank: Int, in segment: EditTimeline.Segment) -> Range<RationalTime>? {
    edits.shownInterval(from: start(ofRank: rank), to: end(ofRank: rank), in: segment)
  }

  /// Where the sample at a place in display order begins in the media.
  private func start(ofRank rank: Int) -> Int64 { samples.compositionTime(of: sample(atRank: rank)) }

  /// Where the sample at a place in display order ends in the media.
  private func end(ofRank rank: Int) -> Int64 { rank + 1 < count ? start(ofRank: rank + 1) : mediaEnd }

  /// The places in display order of the samples that a segment shows; nil when it shows none.
  private func ranksShown(in segment: EditTimeline.Segment) -> Range<Int>? {
    guard !segment.isEmpty, segment.rate >= 0, count > 0 else { return nil }
    if segment.rate == 0 {
      let rank = rank(reachedAt: segment.mediaStart)
      return rank >= 0 && interval(ofRank: rank, in: segment) != nil ? rank..<rank + 1 : nil
    }
    // The sample before the first that begins in the segment may reach into it.
    var lower = rank(startingBefore: segment.mediaStart)
    if lower < 0 || interval(ofRank: lower, in: segment) == nil { lower += 1 }
    var upper = count
    if let end = segment.end, let reached = edits.mediaTime(at: end, in: segment),
      let moment = edits.moment(of: reached, in: segment)
    {
      upper = 1 + (moment < end ? rank(reachedAt: reached) : rank(startingBefore: reached))
    }
    return lower < upper ? lower..<upper : nil
  }

  /// The place in display order of the last sample that begins before a media time; -1 where none does.
  private func rank(startingBefore time: Int64) -> Int { time == .min ? -1 : rank(reachedAt: time - 1) }

  /// How many samples have a ``displayInterval(ofSample:)``, and how many samples come before the first of them in
  /// display order.
  ///
  /// - Complexity: linear in the number of samples.
  var shownCount: (shown: Int, before: Int) {
    var shown = 0, first: Int64?
    for (ranks, _) in showings.stretches {
      for rank in ranks where start(ofRank: rank) < end(ofRank: rank) {
        shown += 1
        if first == nil { first = start(ofRank: rank) }
      }
    }
    return (shown, first.map { rank(startingBefore: $0) + 1 } ?? 0)
  }

  /// The sample that is shown at a time, counted from the movie's start; nil where the track shows nothing then.
  public func sample(shownAt time: RationalTime) -> Int? { place(of: time).map { sample(atRank: $0.rank) } }

  /// The segment that a time falls in, and the place in display order of the sample that is shown then.
  private func place(of time: RationalTime) -> (segment: EditTimeline.Segment, rank: Int)? {
    let next = edits.segments.partitioningIndex { $0.start > time }
    guard next > 0, case let segment = edits.segments[next - 1], !segment.isEmpty, segment.rate >= 0,
      segment.end.map({ time < $0 }) ?? true, let mediaTime = edits.mediaTime(at: time, in: segment),
      mediaTime < mediaEnd
    else { return nil }
    let rank = rank(reachedAt: mediaTime)
    return rank >= 0 ? (segment, rank) : nil
  }

  /// The place in display order of the last sample that begins by a media time; -1 before the first one.
  func rank(reachedAt mediaTime: Int64) -> Int {
    let next =
      (order?.partitioningIndex { samples.compositionTime(of: Int($0)) > mediaTime })
      ?? samples.partitioningIndexByTime(after: mediaTime)
    return next - 1
  }

  /// A sample that is shown, and when this time.
  struct Frame {
    var sample: Int
    var interval: Range<RationalTime>
    /// Whether the segment shows the sample from its beginning.
    var isWhole: Bool
  }

  /// The sample that is shown at a time, and when it is in the segment that the time falls in.
  func frame(shownAt time: RationalTime) -> Frame? {
    guard let (segment, rank) = place(of: time), let frame = frame(atRank: rank, in: segment) else { return nil }
    return frame.interval.contains(time) ? frame : nil
  }

  /// The sample that was shown last before a time, and when it is in the segment that does so.
  func lastFrame(before time: RationalTime) -> Frame? {
    let next = edits.segments.partitioningIndex { $0.start >= time }
    guard next > 0, case let segment = edits.segments[next - 1], !segment.isEmpty, segment.rate > 0,
      let reached = edits.mediaTime(at: time, in: segment), let moment = edits.moment(of: reached, in: segment)
    else { return nil }
    let rank = rank(reachedAt: min(moment < time ? reached : reached - 1, mediaEnd - 1))
    guard rank >= 0 else { return nil }
    return frame(atRank: rank, in: segment)
  }

  private func frame(atRank rank: Int, in segment: EditTimeline.Segment) -> Frame? {
    guard let interval = interval(ofRank: rank, in: segment) else { return nil }
    let isWhole = start(ofRank: rank) >= segment.mediaStart
    return Frame(sample: sample(atRank: rank), interval: interval, isWhole: isWhole)
  }

  /// When the first sample is shown; nil when none is.
  public var start: RationalTime? {
    let first = samples.compositionTime(ofFirstShown: order)
    return edits.segments.lazy.compactMap { segment in
      first.flatMap { edits.shownInterval(from: $0, to: mediaEnd, in: segment)?.lowerBound }
    }.min()
  }

  /// The moment itself where a sample is shown then; otherwise when the next one is, or nil when none follows.
  public func momentShown(from moment: RationalTime) -> RationalTime? {
    if sample(shownAt: moment) != nil { return moment }
    let first = samples.compositionTime(ofFirstShown: order)
    return edits.segments.lazy.compactMap { segment in
      first.flatMap { edits.shownInterval(from: $0, to: mediaEnd, in: segment)?.lowerBound }
    }.filter { $0 >= moment }.min()
  }

  /// When the last sample that is shown ends; nil when nothing is.
  public var end: RationalTime? {
    let first = samples.compositionTime(ofFirstShown: order)
    return edits.segments.lazy.compactMap { segment in
      first.flatMap { edits.shownInterval(from: $0, to: mediaEnd, in: segment)?.upperBound }
    }.max()
  }
}

extension SampleTable {
  /// The index of the first sample that is decoded after `time`, where display follows decoding.
  fileprivate func partitioningIndexByTime(after time: Int64) -> Int {
    let next = timeRuns.partitioningIndex { $0.start > time }
    guard next > 0 else { return 0 }
    let run = timeRuns[next - 1]
    let end = next < timeRuns.count ? timeRuns[next].firstSample : count
    guard run.delta > 0 else { return end }
    return Swift.min(Int((time - run.start) / run.delta) + 1 + run.firstSample, end)
  }

  fileprivate func compositionTime(ofFirstShown order: [UInt32]?) -> Int64? {
    guard count > 0 else { return nil }
    return compositionTime(of: order.map { Int($0[0]) } ?? 0)
  }
}
