import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEIF
import LivePhotoMuxer

/// A file of the caller's, open, with its kind.
struct OpenedFile {
  /// The path as the caller gave it, for messages.
  let path: String
  let source: FileSource
  let kind: MediaKind

  /// Opens a file and looks at its first bytes.
  ///
  /// - Throws: ``LivePhotoError/file(_:)`` when it cannot be opened or read.
  init(_ path: String) throws(LivePhotoError) {
    let source: FileSource
    do { source = try FileSource(path: path) } catch { throw .file(error) }
    try self.init(path, source: source)
  }

  /// Looks at the first bytes of a file that is open.
  ///
  /// - Throws: ``LivePhotoError/damaged(file:_:)`` when it cannot be read.
  init(_ path: String, source: FileSource) throws(LivePhotoError) {
    self.path = path
    self.source = source
    do { kind = try MediaKind(of: source) } catch { throw .damaged(file: path, .source(error)) }
  }

  /// The movie in the file.
  ///
  /// - Throws: ``LivePhotoError/wrongKind(file:found:expected:)``, ``LivePhotoError/damaged(file:_:)``.
  func movie(limits: Limits) throws(LivePhotoError) -> Movie {
    guard kind == .movie else { throw .wrongKind(file: path, found: kind, expected: "a QuickTime or MP4 movie") }
    do { return try Movie(parsing: source, limits: limits) } catch { throw .damaged(file: path, error) }
  }

  /// The HEIF file's items.
  ///
  /// - Throws: ``LivePhotoError/damaged(file:_:)``.
  func heif(limits: Limits) throws(LivePhotoError) -> HEIFFile {
    do { return try HEIFFile(parsing: source, limits: limits) } catch { throw .damaged(file: path, error) }
  }
}

/// The two halves of a pair, told apart by their content: they may be given in either order.
struct OpenedHalves {
  let photo: OpenedFile
  let movie: OpenedFile

  /// Opens both files.
  ///
  /// - Throws: ``LivePhotoError/sameKind(_:_:_:)`` for two photos or two movies,
  ///   ``LivePhotoError/wrongKind(file:found:expected:)`` for a file that is neither.
  init(_ first: String, _ second: String) throws(LivePhotoError) {
    let first = try OpenedFile(first), second = try OpenedFile(second)
    for file in [first, second] where !file.kind.isPhoto && file.kind != .movie {
      let remedy = file.kind.holdsRaster ? "; `livephoto make VIDEO --photo \(file.path)` encodes it" : ""
      throw .wrongKind(file: file.path, found: file.kind, expected: "a photo (JPEG or HEIC) or a movie" + remedy)
    }
    switch (first.kind.isPhoto, second.kind.isPhoto) {
    case (true, false): (photo, movie) = (first, second)
    case (false, true): (photo, movie) = (second, first)
    case (true, true), (false, false): throw .sameKind(first.path, second.path, first.kind)
    }
  }
}
