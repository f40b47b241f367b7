import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The two files of a pair before they exist: their names are checked before any work is done.
struct PairOutput {
  let photo: String
  let movie: String
  private let writer: FileWriter

  /// Names the files and checks that they replace no input and, unless that is wanted, nothing else.
  ///
  /// - Throws: ``LivePhotoError/outputIsInput(file:)``, ``LivePhotoError/outputExists(file:)``.
  init(
    _ destination: PairDestination, stem: String, photoExtension: String, inputs: [String],
    progress: (@Sendable (Double) -> Void)?
  ) throws(LivePhotoError) {
    let stem = destination.stem ?? stem
    let prefix = destination.folder.hasSuffix("/") ? destination.folder : destination.folder + "/"
    let base = destination.folder == "." ? stem : prefix + stem
    photo = "\(base).\(photoExtension)"
    movie = "\(base).MOV"
    var writer = FileWriter(
      overwrite: destination.overwrite, durable: destination.durable, createsFolders: true)
    if let progress { writer.progress = { progress(Double($0) / Double(max($1, 1))) } }
    self.writer = writer
    for output in [photo, movie] {
      try OutputFile.check(output, inputs: inputs, overwrite: destination.overwrite)
    }
  }

  /// Puts both files in place, or neither.
  ///
  /// - Throws: ``LivePhotoError/file(_:)``.
  func write(photo photoPlan: OutputPlan, movie moviePlan: OutputPlan) throws(LivePhotoError) {
    do { try writer.place([NewFile(photoPlan, at: photo), NewFile(moviePlan, at: movie)]) } catch { throw .file(error) }
  }
}

extension OpenedFile {
  /// The file's name without its folder and extension.
  var stem: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  /// The extension for an edited copy of a photo.
  var photoExtension: String { kind == .jpeg ? "JPG" : "HEIC" }
}

extension Movie {
  /// The movie as the moving half of a Live Photo.
  ///
  /// - Throws: ``LivePhotoError/unwritable(file:reason:)``.
  func livePlan(identifier: ContentIdentifier, moment: StillMoment, file: String) throws(LivePhotoError)
    -> LivePhotoMoviePlan
  {
    do { return try LivePhotoMovieWriter(identifier: identifier, moment: moment).plan(for: self) } catch {
      throw .unwritable(file: file, reason: error.description)
    }
  }

  /// The movie as QuickTime has it, without metadata of some kind, and what is to be told of it.
  ///
  /// - Throws: ``LivePhotoError/unwritable(file:reason:)``.
  func prepared(stripping what: MetadataStripping?, file: String, limits: Limits) throws(LivePhotoError)
    -> (movie: Movie, warnings: [String])
  {
    do {
      let stripped = try what.map { (what) throws(MovieWriteError) in try stripping(what, limits: limits) }
      let known = Set((stripped?.movie ?? self).warnings)
      let movie = try (stripped?.movie ?? self).asQuickTime(limits: limits)
      let warnings = (stripped?.removed ?? []) + movie.warnings.filter { !known.contains($0) }
      return (movie, warnings.map { "\(file): \($0)" })
    } catch { throw .unwritable(file: file, reason: error.description) }
  }
}
