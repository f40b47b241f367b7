import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

/// Pairing of real halves: nothing but the identifier changes.
@Suite(.needsCorpus, .serialized) struct PairTests {
  static let identifier = ContentIdentifier(asRead: "0F0E0D0C-0B0A-4908-8706-050403020100")

  static let cameraPairs = [
    (Corpus.path("01-livephotos/iphone13pro", ".HEIC"), Corpus.path("01-livephotos/iphone13pro", ".MOV")),
    (Corpus.path("01-livephotos/iphone15plus", ".HEIC"), Corpus.path("01-livephotos/iphone15plus", ".MOV")),
    (Corpus.path("01-livephotos/iphone17pro", ".HEIC"), Corpus.path("01-livephotos/iphone17pro", ".MOV")),
    ("01-livephotos/iphone7plus_waves.JPG", "01-livephotos/iphone7plus_waves.MOV"),
  ]

  @Test(.judged(by: .exiftool, .ffprobe), arguments: cameraPairs)
  func onlyTheIdentifierChanges(photo: String, movie: String) throws {
    let folder = try TemporaryFolder()
    let photo = Corpus.file(photo), movie = Corpus.file(movie)
    // The halves may come in either order.
    let pair = try PairMaker().pair(
      photo: movie, movie: photo, identifier: .given(Self.identifier), into: PairDestination(folder: folder.root))
    try expectSameTags(photo, pair.photo)
    try expectSameTags(movie, pair.movie)
    #expect(try packetHashes(of: movie) == packetHashes(of: pair.movie))
    for (source, result) in [(photo, pair.photo), (movie, pair.movie)] {
      #expect(try complaints(result).subtracting(complaints(source)).isEmpty)
    }
    #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
    // Coded pictures are compared by what decodes them: the whole file but the edited bytes.
    #expect(try differingBytes(photo, pair.photo) <= 36)
  }

  /// How many bytes differ; all of the longer one's when the lengths do.
  private func differingBytes(_ first: String, _ second: String) throws -> Int {
    let first = try readFile(first), second = try readFile(second)
    guard first.count == second.count else { return max(first.count, second.count) }
    return zip(first, second).count { $0 != $1 }
  }

  private func expectSameTags(_ source: String, _ result: String) throws {
    let volatile: Set<String> = [
      "System:FileName", "System:Directory", "System:FileModifyDate", "System:FileAccessDate",
      "System:FileInodeChangeDate", "System:FilePermissions", "System:FileSize", "QuickTime:MediaDataOffset",
    ]
    let before = try tags(of: source).filter { !volatile.contains($0.key) }
    let after = try tags(of: result).filter { !volatile.contains($0.key) }
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    // A movie without brands gets them.
    let allowed = changed.filter {
      $0.contains("ContentIdentifier") || $0.contains("MediaGroupUUID")
        || $0.hasPrefix("QuickTime:") && before["QuickTime:MajorBrand"] == nil
    }
    #expect(changed.subtracting(allowed).isEmpty, "\(changed)")
    #expect(changed.contains { $0.contains("ContentIdentifier") || $0.contains("MediaGroupUUID") })
  }

  private func complaints(_ file: String) throws -> Set<String> {
    Set(try Judge.exiftool.askAnything(["-validate", "-warning", "-error", "-a", "-s3", file]).lines)
  }
}

/// Checking of real pairs: no error in a camera's, and the right rule where a half is wrong.
@Suite(.needsCorpus) struct VerifyTests {
  @Test(arguments: PairTests.cameraPairs) func cameraPairsPair(photo: String, movie: String) throws {
    let report = try PairVerifier().verify(photo: Corpus.file(photo), movie: Corpus.file(movie))
    #expect(report.errors.isEmpty, "\(report)")
  }

  private func rules(_ photo: String, _ movie: String) throws -> [Rule] {
    try PairVerifier().verify(photo: Corpus.file(photo), movie: Corpus.file(movie)).errors.map(\.rule)
  }

  @Test func theFaultIsNamed() throws {
    let pairs = PairTests.cameraPairs
    #expect(try rules(pairs[1].0, pairs[2].1) == [.identifiersDiffer])
    #expect(
      try rules("01-livephotos/tool_limitpoint.JPG", "01-livephotos/tool_limitpoint.MOV") == [.photoIdentifierMissing])
    let unmarked = try rules(Corpus.path("01-livephotos/iphone15plus", ".HEIC"), "03-mov-mp4/iphone_h264_gps.mov")
    #expect(unmarked.contains(.stillTimeMissing))
  }

  @Test func oneHalfEditedIsNamed() throws {
    let folder = try TemporaryFolder()
    let (photo, movie) = (Corpus.file(PairTests.cameraPairs[1].0), Corpus.file(PairTests.cameraPairs[1].1))
    let pair = try PairMaker().pair(photo: photo, movie: movie, into: PairDestination(folder: folder.root))
    #expect(try PairVerifier().verify(photo: photo, movie: pair.movie).errors.map(\.rule) == [.identifiersDiffer])
    #expect(try PairVerifier().verify(photo: pair.photo, movie: movie).errors.map(\.rule) == [.identifiersDiffer])
  }

  @Test func twoHalvesOfOneKindAreRefused() {
    let pair = PairTests.cameraPairs[1]
    #expect(throws: LivePhotoError.self) {
      try PairVerifier().verify(photo: Corpus.file(pair.0), movie: Corpus.file(pair.0))
    }
    #expect(throws: LivePhotoError.self) {
      try PairVerifier().verify(photo: Corpus.file(pair.1), movie: Corpus.file(pair.1))
    }
  }
}
