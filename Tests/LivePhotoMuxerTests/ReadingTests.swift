import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

private func read(_ movie: SyntheticMovie) throws -> Movie { try Movie(parsing: MemorySource(try movie.build())) }

@Suite("Reading movies")
struct ReadingTests {
  /// Every way of writing sizes, offsets and media gives the bytes that were put in.
  @Test(
    arguments: [SyntheticTrack.Sizes.listed, .constant, .compact4, .compact8, .compact16],
    [SyntheticMovie.MediaForm.compact, .large, .toEnd, .onePerTrack])
  func sampleBytes(_ sizes: SyntheticTrack.Sizes, _ form: SyntheticMovie.MediaForm) throws {
    for isHeaderFirst in [true, false] {
      // 11 samples in chunks of 3: the last chunk is not full.
      let first = SyntheticTrack(durations: [(11, 20)], sizes: sizes, syncSamples: [1, 5, 11])
      let second = SyntheticTrack(
        id: 7, handler: "soun", timescale: 44100, durations: [(4, 1024)], samplesPerChunk: 2, sizes: sizes,
        hasLargeOffsets: true, entry: SyntheticBox.box("mp4a", Array(repeating: 0, count: 28)))
      let movie = try read(
        SyntheticMovie(tracks: [first, second], brand: nil, isHeaderFirst: isHeaderFirst, mediaForm: form))
      #expect(movie.fileType == nil)
      #expect(movie.tracks.map(\.id) == [1, 7])
      #expect(movie.tracks.map(\.kind) == [.video, .audio])
      for (track, wanted) in zip(movie.tracks, [first, second]) {
        let found = try track.samples.indices.map { try track.samples.bytes(of: $0, in: movie.source) }
        #expect(found == wanted.content())
      }
      #expect(movie.tracks[0].samples.indices.filter { movie.tracks[0].samples.isSync($0) } == [0, 4, 10])
      #expect(movie.warnings.isEmpty)
    }
  }

  @Test func descriptionAndGeometry() throws {
    let turned = MovieMatrix(.right, width: 64, height: 48)
    let movie = try read(SyntheticMovie(tracks: [SyntheticTrack(matrix: turned)]))
    let track = try #require(movie.videoTrack)
    #expect(track.codec == "hvc1")
    #expect(track.language == "eng")
    #expect(track.codedDimensions == Dimensions(width: 64, height: 48))
    #expect(movie.displayDimensions == Dimensions(width: 48, height: 64))
    #expect(track.matrix.orientation == .right)
    let video = try #require(track.sampleDescriptions[0].video)
    #expect(video.color == ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true))
    #expect(video.pixelAspectRatio == PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3))
    #expect(video.cleanAperture == nil)
    #expect(track.averageFrameRate == 30)
  }

  /// Old and short tables: what is missing is reported, and the rest is read.
  @Test func shortTables() throws {
    var track = SyntheticTrack(durations: [(10, 20)])
    track.samples = track.content()
    track.durations = [(6, 20), (1, 30)]
    track.offsets = [40, 0]
    let movie = try read(SyntheticMovie(tracks: [track]))
    let samples = movie.tracks[0].samples
    #expect(samples.count == 10)
    #expect(samples.map(\.decodeTime) == [0, 20, 40, 60, 80, 100, 120, 150, 180, 210])
    #expect(samples.map(\.compositionOffset) == [40] + Array(repeating: 0, count: 9))
    #expect(movie.warnings.count == 2)
  }

  @Test func metadataOfEveryType() throws {
    let values: [(UInt32, [UInt8], MetadataValue)] = [
      (1, Array("Grüße".utf8), .text("Grüße")),
      (2, [0x00, 0x41, 0x20, 0xAC], .text("A€")),
      (2, [0xFF, 0xFE, 0x41, 0x00], .text("A")),
      (13, [0xFF, 0xD8], .picture(.jpeg, [0xFF, 0xD8])), (14, [0x89], .picture(.png, [0x89])),
      (27, [0x42], .picture(.bmp, [0x42])),
      (21, [0xFF], .integer(-1)), (21, [0xFF, 0xFE], .integer(-2)),
      (21, [0, 0, 0, 0, 0, 0, 0, 4], .integer(4)), (22, [0xFF], .unsigned(255)),
      (22, Array(repeating: 0xFF, count: 8), .unsigned(.max)), (22, [], .data(type: 22, [])),
      (21, Array(repeating: 0, count: 9), .data(type: 21, Array(repeating: 0, count: 9))),
      (23, [0x3F, 0x80, 0, 0], .real(1)), (24, [0x40, 0x09, 0x21, 0xFB, 0x54, 0x44, 0x2D, 0x18], .real(.pi)),
      (23, [0], .data(type: 23, [0])),
      (65, [0xFF], .integer(-1)), (66, [0, 6], .integer(6)), (67, [0xFF, 0xFF, 0xFF, 0xFD], .integer(-3)),
      (74, [0x80, 0, 0, 0, 0, 0, 0, 0], .integer(.min)), (75, [200], .unsigned(200)),
      (76, [1, 0], .unsigned(256)), (77, [0, 1, 0, 0], .unsigned(65536)), (78, [1], .unsigned(1)),
      (70, [0x3F, 0x80, 0, 0, 0x40, 0, 0, 0], .point(x: 1, y: 2)),
      (71, [0x44, 0xF0, 0, 0, 0x44, 0xB4, 0, 0], .dimensions(width: 1920, height: 1440)),
      (
        72, Array([[0x3F, 0x80, 0, 0], [0x40, 0, 0, 0], [0, 0, 0, 0], [0x3F, 0x80, 0, 0]].joined()),
        .rectangle(x: 1, y: 2, width: 0, height: 1)
      ),
      (79, Array(repeating: 0, count: 72), .affineTransform(Array(repeating: 0, count: 9))),
      (80, Array(repeating: 0, count: 32), .quadrilateral(Array(repeating: 0, count: 8))),
      (83, Array(repeating: 0, count: 72), .perspectiveTransform(Array(repeating: 0, count: 9))),
      (0, [1, 2], .data(type: 0, [1, 2])), (28, [1], .data(type: 28, [1])),
    ]
    for isFullBox in [false, true] {
      let items = values.enumerated().map { ("key.\($0)", $1.0, UInt32(0x5553_15C7), $1.1) }
      var movie = SyntheticMovie(movieExtra: SyntheticBox.keys(items, isFullBox: isFullBox))
      movie.tracks[0].extra = SyntheticBox.keys([("track.key", 1, 0, Array("x".utf8))], isFullBox: isFullBox)
      let found = try read(movie)
      #expect(found.metadata.items.map(\.value) == values.map(\.2))
      #expect(found.metadata.items.allSatisfy { $0.namespace == "mdta" && $0.language == 0x15C7 })
      #expect(found.metadata["key.7"] == .integer(-2))
      #expect(found.metadata.isFullBox == isFullBox)
      #expect(found.tracks[0].metadata["track.key"]?.text == "x")
    }
  }

  @Test func userData() throws {
    let item = SyntheticBox.box("\u{A9}xyz", [])
    #expect(item.count == 8)
    var content: [UInt8] = [0, 0, 0, 0x10, 0xA9] + Array("xyz".utf8) + [0, 4, 0x15, 0xC7] + Array("+1-2".utf8)
    content += SyntheticBox.box("name", [1, 2])
    let freeForm =
      SyntheticBox.box("mean", [0, 0, 0, 0] + Array("com.example".utf8))
      + SyntheticBox.box("name", [0, 0, 0, 0] + Array("mood".utf8))
      + SyntheticBox.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array("calm".utf8))
    var hdlr: [UInt8] = Array(repeating: 0, count: 8) + Array("mdir".utf8)
    hdlr += Array(repeating: 0, count: 13)
    content += SyntheticBox.box(
      "meta",
      [0, 0, 0, 0] + SyntheticBox.box("hdlr", hdlr)
        + SyntheticBox.box("ilst", SyntheticBox.box("----", freeForm)))
    content += [0, 0, 0, 0]
    let movie = try read(SyntheticMovie(movieExtra: SyntheticBox.box("udta", content)))
    #expect(movie.userData.items.map(\.type.rawValue) == [0xA978_797A, FourCC("name").rawValue])
    #expect(movie.userData.items[0].text == "+1-2")
    #expect(movie.userData.metadata["----:com.example:mood"]?.text == "calm")
    #expect(movie.contentIdentifier == nil)
    #expect(movie.warnings.isEmpty)
  }

  /// Very many samples, every time asked for: linear, not quadratic.
  @Test func manySamples() throws {
    let count = 200_000
    var track = SyntheticTrack(timescale: 90_000, durations: [(count, 3000)], samplesPerChunk: 1000)
    track.samples = Array(repeating: [], count: count)
    track.offsets = (0..<count).map { [6000, 12000, 3000, 0][$0 % 4] }
    let bytes = try SyntheticMovie(tracks: [track]).build()
    let duration = try ContinuousClock().measure {
      let movie = try Movie(parsing: MemorySource(bytes))
      let samples = movie.tracks[0].samples
      #expect(samples.count == count)
      #expect(samples.reduce(0) { $0 + $1.duration } == Int64(count) * 3000)
      let timeline = movie.tracks[0].timeline()
      #expect(timeline.sample(shownAt: RationalTime(5000, 1)) != nil)
    }
    #expect(duration < .seconds(30))
  }

  /// Ten hours of PCM, one sample every 1/48000 s, take no memory and no time.
  @Test func manyEqualSamples() throws {
    var track = SyntheticTrack(handler: "soun", timescale: 48_000, durations: [(1_728_000_000, 1)])
    track.samples = [Array(repeating: 0, count: 4)]
    track.sizes = .constant
    track.entry = SyntheticBox.box("lpcm", Array(repeating: 0, count: 28))
    track.samplesPerChunk = 1_728_000_000
    var bytes = try SyntheticMovie(tracks: [track]).build()
    // The table of sizes says one sample of 4 bytes; it shall say as many as the table of times does.
    let count: [UInt8] = [0x66, 0xFF, 0x30, 0x00]
    let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8)))
    bytes.replaceSubrange(sizes.upperBound + 8..<sizes.upperBound + 12, with: count)
    let runs = try #require(bytes.firstRange(of: Array("stsc".utf8)))
    bytes.replaceSubrange(runs.upperBound + 12..<runs.upperBound + 16, with: count)
    let movie = try Movie(parsing: MemorySource(bytes))
    let samples = movie.tracks[0].samples
    #expect(samples.count == 1_728_000_000)
    #expect(movie.tracks[0].mediaDuration == RationalTime(36_000, 1))
    #expect(movie.tracks[0].sample(shownAt: RationalTime(1, 2)) == 24_000)
    #expect(samples[1_000_000_000].offset == samples[0].offset + 4_000_000_000)
  }
}
