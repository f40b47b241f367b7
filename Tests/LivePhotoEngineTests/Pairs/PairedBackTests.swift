import LivePhotoCore
import LivePhotoEngine
import LivePhotoMuxer
import TestSupport
import Testing

/// Pairs that get another identifier and then their own again: nothing but what has to be is otherwise than before.
@Suite struct PairedBackTests {
  /// The files after both ways.
  private func pairedBack(_ photo: String, _ movie: String, in folder: TemporaryFolder) throws -> (
    photo: [UInt8], movie: [UInt8]
  ) {
    let source = try Movie(parsing: MemorySource(try readFile(movie)))
    let own = try #require(source.contentIdentifier)
    let away = try PairMaker().pair(
      photo: photo, movie: movie, into: PairDestination(folder: folder.root, stem: "away"))
    #expect(away.identifier != own)
    let back = try PairMaker().pair(
      photo: away.photo, movie: away.movie, identifier: .given(own),
      into: PairDestination(folder: folder.root, stem: "back"))
    return (try readFile(back.photo), try readFile(back.movie))
  }

  @Test(.needsCorpus, arguments: PairTests.cameraPairs) func cameras(photo: String, movie: String) throws {
    let folder = try TemporaryFolder()
    let photo = Corpus.file(photo), movie = Corpus.file(movie)
    let (newPhoto, newMovie) = try pairedBack(photo, movie, in: folder)
    let oldPhoto = try readFile(photo), oldMovie = try readFile(movie)
    #expect(newPhoto == oldPhoto)
    guard try Movie(parsing: MemorySource(oldMovie)).fileType == nil else {
      #expect(newMovie == oldMovie)
      return
    }
    // A movie without brands has got them: twenty bytes at the beginning, by which all chunks move.
    #expect(newMovie.count == oldMovie.count + 20)
    let old = try Movie(parsing: MemorySource(oldMovie)), new = try Movie(parsing: MemorySource(newMovie))
    let chunks = old.tracks.reduce(0) { count, track in
      count + Set(track.samples.map(\.chunk)).count
    }
    #expect(zip(oldMovie, newMovie.dropFirst(20)).count { $0 != $1 } <= 4 * chunks)
    #expect(new.topLevel.boxes.dropFirst().map(\.type) == old.topLevel.boxes.map(\.type))
  }

  #if HEVC
    /// A movie as cameras lay it out, made here.
    @Test func made() throws {
      let folder = try TemporaryFolder()
      let pair = try Demonstration(threads: .allCores).run(in: folder.root).pair
      let before = (photo: try readFile(pair.photo), movie: try readFile(pair.movie))
      let after = try pairedBack(pair.photo, pair.movie, in: folder)
      #expect(after.photo == before.photo)
      #expect(after.movie == before.movie)
    }
  #endif
}
