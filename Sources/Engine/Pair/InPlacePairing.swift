import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PairMaker {
  /// Makes a pair of two files where they stand, the movie by a new header only.
  ///
  /// The movie's samples are not written, nor read but for the heads of some of `hev1` and `avc3` in MP4, so that it
  /// takes as long for any length. At every instant it is the old movie or the new one, whatever happens to the process
  /// or the machine. The photo, whose Exif may grow, is written anew beside itself and then takes its name. Between
  /// these two steps, which follow each other, the halves have different identifiers: verifying finds that, and pairing
  /// again mends it.
  ///
  /// - Parameter durable: whether the call returns only when both files are on the disk.
  /// - Throws: ``LivePhotoError``; both files are then as they were. ``LivePhotoError/unwritable(file:reason:)``
  ///   where the movie has no place for another header, or metadata is to be left out (``strips``); nothing is copied
  ///   then.
  public func pairInPlace(
    photo: String, movie: String, identifier: Identifier = .new, still: StillChoice = .automatic, durable: Bool = false
  ) throws(LivePhotoError) -> LivePhotoPair {
    let halves = try OpenedHalves(photo, movie)
    guard strips == nil else {
      throw .unwritable(file: halves.movie.path, reason: "metadata cannot be left out in place")
    }
    let edited: EditedFile
    do { edited = try EditedFile(path: halves.movie.path) } catch { throw .file(error) }
    let movie = try OpenedFile(halves.movie.path, source: edited.source).movie(limits: limits)
    let moment = try ChosenMoment(still, movie: movie, file: halves.movie.path, chooser: chooser(halves))
    let photo = try StillPhoto(halves.photo, limits: limits)
    let identifier = resolve(identifier, photo: photo, movie: movie)

    let change = try movie.liveEdit(identifier: identifier, moment: moment.moment, file: halves.movie.path)
    var files: [NewFile] = []
    var warnings = change.warnings(movie, file: halves.movie.path)
    if photo.exif?.contentIdentifier != identifier {
      let still = try photo.plan(identifier: identifier, otherMakerNote: keepsMakerNote ? .refuse : .replace)
      // A link stays one, and what it leads to is replaced.
      files = [NewFile(still.plan, at: URL(filePath: halves.photo.path).resolvingSymlinksInPath().path)]
      warnings += PairWarnings.makerNote(still.edit, file: halves.photo.path)
    }
    var writer = FileWriter(overwrite: true, durable: durable)
    if let progress { writer.progress = { progress(Double($0) / Double(max($1, 1))) } }
    do { try writer.place(files, with: change.edit, of: edited) } catch { throw .file(error) }
    return LivePhotoPair(
      photo: halves.photo.path, movie: halves.movie.path, identifier: identifier, stillTime: change.time,
      stillReason: moment.reason, stillScore: moment.score, keepsPixels: true,
      warnings: warnings
        + PairWarnings.halves(PhotoFacts(photo), MovieFacts(change.movie, of: halves.movie)))
  }
}

extension Movie {
  /// What makes the movie the moving half of a Live Photo where it stands.
  ///
  /// - Throws: ``LivePhotoError/unwritable(file:reason:)``.
  fileprivate func liveEdit(identifier: ContentIdentifier, moment: StillMoment, file: String) throws(LivePhotoError)
    -> InPlaceMovieEdit
  {
    do { return try LivePhotoMovieWriter(identifier: identifier, moment: moment).edit(of: self) } catch {
      throw .unwritable(file: file, reason: error.description)
    }
  }
}

extension InPlaceMovieEdit {
  /// What a copy would have that the edited file has not.
  fileprivate func warnings(_ movie: Movie, file: String) -> [String] {
    let known = Set(movie.warnings)
    var warnings = self.movie.warnings.filter { !known.contains($0) }.map { "\(file): \($0)" }
    if movesHeader {
      warnings.append(
        "\(file): there was no room for the new movie header where the old one was, so it stands at the end now")
    }
    if movie.fileType == nil { warnings.append("\(file): it has no brands (ftyp), and gets none where it stands") }
    return warnings
  }
}
