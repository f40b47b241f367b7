public import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer

/// Writes movies as other files, QuickTime or MP4, whole or a part, without coding a sample again.
///
/// ```swift
/// let part = ClipCut(start: RationalTime(2, 1), length: .time(RationalTime(3, 1)))
/// print(try FileRemuxer().remux("clip.mov", part, to: "clip.mp4", as: .mp4).bytes)
/// ```
public struct FileRemuxer: Sendable {
  /// The kinds of file that are written.
  public enum Container: String, Sendable, Codable, CaseIterable {
    /// QuickTime.
    case quickTime = "mov"
    /// MPEG-4.
    case mp4
  }

  /// Where a movie's header comes.
  public enum HeaderPlacement: String, Sendable, CaseIterable {
    /// Before the media, so that a player can begin before it has the whole file.
    case first
    /// Behind the media, as cameras write it.
    case last
  }

  /// What is accepted from the file.
  public var limits: Limits
  /// Where the header comes; nil leaves it where the source has it.
  public var headerPlacement: HeaderPlacement?
  /// How long the chunks last by which tracks take turns, where they are to be interleaved anew; nil keeps their order.
  public var interleaving: RationalTime?
  /// Told which part of the file is written, 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// A remuxer that keeps order and places.
  public init(limits: Limits = .standard) { self.limits = limits }

  /// Writes a movie, or a part of it, as a file of another kind, blocking until it is in place.
  ///
  /// - Parameters:
  ///   - path: a QuickTime or MP4 movie.
  ///   - cut: what is kept; an automatic length means all from the start on.
  ///   - goal: the file to write.
  ///   - container: what it is to be.
  ///   - overwrite: whether an existing file may be replaced.
  /// - Returns: what was written.
  /// - Throws: ``LivePhotoError``; nothing is then written.
  public func remux(
    _ path: String, _ cut: ClipCut = ClipCut(length: .full), to goal: String, as container: Container,
    overwrite: Bool = false
  ) throws(LivePhotoError) -> RemuxReport {
    let file = try OpenedFile(path)
    let movie = try file.movie(limits: limits)
    try OutputFile.check(goal, inputs: [path], overwrite: overwrite)
    let part = try movie.cut(to: cut.range(end: movie.end), precision: cut.precision, file: path)
    let remuxer = MovieRemuxer(
      container: container == .mp4 ? .mp4 : .quickTime,
      headerPlacement: headerPlacement.map { $0 == .first ? .first : .last }, interleaving: interleaving)
    let source: Movie, plan: OutputPlan
    do {
      source = container == .quickTime ? try part.movie.asQuickTime(limits: limits) : part.movie
      plan = try remuxer.plan(for: source)
    } catch { throw .unwritable(file: path, reason: error.description) }
    var writer = FileWriter(overwrite: overwrite)
    if let progress { writer.progress = { progress(Double($0) / Double(max($1, 1))) } }
    do { try writer.write(plan, to: goal) } catch { throw .file(error) }
    let known = Set(movie.warnings)
    let warnings = movie.warnings + source.warnings.filter { !known.contains($0) }
    return RemuxReport(
      file: goal, container: container, bytes: plan.count, tracks: part.movie.tracks.count,
      duration: TimeReport(part.movie.duration), cut: part.report,
      warnings: warnings.map { "\(path): \($0)" } + part.warnings)
  }
}

/// What remuxing wrote.
public struct RemuxReport: Sendable, Codable, Equatable {
  /// The version of this form.
  public var version = 1
  /// The file.
  public var file: String
  /// Its kind.
  public var container: FileRemuxer.Container
  /// Its size in bytes.
  public var bytes: Int
  /// How many tracks it has.
  public var tracks: Int
  /// How long it is.
  public var duration: TimeReport
  /// What was kept; nil for all.
  public var cut: CutReport?
  /// What the caller should know.
  public var warnings: [String]
}
