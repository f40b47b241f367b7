public import LivePhotoCore

/// Writes a movie as another file, QuickTime or MP4, with the samples as they are.
///
/// ```swift
/// let trimmed = try movie.trimmed(to: RationalTime(2, 1)..<RationalTime(5, 1))
/// let plan = try MovieRemuxer(container: .mp4, headerPlacement: .first).plan(for: trimmed.movie)
/// ```
///
/// All tracks, boxes, references, groups of samples and metadata are kept with their order, unknown ones among them.
/// Fragments become sample tables.
public struct MovieRemuxer: Sendable {
  /// What the file is to be.
  public var container: MovieContainer
  /// Where the movie header comes; nil leaves it where the source has it.
  public var headerPlacement: MovieHeaderPlacement?
  /// How long the chunks last by which tracks take turns in the file; nil keeps the source's order.
  ///
  /// Positive.
  public var interleaving: RationalTime?

  /// A remuxer.
  public init(
    container: MovieContainer, headerPlacement: MovieHeaderPlacement? = nil, interleaving: RationalTime? = nil
  ) {
    self.container = container
    self.headerPlacement = headerPlacement
    self.interleaving = interleaving
  }

  /// The new file.
  ///
  /// - Throws: ``MovieWriteError``.
  public func plan(for movie: Movie) throws(MovieWriteError) -> OutputPlan {
    var assembly = MovieAssembly(movie: container == .quickTime ? try movie.asQuickTime() : movie)
    assembly.container = container
    assembly.placement = headerPlacement ?? movie.headerPlacement
    assembly.interleaving = interleaving
    return try assembly.plan()
  }
}

extension Movie {
  /// Where the source has its movie header: before the first media, or behind them.
  public var headerPlacement: MovieHeaderPlacement {
    let media = topLevel.boxes.first { $0.type == "mdat" }?.range.lowerBound ?? topLevel.rest.lowerBound
    return movieBox.range.lowerBound < media ? .first : .last
  }
}
