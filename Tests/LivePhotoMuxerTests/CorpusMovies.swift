import Foundation
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Movies of the corpus, each with a path where a judge can read all its samples.
///
/// Of some files only the beginning was kept. FFmpeg says nothing of samples that a file does not have, so those are
/// copied into a folder of their own, which goes away with the value, and lengthened there by zeros.
struct CorpusMovies {
  let movies: [(file: String, movie: Movie, path: String)]
  /// How many were lengthened.
  let lengthened: Int
  private let folder: TemporaryFolder

  /// Movies that are whole files, or those that stand in the files of pictures that have one.
  init(_ files: [String], embedded: Bool = false) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    movies = try files.enumerated().compactMap { number, file in
      let source = MemorySource(try Corpus.bytes(file))
      var bytes = source.bytes
      if embedded {
        guard let range = try EmbeddedMovie.range(in: source, from: 0) else { return nil }
        bytes = Array(bytes[range])
      }
      let movie = try Movie(parsing: MemorySource(bytes))
      let end = movie.tracks.compactMap(\.samples.endOfBytes).max() ?? 0
      guard embedded || end > bytes.count else { return (file, movie, Corpus.file(file)) }
      let path = try folder.write(bytes, as: "\(number).mov")
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: UInt64(max(end, bytes.count)))
      try handle.close()
      return (file, movie, path)
    }
    lengthened = movies.count { $0.path.hasPrefix(folder.root) }
  }
}

extension SampleTable {
  /// Where the last of all samples ends in the file.
  fileprivate var endOfBytes: Int? { lazy.map(\.range.upperBound).max() }
}
