public import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer

/// Ties an existing photo and an existing movie into a Live Photo, without changing a pixel or a sample.
///
/// ```swift
/// let pair = try PairMaker().pair(photo: "IMG_1.HEIC", movie: "IMG_1.MOV", into: PairDestination(folder: "out"))
/// ```
public struct PairMaker: Sendable {
  /// What is accepted from the files.
  public var limits: Limits
  /// Whether a photo whose MakerNote is not Apple's is refused; otherwise that note is replaced, with a warning.
  public var keepsMakerNote: Bool
  /// Which metadata is left out of both halves; nil for none.
  public var strips: MetadataStripping?
  /// How many threads decode, where frames are compared with the photo.
  public var threads = Threads.count(1)
  /// Told which part of the files is written, 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// Which identifier the halves get.
  public enum Identifier: Sendable, Equatable {
    /// A new random one.
    case new
    /// The photo's, else the movie's, else a new one.
    case keep
    /// This one.
    case given(ContentIdentifier)
  }

  /// A pair maker.
  public init(keepsMakerNote: Bool = false, limits: Limits = .standard) {
    self.keepsMakerNote = keepsMakerNote
    self.limits = limits
  }

  /// Writes both halves with one identifier, and the movie with a still-image-time track.
  ///
  /// The halves may be given in either order. A still-image-time track that the movie has is kept unless `still` asks
  /// for another moment. Blocks until both files are in place.
  ///
  /// - Throws: ``LivePhotoError``; nothing is then written and nothing existing is changed.
  public func pair(
    photo: String, movie: String, identifier: Identifier = .new, still: StillChoice = .automatic,
    into destination: PairDestination = PairDestination()
  ) throws(LivePhotoError) -> LivePhotoPair {
    let halves = try OpenedHalves(photo, movie)
    let movie = try halves.movie.movie(limits: limits)
    let moment = try ChosenMoment(still, movie: movie, file: halves.movie.path, chooser: chooser(halves))
    let source = try StillPhoto(halves.photo, limits: limits)
    let identifier = resolve(identifier, photo: source, movie: movie)
    let (photo, photoWarnings) = try source.stripping(strips, limits: limits)

    let output = try PairOutput(
      destination, stem: halves.photo.stem, photoExtension: halves.photo.photoExtension,
      inputs: [halves.photo.path, halves.movie.path], progress: progress)
    let still = try photo.plan(identifier: identifier, otherMakerNote: keepsMakerNote ? .refuse : .replace)
    let (prepared, movieWarnings) = try movie.prepared(
      stripping: strips, file: halves.movie.path, limits: limits)
    let live = try prepared.livePlan(identifier: identifier, moment: moment.moment, file: halves.movie.path)
    try output.write(photo: still.plan, movie: live.output)
    return LivePhotoPair(
      photo: output.photo, movie: output.movie, identifier: identifier, stillTime: live.time,
      stillReason: moment.reason, stillScore: moment.score, keepsPixels: true,
      warnings: photoWarnings + movieWarnings + PairWarnings.makerNote(still.edit, file: halves.photo.path)
        + PairWarnings.halves(PhotoFacts(photo), MovieFacts(prepared, of: halves.movie)))
  }

  /// What looks into the movie's frames.
  func chooser(_ halves: OpenedHalves) -> FrameChooser {
    FrameChooser(file: halves.movie.path, threads: threads, limits: limits, photo: halves.photo)
  }

  func resolve(_ wish: Identifier, photo: StillPhoto, movie: Movie) -> ContentIdentifier {
    switch wish {
    case .new: .random()
    case .given(let identifier): identifier
    case .keep: photo.exif?.contentIdentifier ?? movie.contentIdentifier ?? .random()
    }
  }
}
