import Foundation
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Reads a movie and, where it can be read, asks everything of it and makes a Live Photo of it.
@discardableResult
private func exercise(_ bytes: [UInt8]) -> Bool {
  guard let movie = try? Movie(parsing: MemorySource(bytes)) else { return false }
  for track in movie.tracks {
    let timeline = track.timeline()
    for index in track.samples.indices.prefix(50) {
      _ = timeline.displayInterval(ofSample: index)
      _ = track.samples.isDisposable(index)
      if track.codec == "mebx" { _ = try? movie.timedMetadata(of: track, sample: index) }
    }
    _ = (timeline.end, track.editedDuration, track.displayDimensions, track.averageFrameRate, track.samples.totalBytes)
    _ = track.sampleDescriptions.map { ($0.video?.color, $0.video?.cleanAperture, $0.audio?.sampleRate) }
  }
  for item in movie.metadata.items { _ = item.value.description }
  for time in [RationalTime.zero, RationalTime(1, 10), movie.stillImageTime ?? .zero] {
    guard let moment = try? movie.stillMoment(at: time) else { continue }
    for placement in [MovieHeaderPlacement.first, .last] {
      let writer = LivePhotoMovieWriter(identifier: .random(), moment: moment, headerPlacement: placement)
      guard let plan = try? writer.plan(for: movie) else { continue }
      guard let output = try? plan.output.materialized() else { continue }
      // What was written can be read, and says what was asked for.
      let written = try? Movie(parsing: MemorySource(output))
      #expect(written?.contentIdentifier == writer.identifier)
      #expect(written?.stillImageTime == plan.time)
    }
  }
  return true
}

@Suite("Damaged and hostile movies")
struct HostileTests {
  /// How thorough the search is; `LIVEPHOTO_FUZZ_ROUNDS=100` for a long one.
  static let rounds = ProcessInfo.processInfo.environment["LIVEPHOTO_FUZZ_ROUNDS"].flatMap(Int.init) ?? 1

  /// A small movie with one of everything that is edited.
  static func small() throws -> [UInt8] {
    let video = TimeTests.reordered((600, 600, 20), isNegative: true)
    var marker = SyntheticBox.marker(id: 3, samples: [SyntheticBox.nothing, SyntheticBox.value])
    marker.edits = [(100, -1, 0x10000), (2, 0, 0x10000)]
    let keys = SyntheticBox.keys([
      ("com.apple.quicktime.make", 1, 0, Array("maker".utf8)),
      ("com.apple.quicktime.content.identifier", 1, 0, Array("8B6C5E1A-0000-4000-8000-0123456789AB".utf8)),
    ])
    return try SyntheticMovie(tracks: [video, marker], movieExtra: SyntheticBox.box("udta", []) + keys).build()
  }

  @Test func everyTruncation() throws {
    let bytes = try Self.small()
    #expect(exercise(bytes))
    for cut in truncations(of: bytes) { exercise(cut) }
    var first = SyntheticMovie(isHeaderFirst: true)
    first.mediaForm = .large
    for cut in truncations(of: try first.build()) { exercise(cut) }
  }

  @Test func damagedBytes() throws {
    let bytes = try Self.small()
    for copy in damagedCopies(of: bytes, count: Self.rounds * 100, seed: 1) { exercise(copy) }
    // Bytes of the header in turn.
    let header = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    for index in stride(from: header, to: bytes.count, by: max(1, 10 / Self.rounds)) {
      for value in [0, 0xFF, bytes[index] ^ 1] as [UInt8] {
        var copy = bytes
        copy[index] = value
        exercise(copy)
      }
    }
  }

  /// Counts that no file of this size can hold are refused before anything is allocated.
  @Test(arguments: ["stts", "ctts", "stsc", "stsz", "stco", "stsd", "elst"] as [FourCC])
  func hugeCounts(_ type: FourCC) throws {
    var bytes = try Self.small()
    let name = Array(type.description.utf8)
    let at = try #require(bytes.firstRange(of: name)).upperBound + (type == "stsz" ? 8 : 4)
    bytes.replaceSubrange(at..<at + 4, with: [0xFF, 0xFF, 0xFF, 0xF0])
    exercise(bytes)
    if type != "stsd" { #expect(throws: ParseError.self) { try Movie(parsing: MemorySource(bytes)) } }
  }

  /// Boxes inside boxes without end are neither followed nor a reason to crash.
  @Test(arguments: ["mdia", "stbl", "meta", "udta", "mebx", "trak"] as [FourCC])
  func deepNesting(_ type: FourCC) throws {
    var nested: [UInt8] = []
    let depth = 50_000
    var writer = ByteWriter()
    for level in 0..<depth {
      writer.writeUInt32(UInt32(8 * (depth - level)))
      writer.writeFourCC(type)
    }
    nested = writer.bytes
    var movie = SyntheticMovie(movieExtra: type == "trak" ? [] : nested)
    exercise(try movie.build())
    movie.movieExtra = []
    movie.tracks[0].extra = nested
    exercise(try movie.build())
    movie.tracks[0].extra = []
    movie.tracks[0].tableExtra = nested
    #expect(exercise(try movie.build()))
  }

  @Test(.needsCorpus, arguments: Corpus.files(in: "07-malformed"))
  func malformedFiles(_ file: String) throws {
    let bytes = try Corpus.bytes(file)
    let duration = ContinuousClock().measure { exercise(bytes) }
    #expect(duration < .seconds(10))
  }

  /// A real movie cut at 50 places: what can be read is right, and what lacks samples is not written.
  @Test(.needsCorpus, arguments: ["iphone15plus", "tool_limitpoint"])
  func cutFiles(_ name: String) throws {
    let bytes = try Corpus.bytes(Corpus.path("01-livephotos/\(name)", ".MOV"))
    for cut in truncations(of: bytes, count: 50) where cut.count < bytes.count {
      guard let movie = try? Movie(parsing: MemorySource(cut)) else { continue }
      guard let moment = try? movie.stillMoment(at: .zero) else { continue }
      let isWhole = movie.tracks.allSatisfy { $0.samples.allSatisfy { $0.range.upperBound <= cut.count } }
      let plan = try? LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: movie)
      #expect((plan != nil) == isWhole)
    }
  }
}
