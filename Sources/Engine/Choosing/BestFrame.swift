import LivePhotoCore
import LivePhotoMuxer

/// Finds the frame around the middle of a movie that makes the best still.
///
/// Frames are compared by their luma, which is 0 at black and 1 at white, averaged over squares so that no side has more than
/// 640 of them. The score of a frame is √(G / Gmax) · E · S · P:
///
/// - G, sharpness: the mean of the squared differences of neighbours, across and down; Gmax is the largest of all candidates.
/// - E, exposure: the share of samples from 1/64 to 63/64, times 1 − (2m − 1)⁴ for the mean m.
/// - S, stillness: 1 / (1 + 50 D) for the mean difference D from the frame before or behind, whichever is larger.
/// - P, place: 1 − 0.3 d², where d is the distance from the middle, 1 at either end of what is looked at.
///
/// Frames that are nearly of one grey (a standard deviation below 0.03), as black ones and those deep in a fade, score 0.
struct BestFrame {
  /// The number of the frame's sample.
  let sample: Int
  /// Its score, above 0, at most 1.
  let score: Double

  /// So much on each side of the middle is looked at, but no more than 40 % of the movie.
  private static let reach = 1.5, part = 0.4
  private static let side = 640

  /// What one frame says by itself.
  private struct Candidate {
    var sample: Int
    var sharpness: Float
    var exposure: Float
    /// The distance from the frame before, and from the one behind.
    var before: Float = 0
    var behind: Float = 0
    var place: Float
  }

  /// The best frame of what the source's track shows; nil where none is good for anything.
  ///
  /// - Throws: ``LivePhotoError``: of ``FrameSource``; damaged frames are passed over.
  init?(of source: FrameSource) throws(LivePhotoError) {
    let timeline = source.track.timeline()
    guard let span = timeline.shownSpan else { return nil }
    let length = span.upperBound.seconds - span.lowerBound.seconds
    let middle = span.lowerBound.seconds + length / 2
    let reach = max(min(Self.reach, length * Self.part), .leastNonzeroMagnitude)
    var places: [Int: Float] = [:]
    for sample in 0..<timeline.count {
      guard let shown = timeline.displayInterval(ofSample: sample) else { continue }
      // The middle of the frame's time, so that a movie of one frame has a candidate.
      let moment = (shown.lowerBound.seconds + shown.upperBound.seconds) / 2
      let distance = abs(moment - middle) / reach
      if distance <= 1 || shown.contains(where: middle) { places[sample] = Float(min(distance, 1)) }
    }
    var candidates: [Candidate] = []
    var last: LumaPicture?
    try source.forEachFrame(of: Set(places.keys)) { (sample, image) throws(LivePhotoError) in
      let luma = LumaPicture(image, side: Self.side)
      var candidate = Candidate(
        sample: sample, sharpness: luma.sharpness, exposure: luma.exposure, place: places[sample] ?? 1)
      if let last {
        candidate.before = luma.distance(to: last)
        if !candidates.isEmpty { candidates[candidates.count - 1].behind = candidate.before }
      }
      candidates.append(candidate)
      last = luma
    }
    let sharpest = candidates.map(\.sharpness).max() ?? 0
    guard sharpest > 0 else { return nil }
    let scored = candidates.map { candidate in
      let stillness = 1 / (1 + 50 * max(candidate.before, candidate.behind))
      let place = 1 - 0.3 * candidate.place * candidate.place
      let score = (candidate.sharpness / sharpest).squareRoot() * candidate.exposure * stillness * place
      return (candidate.sample, Double(score))
    }
    guard let best = scored.max(by: { $0.1 < $1.1 }), best.1 > 0 else { return nil }
    (sample, score) = best
  }
}

extension Range<RationalTime> {
  fileprivate func contains(where seconds: Double) -> Bool {
    lowerBound.seconds <= seconds && seconds < upperBound.seconds
  }
}

extension LumaPicture {
  /// The mean of the squared differences of neighbours.
  fileprivate var sharpness: Float {
    guard width > 1, height > 1 else { return 0 }
    var sum: Float = 0
    for y in 0..<height - 1 {
      for index in y * width..<y * width + width - 1 {
        let across = samples[index + 1] - samples[index], down = samples[index + width] - samples[index]
        sum += across * across + down * down
      }
    }
    return sum / Float((width - 1) * (height - 1))
  }

  /// How well the picture is exposed, 0 to 1; 0 for one that is nearly of one grey.
  fileprivate var exposure: Float {
    let mean = mean
    var squares: Float = 0, within: Float = 0
    for sample in samples {
      squares += (sample - mean) * (sample - mean)
      if sample >= 1 / 64, sample <= 63 / 64 { within += 1 }
    }
    guard (squares / Float(samples.count)).squareRoot() >= 0.03 else { return 0 }
    let offset = 2 * mean - 1
    return within / Float(samples.count) * (1 - offset * offset * offset * offset)
  }
}
