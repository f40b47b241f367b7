import LivePhotoBitstream
public import LivePhotoCore
import LivePhotoMuxer

/// Makes a Live Photo from a clip: a still of one of its frames (or a given photo), and the clip as its movie.
///
/// ```swift
/// let pair = try LivePhotoMaker().make(from: "clip.mov", still: .at(.fraction(0.5)), into: "out")
/// print(pair.photo, pair.movie, pair.identifier, pair.stillTime)
/// ```
///
/// The movie's samples are copied, never encoded again.
public struct LivePhotoMaker: Sendable {
  /// What is accepted from the files.
  public var limits: Limits
  /// How many threads decode and encode; the bytes do not depend on it.
  public var threads: Threads
  /// How a HEIC still is divided.
  public var tiles: TileChoice
  /// How much work goes into a HEIC still.
  public var preset = StillPreset.veryfast
  /// Whether a still that shows a frame is encoded, or holds the frame's bytes as they are.
  ///
  /// Copied, it is a HEIC; `format`, ``tiles`` and ``preset`` mean nothing then. A given photo has no say in it.
  public var frameCoding = FrameCoding.encode
  /// Whether a given photo whose MakerNote is not Apple's is refused; otherwise that note is replaced, with a warning.
  public var keepsMakerNote: Bool
  /// Which metadata is left out of both halves; nil for none.
  public var strips: MetadataStripping?
  /// Told which part of the files is written, 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// A maker, which uses one thread unless told otherwise.
  public init(
    threads: Threads = .count(1), tiles: TileChoice = .standard, keepsMakerNote: Bool = false,
    limits: Limits = .standard
  ) {
    self.threads = threads
    self.tiles = tiles
    self.keepsMakerNote = keepsMakerNote
    self.limits = limits
  }

  /// Makes the pair, blocking until both files are in place.
  ///
  /// - Parameters:
  ///   - clip: a QuickTime or MP4 movie. Its still is decoded where it is HEVC or H.264; for others give `photo`.
  ///   - photo: a still to use instead of a frame. JPEG and HEIC keep every pixel; others are encoded to `format`.
  ///   - still: the moment that the still shows and the movie marks, in the clip's time.
  ///   - cut: what the movie keeps of the clip: of a clip longer than 5 s the 3 s around the still, unless told
  ///     otherwise.
  ///   - format: how a still that is encoded here is coded.
  ///   - identifier: what ties the halves; nil makes a new one.
  ///   - destination: where the files go.
  /// - Throws: ``LivePhotoError``; nothing is then written and nothing existing is changed.
  public func make(
    from clip: String, photo: String? = nil, still: StillChoice = .automatic, cut: ClipCut = ClipCut(),
    format: StillFormat = .heic(), identifier: ContentIdentifier? = nil,
    into destination: PairDestination = PairDestination()
  ) throws(LivePhotoError) -> LivePhotoPair {
    let file = try OpenedFile(clip)
    let isCopied = photo == nil && frameCoding != .encode
    let format = isCopied ? .heic() : format
    let given = try photo.map { (path) throws(LivePhotoError) in try OpenedFile(path) }
    if let given, given.kind == .movie { throw .sameKind(clip, given.path, .movie) }
    let movie = try file.movie(limits: limits)
    // Why there can be no still is said before anything else that may be wrong with the clip.
    if given == nil, let track = movie.videoTrack { _ = try FrameSource.coding(of: track, file: clip) }
    let chosen = try ChosenClip(
      still, cut, movie: movie, file: clip,
      chooser: FrameChooser(file: clip, threads: threads, limits: limits, photo: given),
      keyFramesWithin: isCopied ? frameCoding.tolerance : nil)
    let identifier = identifier ?? .random()

    let output = try PairOutput(
      destination, stem: file.stem,
      photoExtension: given.map { $0.kind.isPhoto ? $0.photoExtension : format.fileExtension } ?? format.fileExtension,
      inputs: [clip] + (photo.map { [$0] } ?? []), progress: progress)
    let (prepared, movieWarnings) = try chosen.movie.prepared(stripping: strips, file: clip, limits: limits)
    let live = try prepared.livePlan(identifier: identifier, moment: chosen.moment, file: clip)
    let picture = try makeStill(of: chosen, clip: clip, given: given, format: format, identifier: identifier)
    if Task.isCancelled { throw .cancelled }
    try output.write(photo: picture.plan, movie: live.output)
    return LivePhotoPair(
      photo: output.photo, movie: output.movie, identifier: identifier, stillTime: live.time,
      stillReason: chosen.reason, stillScore: chosen.score, keepsPixels: given?.kind.isPhoto ?? false,
      copiedFrom: chosen.offset,
      cut: chosen.report,
      warnings: chosen.warnings + picture.warnings + movieWarnings
        + PairWarnings.halves(picture.facts, MovieFacts(prepared, of: file)))
  }
}

/// How a HEIC still is divided into tiles, each a coded picture of its own.
public enum TileChoice: Sendable, Equatable {
  /// Tiles of 512 × 512, as cameras write them, where the picture is larger.
  case standard
  /// Square tiles with sides of this many pixels, a multiple of 64.
  case side(Int)
  /// One coded picture.
  case none
}

/// A still that is ready to be written, and what is to be told about it.
private struct PreparedStill {
  var plan: OutputPlan
  var facts: PhotoFacts
  var warnings: [String]
}

extension LivePhotoMaker {
  private func makeStill(
    of chosen: ChosenClip, clip: String, given: OpenedFile?, format: StillFormat, identifier: ContentIdentifier
  ) throws(LivePhotoError) -> PreparedStill {
    guard let given else {
      return try stillFromFrame(of: chosen, clip: clip, format: format, identifier: identifier)
    }
    if given.kind.isPhoto { return try editedStill(given, identifier: identifier) }
    return try encodedStill(given, chosen, format: format, identifier: identifier)
  }

  /// A given JPEG or HEIC: only its Exif changes.
  private func editedStill(_ file: OpenedFile, identifier: ContentIdentifier) throws(LivePhotoError) -> PreparedStill {
    let source = try StillPhoto(file, limits: limits)
    let (still, warnings) = try source.stripping(strips, limits: limits)
    let (plan, edit) = try still.plan(identifier: identifier, otherMakerNote: keepsMakerNote ? .refuse : .replace)
    return PreparedStill(
      plan: plan, facts: PhotoFacts(still), warnings: warnings + PairWarnings.makerNote(edit, file: file.path))
  }

  /// A given picture of another kind, encoded.
  private func encodedStill(
    _ file: OpenedFile, _ chosen: ChosenClip, format: StillFormat, identifier: ContentIdentifier
  ) throws(LivePhotoError) -> PreparedStill {
    let picture = try PictureReader(limits: limits, threads: threads).raster(of: file)
    // Cameras' stills are opaque, and so is a Live Photo's.
    let raster = picture.encodable.flattened()
    let capture = MovieCapture(of: chosen.movie).stripping(strips)
    let exif = capture.exif(
      width: raster.width, height: raster.height, orientation: .up, isSRGB: picture.isSRGB,
      stillTime: chosen.clipTime(of: chosen.moment.time), identifier: identifier)
    let plan = try StillEncoder(format: format, tiles: tiles, threads: threads, preset: preset)
      .encode(
        raster, metadata: PictureMetadata(exif: exif, icc: picture.metadata.icc), color: picture.color,
        file: file.path)
    return PreparedStill(
      plan: plan,
      facts: PhotoFacts(
        file: file.path, kind: format.kind, identifier: identifier,
        displaySize: DisplaySize(width: raster.width, height: raster.height)),
      warnings: [
        "\(file.path): \(file.kind.phrase) was encoded to \(format.name), as a Live Photo's still is JPEG or HEIC"
      ] + picture.warnings + picture.losses(in: format, keepsAlpha: false, file: file.path) + capture.warnings)
  }

  /// The frame that the moment falls on, decoded and encoded again.
  private func stillFromFrame(
    of chosen: ChosenClip, clip: String, format: StillFormat, identifier: ContentIdentifier
  ) throws(LivePhotoError) -> PreparedStill {
    let (movie, moment) = (chosen.movie, chosen.moment)
    if chosen.offset != nil { return try copiedStill(of: chosen, clip: clip, identifier: identifier) }
    let frame = try MovieFrame(of: movie, sample: moment.sampleIndex, file: clip, threads: threads, limits: limits)
    let capture = MovieCapture(of: movie).stripping(strips)
    let remark = format.kind == .jpeg ? frame.image.color.toneMappingRemark.map { "\(clip): \($0)" } : nil
    let exif = exif(
      capture, of: chosen, frame.presentation, color: remark == nil ? frame.image.color : .jfif, identifier: identifier)
    let plan = try StillEncoder(format: format, tiles: tiles, threads: threads, preset: preset)
      .encode(frame, exif: exif, file: clip)
    return PreparedStill(
      plan: plan,
      facts: PhotoFacts(
        file: clip, kind: format.kind, identifier: identifier, displaySize: frame.presentation.displaySize),
      warnings: frame.warnings + (remark.map { [$0] } ?? []) + capture.warnings)
  }

  /// The coded bytes of the key frame that the moment falls on.
  private func copiedStill(of chosen: ChosenClip, clip: String, identifier: ContentIdentifier) throws(LivePhotoError)
    -> PreparedStill
  {
    let (movie, index) = (chosen.movie, chosen.moment.sampleIndex)
    guard let track = movie.videoTrack else { throw .noVideo(file: clip) }
    let frame = try KeyFrames(of: movie, file: clip, limits: limits).picture(ofSample: index)
    let color = track.video(ofSample: index)?.color(over: frame.format.color) ?? frame.format.color
    let presentation = FramePresentation(
      of: movie, track: track, sample: index, width: frame.format.width, height: frame.format.height, file: clip)
    let capture = MovieCapture(of: movie).stripping(strips)
    let exif = exif(capture, of: chosen, presentation, color: color, identifier: identifier)
    return PreparedStill(
      plan: try frame.plan(presentation, color: color, exif: exif, file: clip),
      facts: PhotoFacts(file: clip, kind: .heif, identifier: identifier, displaySize: presentation.displaySize),
      warnings: presentation.warnings + capture.warnings)
  }

  private func exif(
    _ capture: MovieCapture, of chosen: ChosenClip, _ presentation: FramePresentation, color: ColorDescription,
    identifier: ContentIdentifier
  ) -> ExifBlock {
    capture.exif(
      width: presentation.storedSize.width, height: presentation.storedSize.height,
      orientation: presentation.orientation, isSRGB: color.isNearSRGB,
      stillTime: chosen.clipTime(of: chosen.moment.displayInterval.lowerBound), identifier: identifier)
  }
}

extension FrameCoding {
  /// How far a key frame may be; nil where the frame is encoded.
  fileprivate var tolerance: RationalTime? { if case .copy(let tolerance) = self { tolerance } else { nil } }
}
