import LivePhotoCore
import TestSupport
import Testing

@testable import LivePhotoMuxer

/// Which segment shows a sample first, against a look at each segment in turn.
@Suite("First showings of samples")
struct FirstShowingTests {
  @Test func stretches() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let shown: [Range<Int>?] = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        let lower = Int.random(in: 0..<20, using: &generator)
        return Bool.random(using: &generator) ? lower..<Int.random(in: lower + 1...21, using: &generator) : nil
      }
      let showings = FirstShowings(shown)
      for rank in -1...22 {
        #expect(showings.segment(ofRank: rank) == shown.firstIndex { $0?.contains(rank) ?? false }, "\(shown)")
      }
    }
  }

  /// Random edit lists with dwells, speeds and empty segments over reordered samples, some of them without duration.
  @Test func samples() {
    var generator = SplitMix64(seed: 4)
    for round in 0..<2000 {
      let deltas = (0..<12).map { _ in Int64.random(in: 0...3, using: &generator) }
      let offsets = (0..<12).map { _ in round % 3 == 0 ? 0 : Int64.random(in: -2...6, using: &generator) }
      let edits = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        Edit(
          duration: UInt64.random(in: 0...9, using: &generator),
          mediaTime: Int64.random(in: -1...24, using: &generator),
          rate: [0, 0x8000, 0x10000, 0x10000, 0x18000][Int.random(in: 0..<5, using: &generator)])
      }
      let samples = table(deltas, offsets)
      let mapping = EditTimeline(edits: edits, movieTimescale: 7, mediaTimescale: 5)
      let timeline = PresentationTimeline(samples: samples, edits: mapping)
      var shown = 0
      for rank in 0..<12 {
        let index = timeline.sample(atRank: rank), start = samples.compositionTime(of: index)
        let end =
          rank < 11 ? samples.compositionTime(of: timeline.sample(atRank: rank + 1)) : timeline.mediaEnd
        let expected = mapping.segments.lazy.compactMap { mapping.shownInterval(from: start, to: end, in: $0) }.first
        #expect(timeline.presentationTime(ofSample: index) == expected?.lowerBound, "\(edits) \(deltas) \(offsets)")
        #expect(timeline.displayInterval(ofSample: index) == expected.flatMap { $0.isEmpty ? nil : $0 })
        if timeline.displayInterval(ofSample: index) != nil { shown += 1 }
      }
      #expect(timeline.shownCount.shown == shown, "\(edits) \(deltas) \(offsets)")
    }
  }

  private func table(_ deltas: [Int64], _ offsets: [Int64]) -> SampleTable {
    var times: [TimeRun] = []
    var end: Int64 = 0
    for (index, delta) in deltas.enumerated() {
      times.append(TimeRun(firstSample: index, start: end, delta: delta))
      end += delta
    }
    return SampleTable(
      count: deltas.count, totalDuration: end, chunkOffsets: [0],
      chunkRuns: [ChunkRun(firstSample: 0, firstChunk: 0, samplesPerChunk: deltas.count, descriptionIndex: 0)],
      sizes: .constant(1), timeRuns: times,
      compositionRuns: offsets.enumerated().map { CompositionRun(firstSample: $0.offset, offset: $0.element) },
      syncSamples: nil, dependencies: [])
  }
}
