import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

private func read(_ movie: SyntheticMovie) throws -> Movie { try Movie(parsing: MemorySource(try movie.build())) }

@Suite("Presentation times")
struct TimeTests {
  /// Movie and media time scales that real files have: cameras, FFmpeg, broadcast, 29.97 frames a second.
  static let scales: [(movie: UInt32, media: UInt32, delta: UInt32)] = [
    (600, 600, 20), (1000, 30_000, 1001), (90_000, 90_000, 3003), (1000, 1000, 33), (48_000, 12_800, 512),
  ]

  /// Frames decoded I P B B, with negative offsets in version 0 as QuickTime writes them, or all positive.
  static func reordered(_ scale: (movie: UInt32, media: UInt32, delta: UInt32), isNegative: Bool) -> SyntheticTrack {
    let d = Int32(scale.delta)
    let offsets = (0..<12).map { [0, 2 * d, -d, -d][$0 % 4] + (isNegative ? 0 : d) }
    return SyntheticTrack(
      timescale: scale.media, durations: [(12, scale.delta)], offsets: offsets, offsetVersion: isNegative ? 0 : 1,
      edits: [(duration: UInt64(12 * scale.delta * scale.movie / scale.media), Int64(isNegative ? 0 : d), 0x10000)],
      format: "jpeg")
  }

  @Test(.judged(by: .python), arguments: scales, [true, false])
  func reorderedFrames(_ scale: (movie: UInt32, media: UInt32, delta: UInt32), _ isNegative: Bool) throws {
    let synthetic = SyntheticMovie(timescale: scale.movie, tracks: [Self.reordered(scale, isNegative: isNegative)])
    let movie = try read(synthetic)
    let timeline = movie.tracks[0].timeline()
    let order = (0..<12).map { timeline.sample(atRank: $0) }
    #expect(order == [0, 2, 3, 1, 4, 6, 7, 5, 8, 10, 11, 9])
    let times = order.map { timeline.presentationTime(ofSample: $0) }
    #expect(times == (0..<12).map { RationalTime(Int64($0) * Int64(scale.delta), Int64(scale.media)) })
    for (rank, index) in order.enumerated().dropLast() {
      let interval = try #require(timeline.displayInterval(ofSample: index))
      #expect(interval.upperBound == times[rank + 1])
      let middle = try #require(interval.lowerBound.adding(RationalTime(1, Int64(scale.media) * 3)))
      #expect(timeline.sample(shownAt: middle) == index)
      #expect(timeline.sample(shownAt: interval.lowerBound) == index)
    }
    // The last frame ends with the edit, which the movie's scale may have cut a little short.
    let end = try #require(timeline.displayInterval(ofSample: 9)?.upperBound)
    #expect(end == movie.tracks[0].editedDuration)
    #expect(timeline.end == end)
    #expect(timeline.sample(shownAt: end) == nil)

    let folder = try TemporaryFolder()
    let packets = try placedPackets(of: try folder.write(try synthetic.build(), as: "movie.mov"))[1] ?? []
    let judged = packets.map { $0.pts.map { RationalTime(Int64($0), Int64(scale.media)) } }
    #expect(judged == (0..<12).map { timeline.presentationTime(ofSample: $0) })
  }

  /// An empty edit counts in movie ticks.
  @Test func emptyEdit() throws {
    var track = SyntheticTrack(timescale: 90_000, durations: [(10, 3000)])
    track.edits = [(250, -1, 0x10000), (333, 0, 0x10000)]
    let timeline = try read(SyntheticMovie(timescale: 1000, tracks: [track])).tracks[0].timeline()
    #expect(timeline.presentationTime(ofSample: 0) == RationalTime(1, 4))
    #expect(timeline.sample(shownAt: RationalTime(249, 1000)) == nil)
    #expect(timeline.sample(shownAt: RationalTime(1, 4)) == 0)
    #expect(timeline.end == RationalTime(583, 1000))
  }

  /// Samples before, across and behind the bounds of an edit.
  @Test func cutByAnEdit() throws {
    var track = SyntheticTrack(durations: [(10, 20)])
    track.edits = [(70, 50, 0x10000)]
    let timeline = try read(SyntheticMovie(tracks: [track])).tracks[0].timeline()
    #expect(timeline.displayInterval(ofSample: 1) == nil)
    #expect(timeline.displayInterval(ofSample: 2) == RationalTime(0, 600)..<RationalTime(10, 600))
    #expect(timeline.displayInterval(ofSample: 3) == RationalTime(10, 600)..<RationalTime(30, 600))
    #expect(timeline.displayInterval(ofSample: 5) == RationalTime(50, 600)..<RationalTime(70, 600))
    #expect(timeline.displayInterval(ofSample: 6) == nil)
    #expect(timeline.sample(shownAt: .zero) == 2)
    #expect(timeline.sample(shownAt: RationalTime(-1, 600)) == nil)
  }

  /// Several segments: a part left out, one shown twice, one slowed down, one held.
  @Test func severalEdits() throws {
    var track = SyntheticTrack(durations: [(10, 20)])
    track.edits = [(40, 0, 0x10000), (40, 120, 0x10000), (40, 0, 0x10000), (80, 60, 0x8000), (30, 100, 0)]
    let movie = try read(SyntheticMovie(tracks: [track]))
    let timeline = movie.tracks[0].timeline()
    func ticks(_ time: Int64) -> RationalTime { RationalTime(time, 600) }
    #expect(timeline.displayInterval(ofSample: 0) == ticks(0)..<ticks(20))
    #expect(timeline.displayInterval(ofSample: 2) == nil)
    #expect(timeline.displayInterval(ofSample: 6) == ticks(40)..<ticks(60))
    #expect(timeline.sample(shownAt: ticks(80)) == 0)
    // Half speed: 20 ticks of media take 40 of the movie.
    #expect(timeline.displayInterval(ofSample: 3) == ticks(120)..<ticks(160))
    #expect(timeline.sample(shownAt: ticks(161)) == 4)
    #expect(timeline.displayInterval(ofSample: 5) == ticks(200)..<ticks(230))
    #expect(timeline.sample(shownAt: ticks(229)) == 5)
    #expect(timeline.sample(shownAt: ticks(230)) == nil)
    #expect(movie.tracks[0].editedDuration == ticks(230))
  }

  @Test func openAndBackwardEdits() throws {
    var track = SyntheticTrack(durations: [(10, 20)])
    track.edits = [(0, 60, 0x10000)]
    var movie = try read(SyntheticMovie(tracks: [track]))
    #expect(movie.tracks[0].editedDuration == RationalTime(140, 600))
    #expect(movie.tracks[0].timeline().displayInterval(ofSample: 9) == RationalTime(120, 600)..<RationalTime(140, 600))
    track.edits = [(200, 0, -0x10000)]
    movie = try read(SyntheticMovie(tracks: [track]))
    #expect(movie.tracks[0].timeline().displayInterval(ofSample: 0) == nil)
    #expect(movie.tracks[0].timeline().sample(shownAt: .zero) == nil)
    #expect(movie.warnings.count == 1)
  }

  /// Frames of unlike durations, as phones write them, and samples of none.
  @Test func unevenDurations() throws {
    let track = SyntheticTrack(durations: [(3, 20), (1, 45), (2, 0), (2, 24)])
    let timeline = try read(SyntheticMovie(tracks: [track])).tracks[0].timeline()
    #expect(timeline.displayInterval(ofSample: 3) == RationalTime(60, 600)..<RationalTime(105, 600))
    #expect(timeline.displayInterval(ofSample: 4) == nil)
    #expect(timeline.sample(shownAt: RationalTime(104, 600)) == 3)
    #expect(timeline.sample(shownAt: RationalTime(105, 600)) == 6)
    #expect(timeline.sample(shownAt: RationalTime(152, 600)) == 7)
    #expect(timeline.sample(shownAt: RationalTime(153, 600)) == nil)
  }

  /// The ways in which tools mark the still's moment.
  @Test func stillTimes() throws {
    let value = SyntheticBox.value, nothing = SyntheticBox.nothing
    func time(_ marker: SyntheticTrack) throws -> RationalTime? {
      try read(SyntheticMovie(tracks: [SyntheticTrack(), marker])).stillImageTime
    }
    // No edit list: the sample at the start; a sample that says nothing first; both.
    #expect(try time(SyntheticBox.marker(id: 2, samples: [value])) == .zero)
    #expect(
      try time(SyntheticBox.marker(id: 2, samples: [nothing, nothing, value], delta: 40)) == RationalTime(80, 600))
    var marker = SyntheticBox.marker(id: 2, samples: [value])
    marker.edits = [(780, -1, 0x10000), (1, 0, 0x10000)]
    #expect(try time(marker) == RationalTime(780, 600))
    // Several edits: empty, one that shows the sample that says nothing, empty, the one that counts.
    marker = SyntheticBox.marker(id: 2, samples: [nothing, value], delta: 10)
    marker.edits = [(30, -1, 0x10000), (10, 0, 0x10000), (50, -1, 0x10000), (10, 10, 0x10000)]
    #expect(try time(marker) == RationalTime(90, 600))
    // A value other than -1; a sample of no duration; a sample that is never shown.
    #expect(try time(SyntheticBox.marker(id: 2, samples: [[0, 0, 0, 9, 0, 0, 0, 1, 0]])) == .zero)
    marker = SyntheticBox.marker(id: 2, samples: [value])
    marker.edits = [(780, -1, 0x10000)]
    let movie = try read(SyntheticMovie(tracks: [SyntheticTrack(), marker]))
    #expect(movie.stillImageTime == nil)
    #expect(movie.stillImageMarkers.map(\.value) == [.integer(-1)])
    // No sample with the key at all.
    #expect(try time(SyntheticBox.marker(id: 2, samples: [nothing])) == nil)
  }
}
