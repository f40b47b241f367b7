import LivePhotoCore
import LivePhotoMuxer

extension MovieFacts {
  /// Looks at a movie.
  init(_ movie: Movie, of file: OpenedFile) {
    let track = movie.videoTrack
    let timeline = track?.timeline()
    let shown = timeline?.shownSpan.map { $0.lowerBound.seconds..<$0.upperBound.seconds } ?? 0..<movie.duration.seconds
    self.init(
      file: file.path, kind: file.kind, identifier: movie.contentIdentifier, videoCodec: track?.codec,
      displaySize: track.flatMap { DisplaySize(of: $0, in: movie) },
      duration: shown.upperBound - shown.lowerBound, end: shown.upperBound,
      stillTracks: movie.stillImageMarkers.map { marker in
        StillTrack(
          time: marker.time, sampleCount: movie.track(id: marker.trackID)?.samples.count ?? 0,
          frame: marker.time.flatMap { time in
            timeline?.sample(shownAt: time).flatMap { timeline?.displayInterval(ofSample: $0) }
          })
      },
      firstFrameRunTime: movie.firstFrameRunTime)
  }
}

extension DisplaySize {
  /// The size at which a movie's track is shown: its clean aperture in square pixels, turned by the matrices.
  init?(of track: Track, in movie: Movie) {
    var (width, height) = (track.dimensions.width, track.dimensions.height)
    if let video = track.sampleDescriptions.first?.video {
      let aperture = video.cleanAperture?.rectangle(inWidth: video.width, height: video.height)
      (width, height) =
        aperture.map { (Double($0.width), Double($0.height)) } ?? (Double(video.width), Double(video.height))
      if let pixel = video.pixelAspectRatio, !pixel.isSquare, pixel.horizontalSpacing > 0, pixel.verticalSpacing > 0 {
        width = width * Double(pixel.horizontalSpacing) / Double(pixel.verticalSpacing)
      }
    }
    let turned = Orientation.shown(of: track, in: movie)?.swapsAxes ?? false
    guard let across = Int(exactly: width.rounded()), let down = Int(exactly: height.rounded()) else { return nil }
    self.init(width: turned ? down : across, height: turned ? across : down)
  }
}

extension Orientation {
  /// How a movie turns a track: the track's matrix, then the movie's own; nil when either is none of the eight.
  static func shown(of track: Track, in movie: Movie) -> Orientation? {
    guard let first = track.matrix.orientation, let second = movie.header.matrix.orientation else { return nil }
    return first.followed(by: second)
  }
}

extension Movie {
  /// Seconds on the camera's clock when the first frame was taken, from its `live-photo-info`; nil without one.
  fileprivate var firstFrameRunTime: Double? {
    let track = tracks.first { track in
      track.sampleDescriptions.contains { $0.metadataKeys.contains { $0.name == LivePhotoInfo.key } }
    }
    guard let track, !track.samples.isEmpty, let sample = try? timedMetadata(of: track, sample: 0),
      case .data(_, let bytes)? = sample[LivePhotoInfo.key], let timestamp = LivePhotoInfo(bytes)?.timestamp
    else { return nil }
    return Double(timestamp) / 1e9
  }
}
