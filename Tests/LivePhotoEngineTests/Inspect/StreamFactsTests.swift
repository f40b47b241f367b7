import Foundation
import LivePhotoEngine
import TestSupport
import Testing

/// What `inspect` says of tracks, held against ffprobe.
@Suite("Tracks as ffprobe describes them", .judged(by: .ffprobe))
struct StreamFactsTests {
  static let files = ["01-livephotos", "03-mov-mp4"].flatMap {
    Corpus.files(in: $0, extensions: ["mov", "mp4", "m4a", "3gp"])
  }

  /// Facts in which ffprobe differs, and why.
  static let explained: [String: [String]] = [
    // The container's colours rule [14496-12, 12.1.5]; ffprobe tells the video's own, which are others.
    "ax_h265_with_metadata_track.mp4": ["transfer", "matrix"],
    // With no sample where the file says, ffprobe does not look at the decoder's configuration.
    "ax_sample_fragmented_uuid.mp4": ["channels"],
    // Tables without chunks: ffprobe gives up on the tracks before their time base.
    "exiftool_QuickTime.m4a": ["time base"], "exiftool_QuickTime.mov": ["time base"],
  ]

  @Test(.needsCorpus) func corpus() throws {
    var (tracks, facts) = (0, 0)
    var explainedFacts = 0
    var beyondJudge: [String] = []
    for file in Self.files {
      let movie = try #require(try FileInspector().inspect(Corpus.file(file)).movie)
      let streams = try ProbedTrack.all(of: Corpus.file(file))
      for track in movie.tracks {
        guard let stream = streams[track.id] else {
          beyondJudge.append("\(file) \(track.codec)")
          continue
        }
        let comparison = FactComparison(track, stream)
        let name = String(file.split(separator: "/")[1])
        let explained = Self.explained[name] ?? []
        let differences = comparison.differences.filter { line in !explained.contains { line.hasPrefix($0 + ":") } }
        #expect(differences == [], "\(file), track \(track.id) \(track.codec)")
        explainedFacts += comparison.differences.count - differences.count
        (tracks, facts) = (tracks + 1, facts + comparison.count)
      }
    }
    // FFmpeg 5.1 gives up on xHE-AAC.
    #expect(beyondJudge == ["03-mov-mp4/mp4parse_sine-3s-xhe-aac-44khz-mono.mp4 mp4a"])
    #expect(tracks == 166 && facts > 1900 && explainedFacts == 6)
  }

  /// Every coding of sound that FFmpeg writes into MP4 and QuickTime.
  @Test(
    .judged(by: .ffmpeg),
    arguments: [
      ("aac", "mp4", 2), ("aac", "mov", 6), ("alac", "mp4", 2), ("alac", "mov", 1), ("flac", "mp4", 2),
      ("ac3", "mp4", 6),
      ("ac3", "mov", 2), ("eac3", "mp4", 2), ("libopus", "mp4", 2), ("libmp3lame", "mp4", 2), ("libmp3lame", "mov", 1),
      ("pcm_s16le", "mov", 2), ("pcm_s16be", "mov", 1), ("pcm_s24le", "mov", 2), ("pcm_s24be", "mov", 2),
      ("pcm_s32le", "mov", 1), ("pcm_f32le", "mov", 2), ("pcm_f32be", "mov", 2), ("pcm_f64le", "mov", 8),
      ("pcm_u8", "mov", 1), ("pcm_s8", "mov", 1), ("pcm_mulaw", "mov", 1), ("pcm_alaw", "mov", 1),
    ])
  func sound(_ codec: String, _ container: String, _ channels: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("sound.\(container)")
    try Judge.ffmpeg.ask([
      "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.3:sample_rate=48000", "-ac", "\(channels)", "-c:a", codec,
      "-strict", "-2", path,
    ])
    let track = try #require(try FileInspector().inspect(path).movie?.tracks.first)
    let stream = try #require(try ProbedTrack.all(of: path)[track.id])
    let comparison = FactComparison(track, stream)
    #expect(comparison.differences == [])
    #expect(track.audio?.channels == channels && comparison.count >= 6)
  }

  /// Chapters and time code.
  @Test(
    .judged(by: .ffmpeg),
    arguments: [("25", "01:02:03:04"), ("30000/1001", "00:59:59;28"), ("60000/1001", "10:10:00;04")])
  func chaptersAndTimecode(_ rate: String, _ timecode: String) throws {
    let folder = try TemporaryFolder()
    let list = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=700
      title=Où ça
      [CHAPTER]
      TIMEBASE=1/1000
      START=700
      END=1000
      title=two
      """
    let path = folder.path("movie.mov"), chapters = try folder.write(Array(list.utf8), as: "chapters")
    // With a time code, FFmpeg writes no reference to the chapters' track, but Nero's list.
    for (options, references) in [(["-movflags", "disable_chpl"], ["chap 2"]), (["-timecode", timecode], ["tmcd 3"])] {
      try Judge.ffmpeg.ask(
        ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=\(rate):duration=1", "-i", chapters]
          + ["-map_metadata", "1", "-c:v", "mpeg4"] + options + [path])
      let movie = try #require(try FileInspector().inspect(path).movie)
      #expect(movie.chapters?.map(\.title) == ["Où ça", "two"])
      #expect(movie.chapters?.map(\.start.seconds) == [0, 0.7])
      #expect(movie.tracks[0].references == references)
      #expect(movie.timecode == (references == ["tmcd 3"] ? timecode : nil))
      let names = ["MPEG-4 Visual", "QuickTime text", "time code"]
      #expect(movie.tracks.compactMap(\.codecName) == Array(names.prefix(movie.tracks.count)))
    }
  }

  /// What the container says of encryption, Dolby Vision, HDR, further views and metadata.
  @Test(.needsCorpus) func special() throws {
    func tracks(_ name: String) throws -> [TrackReport] {
      try #require(try FileInspector().inspect(Corpus.file("03-mov-mp4/\(name)")).movie).tracks
    }
    let cenc = try tracks("mp4parse_short-cenc.mp4")
    #expect(cenc.map(\.encryption?.scheme) == ["cenc", "cenc"])
    #expect(cenc.map(\.encryption?.codec) == ["avc1", "mp4a"] && cenc.map(\.codecName) == ["H.264", "AAC LC"])
    #expect(try tracks("mp4ff_cbcs.mp4").map(\.encryption?.scheme) == ["cbcs", nil])
    let enca = try tracks("gomp4_sample_init.enca.mp4")
    #expect(enca.map { $0.encryption != nil } == [false, true])
    #expect(try tracks("mp4ff_stereo_spatial.mp4")[0].video?.isMultiview == true)
    #expect(try tracks("ax_water_180_mvhevc_5frames.mov")[0].video?.isMultiview == true)
    #expect(try tracks("ax_sample.mp4")[0].video?.isMultiview == false)
    #expect(try tracks("ax_h265_with_metadata_track.mp4")[0].mimeType?.isEmpty == false)
    let nero = try FileInspector().inspect(Corpus.file("03-mov-mp4/ax_sample_with_nero_chapters_only.mp4")).movie
    #expect((nero?.chapters?.count ?? 0) > 1)
    let sound = try tracks("mp4parse_sine-3s-xhe-aac-44khz-mono.mp4")[0]
    #expect(sound.codecName == "xHE-AAC" && sound.audio?.channels == 1 && sound.audio?.sampleRate == 44_100)
    let float = try tracks("ax_sample_fpcm_32le.mp4")[1].audio
    #expect(float?.numbers == "float" && float?.bitDepth == 32 && float?.isBigEndian == false)
  }
}
