import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Movies of the corpus made into Live Photos", .needsCorpus, .judged(by: .ffprobe, .python, .exiftool))
struct CorpusWritingTests {
  /// Movies that can be paired: with video, all samples in the file's media, none encrypted.
  static let files = CorpusReadingTests.files.filter { file in
    guard let bytes = try? Corpus.bytes(file), let movie = try? Movie(parsing: MemorySource(bytes)) else {
      return false
    }
    let isWhole = movie.tracks.allSatisfy { $0.samples.last.map { $0.range.upperBound <= bytes.count } ?? true }
    return movie.videoTrack != nil && isWhole && !file.contains("cenc") && !file.contains("mp4ff_cbcs")
      && !file.contains("fragmented_uuid")
  }
  static let livePhotos = files.filter { $0.hasPrefix("01-") }
  /// One file or more of each kind of writer and container, for what takes the judges long.
  static let judged =
    livePhotos
    + files.filter { file in
      [
        "iphone_", "android_gps", "h265_bframes", "edit_list", "slow_motion", "mp4parse_metadata.", "qt_xmp", "bunny",
        "sowt", "3gp", "with_metadata.",
      ].contains { file.contains($0) }
    }
  static let identifier = ContentIdentifier.random()

  private func pair(_ movie: Movie, at time: RationalTime, _ placement: MovieHeaderPlacement = .last) throws
    -> LivePhotoMoviePlan
  {
    let moment = try movie.stillMoment(at: time)
    return try LivePhotoMovieWriter(identifier: Self.identifier, moment: moment, headerPlacement: placement)
      .plan(for: movie)
  }

  private func middle(of movie: Movie) throws -> RationalTime {
    let track = try #require(movie.videoTrack)
    let timeline = track.timeline()
    return try #require(timeline.presentationTime(ofSample: timeline.sample(atRank: track.samples.count / 2)))
  }

  /// Any movie, with a moment in its middle: the judges see the same packets, the moment and the identifier.
  @Test(arguments: judged)
  func anyMovie(_ file: String) throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    let time = try middle(of: movie)
    let plan = try pair(movie, at: time)
    let folder = try TemporaryFolder()
    let path = try folder.write(try plan.output.materialized(), as: "movie.mov")
    let written = try Movie(parsing: MemorySource(try readFile(path)))
    #expect(written.stillImageTime == plan.time)
    #expect(written.stillImageMarkers.count == 1)
    #expect(written.fileType?.isQuickTime == true)
    let frame = try #require(movie.videoTrack?.sample(shownAt: time))
    #expect(try #require(movie.videoTrack?.displayInterval(ofSample: frame)).contains(plan.time))

    let marker = try #require(written.stillImageMarkers.first).trackID
    let packets = try #require(try placedPackets(of: path)[marker])
    let timescale = Int64(try #require(written.track(id: marker)).timescale)
    #expect(RationalTime(Int64(try #require(packets.first?.pts)), timescale) == plan.time)
    // By content: a cover picture's stream, which is no track, changes its number behind the new track.
    let before = try packetHashes(of: Corpus.file(file)), after = try packetHashes(of: path)
    let replaced = plan.marker == .replaced ? movie.tracks.firstIndex { $0.id == marker } : nil
    for (stream, hashes) in before where stream != replaced {
      #expect(after.values.contains(hashes), "stream \(stream)")
    }
    let number = try #require(written.tracks.firstIndex { $0.id == marker }) + 1
    try compareTags(of: path, with: Corpus.file(file), markerNumber: number)
  }

  /// exiftool reads the identifier, and nothing else changes but what follows from brands, size and the new track.
  private func compareTags(of path: String, with source: String, markerNumber: Int) throws {
    let tags = try tags(of: path), old = try TestSupport.tags(of: source)
    #expect(tags["Keys:ContentIdentifier"] == Self.identifier.text)
    // What MP4's handlers, and its descriptions of sound, say otherwise.
    let converted = [
      "Handler", "AudioBitsPerSample", "AudioFormat", "CompressorID", "GenMedia", "GenBalance", "GenFlags",
    ]
    let follow =
      ["Brand", "MinorVersion", "FileType", "MIMEType", "AvgBitrate", "NextTrackID", "MediaData"]
      + (old["QuickTime:MajorBrand"] == "qt  " ? [] : converted)
    for (tag, value) in old where tags[tag] != value && !tag.hasPrefix("System:") && !tag.hasPrefix("ExifTool:") {
      #expect(
        tag == "Keys:ContentIdentifier" || tag.hasPrefix("Track\(markerNumber):")
          || follow.contains { tag.contains($0) },
        "\(tag): \(value) became \(tags[tag] ?? "nothing")")
    }
    let complaints = try validate(path).subtracting(validate(source))
    #expect(complaints.isEmpty)
  }

  private func validate(_ path: String) throws -> Set<String> {
    Set(try Judge.exiftool.askAnything(["-validate", "-warning", "-a", "-s3", path]).lines)
  }

  /// The header before the media: every sample's bytes are where the new tables say.
  @Test(arguments: files)
  func headerFirst(_ file: String) throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    let plan = try pair(movie, at: try middle(of: movie), .first)
    let output = MemorySource(try plan.output.materialized())
    let written = try Movie(parsing: output)
    #expect(written.topLevel.boxes.prefix(2).map(\.type) == ["ftyp", "moov"])
    #expect(written.stillImageTime == plan.time)
    for (old, new) in zip(movie.tracks, written.tracks) where old.codec != "mebx" {
      // PCM has a sample every 1/48000 s: its chunks are compared through the joined ranges.
      let before = joined(old.samples.lazy.map(\.range)), after = joined(new.samples.lazy.map(\.range))
      #expect(before.map(\.count) == after.map(\.count))
      for (before, after) in zip(before, after) {
        let isSame = try movie.source.read(before) == output.read(after)
        #expect(isSame, "track \(old.id), bytes \(before)")
      }
    }
  }

  /// Encrypted movies have offsets into the header itself, which are not followed yet.
  @Test func encryptedIsRefused() throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes("03-mov-mp4/mp4parse_short-cenc.mp4")))
    #expect(throws: MovieWriteError.self) { try pair(movie, at: middle(of: movie)) }
  }

  /// A camera's movie with its own moment and another identifier: nothing else changes.
  @Test(arguments: livePhotos)
  func sameMoment(_ file: String) throws {
    let bytes = try Corpus.bytes(file)
    let movie = try Movie(parsing: MemorySource(bytes))
    let plan = try pair(movie, at: try #require(movie.stillImageTime))
    #expect(plan.marker == .kept)
    let output = try plan.output.materialized()
    let old = Array(try #require(movie.contentIdentifier).text.utf8)
    let changed = bytes.replacing(old, with: Array(Self.identifier.text.utf8))
    guard movie.fileType == nil else {
      #expect(output == changed)
      return
    }
    var writer = ByteWriter()
    FileType.quickTime.write(to: &writer)
    #expect(output.count == bytes.count + 20)
    #expect(Array(output.prefix(20)) == writer.bytes)
    // Chunk offsets move by the 20 bytes; all else is the same.
    let differences = zip(changed, output.dropFirst(20)).count { $0 != $1 }
    let chunks = movie.tracks.reduce(0) { $0 + $1.samples.chunkCount }
    #expect((1...4 * chunks).contains(differences))
  }

  /// The track that is authored for a camera's movie is the camera's, byte for byte, but for the transform.
  @Test(arguments: livePhotos.filter { $0.contains("iphone1") && !$0.contains("15plus") })
  func authoredTrackIsTheCameras(_ file: String) throws {
    let bytes = try Corpus.bytes(file)
    let movie = try Movie(parsing: MemorySource(bytes))
    let moment = try #require(movie.stillImageTime)
    let camera = try #require(movie.tracks.last)
    #expect(camera.id == movie.stillImageMarkers.first?.trackID)
    // Away, so that the camera's own track gives place to ours, and back to the camera's moment.
    let away = try Movie.Output(pair(movie, at: .zero).output)
    let movedMovie = try Movie(parsing: away.source)
    let again = try Movie(parsing: Movie.Output(pair(movedMovie, at: moment).output).source)
    let mine = try #require(again.tracks.last)
    #expect(again.stillImageTime == moment)
    let cameraBytes = try movie.source.read(camera.range), myBytes = try again.source.read(mine.range)
    // The last four bytes are the chunk's offset.
    #expect(cameraBytes.dropLast(4) == myBytes.dropLast(4))
    #expect(mine.sampleDescriptions.first?.bytes.count == 293)
    let mySample = try mine.samples.bytes(of: 0, in: again.source)
    let cameraSample = try camera.samples.bytes(of: 0, in: movie.source)
    #expect(mySample.count == 105)
    #expect(mySample.prefix(17) == cameraSample.prefix(17))
    // Its owner shrank the other movie, and the dimensions it states are still the camera's.
    if !file.contains("small") { #expect(mySample.suffix(16) == cameraSample.suffix(16)) }
    let marker = try #require(again.stillImageMarkers.first)
    #expect(marker.transform == [1, 0, 0, 0, 1, 0, 0, 0, 1])
    #expect(marker.value == .integer(-1))
  }
}

extension Movie {
  /// A plan's bytes as a source.
  struct Output {
    let source: MemorySource
    init(_ plan: OutputPlan) throws { source = MemorySource(try plan.materialized()) }
  }
}
