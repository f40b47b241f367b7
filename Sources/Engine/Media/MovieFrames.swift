import LivePhotoCore
import LivePhotoMuxer

/// All frames of a movie's video track, in display order, as coded.
struct MovieFrames {
  private let movie: Movie
  private let track: Track
  private let file: String
  private let threads: Threads
  private let limits: Limits

  /// The frames of a movie.
  ///
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/undecodable(file:codec:remedy:)``,
  ///   ``LivePhotoError/needsHEVC(_:)``.
  init(of movie: Movie, file: String, threads: Threads, limits: Limits) throws(LivePhotoError) {
    guard let track = movie.videoTrack else { throw .noVideo(file: file) }
    self.movie = movie
    self.track = track
    self.file = file
    self.threads = threads
    self.limits = limits
    let codec = track.codec ?? "none"
    #if HEVC
      guard HEVCFrameSource.codecs.contains(codec) else {
        throw .undecodable(file: file, codec: "video coded as '\(codec)'", remedy: "give a HEVC clip")
      }
    #else
      throw .needsHEVC("decoding video coded as '\(codec)'")
    #endif
  }

  /// Frames in so many seconds, from the usual duration of a sample; nil when the track has no duration.
  var rate: (frames: Int, seconds: Int)? {
    guard let duration = track.samples.first?.duration, duration > 0, duration <= Int32.max else { return nil }
    var (a, b) = (Int(track.timescale), Int(duration))
    while b != 0 { (a, b) = (b, a % b) }
    return (Int(track.timescale) / a, Int(duration) / a)
  }

  /// How many frames there are at most: those that the edit list hides are among them.
  var count: Int { track.samples.count }

  /// Calls `body` with each frame that the edit list shows.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/cancelled``, and what `body` throws.
  func forEach(_ body: (PlanarImage) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
    #if HEVC
      let timeline = track.timeline()
      try HEVCFrameSource(file: file, movie: movie, track: track, threads: threads, limits: limits)
        .forEachFrame { (index, image) throws(LivePhotoError) in
          if timeline.presentationTime(ofSample: index) != nil { try body(image) }
        }
    #endif
  }
}
