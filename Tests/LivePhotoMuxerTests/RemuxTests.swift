import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

private func movie(_ bytes: [UInt8]) throws -> Movie { try Movie(parsing: MemorySource(bytes)) }

@Suite("Remuxing movies")
struct RemuxTests {
  /// From QuickTime to MP4 and back, and the other way round: judges find what they found before.
  @Test(.needsCorpus, .judged(by: .ffprobe, .exiftool, .currentFFmpeg, .mediainfo), arguments: CorpusTrimTests.files)
  func backAndForth(_ file: String) throws {
    let folder = try TemporaryFolder()
    let source = Corpus.file(file)
    var path = source
    for (name, container, placement) in [
      ("first.mp4", MovieContainer.mp4, MovieHeaderPlacement.first), ("second.mov", .quickTime, .last),
    ] {
      let read = try movie(try readFile(path))
      let plan = try MovieRemuxer(container: container, headerPlacement: placement).plan(for: read)
      path = try folder.write(try plan.materialized(), as: name)
      let written = try movie(try readFile(path))
      #expect(written.headerPlacement == placement && written.fileType?.isQuickTime == (container == .quickTime))
      try compare(path, with: source, isMP4: container == .mp4, wasFragmented: movie(try readFile(source)).isFragmented)
    }
    #expect(try playedFrames(of: path) == playedFrames(of: source))
  }

  private func compare(_ path: String, with source: String, isMP4: Bool, wasFragmented: Bool) throws {
    #expect(try packetHashes(of: path) == packetHashes(of: source))
    #expect(try ffprobeWarnings(of: path).subtracting(ffprobeWarnings(of: source)).isEmpty)
    #expect(try exiftoolFindings(of: path).subtracting(exiftoolFindings(of: source) + ["OK"]).isEmpty)
    // What follows from the container, and what fragments leave unsaid.
    let follows = ["codec_tag", "nb_", "index", "handler", "vendor", "encoder"]
    let unsaid = wasFragmented ? ["duration", "bit_rate", "start", "frame_rate"] : []
    let (newStreams, oldStreams) = (try streams(of: path), try streams(of: source))
    #expect(newStreams.count == oldStreams.count)
    for (new, old) in zip(newStreams, oldStreams) {
      for key in Set(new.keys).union(old.keys) where !(follows + unsaid).contains(where: key.contains) {
        #expect(new[key] == old[key], "\(key)")
      }
    }
    guard !wasFragmented else { return }
    let container = [
      "System:", "ExifTool:", "Brand", "MinorVersion", "FileType", "MIMEType", "AvgBitrate", "MediaData",
      "HandlerClass",
      "HandlerDescription", "HandlerVendorID", "AudioFormat", "AudioVendorID", "AudioBitsPerSample",
      "AudioChannels", "AudioSampleRate", "PurchaseFileFormat", "CompressorID",
    ]
    let tags = try tags(of: path), old = try TestSupport.tags(of: source)
    for (tag, value) in old where tags[tag] != value && !container.contains(where: tag.contains) {
      Issue.record("\(tag): \(value) became \(tags[tag] ?? "nothing")")
    }
    // Of sound in the other container MediaInfo believes other fields.
    let isSame = try isMP4 || movie(readFile(source)).fileType?.isQuickTime ?? true
    try compareMediaInfo(path, source, hasSameSound: isSame)
  }

  /// MediaInfo's view of pictures and sound.
  private func compareMediaInfo(_ path: String, _ source: String, hasSameSound: Bool) throws {
    let facts = [
      "Video;%Width%,%Height%,%PixelAspectRatio%,%Rotation%,%FrameCount%,%colour_primaries%,%transfer_characteristics%,",
      "Video;%matrix_coefficients%,%HDR_Format%,%MasteringDisplay_Luminance%,%MaxCLL%,%Duration%\\n",
      "Audio;%SamplingRate%,%Duration%\\n",
    ]
    for fact in facts where hasSameSound || !fact.hasPrefix("Audio") {
      let new = try Judge.mediainfo.ask(["--Inform=" + fact, path]).text
      #expect(try new == Judge.mediainfo.ask(["--Inform=" + fact, source]).text, "\(fact)")
    }
  }

  /// Tracks by turns of a tenth of a second: the same samples, in chunks that are not longer.
  @Test(.judged(by: .ffmpeg, .currentFFmpeg), arguments: MadeClip.all)
  func interleaving(_ clip: MadeClip) throws {
    let folder = try TemporaryFolder()
    let path = try clip.make(in: folder)
    let source = try movie(try readFile(path))
    let length = RationalTime(1, 10)
    for container in MovieContainer.allCases {
      let plan = try MovieRemuxer(container: container, headerPlacement: .first, interleaving: length).plan(for: source)
      let output = try plan.materialized()
      let written = try movie(output)
      #expect(written.topLevel.boxes.map(\.type).contains("mdat") && written.headerPlacement == .first)
      #expect(source.tracks.count == written.tracks.count)
      for (old, new) in zip(source.tracks, written.tracks) {
        #expect(old.samples.count == new.samples.count)
        #expect(old.samples.map(\.decodeTime) == new.samples.map(\.decodeTime))
        let longest = Dictionary(grouping: new.samples, by: \.chunk).values.map { samples in
          samples.dropLast().reduce(0) { $0 + $1.duration }
        }
        #expect(try #require(longest.max()) < Int64(new.timescale) / 10)
      }
      let copy = try folder.write(output, as: container == .mp4 ? "copy.mp4" : "copy.mov")
      #expect(try playedFrames(of: copy) == playedFrames(of: path))
      #expect(try playedSound(of: copy) == playedSound(of: path))
      // Chunks of the tracks take turns in the file.
      let starts = written.tracks.enumerated().flatMap { index, track in
        Set(track.samples.map(\.chunk)).map { chunk in
          (track: index, offset: track.samples.first { $0.chunk == chunk }?.offset ?? 0)
        }
      }.sorted { $0.offset < $1.offset }
      let changes = zip(starts, starts.dropFirst()).count { $0.track != $1.track }
      #expect(changes > 25)
    }
  }

  /// Sound as QuickTime describes it becomes what MP4 has for it, and plays the same.
  @Test(
    .judged(by: .ffmpeg, .currentFFmpeg, .mediainfo),
    arguments: [
      "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_f32le", "pcm_f64be", "aac", "alac",
    ])
  func soundDescriptions(_ codec: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sound.mov")
    try Judge.ffmpeg.ask([
      "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-ac", "2", "-c:a", codec, path,
    ])
    let output = try MovieRemuxer(container: .mp4).plan(for: movie(try readFile(path))).materialized()
    let copy = try folder.write(output, as: "sound.mp4")
    #expect(try playedSound(of: copy) == playedSound(of: path))
    let track = try #require(try movie(output).tracks.first)
    #expect(track.sampleDescriptions[0].audio?.version == 0)
    #expect(track.handler.componentType.rawValue == 0 && track.handler.name == "SoundHandler")
    // MediaInfo 23.04 does not know the codes of ISO/IEC 23003-5.
    for fact in ["Audio;%Channels%,%SamplingRate%"] where ["pcm_s16le", "pcm_s16be", "aac"].contains(codec) {
      let new = try Judge.mediainfo.ask(["--Inform=" + fact, copy]).text
      #expect(try new == Judge.mediainfo.ask(["--Inform=" + fact, path]).text, "\(fact)")
    }
  }

  /// A file without media at all, boxes to the end of the file, and samples that are not there.
  @Test func oddFiles() throws {
    for form in [SyntheticMovie.MediaForm.toEnd, .onePerTrack, .large] {
      var synthetic = SyntheticMovie(tracks: [SyntheticTrack(), SyntheticTrack(id: 2)], mediaForm: form)
      synthetic.before = SyntheticBox.box("abcd", [1, 2, 3])
      let source = try movie(try synthetic.build())
      for interleaving in [nil, RationalTime(1, 20)] {
        for placement in [MovieHeaderPlacement.first, .last] {
          let remuxer = MovieRemuxer(container: .mp4, headerPlacement: placement, interleaving: interleaving)
          let written = try movie(try remuxer.plan(for: source).materialized())
          #expect(written.fileType?.majorBrand == "mp42" && written.headerPlacement == placement)
          #expect(written.topLevel.boxes.map(\.type).contains("abcd") && written.warnings.isEmpty)
          #expect(written.tracks.map(\.samples.count) == source.tracks.map(\.samples.count))
          for (old, new) in zip(source.tracks, written.tracks) {
            for index in old.samples.indices {
              let bytes = try new.samples.bytes(of: index, in: written.source)
              #expect(try bytes == old.samples.bytes(of: index, in: source.source))
            }
          }
        }
      }
    }
    var bytes = try SyntheticMovie(isHeaderFirst: true).build()
    bytes.removeLast(10)
    let cut = try movie(bytes)
    let remuxer = MovieRemuxer(container: .quickTime, interleaving: RationalTime(1, 2))
    #expect(throws: MovieWriteError.self) { try remuxer.plan(for: cut) }
    // What is whole of it can be kept.
    #expect(throws: Never.self) { try remuxer.plan(for: cut.trimmed(to: .zero..<RationalTime(1, 10)).movie) }
  }

  /// Tables that name the same bytes over and over make no file without end.
  @Test func sharedBytes() throws {
    var track = SyntheticTrack(durations: [(1000, 1)], samplesPerChunk: 1000)
    track.samples = Array(repeating: Array(repeating: 7, count: 100), count: 1000)
    var second = track
    second.id = 2
    var equal = track
    equal.sizes = .constant
    equal.samplesPerChunk = 100
    var bytes = try SyntheticMovie(tracks: [track, second]).build()
    let tables = bytes.indices.filter { bytes[$0...].starts(with: Array("stco".utf8)) }
    let first = try #require(tables.first), last = try #require(tables.last)
    bytes.replaceSubrange(last + 12..<last + 16, with: bytes[first + 12..<first + 16])
    let source = try movie(Array(bytes))
    let remuxer = MovieRemuxer(container: .mp4, interleaving: RationalTime(1, 10))
    #expect(throws: Never.self) { try remuxer.plan(for: source) }
    // Ten chunks at one place, twice as long as they were, are twice the file.
    var repeated = try SyntheticMovie(tracks: [equal]).build()
    let sizes = try #require(repeated.firstRange(of: Array("stsz".utf8))).upperBound + 4
    repeated.replaceSubrange(sizes..<sizes + 4, with: [0, 0, 0, 200])
    let offsets = try #require(repeated.firstRange(of: Array("stco".utf8))).upperBound + 8
    for index in 1..<10 {
      repeated.replaceSubrange(offsets + 4 * index..<offsets + 4 * index + 4, with: repeated[offsets..<offsets + 4])
    }
    let twice = try movie(repeated)
    #expect(throws: MovieWriteError.unsupported("a movie whose samples share their bytes, interleaved anew,")) {
      try remuxer.plan(for: twice)
    }
    let part = try source.trimmed(to: .zero..<RationalTime(1, 2)).movie
    // Kept in its order, what is shared is there once.
    let output = try movie(try MovieRemuxer(container: .mp4).plan(for: part).materialized())
    #expect(try #require(output.topLevel.first("mdat")).payload.count == 30_000)
    #expect(try output.tracks[1].samples.bytes(of: 299, in: output.source) == track.samples?[0])
  }
}
