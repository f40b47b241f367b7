import LivePhotoCore

/// How a track's own time maps to the movie's: its edit list, each segment with its start (ISO/IEC 14496-12, 8.6.5).
///
/// A track without an edit list has one segment, which shows all of its media from the movie's start.
struct EditTimeline: Sendable {
  /// One stretch of the movie's time that shows one stretch of the media, or nothing.
  struct Segment: Sendable {
    var start: RationalTime
    /// Where it ends; nil for one that lasts as long as the media does.
    var end: RationalTime?
    /// In ticks of the track; meaningless in an empty segment.
    var mediaStart: Int64
    var rate: Int32
    var isEmpty: Bool
  }

  let segments: [Segment]
  let mediaTimescale: Int64

  init(edits: [Edit], movieTimescale: UInt32, mediaTimescale: UInt32) {
    self.mediaTimescale = Int64(mediaTimescale)
    guard !edits.isEmpty else {
      segments = [Segment(start: .zero, end: nil, mediaStart: 0, rate: 0x10000, isEmpty: false)]
      return
    }
    var segments: [Segment] = []
    var ticks: Int64 = 0
    for (index, edit) in edits.enumerated() {
      let isOpen = edit.duration == 0 && index == edits.count - 1 && !edit.isEmpty
      // The reader has checked that the sum of all durations fits.
      let end = ticks &+ Int64(truncatingIfNeeded: edit.duration)
      segments.append(
        Segment(
          start: RationalTime(ticks, Int64(movieTimescale)),
          end: isOpen ? nil : RationalTime(end, Int64(movieTimescale)),
          mediaStart: edit.mediaTime, rate: edit.rate, isEmpty: edit.isEmpty))
      ticks = end
    }
    self.segments = segments
  }

  /// The moment at which a segment of positive rate reaches a media time, which may lie outside the segment.
  func moment(of mediaTime: Int64, in segment: Segment) -> RationalTime? {
    let (distance, overflow) = mediaTime.subtractingReportingOverflow(segment.mediaStart)
    guard !overflow, segment.rate > 0 else { return nil }
    if segment.rate == 0x10000 { return segment.start.adding(RationalTime(distance, mediaTimescale)) }
    let (scaled, tooFar) = distance.multipliedReportingOverflow(by: 0x10000)
    guard !tooFar else { return nil }
    return segment.start.adding(RationalTime(scaled, mediaTimescale * Int64(segment.rate)))
  }

  /// The last whole tick of the media that a segment has reached at a moment inside it.
  func mediaTime(at moment: RationalTime, in segment: Segment) -> Int64? {
    guard segment.rate != 0 else { return segment.mediaStart }
    guard let elapsed = moment.subtracting(segment.start) else { return nil }
    // Factors of at most 63, 31 and 32 bits, over one of 63 and one of 17.
    let numerator = Int128(elapsed.value) * Int128(segment.rate) * Int128(mediaTimescale)
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: Int128(elapsed.timescale) << 16)
    return Int64(exactly: Int128(segment.mediaStart) + quotient - (remainder < 0 ? 1 : 0))
  }

  /// The part of the movie's time in which `segment` shows what the media holds from `start` to `end`.
  ///
  /// Both are ticks of the track. Nil when the segment shows nothing of it; an empty stretch is shown at its own moment.
  func shownInterval(from start: Int64, to end: Int64, in segment: Segment) -> Range<RationalTime>? {
    guard !segment.isEmpty, segment.rate >= 0 else { return nil }
    if segment.rate == 0 {
      guard let segmentEnd = segment.end, segment.start < segmentEnd, start <= segment.mediaStart,
        segment.mediaStart < end
      else { return nil }
      return segment.start..<segmentEnd
    }
    guard let first = moment(of: start, in: segment), let last = moment(of: end, in: segment) else { return nil }
    let lower = max(first, segment.start)
    let upper = segment.end.map { min(last, $0) } ?? last
    if start == end { return first == lower && segment.end.map { first < $0 } ?? true ? first..<first : nil }
    return lower < upper ? lower..<upper : nil
  }
}
