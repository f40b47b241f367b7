public import LivePhotoCore

/// The moment of a Live Photo's still: a frame of the movie, and the time by which a marker points at it.
///
/// The still shows the frame and the marker has the time; both come from this one decision.
public struct StillMoment: Sendable {
  /// The sample of the movie's video track that is shown, counted from 0 in decoding order.
  public let sampleIndex: Int
  /// When the frame is shown.
  public let displayInterval: Range<RationalTime>
  /// The time of the marker, inside ``displayInterval``: what the movie has, if it points at this frame, else the first
  /// tick of the movie's time scale at or after the frame's presentation time.
  public let time: RationalTime
}

extension Movie {
  /// The frame that the video track shows at a time, and the time of a marker for it.
  ///
  /// - Throws: ``MovieWriteError``: there is no video, no frame is shown at `time`, or the movie's time scale has no
  ///   tick while the frame is shown.
  public func stillMoment(at time: RationalTime) throws(MovieWriteError) -> StillMoment {
    guard let track = videoTrack else { throw .noVideo }
    let timeline = track.timeline()
    guard let index = timeline.sample(shownAt: time), let interval = timeline.displayInterval(ofSample: index) else {
      throw .noFrame(at: time, end: timeline.end ?? .zero)
    }
    if let present = stillImageTime, interval.contains(present) {
      return StillMoment(sampleIndex: index, displayInterval: interval, time: present)
    }
    guard let marker = interval.lowerBound.rescaled(to: Int64(header.timescale), rounding: .up), marker >= .zero,
      interval.contains(marker)
    else { throw .timescaleTooCoarse(timescale: header.timescale, interval) }
    return StillMoment(sampleIndex: index, displayInterval: interval, time: marker)
  }
}
