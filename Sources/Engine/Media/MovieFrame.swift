import LivePhotoCore
import LivePhotoMuxer

/// One frame of a movie as it was coded, and how it is to be shown.
struct MovieFrame {
  /// The samples, cropped as the sequence parameter set says.
  ///
  /// The colour is the movie's where its `colr` speaks.
  var image: PlanarImage
  /// How it is to be shown.
  let presentation: FramePresentation
  /// The brightest that the movie gets, in cd/m², where it says so.
  let peak: Int?
  /// What could not be carried over.
  let warnings: [String]

  /// Decodes a sample of the movie's video track.
  ///
  /// - Throws: ``LivePhotoError``: of ``FrameSource`` and ``VideoDecoder``.
  init(of movie: Movie, sample index: Int, file: String, threads: Threads, limits: Limits) throws(LivePhotoError) {
    guard let track = movie.videoTrack else { throw .noVideo(file: file) }
    let source = try FrameSource(file: file, movie: movie, track: track, threads: threads, limits: limits)
    let (picture, damage) = try source.frame(ofSample: index)
    image = picture
    let video = track.video(ofSample: index)
    if let video { image.color = video.color(over: image.color) }
    peak = video?.peakLuminance
    presentation = FramePresentation(
      of: movie, track: track, sample: index, width: image.width, height: image.height, file: file)
    warnings =
      (damage.map {
        ["\(file): a frame before the still's is damaged (\($0)), and the still may show it; look at it"]
      } ?? []) + presentation.warnings
  }
}

extension Track {
  /// How a sample of video is coded; nil where there is no such sample or its description is missing.
  func video(ofSample index: Int) -> VideoDescription? {
    guard samples.indices.contains(index) else { return nil }
    let description = samples[index].descriptionIndex
    return sampleDescriptions.indices.contains(description) ? sampleDescriptions[description].video : nil
  }
}

extension VideoDescription {
  /// The brightest pixel, else what the display could show on which the video was graded, in cd/m².
  fileprivate var peakLuminance: Int? {
    if let maximum = contentLight?.maximum, maximum > 0 { return maximum }
    return masteringDisplay.map { $0.maximumLuminance / 10_000 }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The colours of a picture that was coded as this says: the bitstream's own, but for what `colr` says.
  func color(over own: ColorDescription) -> ColorDescription {
    guard let color else { return own }
    return own.overridden(by: color, isFromNCLX: isRangeStated)
  }

  /// Whether `colr` says the range: `nclx` does, QuickTime's `nclc` does not.
  fileprivate var isRangeStated: Bool {
    for color in colors {
      switch color {
      case .nclx: return true
      case .nclc: return false
      case .icc: continue
      }
    }
    return false
  }
}

extension ColorDescription {
  /// This description of a bitstream, with what its container says instead where it says something.
  fileprivate func overridden(by container: ColorDescription, isFromNCLX: Bool) -> ColorDescription {
    ColorDescription(
      primaries: container.primaries == 2 ? primaries : container.primaries,
      transfer: container.transfer == 2 ? transfer : container.transfer,
      matrix: container.matrix == 2 ? matrix : container.matrix,
      isFullRange: isFromNCLX ? container.isFullRange : isFullRange)
  }

  /// Whether the colours are sRGB's as far as Exif can say: BT.709 primaries or none stated, and no HDR curve.
  var isNearSRGB: Bool { (primaries == 1 || primaries == 2) && !isHDR }
}
