import LivePhotoCore
import LivePhotoMuxer

/// All frames of a movie's video track, or of an image sequence, in display order, as coded.
struct MovieFrames {
  private let source: FrameSource
  private var track: Track { source.track }

  /// The frames of a movie.
  ///
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/undecodable(file:codec:remedy:)``.
  init(of movie: Movie, file: String, threads: Threads, limits: Limits) throws(LivePhotoError) {
    guard let track = movie.videoTrack ?? movie.imageSequence else { throw .noVideo(file: file) }
    source = try FrameSource(file: file, movie: movie, track: track, threads: threads, limits: limits)
  }

  /// Frames in so many seconds, from the duration that most samples have; nil when the track has none.
  var rate: (frames: Int, seconds: Int)? {
    var counts: [Int: Int] = [:]
    for sample in track.samples { counts[Int(sample.duration), default: 0] += 1 }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    guard usual > 0, usual <= Int32.max else { return nil }
    var (a, b) = (Int(track.timescale), usual)
    while b != 0 { (a, b) = (b, a % b) }
    return (Int(track.timescale) / a, usual / a)
  }

  /// The shape of a pixel; nil where the track states none.
  var pixelAspectRatio: PixelAspectRatio? { track.video(ofSample: 0)?.pixelAspectRatio }

  /// How many frames there are at most: those that the edit list hides are among them.
  var count: Int { track.samples.count }

  /// Calls `body` with each frame that the edit list shows.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/cancelled``, and what `body` throws.
  func forEach(_ body: (PlanarImage) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
    let timeline = track.timeline()
    try source.forEachFrame { (index, image) throws(LivePhotoError) in
      guard timeline.presentationTime(ofSample: index) != nil else { return }
      var image = image
      if let video = track.video(ofSample: index) { image.color = video.color(of: image) }
      try body(image)
    }
  }
}
