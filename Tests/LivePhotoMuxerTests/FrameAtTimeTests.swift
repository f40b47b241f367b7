import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// The frame that is shown at a time, against FFmpeg's packets and against the definition in whole numbers.
@Suite("The frame shown at a time")
struct FrameAtTimeTests {
  /// Random times of every track of the corpus: the frame is the last packet that begins at or before them.
  @Test(.needsCorpus, .judged(by: .python)) func corpus() throws {
    let corpus = try CorpusMovies(CorpusReadingTests.files)
    let edited = try judgedMovies(corpus.movies.map(\.path), ignoringEdits: false)
    var generator = SplitMix64(seed: 21)
    var (tracks, times) = (0, 0)
    for (file, movie, path) in corpus.movies {
      for track in movie.tracks {
        let packets = try #require(edited[path]?.packets(track.id)).filter { !$0.isDiscarded }
        let comparison = PacketComparison(presentationOf: track, packets, isFragmented: movie.isFragmented)
        // Where FFmpeg moves or drops frames, its packets do not say what is shown; nor do those of many samples.
        guard comparison.behaviors.isEmpty, !track.isJoinedSound, !packets.isEmpty else { continue }
        tracks += 1
        times += try compare(track, packets, &generator, "\(file), track \(track.id)")
      }
    }
    #expect(tracks > 110 && times > 2000, "\(tracks) tracks, \(times) times")
  }

  private func compare(
    _ track: Track, _ packets: [PlacedPacket], _ generator: inout SplitMix64, _ comment: Comment
  ) throws -> Int {
    let timeline = track.timeline()
    let end = try #require(timeline.end)
    let shown = packets.compactMap { packet in packet.pts.map { (Int64($0), packet.position) } }.sorted { $0.0 < $1.0 }
    var count = 0
    for _ in 0..<30 {
      // A scale that none of the file's divides.
      let scale = Int64(1_000_003)
      let last = try #require(end.ticks(in: scale, rounding: .down))
      guard last > 0 else { break }
      let time = RationalTime(Int64.random(in: 0..<last, using: &generator), scale)
      let ticks = try #require(time.ticks(in: Int64(track.timescale), rounding: .down))
      let expected = shown.last { $0.0 <= ticks }?.1
      let found = timeline.sample(shownAt: time).map { track.samples[$0].offset }
      count += 1
      #expect(found == expected, "\(comment) at \(time)")
    }
    return count
  }

  /// Several segments, forward and back in the media, as FFmpeg cuts them where they begin with frames.
  @Test(.judged(by: .python), arguments: 1...12 as ClosedRange<UInt64>)
  func segments(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var track = SyntheticTrack(durations: [(8, 20), (5, 45), (7, 10)], format: "jpeg")
    let starts = (0..<8).map { $0 * 20 } + (0..<5).map { 160 + $0 * 45 } + (0..<7).map { 385 + $0 * 10 }
    track.edits = seed % 2 == 0 ? [(37, -1, 0x10000)] : []
    for _ in 0..<Int.random(in: 2...5, using: &generator) {
      let start = try #require(starts.dropLast().randomElement(using: &generator))
      track.edits.append((UInt64.random(in: 1...UInt64(455 - start), using: &generator), Int64(start), 0x10000))
    }
    let folder = try TemporaryFolder()
    let bytes = try SyntheticMovie(tracks: [track]).build()
    let movie = try Movie(parsing: MemorySource(bytes))
    let packets = try #require(try placedPackets(of: try folder.write(bytes, as: "movie.mov"))[1])
    let timeline = movie.tracks[0].timeline()
    var frames = 0
    for packet in packets where !packet.isDiscarded {
      let time = RationalTime(Int64(try #require(packet.pts)), 600)
      let index = try #require(timeline.sample(shownAt: time))
      #expect(movie.tracks[0].samples[index].offset == packet.position)
      frames += 1
    }
    #expect(
      frames
        == track.edits.reduce(0) { sum, edit in
          sum + starts.count { edit.1 >= 0 && (Int(edit.1)..<Int(edit.1) + Int(edit.duration)).contains($0) }
        })
  }

  /// Any edit list at all, rates and held moments too, against the definition (ISO/IEC 14496-12, 8.6.6).
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func definition(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let scale = TimeTests.scales[Int(seed) % TimeTests.scales.count]
    var synthetic = TimeTests.reordered(scale, isNegative: seed % 2 == 0)
    synthetic.edits = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
      let start = Int64.random(in: -1...Int64(12 * scale.delta), using: &generator)
      let rates: [Int32] = [0x10000, 0x8000, 0x20000, 0x5555, 0x1_2345, 0x7FFF_FFFF, 1, 0]
      return (
        UInt64.random(in: 0...UInt64(scale.movie), using: &generator), start,
        rates.randomElement(using: &generator) ?? 0x10000
      )
    }
    let track = try Movie(
      parsing: MemorySource(try SyntheticMovie(timescale: scale.movie, tracks: [synthetic]).build())
    )
    .tracks[0]
    let timeline = track.timeline()
    for _ in 0..<200 {
      let base = [1000, 1 << 20, 999_983, 1 << 40].randomElement(using: &generator) ?? 1
      let time = RationalTime(Int64.random(in: 0...Int64(base) * 6, using: &generator), Int64(base))
      #expect(timeline.sample(shownAt: time) == Reference(track).frame(at: time), "\(time) of \(synthetic.edits)")
    }
    for index in track.samples.indices {
      guard let interval = timeline.displayInterval(ofSample: index) else { continue }
      #expect(timeline.sample(shownAt: interval.lowerBound) == index, "\(index) of \(synthetic.edits)")
    }
  }
}

/// The definition, written down: no segment table, no order, no floor; fractions compared by their products.
private struct Reference {
  let track: Track

  init(_ track: Track) { self.track = track }

  func frame(at time: RationalTime) -> Int? {
    var start: Int128 = 0
    for (number, edit) in track.edits.enumerated() {
      let isOpen = edit.duration == 0 && number == track.edits.count - 1 && !edit.isEmpty
      let end = start + Int128(edit.duration)
      let scaled = Int128(time.value) * Int128(track.movieTimescale), unit = Int128(time.timescale)
      if scaled >= start * unit, isOpen || scaled < end * unit {
        guard !edit.isEmpty else { return nil }
        // How far the segment has come, in units of 1/(time scale · movie time scale · 2^16) ticks of the media.
        let come = (scaled - start * unit) * Int128(track.timescale) * Int128(edit.rate)
        return frame(at: edit.mediaTime, plus: come, over: unit * Int128(track.movieTimescale) << 16)
      }
      start = end
    }
    return nil
  }

  /// The sample with the latest composition time at or before a moment of the media, until the media ends.
  private func frame(at mediaTime: Int64, plus numerator: Int128, over denominator: Int128) -> Int? {
    let times = track.samples.map(\.compositionTime)
    func isReached(_ time: Int64) -> Bool { Int128(time - mediaTime) * denominator <= numerator }
    let first = times.min() ?? 0, end = first + track.samples.totalDuration
    guard !isReached(end) else { return nil }
    return times.indices.filter { isReached(times[$0]) }.max { (times[$0], $0) < (times[$1], $1) }
  }
}
