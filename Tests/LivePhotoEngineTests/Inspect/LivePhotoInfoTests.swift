import LivePhotoCore
import LivePhotoEngine
import LivePhotoMuxer
import TestSupport
import Testing

@Suite struct LivePhotoInfoTests {
  /// A payload as cameras write it, with invented numbers.
  private func payload(exposure: Float, faces: Int, records: Int, isInterpolated: Bool, time: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    func float(_ value: Float) { writer.writeUInt32(value.bitPattern, .little) }
    writer.writeUInt32(3, .little)
    float(exposure)
    writer.writeZeros(24)
    float(1.5)
    float(2)
    writer.writeZeros(2)
    writer.writeUInt16(0xFF, .little)
    writer.writeUInt32(UInt32(faces), .little)
    writer.writeZeros(32 * faces)
    for count in [records, 0, 0, 0] { writer.writeUInt32(UInt32(count), .little) }
    writer.writeZeros(32 * records)
    writer.writeUInt16(isInterpolated ? 0x27 : 3, .little)
    writer.writeUInt16(0)
    for index in 0..<9 { float(index % 4 == 0 ? 1 : 0) }
    writer.writeUInt64(time, .little)
    writer.writeUInt64(time, .little)
    writer.write([0, 0, isInterpolated ? 1 : 0])
    writer.writeZeros(13)
    return writer.bytes
  }

  private func movie(_ payloads: [[UInt8]]) throws -> Movie {
    var video = NewVideoTrack(codec: "jpeg", width: 16, height: 16, timescale: 600)
    video.samples = payloads.map { _ in NewSample(bytes: [1, 2, 3], duration: 20, isSync: true) }
    let plain = try Movie(parsing: MemorySource(try NewMovie(track: video).plan().materialized()))
    var track = TimedMetadataTrack(keys: [
      NewTimedMetadataKey(
        "com.apple.quicktime.live-photo-info",
        type: .named("com.apple.quicktime.com.apple.quicktime.live-photo-info"))
    ])
    for payload in payloads { try track.append([(0, .data(type: 0, payload))], duration: 20) }
    return try plain.adding(track)
  }

  private func report(_ payloads: [[UInt8]]) throws -> LivePhotoInfoReport? {
    let folder = try TemporaryFolder()
    let bytes = try MovieRemuxer(container: .quickTime).plan(for: try movie(payloads)).materialized()
    let path = try folder.write(bytes, as: "movie.mov")
    return try FileInspector().inspect(path).movie?.tracks.last?.livePhotoInfo
  }

  @Test func whatFramesSay() throws {
    let payloads = [
      payload(exposure: 0.01, faces: 0, records: 6, isInterpolated: false, time: 5_000_000_000),
      payload(exposure: 0.02, faces: 2, records: 9, isInterpolated: true, time: 5_033_000_000),
    ]
    let report = try #require(try report(payloads))
    #expect(report.samples == 2)
    #expect(report.exposureTime == [Double(Float(0.01)), Double(Float(0.02))])
    #expect(report.zoom == [1.5, 1.5] && report.gain == [2, 2])
    #expect(report.faces == 2 && report.interpolatedFrames == 1 && report.transformedFrames == 2)
    #expect(report.firstFrameRunTime == 5)
    // Cut off at any length, or of another version: passed over.
    for cut in [0, 3, 40, 47, 48, 100, payloads[1].count - 14] {
      #expect(try self.report([Array(payloads[1].prefix(cut))])?.samples == 0, "\(cut)")
    }
    var huge = payloads[0]
    huge.replaceSubrange(44..<48, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try self.report([huge])?.samples == 0)
  }

  /// Every frame of a camera's movie.
  @Test(
    .needsCorpus,
    arguments: [
      (Corpus.path("01-livephotos/iphone15plus", ".MOV"), 42), (Corpus.path("01-livephotos/iphone17pro", ".MOV"), 30),
    ]) func cameras(_ file: String, _ least: Int) throws
  {
    let movie = try #require(try FileInspector().inspect(Corpus.file(file)).movie)
    let track = try #require(movie.tracks.first { $0.livePhotoInfo != nil })
    let report = try #require(track.livePhotoInfo)
    #expect(report.samples == track.samples && report.samples >= least)
    #expect(report.exposureTime.map { $0[0] > 0 && $0[1] < 1 } == true)
    #expect(report.zoom.map { $0[0] >= 0.5 && $0[1] < 30 } == true)
  }
}
