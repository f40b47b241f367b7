import Foundation
import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Parts of movies of the corpus", .needsCorpus, .judged(by: .ffprobe, .currentFFmpeg, .exiftool))
struct CorpusTrimTests {
  /// Whether all movies are taken, and not only one or more of each kind of writer.
  static let isFull = ProcessInfo.processInfo.environment["LIVEPHOTO_FULL_SWEEP"] == "1"

  /// One file or more of each kind; all of them that FFmpeg plays whole in a full sweep (of VVC it shows frames that it is
  /// told to hide).
  static let files = CorpusWritingTests.files.filter { file in
    let some = [
      "iphone13pro", "iphone17pro", "limitpoint", "h265_bframes", "edit_list", "bunny", "3gp", "sample_fragmented.mp4",
      "hdr10", "rotated",
    ]
    return isFull ? !file.contains("vvc") : some.contains { file.contains($0) }
  }

  /// The middle third plays the frames of the whole, in order, and nothing complains that did not before.
  @Test(arguments: files)
  func middleThird(_ file: String) throws {
    let source = Corpus.file(file)
    let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
    let timeline = try #require(movie.videoTrack).timeline()
    let start = try #require(timeline.start), end = try #require(timeline.end)
    let length = try #require(end.subtracting(start))
    let third = RationalTime(length.value, length.timescale * 3)
    let lower = try #require(start.adding(third)), upper = try #require(lower.adding(third))
    let whole = try playedFrames(of: source).map(\.hash)
    // Frames that the source's own edit list hides may have to stay.
    let hidesFrames = try movie.trimmed(to: start..<end, precision: .frame).hiddenFrames > 0
    for precision in TrimPrecision.allCases {
      let part = try movie.trimmed(to: lower..<upper, precision: precision)
      try check(part, of: movie, source: source, whole: whole)
      #expect(precision == .frame || part.hiddenFrames == 0 || hidesFrames)
    }
  }

  private func check(_ part: TrimmedMovie, of movie: Movie, source: String, whole: [String]) throws {
    let folder = try TemporaryFolder()
    let output = try MovieRemuxer(container: .quickTime).plan(for: part.movie).materialized()
    let path = try folder.write(output, as: "part.mov")

    let shown = movie.shownHashes(in: part.range)
    let played = try playedFrames(of: path).map(\.hash)
    #expect(played.count == shown, "\(part.range)")
    #expect(whole.contains(played))
    // Where a recording is slow in places, ffprobe misses decode times among the frames that are hidden.
    let complaints = try ffprobeWarnings(of: path).subtracting(ffprobeWarnings(of: source))
    #expect(complaints.allSatisfy { $0.contains("DTS discontinuity") }, "\(complaints)")
    #expect(try exiftoolFindings(of: path).subtracting(exiftoolFindings(of: source) + ["OK"]).isEmpty)
    // A marker of the movie is where its frame is.
    if let old = movie.stillImageTime, part.range.contains(old) {
      #expect(part.movie.stillImageTime == old.subtracting(part.range.lowerBound))
    }
  }
}

extension Movie {
  /// How many frames of the video begin in a range.
  fileprivate func shownHashes(in range: Range<RationalTime>) -> Int {
    guard let track = videoTrack else { return 0 }
    let timeline = track.timeline()
    return track.samples.indices.count { index in
      timeline.displayInterval(ofSample: index).map { range.contains($0.lowerBound) } ?? false
    }
  }
}
