import LivePhotoCore
import LivePhotoMuxer

/// Frames that are decoded one after the other.
protocol FrameSequence {
  /// Frames in so many seconds; nil where that is not known.
  var rate: (frames: Int, seconds: Int)? { get }
  /// The shape of a pixel; nil where none is stated.
  var pixelAspectRatio: PixelAspectRatio? { get }
  /// How frames are turned to be shown.
  var orientation: Orientation { get }
  /// The part of frames that is shown; nil for all.
  var cleanAperture: CleanAperture? { get }

  /// Calls `body` with each frame in display order, as coded, and the part of the file that was read then, 0 to 1.
  ///
  /// - Throws: ``LivePhotoError``, and what `body` throws.
  func forEach(_ body: (PlanarImage, Double) throws(LivePhotoError) -> Void) throws(LivePhotoError)
}

/// All frames of a movie's video track, or of an image sequence, in display order, as coded.
struct MovieFrames: FrameSequence {
  private let movie: Movie
  private let source: FrameSource
  private var track: Track { source.track }

  /// The frames of a movie.
  ///
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/undecodable(file:codec:remedy:)``.
  init(of movie: Movie, file: String, threads: Threads, limits: Limits) throws(LivePhotoError) {
    guard let track = movie.videoTrack ?? movie.imageSequence else { throw .noVideo(file: file) }
    self.movie = movie
    source = try FrameSource(file: file, movie: movie, track: track, threads: threads, limits: limits)
  }

  /// From the duration that most samples have.
  var rate: (frames: Int, seconds: Int)? {
    var counts: [Int: Int] = [:]
    for sample in track.samples { counts[Int(sample.duration), default: 0] += 1 }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    guard usual > 0, usual <= Int32.max else { return nil }
    var (a, b) = (Int(track.timescale), usual)
    while b != 0 { (a, b) = (b, a % b) }
    return (Int(track.timescale) / a, usual / a)
  }

  var orientation: Orientation { Orientation.shown(of: track, in: movie) ?? .up }
  var cleanAperture: CleanAperture? { track.video(ofSample: 0)?.cleanAperture }
  var pixelAspectRatio: PixelAspectRatio? { track.video(ofSample: 0)?.pixelAspectRatio }

  /// Frames that the edit list hides are left out.
  func forEach(_ body: (PlanarImage, Double) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
    let timeline = track.timeline()
    try source.forEachFrame { (index, image) throws(LivePhotoError) in
      guard timeline.presentationTime(ofSample: index) != nil else { return }
      var image = image
      if let video = track.video(ofSample: index) { image.color = video.color(over: image.color) }
      try body(image, Double(timeline.rank(ofSample: index) + 1) / Double(timeline.count))
    }
  }
}
