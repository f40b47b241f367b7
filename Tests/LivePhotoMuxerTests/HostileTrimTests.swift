import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Files made to break what trims and remuxes them.
@Suite("Hostile files, trimmed and remuxed")
struct HostileTrimTests {
  private func movie(_ bytes: [UInt8]) throws -> Movie { try Movie(parsing: MemorySource(bytes)) }

  /// Puts 32-bit values at a distance from the start of the payload of the first box of a type.
  private func put(_ values: [UInt32], into type: String, at distance: Int, of bytes: inout [UInt8]) throws {
    let at = try #require(bytes.firstRange(of: Array(type.utf8))).upperBound + distance
    let new = values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    bytes.replaceSubrange(at..<at + new.count, with: new)
  }

  /// An entry of sound: its head, and what is behind it.
  private func sound(_ format: FourCC, version: UInt16, _ rest: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    writer.box(format) { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.writeUInt16(version)
      writer.writeZeros(6)
      for value in [2, 16, 0, 0, 48_000, 0] as [UInt16] { writer.writeUInt16(value) }
      rest(&writer)
    }
    return writer.bytes
  }

  /// Rates of version 2 that are no rates.
  @Test(arguments: [-44_100, -.infinity, .nan, -0.0, 65_536, 1e300, 48_000])
  func sampleRates(_ rate: Double) throws {
    let entry = sound("lpcm", version: 2) { writer in
      writer.writeUInt32(72)
      writer.writeUInt(rate.bitPattern, width: 8)
      for value in [2, 0x7F00_0000, 16, 12, 4, 1] as [UInt32] { writer.writeUInt32(value) }
    }
    let track = SyntheticTrack(handler: "soun", durations: [(10, 1)], sizes: .constant, entry: entry)
    let source = try movie(try SyntheticMovie(tracks: [track]).build())
    let stated = try #require(source.tracks[0].sampleDescriptions[0].audio?.sampleRate)
    #expect(stated == (rate.isFinite && rate > 0 ? rate : 0))
    let written = try movie(try MovieRemuxer(container: .mp4).plan(for: source).materialized())
    let audio = try #require(written.tracks[0].sampleDescriptions[0].audio)
    #expect(audio.version == (stated < 65_536 ? 0 : 2) && audio.sampleRate == stated)
  }

  /// A segment that reaches the last time there is.
  @Test func endOfAllTimes() throws {
    let length = (UInt64.max) / 5
    let track = SyntheticTrack(timescale: 5, edits: [(length, 0, 0x10000)])
    let late = SyntheticTrack(id: 2, handler: "soun", timescale: 2, edits: [(length, -1, 0x10000), (100, 0, 0x10000)])
    let source = try movie(try SyntheticMovie(timescale: 2, tracks: [track, late]).build())
    let part = try source.trimmed(to: .zero..<RationalTime(Int64(length), 2))
    #expect(part.movie.tracks.map(\.samples.count) == [0, 0])
  }

  /// Packets of sound that begin behind all offsets, though the sizes that are stated end before.
  @Test func chunkBeyondAllOffsets() throws {
    var track = SyntheticTrack(
      handler: "soun", durations: [(100, 1)], samplesPerChunk: 100, sizes: .constant, hasLargeOffsets: true,
      entry: sound("sowt", version: 0) { _ in })
    track.samples = Array(repeating: [1], count: 100)
    var bytes = try SyntheticMovie(tracks: [track]).build()
    try put([0x7FFF_FFFF, .max - 150], into: "co64", at: 8, of: &bytes)
    let source = try movie(bytes)
    #expect(throws: MovieTrimError.unsupported("a chunk beyond byte 2^63")) {
      try source.trimmed(to: RationalTime(50, 600)..<RationalTime(60, 600))
    }
    let first = try source.trimmed(to: .zero..<RationalTime(10, 600)).movie
    #expect(first.tracks[0].samples.last?.range.isEmpty == false)
    #expect(throws: MovieWriteError.self) { try MovieRemuxer(container: .mp4).plan(for: first) }
  }

  /// A movie that says of equal samples that they are so many, in one chunk.
  private func many(_ count: UInt32, handler: FourCC) throws -> [UInt8] {
    var track = SyntheticTrack(handler: handler, samplesPerChunk: 10, sizes: .constant)
    track.samples = Array(repeating: [1], count: 10)
    var bytes = try SyntheticMovie(tracks: [track]).build()
    try put([count], into: "stsz", at: 8, of: &bytes)
    try put([count], into: "stsc", at: 12, of: &bytes)
    return bytes
  }

  /// Four thousand million samples in a file of a kilobyte.
  @Test func samplesFromACount() throws {
    let time = try ContinuousClock().measure {
      let error = #expect(throws: ParseError.self) { try movie(try many(.max, handler: "vide")) }
      #expect(error?.description.contains("number of samples") == true)
      let source = try movie(try many(.max, handler: "soun"))
      #expect(source.tracks[0].samples.count == Int(UInt32.max))
      for interleaving in [nil, RationalTime(1, 600)] {
        let remuxer = MovieRemuxer(container: .mp4, interleaving: interleaving)
        #expect(throws: MovieWriteError.self) { try remuxer.plan(for: source) }
        for precision in TrimPrecision.allCases {
          let part = try source.trimmed(to: .zero..<RationalTime(1, 10), precision: precision)
          #expect(part.movie.tracks[0].samples.count == 3)
          #expect(try remuxer.plan(for: part.movie).count < 4096)
          let most = try source.trimmed(to: RationalTime(1, 10)..<RationalTime(1_000_000, 1), precision: precision)
          #expect(throws: MovieWriteError.self) { try remuxer.plan(for: most.movie) }
        }
      }
    }
    #expect(time < .seconds(5))
  }

  /// More chunks than any movie has, each of one sample that is there.
  @Test func chunksFromACount() throws {
    let bytes = try many(5_000_000, handler: "soun") + SyntheticBox.box("free", Array(repeating: 0, count: 5_000_000))
    let source = try movie(bytes)
    #expect(throws: MovieWriteError.unsupported("a movie in so many chunks")) {
      _ = try MovieRemuxer(container: .mp4, interleaving: RationalTime(1, 600)).plan(for: source)
    }
  }

  /// What says how samples are decrypted is not cut, so that none of it may stay beside fewer samples.
  @Test(arguments: ["saiz", "saio", "senc"] as [FourCC])
  func encryptedTracks(_ type: FourCC) throws {
    var track = SyntheticTrack(id: 7, format: "encv")
    track.tableExtra = SyntheticBox.box(type, [0, 0, 0, 0, 8, 0, 0, 0, 10])
    let source = try movie(try SyntheticMovie(tracks: [track]).build())
    #expect(throws: MovieTrimError.unsupported("track 7, whose samples are encrypted,")) {
      try source.trimmed(to: .zero..<RationalTime(1, 10))
    }
  }

  /// MP3 is decoded from ten packets before, AAC from three, wherever and however its descriptor stands.
  @Test(arguments: [(0x6B as UInt8, 20), (0x69, 20), (0x40, 13)], [false, true])
  func soundBeforeTheFirst(_ kind: (type: UInt8, count: Int), isWrapped: Bool) throws {
    // The stream depends on another, has an address of three bytes, and follows a clock.
    let optional: [UInt8] = [0xE0, 0, 1, 3, 0x61, 0x62, 0x63, 0, 2]
    let payload: [UInt8] =
      [0, 0, 0, 0, 3, 0x80, 27, 0, 1] + optional + [4, 13, kind.type, 0x15] + Array(repeating: 0, count: 11)
    let box = { SyntheticBox.box("esds", payload) }
    let entry = sound("mp4a", version: isWrapped ? 1 : 0) { writer in
      guard isWrapped else { return writer.write(box()) }
      for value in [1152, 0, 0, 2] as [UInt32] { writer.writeUInt32(value) }
      writer.write(SyntheticBox.box("wave", SyntheticBox.box("frma", Array("mp4a".utf8)) + box()))
    }
    let track = SyntheticTrack(handler: "soun", timescale: 48_000, durations: [(100, 1152)], entry: entry)
    let source = try movie(try SyntheticMovie(timescale: 48_000, tracks: [track]).build())
    let part = try source.trimmed(to: RationalTime(50 * 1152, 48_000)..<RationalTime(60 * 1152, 48_000))
    #expect(part.movie.tracks[0].samples.count == kind.count)
  }
}
