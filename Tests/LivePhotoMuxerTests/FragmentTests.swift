import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// A `trun` box: rows of the fields that `flags` name.
private func run(_ flags: UInt32, count: UInt32? = nil, head: [UInt32] = [], _ rows: [[UInt32]], version: UInt8 = 0)
  -> [UInt8]
{
  var writer = ByteWriter()
  writer.fullBox("trun", version: version, flags: flags) { writer in
    for value in [count ?? UInt32(rows.count)] + head + rows.joined() { writer.writeUInt32(value) }
  }
  return writer.bytes
}

/// A `traf` box.
private func track(_ id: UInt32, flags: UInt32 = 0, fields: [UInt32] = [], time: UInt64? = nil, _ runs: [UInt8])
  -> [UInt8]
{
  var writer = ByteWriter()
  writer.fullBox("tfhd", version: 0, flags: flags) { writer in
    for value in [id] + fields { writer.writeUInt32(value) }
  }
  if let time {
    writer.fullBox("tfdt", version: 1, flags: 0) { $0.writeUInt64(time) }
  }
  return SyntheticBox.box("traf", writer.bytes + runs)
}

/// An `mvex` box with the defaults of one track.
private func extends(_ id: UInt32, duration: UInt32, size: UInt32, flags: UInt32) -> [UInt8] {
  var writer = ByteWriter()
  writer.fullBox("trex", version: 0, flags: 0) { writer in
    for value in [id, 1, duration, size, flags] { writer.writeUInt32(value) }
  }
  return SyntheticBox.box("mvex", writer.bytes)
}

@Suite("Movie fragments")
struct FragmentTests {
  /// Two tracks of ten samples of 20 ticks in the header, and fragments behind them.
  private func movie(
    _ fragments: [[UInt8]], media: Int, defaults: [UInt8] = extends(1, duration: 20, size: 4, flags: 0)
  )
    throws -> [UInt8]
  {
    var movie = SyntheticMovie(tracks: [SyntheticTrack(), SyntheticTrack(id: 2)], movieExtra: defaults)
    movie.after =
      SyntheticBox.box("moof", Array(fragments.joined())) + SyntheticBox.box("mdat", Array(repeating: 7, count: media))
    return try movie.build()
  }

  private func read(_ bytes: [UInt8]) throws -> (movie: Movie, fragment: Int, data: Int) {
    let movie = try Movie(parsing: MemorySource(bytes))
    let box = try #require(movie.topLevel.first("moof"))
    return (movie, box.range.lowerBound, box.range.upperBound + 8)
  }

  /// Defaults, several runs, flags of the first sample, offsets of both signs, and a second track that goes on.
  @Test func runs() throws {
    func first(_ offset: UInt32) -> [UInt8] {
      let runs =
        run(0x305, head: [offset, 0x0200_0000], [[30, 5], [31, 6]])
        + run(0xC00, [[0x0101_0000, 40], [0x0181_0000, 0xFFFF_FFF6]], version: 1)
      return track(1, flags: 0x02_0020, fields: [0x0101_0000], time: 250, runs)
    }
    let second = track(2, flags: 0x02, fields: [3], run(0, count: 2, []))
    let offset = UInt32(8 + first(0).count + second.count + 8)
    let both =
      extends(1, duration: 20, size: 4, flags: 0).dropFirst(8) + extends(2, duration: 9, size: 3, flags: 0).dropFirst(8)
    let (movie, _, data) = try read(
      try self.movie([first(offset), second], media: 40, defaults: SyntheticBox.box("mvex", Array(both))))
    let samples = movie.tracks[0].samples
    #expect(movie.warnings.isEmpty && movie.isFragmented)
    #expect(samples.count == 14)
    // The fragment begins 50 ticks after the last sample, which lasts until then.
    #expect(samples[9].duration == 70)
    let added = samples.suffix(4)
    #expect(added.map(\.decodeTime) == [250, 280, 311, 331])
    #expect(added.map(\.duration) == [30, 31, 20, 20])
    #expect(added.map(\.size) == [5, 6, 4, 4])
    #expect(added.map(\.offset) == [data, data + 5, data + 11, data + 15])
    #expect(added.map(\.compositionOffset) == [0, 0, 40, -10])
    #expect(samples.map(\.isSync) == Array(repeating: true, count: 11) + [false, false, false])
    #expect((10..<14).map { samples.isDisposable($0) } == [nil, nil, nil, true])
    #expect(added.map(\.chunk) == [4, 4, 5, 5])
    #expect(samples.totalDuration == 351)
    let other = movie.tracks[1].samples
    #expect(other.suffix(2).map(\.offset) == [data + 19, data + 22])
    #expect(other.suffix(2).map(\.descriptionIndex) == [2, 2])
    #expect(other.suffix(2).map(\.decodeTime) == [200, 209])
  }

  /// Groups of samples of header and fragments are joined, descriptions that fragments repeat once; and they are cut.
  @Test func sampleGroups() throws {
    let roll: UInt32 = 0x726F_6C6C
    func descriptions(_ values: [UInt16]) -> [UInt8] {
      var writer = ByteWriter()
      writer.fullBox("sgpd", version: 1, flags: 0) { writer in
        for value in [roll, 2, UInt32(values.count)] { writer.writeUInt32(value) }
        for value in values { writer.writeUInt16(value) }
      }
      return writer.bytes
    }
    func mapping(_ runs: [UInt32]) -> [UInt8] {
      var writer = ByteWriter()
      writer.fullBox("sbgp", version: 0, flags: 0) { writer in
        for value in [roll, UInt32(runs.count / 2)] + runs { writer.writeUInt32(value) }
      }
      return writer.bytes
    }
    func fragment(_ count: UInt32, _ groups: [UInt8]) -> [UInt8] {
      func box(_ offset: UInt32) -> [UInt8] {
        SyntheticBox.box(
          "moof", track(1, flags: 0x02_0000, groups + run(1, count: count, head: [offset], [])))
      }
      return box(UInt32(box(0).count + 8)) + SyntheticBox.box("mdat", Array(repeating: 7, count: Int(count) * 4))
    }
    var header = SyntheticTrack()
    header.tableExtra = descriptions([5]) + mapping([4, 1])
    var synthetic = SyntheticMovie(tracks: [header], movieExtra: extends(1, duration: 20, size: 4, flags: 0))
    synthetic.after =
      fragment(3, descriptions([7, 8]) + mapping([1, 0x10001, 1, 1]))
      + fragment(2, mapping([1, 0x10002, 9, 0x10001]) + descriptions([7, 9]))
      + fragment(1, SyntheticBox.box("csgp", [0]) + mapping([1, 0x10009]))
    let movie = try Movie(parsing: MemorySource(try synthetic.build()))
    #expect(movie.warnings == ["track 1: 'csgp' of its fragments is not read"])
    let whole = try MovieRemuxer(container: .mp4).plan(for: movie).materialized()
    #expect(whole.firstRange(of: descriptions([5, 7, 9])) != nil)
    #expect(whole.firstRange(of: mapping([4, 1, 6, 0, 1, 2, 1, 1, 1, 0, 1, 3, 1, 2, 1, 0])) != nil)
    let part = try movie.trimmed(to: RationalTime(220, 600)..<RationalTime(280, 600)).movie
    let cut = try MovieRemuxer(container: .mp4).plan(for: part).materialized()
    #expect(cut.firstRange(of: mapping([1, 1, 1, 0, 1, 3])) != nil)
    // What was ordinary is left in its place.
    let again = try MovieRemuxer(container: .mp4).plan(for: Movie(parsing: MemorySource(whole))).materialized()
    #expect(again == whole)
  }

  /// An absolute base, and a fragment without samples.
  @Test func baseOffset() throws {
    let plain = try movie(
      [track(1, flags: 1, fields: [0, 0], run(0, count: 2, [])), track(2, flags: 0x01_0000, [])], media: 8)
    let (_, fragment, data) = try read(plain)
    let again = try movie(
      [track(1, flags: 1, fields: [0, UInt32(data)], run(0, count: 2, [])), track(2, flags: 0x01_0000, [])],
      media: 8)
    let (movie, place, _) = try read(again)
    #expect(place == fragment)
    #expect(movie.tracks[0].samples.suffix(2).map(\.offset) == [data, data + 4])
    #expect(movie.tracks[1].samples.count == 10)
  }

  /// What a file that was cut off no longer has is left out and said; what it has is read.
  @Test func cutOff() throws {
    let runs = run(1, count: 10, head: [200], []) + run(0, count: 5, [])
    let whole = try movie([track(1, flags: 0x02_0000, runs)], media: 400)
    let (movie, fragment, _) = try read(whole)
    #expect(movie.tracks[0].samples.count == 25)
    let cut = Array(whole.prefix(fragment + 200 + 4 * 7 + 2))
    let shorter = try Movie(parsing: MemorySource(cut))
    #expect(shorter.tracks[0].samples.count == 17)
    #expect(shorter.warnings.contains { $0.contains("8 samples") })
    #expect(shorter.warnings.contains { $0.contains("cut off in its last fragment") })
  }

  /// Counts, sizes, offsets and times that no file can have are refused; fragments of no track are told.
  @Test func hostile() throws {
    func refusal(_ fragments: [UInt8], defaults: [UInt8] = extends(1, duration: 20, size: 0, flags: 0)) throws -> String
    {
      let bytes = try movie([fragments], media: 100, defaults: defaults)
      do throws(ParseError) {
        return try Movie(parsing: MemorySource(bytes)).warnings.joined()
      } catch { return "\(error)" }
    }
    #expect(try refusal(track(1, run(0, count: .max, []))).contains("number of samples"))
    #expect(try refusal(track(1, run(0x100, count: .max, []))).contains("needs"))
    #expect(try refusal(track(1, flags: 0x10, fields: [.max], run(0, count: .max, []))).contains("4294967295 samples"))
    #expect(try refusal(track(1, flags: 1, fields: [.max, 0], run(0, count: 1, []))).contains("base data offset"))
    #expect(
      try refusal(track(1, flags: 1, fields: [0x7FFF_FFFF, .max], run(1, count: 1, head: [9], []))).contains(
        "data offset"))
    #expect(try refusal(track(1, run(1, count: 1, head: [0x8000_0000], []))).contains("1 samples"))
    #expect(try refusal(track(1, time: .max, run(0, count: 1, []))).contains("tfdt"))
    #expect(try refusal(track(1, time: 0, run(0, count: 1, []))).contains("back in time"))
    #expect(try refusal(track(9, run(0, count: 1, []))).contains("does not have"))
    #expect(try refusal(SyntheticBox.box("traf", [])).contains("tfhd"))
    let late = try refusal(track(1, time: 1 << 62 - 2, run(0, count: 1, [])))
    #expect(late.contains("decode time"))
  }

  @Test func damaged() throws {
    let runs = run(0xF05, head: [100, 0], [[1, 2, 3, 4], [5, 6, 7, 8]]) + run(0, count: 5, [])
    let bytes = try movie(
      [track(1, flags: 0x02_003A, fields: [1, 20, 4, 0], time: 300, runs), track(2, runs)], media: 100)
    for copy in truncations(of: bytes) + damagedCopies(of: bytes, count: 500, seed: 3) {
      guard let movie = try? Movie(parsing: MemorySource(copy)) else { continue }
      for track in movie.tracks {
        let timeline = track.timeline()
        _ = timeline.end
        for index in track.samples.indices { _ = timeline.displayInterval(ofSample: index) }
      }
    }
  }

  /// What is written of a movie has its samples, in tables alone.
  private func checkFlat(_ movie: Movie, _ placement: MovieHeaderPlacement) throws -> [UInt8] {
    let moment = try movie.stillMoment(at: try #require(movie.videoTrack?.timeline().start))
    let writer = LivePhotoMovieWriter(identifier: .random(), moment: moment, headerPlacement: placement)
    let output = try writer.plan(for: movie).output.materialized()
    let written = try Movie(parsing: MemorySource(output))
    #expect(!written.isFragmented && written.warnings.isEmpty)
    #expect(Set(written.topLevel.boxes.map(\.type)).isDisjoint(with: ["moof", "mfra", "sidx", "styp"]))
    #expect(written.stillImageTime == moment.time)
    for (old, new) in zip(movie.tracks, written.tracks) {
      #expect(old.samples.count == new.samples.count)
      #expect(
        new.header.duration.map(Int64.init) == new.editedDuration.ticks(in: Int64(new.movieTimescale), rounding: .up))
      #expect(new.media.duration.map(Int64.init) == new.samples.totalDuration)
      var differences = 0
      for (before, after) in zip(old.samples, new.samples) {
        let isSame =
          (before.decodeTime, before.duration, before.compositionOffset, before.isSync, before.descriptionIndex)
          == (after.decodeTime, after.duration, after.compositionOffset, after.isSync, after.descriptionIndex)
        let bytes = (try movie.source.read(before.range), try written.source.read(after.range))
        if !isSame || bytes.0 != bytes.1 { differences += 1 }
      }
      #expect(differences == 0, "track \(old.id)")
    }
    return output
  }

  @Test(.needsCorpus, arguments: CorpusWritingTests.files.filter { $0.contains("03-") })
  func writingCorpus(_ file: String) throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    if movie.isFragmented { _ = try checkFlat(movie, .last) }
  }

  /// Samples of header and fragments together, the header's last chunk not being full; a late start is refused.
  @Test(arguments: [MovieHeaderPlacement.first, .last])
  func writing(_ placement: MovieHeaderPlacement) throws {
    let runs =
      run(0xC01, head: [200], [[0x0101_0000, 40], [0x0181_0000, 0xFFFF_FFF6]], version: 1) + run(0, count: 5, [])
    let (movie, _, _) = try read(try movie([track(1, time: 250, runs)], media: 400))
    _ = try checkFlat(movie, placement)
    var late = SyntheticMovie(
      tracks: [SyntheticTrack(durations: [])], movieExtra: extends(1, duration: 1, size: 1, flags: 0))
    late.after = SyntheticBox.box("moof", track(1, time: 9, run(0, count: 3, [])))
    let moved = try Movie(parsing: MemorySource(try late.build()))
    let moment = try moved.stillMoment(at: RationalTime(9, 600))
    let reason = "a fragmented movie whose first fragments are missing (track 1 begins at tick 9)"
    #expect(throws: MovieWriteError.unsupported(reason)) {
      try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: moved)
    }
  }

  /// A header that is stored compressed is read, and written, as it would be otherwise.
  @Test func compressedHeader() throws {
    let plain = try SyntheticMovie().build()
    let header = try #require(try TopLevelBoxes(of: MemorySource(plain)).first("moov")).range
    func compressed(_ method: String, size: Int, _ data: [UInt8]) -> [UInt8] {
      var writer = ByteWriter()
      writer.writeUInt32(UInt32(size))
      writer.write(data)
      let boxes = SyntheticBox.box("dcom", Array(method.utf8)) + SyntheticBox.box("cmvd", writer.bytes)
      return plain[..<header.lowerBound] + SyntheticBox.box("moov", SyntheticBox.box("cmov", boxes))
    }
    let data = Deflater(.zlib).deflate(Array(plain[header]).span)
    let movie = try Movie(parsing: MemorySource(compressed("zlib", size: header.count, data)))
    let expected = try Movie(parsing: MemorySource(plain))
    #expect(Array(movie.tracks[0].samples) == Array(expected.tracks[0].samples))
    let moment = try movie.stillMoment(at: .zero)
    let plan = try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: movie)
    let written = try Movie(parsing: MemorySource(try plan.output.materialized()))
    #expect(written.stillImageTime == plan.time)
    for (old, new) in zip(movie.tracks[0].samples, written.tracks[0].samples) {
      let (before, after) = (try movie.source.read(old.range), try written.source.read(new.range))
      #expect(before == after)
    }
    for bad in [
      compressed("adec", size: header.count, data), compressed("zlib", size: header.count - 1, data),
      compressed("zlib", size: Int(UInt32.max), data), compressed("zlib", size: header.count, Array(data.dropLast(9))),
    ] {
      #expect(throws: ParseError.self) { try Movie(parsing: MemorySource(bad)) }
    }
  }

  /// Movies in every form that FFmpeg fragments, held against the current FFmpeg.
  @Test(
    .judged(by: .ffmpeg, .python),
    arguments: [
      "frag_keyframe", "frag_keyframe+empty_moov", "frag_keyframe+empty_moov+default_base_moof",
      "frag_keyframe+empty_moov+separate_moof", "frag_keyframe+empty_moov+omit_tfhd_offset",
      "frag_every_frame+empty_moov+negative_cts_offsets", "frag_keyframe+delay_moov+dash+global_sidx",
      "cmaf+delay_moov",
    ])
  func ffmpeg(_ flags: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("movie.mp4")
    try Judge.ffmpeg.ask([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=3", "-f", "lavfi", "-i",
      "sine=duration=3", "-c:v", "libx264", "-g", "20", "-bf", "2", "-threads", "1", "-c:a", "aac", "-movflags", flags,
      path,
    ])
    let movie = try Movie(parsing: MemorySource(try readFile(path)))
    #expect(movie.isFragmented && movie.warnings.isEmpty)
    let unedited = try placedPackets(of: path, ignoringEdits: true), edited = try placedPackets(of: path)
    for track in movie.tracks {
      let packets = try #require(unedited[track.id])
      #expect(packets.count == track.samples.count)
      let comparison =
        PacketComparison(samplesOf: track, packets, isFragmented: true)
        + PacketComparison(presentationOf: track, edited[track.id] ?? [], isFragmented: true)
      #expect(comparison.differences == [], "track \(track.id)")
    }
    let flat = try folder.write(try checkFlat(movie, .first), as: "flat.mov")
    let packets = try placedPackets(of: flat)
    for track in movie.tracks {
      let before = try #require(edited[track.id]), after = try #require(packets[track.id])
      #expect(before.map(\.size) == after.map(\.size))
      let delay = track.kind == .video ? track.compositionDelay : 0
      #expect(before.map { $0.pts.map { $0 - delay } } == after.map(\.pts))
    }
  }
}
