import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Movies of the corpus against ffprobe", .needsCorpus, .judged(by: .ffprobe))
struct CorpusReadingTests {
  static let files = ["01-livephotos", "03-mov-mp4"].flatMap {
    Corpus.files(in: $0, extensions: ["mov", "mp4", "m4a", "3gp"])
  }

  /// Every sample's place, size and time; every shown sample's presentation time.
  @Test(arguments: files)
  func samples(_ file: String) throws {
    let bytes = try Corpus.bytes(file)
    let movie = try Movie(parsing: MemorySource(bytes))
    let path = Corpus.file(file)
    let unedited = try placedPackets(of: path, ffprobe: ["-ignore_editlist", "1"])
    let edited = try placedPackets(of: path)
    for track in movie.tracks {
      // ffprobe shows nothing of samples that a shortened file no longer has.
      let isInFile = track.samples.last.map { $0.range.upperBound <= bytes.count } ?? true
      guard isInFile else { continue }
      let packets = unedited[track.id] ?? []
      // FFmpeg 5.1 gives up on xHE-AAC before the first packet.
      if packets.isEmpty, file.contains("xhe-aac") { continue }
      // Nor does it read the second fragment of one whose samples' encryption it cannot make out.
      if file.contains("mp4ff_cbcs") { continue }
      if packets.count != track.samples.count {
        // PCM: ffprobe joins samples of one chunk.
        let places = joined(packets.map { ($0.position ?? 0)..<($0.position ?? 0) + $0.size })
        #expect(places == joined(track.samples.lazy.map(\.range)), "track \(track.id)")
        continue
      }
      // ffprobe looks into samples for what is sync, and finds nothing where one file's offsets are wrong.
      compare(track, packets, isFragmented: movie.isFragmented && !file.contains("fragmented_uuid"))
      comparePresentation(track, edited[track.id] ?? [], isFragmented: movie.isFragmented)
    }
  }

  /// The still-image-time track's start as ffprobe sees it is the movie's still time.
  @Test(arguments: files.filter { $0.hasPrefix("01-") })
  func stillTime(_ file: String) throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    let marker = try #require(movie.stillImageMarkers.first)
    #expect(movie.stillImageMarkers.count == 1)
    let packets = try #require(try placedPackets(of: Corpus.file(file))[marker.trackID])
    let timescale = Int64(try #require(movie.track(id: marker.trackID)).timescale)
    let start = RationalTime(Int64(try #require(packets.first?.pts)), timescale)
    #expect(movie.stillImageTime == start)
    let frame = try #require(movie.videoTrack?.sample(shownAt: start))
    #expect(try #require(movie.videoTrack?.displayInterval(ofSample: frame)).contains(start))
  }

  /// Identifier and metadata as exiftool reads them.
  @Test(.judged(by: .exiftool), arguments: files.filter { $0.hasPrefix("01-") || $0.contains("iphone") })
  func keys(_ file: String) throws {
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    let tags = try tags(of: Corpus.file(file))
    #expect(movie.contentIdentifier?.text == tags["Keys:ContentIdentifier"])
    #expect(movie.metadata["com.apple.quicktime.model"]?.text == tags["Keys:Model"])
    #expect(movie.metadata["com.apple.quicktime.software"]?.text == tags["Keys:Software"])
    let score = tags["Keys:LivePhotoVitalityScore"].flatMap(Double.init)
    let found = movie.metadata["com.apple.quicktime.live-photo.vitality-score"]?.number
    #expect((score == nil) == (found == nil))
    if let score, let found { #expect(abs(score - found) < 1e-6) }
    // exiftool puts the keys of tracks into the same group, and leaves out two that it does not know.
    let items = movie.metadata.items + movie.tracks.flatMap(\.metadata.items)
    let known = items.filter { !$0.key.contains("apple-maker-note") }
    #expect(known.count == tags.keys.filter { $0.hasPrefix("Keys:") }.count)
  }
}
