import Foundation
import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer
import TestSupport
import Testing

/// Movies that become Live Photos where they stand, cut off at every point.
@Suite("Editing movies in place") struct InPlaceTests {
  let folder: TemporaryFolder
  static let first = ContentIdentifier(asRead: "11111111-2222-4333-8444-555555555555")
  static let second = ContentIdentifier(asRead: "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE")

  init() throws { folder = try TemporaryFolder() }

  private func edit(
    _ movie: Movie, _ identifier: ContentIdentifier = first, at time: RationalTime = RationalTime(1, 10)
  ) throws -> InPlaceMovieEdit {
    try LivePhotoMovieWriter(identifier: identifier, moment: movie.stillMoment(at: time)).edit(of: movie)
  }

  private func samples(of movie: Movie) throws -> [UInt32: [[UInt8]]] {
    let tracks = movie.tracks.filter { $0.codec != "mebx" }
    return Dictionary(
      uniqueKeysWithValues: try tracks.map { track in
        (track.id, try track.samples.indices.map { try track.samples.bytes(of: $0, in: movie.source) })
      })
  }

  /// Packets of the tracks that the original has, with the places of their bytes.
  private func packets(of path: String, tracks: [UInt32]) throws -> [UInt32: [String]] {
    try placedPackets(of: path).filter { tracks.contains($0.key) }.mapValues { $0.map { "\($0)" } }
  }

  @Test(.judged(by: .ffprobe, .exiftool), arguments: try InPlaceMovie.all())
  func everyCutLeavesAMovie(_ movie: InPlaceMovie) throws {
    let path = try folder.write(movie.bytes, as: "movie.mov")
    let old = try Movie(parsing: FileSource(path: path))
    let content = try samples(of: old)
    let tracks = old.tracks.map(\.id)
    let oldPackets = try packets(of: path, tracks: tracks)
    let log = ChangeLog()
    let file = try log.edited(path)
    let result = try edit(Movie(parsing: file.source))
    #expect(result.movesHeader == movie.movesHeader)
    let commit = try #require(result.edit.commit)
    #expect(commit.isAtomic && commit.bytes.count <= 16)
    try file.apply(result.edit, durable: true)
    #expect(log.changes.last == .sync)
    let whole = try readFile(path)
    if movie.keepsSize { #expect(whole.count == movie.bytes.count) }

    let states = CutStates(movie.bytes, result.edit, log.changes).states
    #expect(states.last?.bytes == whole)
    #expect(states.count { $0.isNew } == 1)
    for state in states {
      let found = try Movie(parsing: MemorySource(state.bytes))
      #expect(found.contentIdentifier == (state.isNew ? Self.first : nil), "\(state.what)")
      #expect(found.stillImageTime == (state.isNew ? result.time : nil), "\(state.what)")
      #expect(try samples(of: found) == content, "\(state.what)")
      guard state.isWhole || state.what.hasPrefix("without") else { continue }
      let name = try folder.write(state.bytes, as: "state.mov")
      #expect(try packets(of: name, tracks: tracks) == oldPackets, "\(state.what)")
      let tags = try Judge.exiftool.askAnything(["-j", "-G1", "-TrackID", "-Keys:all", "-Warning", "-Error", name]).text
      #expect(tags.contains(Self.first.text) == state.isNew, "\(state.what): \(tags)")
      // Minor ones tell of options that would find more.
      let complaints = tags.split(separator: "\n").filter { $0.contains("Error") || $0.contains("Warning") }
      #expect(complaints.allSatisfy { $0.contains("[minor]") }, "\(state.what): \(complaints)")
    }
    let types = try Movie(parsing: MemorySource(whole)).topLevel.boxes.map(\.type)
    #expect(types.count { $0 == "moov" } == 1)
  }

  /// Again and again: the file stops growing, and nothing of it is lost.
  @Test(arguments: try InPlaceMovie.all())
  func editsCanBeRepeated(_ movie: InPlaceMovie) throws {
    let path = try folder.write(movie.bytes, as: "movie.mov")
    let content = try samples(of: Movie(parsing: MemorySource(movie.bytes)))
    var sizes: [Int] = []
    for round in 0..<12 {
      let identifier = round % 2 == 0 ? Self.first : Self.second
      let file = try EditedFile(path: path)
      // The moment changes once, so that the marker is written anew.
      let result = try edit(
        Movie(parsing: file.source), identifier, at: round < 6 ? RationalTime(1, 10) : RationalTime(1, 5))
      #expect(result.marker == (round == 0 ? .added : round == 6 ? .replaced : .kept))
      try file.apply(result.edit)
      let found = try Movie(parsing: FileSource(path: path))
      #expect(found.contentIdentifier == identifier && found.stillImageTime == result.time && found.warnings.isEmpty)
      #expect(found.topLevel.rest.isEmpty && found.tracks.count { $0.codec == "mebx" } == 1)
      #expect(try samples(of: found) == content)
      sizes.append(found.source.count)
      // What it says already is not written again.
      let again = try edit(found, identifier, at: result.time)
      #expect(again.edit.commit == nil && again.edit.hidden.isEmpty)
    }
    #expect(sizes[4] == sizes[5] && sizes[10] == sizes[11], "\(sizes)")
  }

  /// Every call of the system fails once: an error, and the file is what it was to the last byte.
  @Test(arguments: try InPlaceMovie.all())
  func aFailureLeavesTheFileAsItWas(_ movie: InPlaceMovie) throws {
    var call = 0
    while true {
      let path = try folder.write(movie.bytes, as: "movie.mov")
      let log = ChangeLog(failsAt: call)
      let file = try log.edited(path)
      let result = try edit(Movie(parsing: file.source))
      do throws(FileError) { try file.apply(result.edit, durable: true) } catch {
        #expect(try readFile(path) == movie.bytes, "call \(call)")
        call += 1
        continue
      }
      #expect(call >= 4)
      return
    }
  }

  /// A job that was killed leaves its hidden bytes; the next one uses their room.
  @Test func theNextEditTakesWhatAKilledOneLeft() throws {
    let bytes = try SyntheticMovie().build()
    for extra in [0, 1, 5, 300, 3000, 3001, 90000] {
      let left = bytes + [0, 0, 0, 0] + Array("free".utf8) + Array(repeating: 0xAB, count: extra)
      let path = try folder.write(left, as: "movie.mov")
      let file = try EditedFile(path: path)
      let result = try edit(Movie(parsing: file.source))
      try file.apply(result.edit)
      let found = try Movie(parsing: FileSource(path: path))
      #expect(found.contentIdentifier == Self.first && found.topLevel.rest.isEmpty && found.warnings.isEmpty)
      #expect(found.topLevel.boxes.allSatisfy { $0.sizeForm != .toEnd })
      #expect(found.source.count <= max(left.count, bytes.count + 4000))
    }
  }

  @Test func whatCannotBeDoneInPlaceIsRefused() throws {
    let uuid = SyntheticBox.box("uuid", Array(repeating: 7, count: 20))
    let cases: [([UInt8], String)] = [
      (try SyntheticMovie().build() + [1, 2, 3], "no box"),
      (try SyntheticMovie(isHeaderFirst: true, after: uuid).build(), "'uuid' stands between"),
    ]
    for (bytes, reason) in cases {
      let error = #expect(throws: MovieWriteError.self) { try edit(Movie(parsing: MemorySource(bytes))) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("copy") == true)
    }
  }

  /// What a movie was given in memory is not in its file, where an edit would leave or lose it.
  @Test func aMovieThatWasChangedSinceItWasReadIsRefused() throws {
    let path = try folder.write(try SyntheticMovie().build(), as: "movie.mov")
    let file = try EditedFile(path: path)
    try file.apply(try edit(Movie(parsing: file.source)).edit)
    let read = try Movie(parsing: FileSource(path: path))
    #expect(try edit(read).edit.commit == nil)
    var title = MovieMetadataEdit()
    title.set(.utf8("A title"), forKey: "com.apple.quicktime.title")
    let changed = [
      try read.applying(title), try read.stripping(.all).movie,
      try read.trimmed(to: RationalTime(0, 1)..<RationalTime(1, 5)).movie,
    ]
    for movie in changed {
      let error = #expect(throws: MovieWriteError.self) { try edit(movie) }
      #expect(error == .notInPlace("it was changed since it was read"))
    }
    // Nothing was asked of this one.
    #expect(try edit(read.applying(MovieMetadataEdit())).edit.commit == nil)
    // The writer's own changes are part of the edit.
    var writer = LivePhotoMovieWriter(identifier: Self.first, moment: try read.stillMoment(at: RationalTime(1, 10)))
    writer.metadata = title
    #expect(try writer.edit(of: read).edit.commit != nil)
  }

  @Test func theMovieThatIsEditedIsHandedOnAsQuickTimeHasIt() throws {
    let movie = try Movie(parsing: MemorySource(SyntheticMovie(brand: "mp42").build()))
    #expect(try edit(movie).movie.movieBytes == movie.asQuickTime().movieBytes)
  }

  @Test func twoJobsCannotEditOneFile() throws {
    let path = try folder.write(try SyntheticMovie().build(), as: "movie.mov")
    let file = try EditedFile(path: path)
    #expect(throws: FileError.self) { try EditedFile(path: path) }
    let result = try edit(Movie(parsing: file.source))
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    let error = #expect(throws: FileError.self) { try file.apply(result.edit) }
    #expect(error?.cause == .changed)
  }
}
