import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

/// Files that are no photo and no movie, or no longer: an error, or a right result, and never half a pair.
@Suite struct HostileFileTests {
  /// Tries every job on a file; what a job makes has to be a pair.
  private func attack(_ file: String, photo: String, movie: String) throws {
    let folder = try TemporaryFolder()
    let destination = PairDestination(folder: folder.root, stem: "out")
    _ = try? FileInspector().inspect(file, boxes: true)
    _ = try? PairVerifier().verify(photo: file, movie: movie)
    _ = try? PairVerifier().verify(photo: photo, movie: file)
    for job in 0..<3 {
      let made: LivePhotoPair?
      do throws(LivePhotoError) {
        made =
          switch job {
          case 0: try LivePhotoMaker().make(from: file, into: destination)
          case 1: try PairMaker().pair(photo: file, movie: movie, into: destination)
          default: try PairMaker().pair(photo: photo, movie: file, into: destination)
          }
      } catch {
        made = nil
        #expect(!error.description.contains("\n"), "\(file)")
      }
      if let made {
        #expect(try PairVerifier().verify(photo: made.photo, movie: made.movie).errors.isEmpty, "\(file)")
        try removeFiles([made.photo, made.movie])
      }
      #expect(try folder.names().isEmpty, "\(file)")
    }
  }

  @Test(
    arguments: [[], Array("not a picture\n".utf8), [0xFF, 0xD8, 0xFF], [0, 0, 0, 8, 0x6D, 0x6F, 0x6F, 0x76]]
      as [[UInt8]])
  func nothingComesOfNothing(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(bytes, as: "file.mov")
    try attack(file, photo: file, movie: file)
    #expect(throws: LivePhotoError.self) {
      try LivePhotoMaker().make(from: file, into: PairDestination(folder: folder.root))
    }
  }

  @Test func aMissingFileIsNamed() throws {
    do {
      _ = try LivePhotoMaker().make(from: "/nowhere/clip.mov")
      Issue.record("a file that does not exist was read")
    } catch {
      #expect(error.description.contains("/nowhere/clip.mov"))
    }
  }

  @Test(.needsCorpus) func malformedFilesOfTheCorpus() throws {
    let photo = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".HEIC"))
    let movie = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".MOV"))
    for path in Corpus.files(in: "07-malformed") {
      try attack(Corpus.file(path), photo: photo, movie: movie)
    }
  }

  @Test(
    .needsCorpus,
    arguments: [
      Corpus.path("01-livephotos/iphone13pro", ".HEIC"), Corpus.path("01-livephotos/iphone13pro", ".MOV"),
      "03-mov-mp4/iphone_hevc_shortclip.mov",
    ]) func filesCutAtFiftyPoints(path: String) throws
  {
    let folder = try TemporaryFolder()
    let photo = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".HEIC"))
    let movie = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".MOV"))
    for cut in truncations(of: try Corpus.bytes(path), count: 50) {
      try attack(try folder.write(cut, as: "cut.mov"), photo: photo, movie: movie)
    }
  }
}
