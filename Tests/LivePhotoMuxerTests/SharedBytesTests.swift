import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Movies of a few bytes whose many samples all lie at one place: what is read of them is bounded.
@Suite("Samples at one place")
struct SharedBytesTests {
  /// A movie whose samples of one track are all the same bytes.
  private func movie(_ track: SyntheticTrack, others: [SyntheticTrack] = [], sharing sample: [UInt8]) throws -> Movie {
    var shared = track
    shared.sizes = .constant
    shared.samplesPerChunk = 1
    shared.samples = Array(repeating: [0], count: track.count)
    var bytes = try SyntheticMovie(tracks: [shared] + others, brand: "mp42").build()
    let offset = bytes.count + 8
    func put(_ value: Int, _ at: Int) {
      bytes.replaceSubrange(at..<at + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    }
    put(sample.count, try #require(bytes.firstRange(of: Array("stsz".utf8))).upperBound + 4)
    let offsets = try #require(bytes.firstRange(of: Array("stco".utf8))).upperBound + 8
    for index in 0..<track.count { put(offset, offsets + 4 * index) }
    return try Movie(parsing: MemorySource(bytes + SyntheticBox.box("free", sample)))
  }

  /// Ten thousand titles of 64 KiB are not read: a book of chapters has far less.
  @Test func chapterTitles() throws {
    let title = [0xFF, 0xFF] + Array(repeating: UInt8(ascii: "a"), count: 65_535)
    let list = SyntheticTrack(id: 2, handler: "text", durations: [(10_000, 1)])
    let video = SyntheticTrack(extra: SyntheticBox.box("tref", SyntheticBox.box("chap", [0, 0, 0, 2])))
    let chapters = try movie(list, others: [video], sharing: title).chapters()
    #expect(chapters.count == (1 << 20) / title.count)
    #expect(chapters.allSatisfy { $0.title.utf8.count == 65_535 })
    // Short ones all are.
    #expect(try movie(list, others: [video], sharing: [0, 1, 97]).chapters().count == 10_000)
  }

  /// Parameter sets of 700 kB before each picture are not looked through to the end.
  @Test func parameterSets() throws {
    var entry = ByteWriter()
    entry.box("avc3") { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.writeZeros(16)
      for side in [64, 48] as [UInt16] { writer.writeUInt16(side) }
      writer.writeZeros(50)
      writer.box("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0])
    }
    let sample = { (size: Int) -> [UInt8] in
      let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
      return length + [0x67, 66, 1, 30] + Array(repeating: 0xFF, count: size - 4) + [0, 0, 0, 1, 0x65]
    }
    let track = SyntheticTrack(durations: [(200, 20)], entry: entry.bytes)
    let large = try movie(track, sharing: sample(700_000)).asQuickTime()
    #expect(large.warnings.contains { $0.contains("stays 'avc3'") && $0.contains("bytes before all pictures") })
    let small = try movie(track, sharing: sample(1000)).asQuickTime()
    #expect(small.videoTrack?.codec == "avc1" && small.warnings.isEmpty)
  }
}
