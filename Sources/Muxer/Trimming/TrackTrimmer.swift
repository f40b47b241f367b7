import LivePhotoCore

/// Trims one track to a stretch of the movie's time.
struct TrackTrimmer {
  private let track: Track
  private let samples: SampleTable
  private let timeline: PresentationTimeline
  private let range: Range<RationalTime>
  private let timescale: UInt32
  private let leading: Range<Int>?
  private let packing: SoundPacking?

  /// - Parameters:
  ///   - timescale: the new movie time scale.
  ///   - leading: samples that are left out.
  init(_ track: Track, range: Range<RationalTime>, timescale: UInt32, dropping leading: Range<Int>?) {
    self.track = track
    samples = track.samples
    timeline = track.timeline()
    self.range = range
    self.timescale = timescale
    self.leading = leading
    packing = track.soundPacking
  }

  /// A part of an edit list's segment, in the time of the stretch.
  private struct Piece {
    var end: RationalTime
    /// What is shown, in ticks of the track; nil in an empty segment.
    var media: Range<Int64>?
    var rate: Int32
    /// Whether the end is the stretch's own.
    var isCut: Bool
  }

  /// The track of the stretch.
  ///
  /// - Throws: ``MovieTrimError/unsupported(_:)``.
  func trimmed() throws(MovieTrimError) -> Track {
    let pieces = pieces()
    let shown = pieces.compactMap { $0.media.flatMap(shownRanks) }
    var result = track
    result.movieTimescale = timescale
    guard let kept = keptSamples(shown) else {
      result.samples = SampleTableCutter(samples, packing: packing).table(shiftedBy: 0)
      result.edits = []
      result.keptSamples = []
      result.setDurations()
      return result
    }
    var cutter = SampleTableCutter(samples, packing: packing)
    for stretch in kept { try cutter.append(stretch) }
    let base = samples.decodeTime(of: kept[0].lowerBound)
    let starts = pieces.compactMap { $0.media.map { $0.lowerBound - base } }
    // An edit may not begin before the media does: compositions are then later than they were.
    let shift = max(0, -(starts.min() ?? 0))
    if let last = shown.map(\.upperBound).max() { cutter.extend(to: shownEnd(last - 1, pieces) - base) }
    result.samples = cutter.table(shiftedBy: shift)
    guard result.samples.compositionRuns.allSatisfy({ Int32(exactly: $0.offset) != nil }) else {
      throw .unsupported("track \(track.id), whose composition offsets do not fit,")
    }
    result.edits = edits(pieces, adding: shift - base)
    result.keptSamples = kept
    result.setDurations()
    return result
  }

  // MARK: Edits

  /// The parts of the edit list's segments that lie in the stretch.
  private func pieces() -> [Piece] {
    let edits = EditTimeline(
      edits: track.edits, movieTimescale: track.movieTimescale, mediaTimescale: track.timescale)
    return edits.segments.flatMap { segment -> [Piece] in
      let end = segment.end ?? edits.moment(of: timeline.mediaEnd, in: segment) ?? segment.start
      let lower = max(segment.start, range.lowerBound), upper = min(end, range.upperBound)
      guard lower < upper, let relative = upper.subtracting(range.lowerBound) else { return [] }
      var media: Range<Int64>?
      if !segment.isEmpty {
        guard let first = lower == segment.start ? segment.mediaStart : mediaTime(at: lower, in: segment, edits),
          var last = edits.mediaTime(at: upper, in: segment)
        else { return [] }
        if segment.rate == 0 || edits.moment(of: last, in: segment).map({ $0 < upper }) ?? false {
          let (next, overflow) = last.addingReportingOverflow(1)
          guard !overflow else { return [] }
          last = next
        }
        media = first..<max(last, first)
      }
      let piece = Piece(end: relative, media: media, rate: segment.rate, isCut: upper < end)
      let isSources = !track.edits.isEmpty && lower == segment.start
      return isSources ? [piece] : behindGap(piece, in: segment, edits)
    }
  }

  /// A piece, and before it an empty one where the media has no sample yet: players differ in what they make of an edit
  /// that begins before the media does.
  private func behindGap(_ piece: Piece, in segment: EditTimeline.Segment, _ edits: EditTimeline) -> [Piece] {
    guard let media = piece.media, piece.rate == 0x10000, samples.count > 0 else { return [piece] }
    let first = samples.compositionTime(of: timeline.sample(atRank: 0))
    guard media.contains(first), media.lowerBound < first,
      let gap = edits.moment(of: first, in: segment)?.subtracting(range.lowerBound)
    else { return [piece] }
    var shown = piece
    shown.media = first..<media.upperBound
    return [Piece(end: gap, media: nil, rate: 0x10000, isCut: false), shown]
  }

  /// Where a segment has come to: the nearest sample of sound, the last tick of anything else.
  private func mediaTime(at moment: RationalTime, in segment: EditTimeline.Segment, _ edits: EditTimeline) -> Int64? {
    let half = RationalTime(1, 2 * Int64(track.timescale))
    guard track.kind == .audio, let later = moment.adding(half) else { return edits.mediaTime(at: moment, in: segment) }
    return edits.mediaTime(at: later, in: segment)
  }

  private func edits(_ pieces: [Piece], adding shift: Int64) -> [Edit] {
    var edits: [Edit] = []
    var position: Int64 = 0
    for piece in pieces {
      // Whatever is shown last ends no later than the stretch; a marker begins no earlier than its frame.
      let isExactOrEarly = piece.media != nil && piece.isCut
      guard var end = piece.end.ticks(in: Int64(timescale), rounding: isExactOrEarly ? .down : .up) else { continue }
      // A last sample without duration, as some recorders write it, is shown for a tick.
      if let media = piece.media, endsWithMoment(media), RationalTime(end, Int64(timescale)) == piece.end, end < .max {
        end += 1
      }
      guard end > position else { continue }
      edits.append(
        Edit(
          duration: UInt64(end - position), mediaTime: piece.media.map { $0.lowerBound + shift } ?? -1,
          rate: piece.rate))
      position = end
    }
    return edits
  }

  // MARK: Samples

  /// The samples that are shown in a stretch of the media, by their places in display order.
  private func shownRanks(_ media: Range<Int64>) -> Range<Int>? {
    guard samples.count > 0, media.lowerBound < timeline.mediaEnd else { return nil }
    let first = max(0, timeline.rank(reachedAt: media.lowerBound))
    let isLast = endsWithMoment(media)
    let last = isLast ? samples.count - 1 : timeline.rank(reachedAt: max(media.upperBound - 1, media.lowerBound))
    return last >= first ? first..<last + 1 : nil
  }

  /// Whether a stretch reaches to the end of the media, and the last sample lasts no time.
  private func endsWithMoment(_ media: Range<Int64>) -> Bool {
    media.upperBound >= timeline.mediaEnd
      && samples.compositionTime(of: timeline.sample(atRank: samples.count - 1)) >= timeline.mediaEnd
  }

  /// Until when the sample at a place in display order is shown, in ticks of the track.
  private func shownEnd(_ rank: Int, _ pieces: [Piece]) -> Int64 {
    let next =
      rank + 1 < samples.count
      ? samples.compositionTime(of: timeline.sample(atRank: rank + 1)) : timeline.mediaEnd
    let end = min(next, pieces.compactMap { $0.media?.upperBound }.max() ?? next)
    return max(end, samples.compositionTime(of: timeline.sample(atRank: rank)) + 1)
  }

  /// The samples that are needed for those shown, in decoding order; nil when there are none.
  private func keptSamples(_ shown: [Range<Int>]) -> [Range<Int>]? {
    var kept: Range<Int>?
    for ranks in shown {
      let needed = decodedSamples(ranks)
      kept = kept.map { min($0.lowerBound, needed.lowerBound)..<max($0.upperBound, needed.upperBound) } ?? needed
    }
    guard var kept else { return nil }
    if let packing, packing.samples > 1 { kept = wholePackets(kept, packing.samples) }
    guard let leading, kept.lowerBound < leading.lowerBound, leading.upperBound < kept.upperBound else { return [kept] }
    return [kept.lowerBound..<leading.lowerBound, leading.upperBound..<kept.upperBound]
  }

  private func decodedSamples(_ ranks: Range<Int>) -> Range<Int> {
    var first = ranks.lowerBound, last = ranks.upperBound - 1
    if samples.isReordered {
      let indices = ranks.lazy.map { timeline.sample(atRank: $0) }
      first = indices.min() ?? first
      last = indices.max() ?? last
    }
    first = max(0, first - track.soundPreRoll)
    let start = samples.compositionTime(of: timeline.sample(atRank: ranks.lowerBound))
    return syncSample(before: first, shownUpTo: start)..<last + 1
  }

  /// The sync sample to decode from.
  ///
  /// Pictures shown before the sync sample that they follow in the file (leading pictures of an open group) may refer to
  /// the group before, so that it must not be shown later than the first frame.
  private func syncSample(before first: Int, shownUpTo time: Int64) -> Int {
    guard let all = samples.syncSamples else { return first }
    let next = all.partitioningIndex { Int($0) > first }
    let found = all[..<next].last { samples.compositionTime(of: Int($0)) <= time }
    return found.map { Int($0) } ?? 0
  }

  /// The samples of sound that stands together in packets, widened to these.
  private func wholePackets(_ stretch: Range<Int>, _ size: Int) -> Range<Int> {
    func bound(_ sample: Int, up: Bool) -> Int {
      var result = sample
      for chunk in samples.chunks(of: sample..<sample + 1) {
        let packets = (sample - chunk.firstSample + (up ? size : 0)) / size
        result = min(chunk.firstSample + packets * size, samples.count)
      }
      return result
    }
    return bound(stretch.lowerBound, up: false)..<max(stretch.upperBound, bound(stretch.upperBound - 1, up: true))
  }
}

extension Track {
  /// How many packets of sound have to be decoded, and thrown away, before one comes out as it does in the whole.
  ///
  /// AAC adds each packet to the one before, and with spectral band replication filters over one more. MP3 borrows up
  /// to 511 bytes of packets before; AMR and Opus converge in 200 and 80 ms (RFC 7845, 4.6).
  fileprivate var soundPreRoll: Int {
    guard kind == .audio, let format = codec else { return 0 }
    switch format {
    case "mp4a": return isMP3 ? 10 : 3
    case ".mp3", "samr", "sawb": return 10
    case "ac-3", "ec-3", "sac3", "vorb", "dtsc", "dtse", "dtsh", "dtsl": return 2
    case "Opus":
      let packet = max(1, samples.first?.duration ?? 960)
      return Int((Int64(timescale) * 80 / 1000 + packet - 1) / packet)
    default: return 0
    }
  }

  /// Whether the elementary stream descriptor names MP3 (ISO/IEC 14496-1, 7.2.6.6: 0x69 and 0x6B).
  private var isMP3: Bool {
    let payload = sampleDescriptions.first?.audio?.configuration("esds")
    return payload.flatMap(ElementaryStream.init).map { [0x69, 0x6B].contains($0.objectType) } ?? false
  }

  /// Makes the headers say what edits and samples do.
  mutating func setDurations() {
    header.duration = FlatTrack(self).duration
    media.duration = UInt64(max(0, samples.totalDuration))
  }
}
