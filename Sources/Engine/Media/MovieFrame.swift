import LivePhotoCore
import LivePhotoMuxer

/// One frame of a movie as it was coded, and how it is to be shown.
struct MovieFrame {
  /// The samples, cropped as the sequence parameter set says.
  ///
  /// The colour is the movie's where its `colr` speaks.
  var image: PlanarImage
  /// How the frame is turned to be shown.
  let orientation: Orientation
  /// The part that is shown; nil for all.
  let cleanAperture: CleanAperture?
  /// The shape of a pixel; nil for square ones.
  let pixelAspectRatio: PixelAspectRatio?
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
    if let video { image.color = video.color(of: image) }
    var warnings =
      damage.map {
        ["\(file): a frame before the still's is damaged (\($0)), and the still may show it; look at it"]
      } ?? []
    if let orientation = Orientation.shown(of: track, in: movie) {
      self.orientation = orientation
    } else {
      orientation = .up
      warnings.append(
        "\(file): the movie's matrix is none of the eight orientations; the still is stored as coded, upright")
    }
    let (width, height) = (image.width, image.height)
    cleanAperture = video?.cleanAperture.flatMap { aperture in
      let area = aperture.rectangle(inWidth: width, height: height)
      let isWhole = area.map { $0.width == width && $0.height == height } ?? true
      return isWhole ? nil : aperture
    }
    pixelAspectRatio = video?.pixelAspectRatio.flatMap { $0.isSquare ? nil : $0 }
    self.warnings = warnings
  }
}

extension MovieFrame {
  /// The part of the picture that is shown, in whole pixels of the picture as stored.
  var area: (x: Int, y: Int, width: Int, height: Int) {
    cleanAperture?.rectangle(inWidth: image.width, height: image.height) ?? (0, 0, image.width, image.height)
  }

  /// The shown part's size as stored.
  var storedSize: DisplaySize { DisplaySize(width: area.width, height: area.height) }

  /// The shown part's size in square pixels, upright.
  var displaySize: DisplaySize {
    var width = Double(area.width)
    if let pixel = pixelAspectRatio, pixel.horizontalSpacing > 0, pixel.verticalSpacing > 0 {
      width = width * Double(pixel.horizontalSpacing) / Double(pixel.verticalSpacing)
    }
    let across = Int(exactly: width.rounded()) ?? area.width
    return orientation.swapsAxes
      ? DisplaySize(width: area.height, height: across) : DisplaySize(width: across, height: area.height)
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
  /// The colours of a picture that was coded as this says: its own, but for what `colr` says.
  func color(of image: PlanarImage) -> ColorDescription {
    guard let color else { return image.color }
    return image.color.overridden(by: color, isFromNCLX: isRangeStated)
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
