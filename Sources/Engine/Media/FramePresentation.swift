import LivePhotoCore
import LivePhotoMuxer

/// How a frame of a movie is to be shown.
struct FramePresentation {
  /// The width of the frame as the sequence parameter set crops it.
  let width: Int
  /// The height of the frame as the sequence parameter set crops it.
  let height: Int
  /// How the frame is turned to be shown.
  let orientation: Orientation
  /// The part that is shown; nil for all.
  let cleanAperture: CleanAperture?
  /// The shape of a pixel; nil for square ones.
  let pixelAspectRatio: PixelAspectRatio?
  /// What could not be carried over.
  let warnings: [String]

  /// What a movie says of one of its video samples.
  init(of movie: Movie, track: Track, sample index: Int, width: Int, height: Int, file: String) {
    self.width = width
    self.height = height
    let shown = Orientation.shown(of: track, in: movie)
    orientation = shown ?? .up
    let video = track.video(ofSample: index)
    var warnings: [String] = []
    if shown == nil {
      warnings.append(
        "\(file): the movie's matrix is none of the eight orientations; the still is stored as coded, upright")
    }
    if let dolby = video?.dolbyVision, dolby.profile == 5, dolby.compatibility == 0 {
      warnings.append(
        "\(file): the colours of Dolby Vision profile 5 are not YCbCr, and only its own decoders know them; the still's are wrong"
      )
    }
    self.warnings = warnings
    cleanAperture = video?.cleanAperture.flatMap { aperture in
      let area = aperture.rectangle(inWidth: width, height: height)
      let isWhole = area.map { $0.width == width && $0.height == height } ?? true
      return isWhole ? nil : aperture
    }
    pixelAspectRatio = video?.pixelAspectRatio.flatMap { $0.isSquare ? nil : $0 }
  }

  /// The part of the picture that is shown, in whole pixels of the picture as stored.
  var area: (x: Int, y: Int, width: Int, height: Int) {
    cleanAperture?.rectangle(inWidth: width, height: height) ?? (0, 0, width, height)
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
