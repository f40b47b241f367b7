import LivePhotoCore
import LivePhotoMuxer

/// Looks into the frames of a movie for the one that its still is to show.
struct FrameChooser {
  let file: String
  let threads: Threads
  let limits: Limits
  /// The photo that a frame is to be like; nil where there is none.
  var photo: OpenedFile?

  /// A frame, and how well it serves.
  struct Choice {
    var sample: Int
    var score: Double
  }

  /// The best frame around the middle; nil where none is good for anything.
  ///
  /// - Throws: ``LivePhotoError``: of ``FrameSource``.
  func best(of movie: Movie) throws(LivePhotoError) -> Choice? {
    try BestFrame(of: source(movie)).map { Choice(sample: $0.sample, score: $0.score) }
  }

  /// The frame that is most like the photo, however little that is; nil where no frame can be decoded.
  ///
  /// - Throws: ``LivePhotoError``: of ``FrameSource`` and ``PictureReader``.
  func match(in movie: Movie) throws(LivePhotoError) -> Choice? {
    guard let photo else { return nil }
    let source = try source(movie)
    let picture = try PictureReader(limits: limits, threads: threads).planes(of: photo).uprightLuma
    let timeline = source.track.timeline()
    let shown = (0..<timeline.count).filter { timeline.displayInterval(ofSample: $0) != nil }
    var likenesses: [PhotoLikeness]?
    var best: Choice?
    try source.forEachFrame(of: Set(shown)) { (sample, image) throws(LivePhotoError) in
      let presentation = FramePresentation(
        of: movie, track: source.track, sample: sample, width: image.width, height: image.height, file: file)
      let area = presentation.area
      let part = image.luma.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
      guard let upright = part.turned(presentation.orientation) else { return }
      let compared = likenesses ?? PhotoLikeness.all(of: picture, width: upright.width, height: upright.height)
      likenesses = compared
      let luma = LumaPicture(upright, side: 256)
      let score = Double(compared.map { $0(luma) }.max() ?? 0)
      if score > best?.score ?? -.infinity { best = Choice(sample: sample, score: score) }
    }
    return best
  }

  private func source(_ movie: Movie) throws(LivePhotoError) -> FrameSource {
    guard let track = movie.videoTrack else { throw .noVideo(file: file) }
    return try FrameSource(file: file, movie: movie, track: track, threads: threads, limits: limits)
  }
}

extension StoredPicture {
  /// The luma as it is shown.
  fileprivate var uprightLuma: PlanarImage {
    var picture = self
    picture.image = image.luma
    return picture.uprightPlanes ?? picture.image
  }
}

extension PlanarImage {
  /// The luma alone, as a grey picture.
  fileprivate var luma: PlanarImage {
    PlanarImage(
      width: width, height: height, format: PixelFormat(.yuv400, bitDepth: format.bitDepth), color: color,
      planes: [planes[0]])
  }
}
