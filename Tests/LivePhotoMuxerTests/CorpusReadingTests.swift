import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Movies of the corpus against FFmpeg", .needsCorpus, .judged(by: .python))
struct CorpusReadingTests {
  static let files = ["01-livephotos", "03-mov-mp4"].flatMap {
    Corpus.files(in: $0, extensions: ["mov", "mp4", "m4a", "3gp"])
  }

  /// Every sample of every track: place, size, times, duration, sync; and when it is shown.
  @Test func samples() throws {
    let corpus = try CorpusMovies(Self.files)
    let sum = try compare(corpus)
    // All there is: no file, track or sample is passed over.
    #expect(corpus.movies.count == Self.files.count && corpus.lengthened == 3)
    #expect(sum.tracks == 167 && sum.samples.packets == 62_579 && sum.shown.packets == 62_088)
    #expect(
      sum.samples.behaviors == [
        .earlierDecoding: 507, .laterPresentation: 50, .joinedSound: 578, .unpackedCaptions: 4,
      ])
    #expect(
      sum.shown.behaviors == [
        .laterPresentation: 50, .cutFrameDropped: 13, .cutSoundEarlier: 9, .fragmentsUncut: 24,
        .openSegmentEmpty: 513,
      ])
  }

  /// The movies that stand in pictures, cut out for the judge.
  @Test func motionPhotos() throws {
    let pictures = ["02-heif", "04-motionphotos", "05-jpeg"].flatMap { Corpus.files(in: $0) }
    let corpus = try CorpusMovies(pictures, embedded: true)
    // Six motion photos, the shortened ones too, and an image sequence.
    #expect(corpus.movies.count == 7)
    let sum = try compare(corpus)
    #expect(sum.tracks == 15 && sum.samples.packets == 358 && sum.shown.packets == 358)
    #expect(sum.samples.behaviors == [.instantLengthened: 1, .instantSkipped: 1])
    #expect(sum.shown.behaviors == [.openSegmentEmpty: 1])
  }

  private func compare(_ corpus: CorpusMovies) throws -> (
    tracks: Int, samples: PacketComparison, shown: PacketComparison
  ) {
    let paths = corpus.movies.map(\.path)
    let unedited = try judgedMovies(paths, ignoringEdits: true)
    let edited = try judgedMovies(paths, ignoringEdits: false)
    var (tracks, samples, shown) = (0, PacketComparison(), PacketComparison())
    for (file, movie, path) in corpus.movies {
      let judged = try #require(unedited[path]), judgedShown = try #require(edited[path])
      #expect(judged.error == nil && judgedShown.error == nil, "\(file)")
      #expect(Set(judged.tracks.keys) == Set(movie.tracks.map { "\($0.id)" }), "\(file)")
      for track in movie.tracks {
        let comment = Comment(rawValue: "\(file), track \(track.id) \(track.codec?.description ?? "")")
        let all = PacketComparison(
          samplesOf: track, judged.packets(track.id) ?? [], isFragmented: movie.isFragmented)
        let those = PacketComparison(
          presentationOf: track, judgedShown.packets(track.id) ?? [], isFragmented: movie.isFragmented)
        #expect(all.differences == [], comment)
        #expect(those.differences == [], comment)
        (tracks, samples, shown) = (tracks + 1, samples + all, shown + those)
      }
    }
    return (tracks, samples, shown)
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
