import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Tracks of boxed metadata that are authored here, as exiftool, FFmpeg and our own reader see them.
@Suite("Authoring timed metadata") struct TimedMetadataTests {
  private func source(_ synthetic: SyntheticMovie = SyntheticMovie()) throws -> Movie {
    try Movie(parsing: MemorySource(try synthetic.build()))
  }

  private func written(_ movie: Movie) throws -> [UInt8] {
    try MovieRemuxer(container: .quickTime).plan(for: movie).materialized()
  }

  @Test(
    .judged(by: .exiftool, .ffprobe),
    arguments: [SyntheticMovie.MediaForm.compact, .large, .toEnd, .onePerTrack])
  func anyKeys(_ form: SyntheticMovie.MediaForm) throws {
    var track = TimedMetadataTrack(keys: [
      NewTimedMetadataKey("com.example.level", type: .wellKnown(23)),
      NewTimedMetadataKey("com.example.words", type: .wellKnown(1)),
      NewTimedMetadataKey("com.example.private", type: .named("com.example.type")),
    ])
    track.keys[2].extensions = [DescriptionExtension(type: "setu", payload: [1, 2, 3])]
    track.start = 40
    try track.append([(0, .real(1.5)), (1, .text("hello"))], duration: 20)
    try track.append([], duration: 30)
    try track.append([(2, .data(type: 0, [9, 8])), (0, .real(-2))], duration: 20)
    for isHeaderFirst in [false, true] {
      let movie = try source(
        SyntheticMovie(tracks: [SyntheticTrack(format: "jpeg")], isHeaderFirst: isHeaderFirst, mediaForm: form))
      let bytes = try written(try movie.adding(track))
      let result = try Movie(parsing: MemorySource(bytes))
      #expect(result.warnings.isEmpty)
      let added = try #require(result.tracks.last)
      #expect(added.id == 2 && result.header.nextTrackID == 3)
      #expect(added.references("cdsc") == [1])
      #expect(added.sampleDescriptions[0].metadataKeys.map(\.name) == track.keys.map(\.name))
      #expect(added.sampleDescriptions[0].metadataKeys.map(\.dataType) == track.keys.map(\.dataType))
      #expect(added.sampleDescriptions[0].metadataKeys[2].extensions == track.keys[2].extensions)
      #expect(added.samples.count == 3)
      #expect(added.presentationTime(ofSample: 0) == RationalTime(40, 600))
      let first = try result.timedMetadata(of: added, sample: 0)
      #expect(first["com.example.level"] == .real(1.5) && first["com.example.words"] == .text("hello"))
      #expect(try result.timedMetadata(of: added, sample: 1).values.isEmpty)
      #expect(try result.timedMetadata(of: added, sample: 2)["com.example.private"] == .data(type: 0, [9, 8]))
      let folder = try TemporaryFolder()
      let path = try folder.write(bytes, as: "movie.mov")
      #expect(try placedPackets(of: path)[2]?.map(\.pts) == [40, 60, 90])
      let tags = try tags(of: path, exiftool: ["-ee"])
      #expect(tags.contains { $0.key.hasPrefix("Track2") && $0.value == "1.5" }, "\(tags)")
      #expect(tags.contains { $0.key.hasPrefix("Track2") && $0.value == "hello" })
      #expect(try Judge.exiftool.ask(["-validate", "-s3", "-warning", path]).lines.first == "OK")
    }
  }

  /// A camera's track of orientation, and a still that is not quite the frame.
  @Test(.judged(by: .exiftool)) func camerasTracks() throws {
    let movie = try source().adding(.videoOrientation(.right, duration: 200))
    var writer = LivePhotoMovieWriter(identifier: .random(), moment: try movie.stillMoment(at: RationalTime(1, 10)))
    let matrix = [1.01, 0, -3, 0, 0.99, 4.5, 0, 0, 1]
    writer.transform = try #require(
      StillImageTransform(matrix, referenceDimensions: Dimensions(width: 1920, height: 1440)))
    let bytes = try writer.plan(for: movie).output.materialized()
    let result = try Movie(parsing: MemorySource(bytes))
    let marker = try #require(result.stillImageMarkers.first)
    #expect(marker.transform == matrix)
    #expect(marker.referenceDimensions == Dimensions(width: 1920, height: 1440))
    #expect(result.stillImageTime == RationalTime(60, 600))
    let folder = try TemporaryFolder()
    let tags = try tags(of: try folder.write(bytes, as: "movie.mov"), exiftool: ["-ee"])
    #expect(tags.contains { $0.key.hasSuffix("VideoOrientation") && $0.value == "6" }, "\(tags)")
    #expect(StillImageTransform([1, 2]) == nil)
  }

  /// A camera's own tracks, read and authored again: the same boxes, but for times of making and places.
  @Test(.needsCorpus) func camerasBoxes() throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(Corpus.path("01-livephotos/iphone17pro", ".MOV"))))
    for old in movie.tracks where old.codec == "mebx" {
      let description = old.sampleDescriptions[0]
      var track = TimedMetadataTrack(
        keys: description.metadataKeys.map { key in
          var new = NewTimedMetadataKey(key.name, type: key.dataType)
          new.extensions = key.extensions
          return new
        })
      track.references = old.references
      for sample in old.samples {
        var copy = NewTimedMetadataSample(duration: UInt32(sample.duration))
        let bytes = try old.samples.bytes(of: track.samples.count, in: movie.source)
        var cursor = ByteCursor(bytes.span)
        while cursor.remaining >= 8 {
          let size = Int(try cursor.readUInt32()), key = Int(try cursor.readUInt32())
          copy.add(try cursor.readBytes(size - 8), forKey: key - 1)
        }
        track.samples.append(copy)
      }
      let result = try Movie(parsing: MemorySource(try written(try movie.adding(track))))
      let new = try #require(result.tracks.last)
      #expect(new.sampleDescriptions[0].bytes == description.bytes)
      #expect(new.references == old.references)
      for index in old.samples.indices {
        #expect(try new.samples.bytes(of: index, in: result.source) == old.samples.bytes(of: index, in: movie.source))
      }
    }
  }

  @Test func whatDoesNotFit() throws {
    var track = TimedMetadataTrack(keys: [NewTimedMetadataKey("com.example.small", type: .wellKnown(65))])
    #expect(throws: MovieWriteError.self) { try track.append([(0, .integer(128))], duration: 1) }
    #expect(throws: MovieWriteError.self) { try track.append([(1, .integer(1))], duration: 1) }
    #expect(throws: MovieWriteError.self) { try source().adding(track) }
    try track.append([(0, .integer(-128))], duration: 1)
    track.start = -1
    #expect(throws: MovieWriteError.self) { try source().adding(track) }
    track.start = 0
    // Bytes behind the movie do not hide the samples.
    let trailing = try source(SyntheticMovie(after: [1, 2, 3, 4, 5, 6, 7, 8, 9])).adding(track)
    #expect(try trailing.timedMetadata(of: try #require(trailing.tracks.last), sample: 0).values.count == 1)
  }
}
