public import LivePhotoCore

/// Why a movie could not be written.
public enum MovieWriteError: Error, Equatable, Sendable {
  /// The movie has no video track with samples.
  case noVideo
  /// The video track shows nothing at the time asked for; it ends at `end`.
  case noFrame(at: RationalTime, end: RationalTime)
  /// No tick of the movie's time scale falls into the time during which the frame is shown.
  case timescaleTooCoarse(timescale: UInt32, Range<RationalTime>)
  /// Samples of a track are not in the file, which was cut off or damaged.
  case samplesMissing(track: UInt32, Range<Int>, fileSize: Int)
  /// The movie holds something that would be lost or broken.
  case unsupported(String)
  /// The movie cannot be changed where it stands, and why.
  case notInPlace(String)
  /// A part of the file is damaged, or holds something that cannot be carried over.
  case header(ParseError)
  /// An offset does not fit.
  case layout(LayoutError)
}

extension MovieWriteError: CustomStringConvertible {
  /// The cause and, where there is one, the remedy in one line.
  public var description: String {
    switch self {
    case .noVideo: "the movie has no video track with samples"
    case .noFrame(let time, let end):
      "no frame is shown at \(time.seconds) s; choose a time before \(end.seconds) s"
    case .timescaleTooCoarse(let timescale, let interval):
      "the movie counts \(timescale) ticks a second, and none falls between \(interval.lowerBound.seconds) s and "
        + "\(interval.upperBound.seconds) s, when the frame is shown; choose another frame"
    case .samplesMissing(let track, let range, let size):
      "samples of track \(track) lie at bytes \(range.lowerBound) to \(range.upperBound), where the file of \(size) "
        + "bytes has no media; it was cut off or damaged"
    case .unsupported(let feature): "\(feature) cannot be written yet"
    case .notInPlace(let reason):
      "the movie cannot be changed where it stands: \(reason); have a copy written instead"
    case .header(let error): error.description
    case .layout(let error): error.description
    }
  }
}
