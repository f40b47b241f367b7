import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// A clip that FFmpeg makes for a test.
struct MadeClip: CustomTestStringConvertible, Sendable {
  var name: String
  var options: [String]

  var testDescription: String { name }

  /// 30000/1001 frames a second and a tone, for three seconds.
  static let source =
    "-v error -f lavfi -i testsrc2=size=96x64:rate=30000/1001:duration=3 -f lavfi -i sine=frequency=440:duration=3"

  static let all: [MadeClip] = [
    ("h264.mp4", "-c:v libx264 -g 40 -bf 3 -c:a aac -aac_pns 0"),
    (
      "h264-open.mp4",
      "-c:v libx264 -x264-params open-gop=1:keyint=30:bframes=3:b-pyramid=normal:scenecut=0 -c:a aac -aac_pns 0"
    ),
    (
      "hevc-open.mov",
      "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:open-gop=1:keyint=30:bframes=3:scenecut=0 -c:a pcm_s16le"
    ),
    ("hevc.mov", "-c:v libx265 -tag:v hvc1 -x265-params log-level=none:open-gop=0:keyint=40:bframes=4 -c:a pcm_s24be"),
    ("no-edits.mp4", "-c:v libx264 -g 40 -bf 2 -c:a alac -use_editlist 0"),
    (
      "fragments.mp4",
      "-c:v libx264 -g 40 -bf 2 -c:a pcm_s16le -movflags frag_keyframe+empty_moov+default_base_moof -f mov"
    ),
  ].map { MadeClip(name: $0.0, options: $0.1.split(separator: " ").map(String.init)) }

  /// Makes the file.
  func make(in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try Judge.ffmpeg.ask(Self.source.split(separator: " ").map(String.init) + options + ["-threads", "1", path])
    return path
  }
}

private func frame(_ number: Int64) -> RationalTime { RationalTime(number * 1001, 30_000) }

@Suite("Trimming movies")
struct TrimTests {
  /// The frames and the sound of a part are those of the whole, at their times, and nothing complains.
  @Test(.judged(by: .ffmpeg, .ffprobe, .currentFFmpeg, .exiftool), arguments: MadeClip.all)
  func playsTheSame(_ clip: MadeClip) throws {
    let folder = try TemporaryFolder()
    let path = try clip.make(in: folder)
    let movie = try Movie(parsing: MemorySource(try readFile(path)))
    let whole = try playedFrames(of: path), sound = try playedSound(of: path)
    let hashes = try packetHashes(of: path)
    // Inside a group, across groups, on a sync sample, one frame, the last ones, and behind a leading picture.
    let parts: [(Range<RationalTime>, TrimPrecision)] = [
      (RationalTime(1, 2)..<RationalTime(8, 5), .frame), (frame(40)..<frame(80), .frame),
      (frame(29)..<frame(30), .frame), (RationalTime(27, 10)..<RationalTime(9, 1), .frame),
      (.zero..<frame(4), .frame), (RationalTime(13, 10)..<RationalTime(2, 1), .keyframe),
    ]
    for (part, precision) in parts {
      let trimmed = try movie.trimmed(to: part, precision: precision)
      let range = trimmed.range
      let output = try MovieRemuxer(container: .quickTime).plan(for: trimmed.movie).materialized()
      let cut = try folder.write(output, as: "cut.mov")
      let expected = whole.filter { range.contains($0.time) }
      let played = try playedFrames(of: cut)
      #expect(played.map(\.hash) == expected.map(\.hash), "\(range)")
      #expect(played.map(\.time) == expected.map { $0.time.subtracting(range.lowerBound) }, "\(range)")
      #expect(precision == .frame || trimmed.hiddenFrames == 0)
      let video = try #require(trimmed.movie.videoTrack)
      #expect(video.samples.count == expected.count + trimmed.hiddenFrames)
      // Without edit lists FFmpeg lets the first packet of sound last longer than its samples: times do not tell samples.
      if movie.tracks.allSatisfy({ !$0.edits.isEmpty }) { try compareSound(of: cut, with: sound, range) }

      let written = try Movie(parsing: MemorySource(output))
      #expect(written.warnings.isEmpty)
      #expect(written.tracks.allSatisfy { $0.edits.allSatisfy { $0.duration > 0 } })
      // Nothing of the media is in the file but what samples need.
      let needed = written.tracks.reduce(0) { $0 + $1.neededBytes }
      #expect(try #require(written.topLevel.first("mdat")).payload.count == needed)
      let kept = try packetHashes(of: cut)[0] ?? []
      #expect(hashes[0]?.containsInOrder(kept) == true)
      #expect(try ffprobeWarnings(of: cut).isEmpty)
      #expect(try exiftoolFindings(of: cut) == ["OK"])
    }
  }

  /// The samples from the nearest to the start on are those of the whole; compressed sound may end with its packet.
  private func compareSound(of path: String, with whole: [UInt8], _ range: Range<RationalTime>) throws {
    let first = Int(try #require(range.lowerBound.ticks(in: 44_100, rounding: .nearest)))
    let end = min(Int(try #require(range.upperBound.ticks(in: 44_100, rounding: .down))), whole.count / 4)
    let played = try playedSound(of: path)
    let expected = whole[4 * first..<4 * max(first, end - 1)]
    let isSame = expected.elementsEqual(played.prefix(expected.count))
    #expect(isSame, "sound of \(range)")
    #expect(played.count / 4 - (end - first) <= 1)
  }

  @Test func nothingToKeep() throws {
    let movie = try Movie(parsing: MemorySource(try SyntheticMovie().build()))
    let end = RationalTime(1, 3)
    for start in [end, RationalTime(5, 1)] {
      #expect(throws: MovieTrimError.startBeyondEnd(start: start, end: end)) {
        try movie.trimmed(to: start..<RationalTime(9, 1))
      }
    }
    #expect(throws: MovieTrimError.emptyRange) { try movie.trimmed(to: RationalTime(1, 10)..<RationalTime(1, 10)) }
    var backwards = SyntheticTrack()
    backwards.edits = [(100, 0, -0x10000)]
    let reversed = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [backwards]).build()))
    #expect(throws: MovieTrimError.self) { try reversed.trimmed(to: .zero..<RationalTime(1, 10)) }
  }

  /// On, and inside, the first and the last frame; before the movie and beyond its end.
  @Test(arguments: TrimPrecision.allCases)
  func bounds(_ precision: TrimPrecision) throws {
    let movie = try Movie(parsing: MemorySource(try SyntheticMovie().build()))
    func ticks(_ start: Int64, _ end: Int64) throws -> [Int64?] {
      let part = try movie.trimmed(to: RationalTime(start, 600)..<RationalTime(end, 600), precision: precision)
      #expect(part.hiddenFrames == 0)
      #expect(part.movie.duration == part.range.upperBound.subtracting(part.range.lowerBound))
      return [part.range.lowerBound, part.range.upperBound].map { $0.ticks(in: 600, rounding: .down) }
    }
    #expect(try ticks(180, 200) == [180, 200])
    #expect(try ticks(199, 5000) == [180, 200])
    #expect(try ticks(-50, 1) == [0, 20])
    #expect(try ticks(0, 200) == [0, 200])
    #expect(try ticks(59, 61) == [40, 80])
    #expect(try ticks(60, 80) == [60, 80])
  }

  /// Empty edits, several segments, a dwell and one of double speed are cut where the part begins and ends.
  @Test func editLists() throws {
    var track = SyntheticTrack(durations: [(20, 20)])
    track.edits = [(60, -1, 0x10000), (100, 200, 0x10000), (50, 40, 0), (100, 100, 0x20000)]
    let movie = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    func edits(_ start: Int64, _ end: Int64) throws -> [Edit] {
      try movie.trimmed(to: RationalTime(start, 600)..<RationalTime(end, 600)).movie.tracks[0].edits
    }
    // All samples from the second segment's to the last: they are 10 to 14, 2, and 5 to 14.
    #expect(
      try edits(30, 310) == [
        Edit(duration: 30, mediaTime: -1), Edit(duration: 100, mediaTime: 160),
        Edit(duration: 50, mediaTime: 0, rate: 0),
        Edit(duration: 100, mediaTime: 60, rate: 0x20000),
      ])
    #expect(try edits(100, 160) == [Edit(duration: 60, mediaTime: 0)])
    #expect(try edits(20, 40) == [])
    #expect(try edits(170, 200) == [Edit(duration: 50, mediaTime: 0, rate: 0)])
    #expect(try edits(220, 280) == [Edit(duration: 60, mediaTime: 0, rate: 0x20000)])
  }

  /// A track that has nothing to show in the part is empty, and told; the others are what they were.
  @Test(.judged(by: .ffprobe, .exiftool)) func emptyTracks() throws {
    var late = SyntheticBox.marker(id: 2, samples: [SyntheticBox.value])
    late.edits = [(150, -1, 0x10000), (1, 0, 0x10000)]
    let movie = try Movie(
      parsing: MemorySource(try SyntheticMovie(tracks: [SyntheticTrack(format: "jpeg"), late]).build()))
    let part = try movie.trimmed(to: .zero..<RationalTime(1, 6))
    #expect(part.emptyTracks == [2])
    #expect(part.movie.stillImageTime == nil)
    let with = try movie.trimmed(to: RationalTime(1, 6)..<RationalTime(1, 3))
    #expect(with.movie.stillImageTime == RationalTime(50, 600))
    let folder = try TemporaryFolder()
    let path = try folder.write(
      try MovieRemuxer(container: .quickTime).plan(for: part.movie).materialized(), as: "part.mov")
    let written = try Movie(parsing: MemorySource(try readFile(path)))
    #expect(written.tracks.map(\.samples.count) == [5, 0])
    #expect(try placedPackets(of: path)[1]?.count == 5)
    #expect(try exiftoolFindings(of: path) == ["OK"])
  }

  /// A Live Photo is cut in the pass that pairs it: the marker points at the same frame.
  @Test func pairedInOnePass() throws {
    let scale = TimeTests.scales[1]
    let source = try Movie(
      parsing: MemorySource(
        try SyntheticMovie(timescale: scale.movie, tracks: [TimeTests.reordered(scale, isNegative: true)]).build()))
    for index in source.tracks[0].samples.indices {
      let shown = try #require(source.tracks[0].displayInterval(ofSample: index))
      let part = try source.trimmed(to: shown.lowerBound..<RationalTime(9, 1))
      let moment = try part.movie.stillMoment(at: .zero)
      let plan = try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: part.movie)
      let written = try Movie(parsing: MemorySource(try plan.output.materialized()))
      #expect(written.stillImageTime == .zero)
      let frame = try #require(written.videoTrack?.sample(shownAt: .zero))
      #expect(
        try written.tracks[0].samples.bytes(of: frame, in: written.source)
          == source.tracks[0].samples.bytes(of: index, in: source.source))
      // The edit begins on a tick of the track: the movie counts as finely where it has to.
      #expect(written.tracks[0].timeline().end == part.range.upperBound.subtracting(part.range.lowerBound))
    }
  }

  /// Each frame alone, of frames that follow in the file those that they are shown before.
  @Test func eachFrameAlone() throws {
    var track = SyntheticTrack(durations: [(10, 20)], offsets: [20, 60, 0, 0, 60, 0, 0, 60, 0, 0])
    track.syncSamples = [1]
    track.edits = [(200, 20, 0x10000)]
    let source = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    for index in source.tracks[0].samples.indices {
      let shown = try #require(source.tracks[0].displayInterval(ofSample: index))
      let part = try source.trimmed(to: shown)
      let written = try Movie(
        parsing: MemorySource(try MovieRemuxer(container: .quickTime).plan(for: part.movie).materialized()))
      for movie in [part.movie, written] {
        let timeline = try #require(movie.videoTrack).timeline()
        #expect(timeline.start == .zero)
        #expect(timeline.end == shown.upperBound.subtracting(shown.lowerBound))
        let first = try #require(timeline.sample(shownAt: .zero))
        #expect(
          try movie.tracks[0].samples.bytes(of: first, in: movie.source)
            == source.tracks[0].samples.bytes(of: index, in: source.source))
      }
      #expect(part.hiddenFrames == part.movie.tracks[0].samples.count - 1)
    }
  }

  /// Chapters in the user data are those of the part, and begin with it.
  @Test(.judged(by: .ffprobe)) func chapters() throws {
    var list = ByteWriter()
    list.fullBox("chpl", version: 1, flags: 0) { writer in
      writer.writeZeros(4)
      let chapters: [(UInt64, String)] = [(0, "one"), (1_000_000, "two"), (1_500_000, "three"), (3_000_000, "four")]
      writer.writeUInt8(UInt8(chapters.count))
      for (start, title) in chapters {
        writer.writeUInt64(start)
        writer.writeUInt8(UInt8(title.utf8.count))
        writer.writeUTF8(title)
      }
    }
    let extra = SyntheticBox.box("udta", SyntheticBox.box("name", Array("kept".utf8)) + list.bytes + [0, 0, 0, 0])
    let source = try Movie(
      parsing: MemorySource(try SyntheticMovie(tracks: [SyntheticTrack(format: "jpeg")], movieExtra: extra).build()))
    // Frames last a thirtieth of a second; a part of a part is one of the whole.
    let part = try source.trimmed(to: RationalTime(1, 30)..<RationalTime(8, 30)).movie
      .trimmed(to: RationalTime(3, 30)..<RationalTime(7, 30)).movie
    let output = try MovieRemuxer(container: .quickTime).plan(for: part).materialized()
    let written = try Movie(parsing: MemorySource(output))
    #expect(try part.chapters().map(\.title) == ["two", "three"])
    #expect(try written.chapters().map(\.title) == ["two", "three"])
    #expect(try written.chapters().map(\.start) == [.zero, RationalTime(166_667, 10_000_000)])
    #expect(written.userData.items.map(\.type) == ["name", "chpl"])
    let folder = try TemporaryFolder()
    let path = try folder.write(output, as: "part.mov")
    let found = try Judge.ffprobe.ask(["-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", path])
      .lines
    #expect(found.map { $0.trimmingPrefix(",") } == ["two", "three"])
  }

  /// As many segments as a track may have, and as many sync samples, cost no more than their number.
  @Test(arguments: TrimPrecision.allCases) func manyEdits(_ precision: TrimPrecision) throws {
    let count = 10_000
    var track = SyntheticTrack(durations: [(count, 20)], syncSamples: Array(1...UInt32(count)))
    track.samples = Array(repeating: [1], count: count)
    track.edits = (0..<count).map { (20, Int64($0) * 20, 0x10000) }
    let source = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    let time = try ContinuousClock().measure {
      let part = try source.trimmed(to: RationalTime(1, 1)..<RationalTime(300, 1), precision: precision)
      #expect(part.hiddenFrames == 0)
      #expect(part.movie.tracks[0].samples.count == 8970)
    }
    #expect(time < .seconds(2))
  }

  /// Boxes that say something of single samples say it of those that are left.
  @Test func sampleBoxes() throws {
    func full(_ type: FourCC, version: UInt8 = 0, _ values: [UInt32]) -> [UInt8] {
      var writer = ByteWriter()
      writer.fullBox(type, version: version, flags: 0) { writer in for value in values { writer.writeUInt32(value) } }
      return writer.bytes
    }
    let roll: UInt32 = 0x726F_6C6C
    var track = SyntheticTrack(syncSamples: [1, 5, 9])
    let words = { (values: [UInt16]) in values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    let part: [UInt8] = [0, 1, 0, 9, 1, 2, 3, 4, 5, 6]
    track.tableExtra =
      full("sbgp", [roll, 3, 4, 1, 2, 0, 4, 2]) + full("stps", [3, 2, 6, 9]) + full("stsh", [2, 6, 5, 2, 1])
      + SyntheticBox.box("stdp", [0, 0, 0, 0] + words(Array(0..<10))) + full("sgpd", [roll])
      + SyntheticBox.box("subs", [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2] + part + [0, 0, 0, 4] + part)
      + SyntheticBox.box("padb", [0, 0, 0, 0, 0, 0, 0, 10, 0x12, 0x34, 0x56, 0x70, 0x12])
    let movie = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    // Frames 5 to 8, decoded from the sync sample 4 on.
    let cut = try movie.trimmed(to: RationalTime(100, 600)..<RationalTime(180, 600)).movie
    let bytes = try MovieRemuxer(container: .mp4).plan(for: cut).materialized()
    let samples = try Movie(parsing: MemorySource(bytes)).tracks[0].samples
    #expect(samples.count == 5)
    #expect(samples.map(\.isSync) == [true, false, false, false, true])
    for box in [
      full("sbgp", [roll, 2, 2, 0, 3, 2]), full("stps", [2, 2, 5]), full("stsh", [1, 2, 1]), full("sgpd", [roll]),
      SyntheticBox.box("stdp", [0, 0, 0, 0] + words(Array(4...8))),
      SyntheticBox.box("subs", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2] + part),
      SyntheticBox.box("padb", [0, 0, 0, 0, 0, 0, 0, 5, 0x56, 0x70, 0x10]),
    ] { #expect(bytes.firstRange(of: box) != nil, "\(box)") }
    track.tableExtra = full("csgp", [0])
    let compact = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    #expect(throws: MovieWriteError.self) {
      try MovieRemuxer(container: .mp4).plan(for: compact.trimmed(to: .zero..<RationalTime(1, 10)).movie)
    }
  }

  /// A million samples are cut in a time that goes by their number.
  @Test func manySamples() throws {
    func movie(_ count: Int) throws -> Movie {
      let offsets = (0..<count).map { [0, 40, -20, -20][$0 % 4] as Int32 }
      var track = SyntheticTrack(durations: [(count, 20)], offsets: offsets)
      track.samples = Array(repeating: [1, 2, 3], count: count)
      track.syncSamples = (0..<UInt32(count / 100)).map { $0 * 100 + 1 }
      return try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [track]).build()))
    }
    func duration(_ movie: Movie) throws -> Duration {
      let middle = movie.duration.seconds / 2
      let range = RationalTime(Int64(middle / 2), 1)..<RationalTime(Int64(middle * 1.5), 1)
      return try ContinuousClock().measure {
        let part = try movie.trimmed(to: range)
        let plan = try MovieRemuxer(container: .quickTime).plan(for: part.movie)
        #expect(plan.pieces.count < 10)
      }
    }
    let small = try movie(100_000), large = try movie(1_000_000)
    let base = try min(duration(small), duration(small))
    // Ten times as many samples; sorting them takes little more than that.
    #expect(try duration(large) < base * 60)
  }

  /// What is damaged is refused, never trapped on.
  @Test func damaged() throws {
    var track = SyntheticTrack(syncSamples: [1, 5])
    track.edits = [(20, -1, 0x10000), (120, 30, 0x10000)]
    let bytes = try SyntheticMovie(
      tracks: [track, SyntheticTrack(id: 2, handler: "soun", sizes: .constant)]).build()
    for copy in truncations(of: bytes) + damagedCopies(of: bytes, count: 2000, seed: 7) {
      guard let movie = try? Movie(parsing: MemorySource(copy)) else { continue }
      for precision in TrimPrecision.allCases {
        guard let part = try? movie.trimmed(to: RationalTime(1, 20)..<RationalTime(1, 5), precision: precision) else {
          continue
        }
        _ = try? MovieRemuxer(container: .mp4, interleaving: RationalTime(1, 10)).plan(for: part.movie)
        _ = try? MovieRemuxer(container: .quickTime).plan(for: part.movie)
      }
    }
  }
}

extension Array where Element: Equatable {
  /// Whether all elements of another array are here, in its order.
  fileprivate func containsInOrder(_ other: [Element]) -> Bool {
    var rest = other[...]
    for element in self where element == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}

extension Track {
  /// The bytes of all samples.
  fileprivate var neededBytes: Int {
    guard kind == .audio, let audio = sampleDescriptions.first?.audio, samples.first?.duration == 1 else {
      return samples.totalBytes ?? 0
    }
    // Uncompressed sound of one channel.
    return samples.count * (audio.bytesPerFrame ?? (audio.bitsPerSample + 7) / 8)
  }
}
