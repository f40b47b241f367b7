import LivePhotoCore
import LivePhotoMuxer

/// What FFmpeg makes of a track otherwise than the file has it; SPEC.md tells why each is FFmpeg's own.
enum FFmpegBehavior: String, CaseIterable {
  /// Decode times begin before 0 where composition offsets are negative, so that none is after its presentation time.
  case earlierDecoding
  /// In fragments, presentation times are moved later for the same end.
  case laterPresentation
  /// PCM comes in packets of many samples.
  case joinedSound
  /// Where a fragment begins elsewhere than the samples before it end, the last of these keeps its own duration; of two
  /// at one time the second is passed over.
  case fragmentsOverlap
  /// Closed captions are taken out of the boxes that they are stored in.
  case unpackedCaptions
  /// An edit that begins inside a frame of video begins with the next frame, and all times are moved to its start.
  case cutFrameDropped
  /// A packet of sound that an edit cuts keeps its own time, before the edit.
  case cutSoundEarlier
  /// The one sample of a track of data, without a duration, has no packet.
  case instantSkipped
  /// A packet without a duration gets the track's.
  case instantLengthened
  /// The edit list of a fragmented movie moves times; it leaves nothing out.
  case fragmentsUncut
  /// A last segment of duration 0 is empty; ISO/IEC 14496-12 has it last until the media ends.
  case openSegmentEmpty
}

/// Differences between a track and its packets, with FFmpeg's own ways among them counted apart.
struct PacketComparison {
  private(set) var packets = 0
  /// How many packets show a way of FFmpeg's.
  private(set) var behaviors: [FFmpegBehavior: Int] = [:]
  private(set) var differences: [String] = []

  private mutating func expect(_ isSame: Bool, or behavior: FFmpegBehavior?, _ what: @autoclosure () -> String) {
    if isSame { return }
    if let behavior { behaviors[behavior, default: 0] += 1 } else { differences.append(what()) }
  }

  static func + (a: PacketComparison, b: PacketComparison) -> PacketComparison {
    var sum = a
    sum.packets += b.packets
    sum.behaviors.merge(b.behaviors) { $0 + $1 }
    sum.differences += b.differences
    return sum
  }
}

// MARK: Samples

extension PacketComparison {
  /// Compares all samples with packets that no edit list was applied to.
  init(samplesOf track: Track, _ packets: [PlacedPacket], isFragmented: Bool) {
    let samples = track.samples
    let delay = track.compositionDelay
    let isJoined = track.kind == .audio && packets.count < samples.count
    var next = 0
    for (number, packet) in packets.enumerated() {
      guard next < samples.count else {
        differences.append("packet \(number) is of no sample")
        break
      }
      let first = next
      var (size, duration) = (0, 0)
      repeat {
        size += samples[next].size
        duration += Int(samples[next].duration)
        next += 1
      } while isJoined && size < packet.size && next < samples.count
      if next > first + 1 { behaviors[.joinedSound, default: 0] += 1 }
      compare(
        packet, with: samples[first], size: size, duration: duration, in: track, isFragmented, delay: delay, number)
    }
    let isInstant = samples.count == 1 && samples[0].duration == 0
    expect(next == samples.count, or: isInstant ? .instantSkipped : nil, "no packets of samples from \(next) on")
    self.packets = packets.count
  }

  private mutating func compare(
    _ packet: PlacedPacket, with sample: Sample, size: Int, duration: Int, in track: Track, _ isFragmented: Bool,
    delay: Int, _ number: Int
  ) {
    let (pts, dts) = (Int(sample.compositionTime), Int(sample.decodeTime))
    let laterBy = isFragmented ? delay : 0, earlierBy = isFragmented ? 0 : delay
    expect(packet.pts == pts, or: packet.pts == pts + laterBy ? .laterPresentation : nil, "\(number): pts \(pts)")
    expect(packet.dts == dts, or: packet.dts == dts - earlierBy ? .earlierDecoding : nil, "\(number): dts \(dts)")
    let isCaption = track.codec == "c608" && size > 8
    expect(packet.size == size, or: isCaption ? .unpackedCaptions : nil, "\(number): size \(size)")
    expect(packet.position == sample.offset, or: nil, "\(number): position \(sample.offset)")
    let isOverlap = isFragmented && number < track.samples.count - 1
    let isInstant = duration == 0 && packet.duration == track.media.duration.map(Int.init)
    let lasting: FFmpegBehavior? = isOverlap ? .fragmentsOverlap : isInstant ? .instantLengthened : nil
    expect(packet.duration == duration, or: lasting, "\(number): duration \(duration)")
    expect(packet.isKey == sample.isSync, or: nil, "\(number): sync")
    let isSecond = isFragmented && number > 0 && track.samples[number - 1].duration == 0
    expect(!packet.isDiscarded, or: isSecond ? .fragmentsOverlap : nil, "\(number): discarded")
  }
}

// MARK: Presentation

extension PacketComparison {
  /// Compares when samples are shown with packets that the edit list was applied to.
  ///
  /// A track with one segment that shows something, after any that show nothing.
  init(presentationOf track: Track, _ packets: [PlacedPacket], isFragmented: Bool) {
    let edit = JudgedEdit(of: track, isFragmented: isFragmented)
    self.packets = packets.count
    guard isFragmented || !track.endsInOpenSegment else {
      behaviors[.openSegmentEmpty] = track.samples.count
      return
    }
    let indices = Dictionary(
      track.samples.enumerated().map { ($1.offset, $0) }, uniquingKeysWith: { first, _ in first })
    let timeline = track.timeline()
    var seen: Set<Int> = []
    for (number, packet) in packets.enumerated() {
      guard let index = packet.position.flatMap({ indices[$0] }) else {
        differences.append("packet \(number) is of no sample")
        continue
      }
      seen.insert(index)
      compare(packet, with: index, edit, timeline, track)
    }
    // Of joined sound only the first sample of a packet has its position.
    guard !track.isJoinedSound else { return }
    for index in track.samples.indices where !seen.contains(index) {
      expect(timeline.displayInterval(ofSample: index) == nil, or: nil, "sample \(index) has no packet")
    }
  }

  private mutating func compare(
    _ packet: PlacedPacket, with index: Int, _ edit: JudgedEdit, _ timeline: PresentationTimeline, _ track: Track
  ) {
    let sample = track.samples[index]
    let pts = packet.pts.map(Int64.init)
    let exact = sample.compositionTime - edit.mediaStart + edit.start
    // A packet that is only decoded may have any time.
    if !packet.isDiscarded {
      let behavior: FFmpegBehavior? =
        pts == exact - edit.moved ? .cutFrameDropped : pts == exact + edit.delay ? .laterPresentation : nil
      expect(pts == exact, or: behavior, "sample \(index): presented at \(exact), not \(pts.map(String.init) ?? "-")")
    }
    let isCut = sample.compositionTime < edit.mediaStart
    guard let time = timeline.presentationTime(ofSample: index) else {
      expect(packet.isDiscarded, or: edit.isUncut ? .fragmentsUncut : nil, "sample \(index): not shown")
      return
    }
    let isSecond = edit.isUncut && index > 0 && track.samples[index - 1].duration == 0
    let dropped: FFmpegBehavior? = isSecond ? .fragmentsOverlap : isCut && track.kind == .video ? .cutFrameDropped : nil
    expect(!packet.isDiscarded, or: dropped, "sample \(index): shown")
    let start = time.ticks(in: Int64(track.timescale), rounding: .nearest)
    expect(start == exact, or: isCut && start == edit.start ? .cutSoundEarlier : nil, "sample \(index): starts")
    guard timeline.displayInterval(ofSample: index) != nil else { return }
    expect(timeline.sample(shownAt: time) == index, or: nil, "sample \(index): shown at its start")
  }
}

/// The segment of a track that shows something, as FFmpeg rounds and moves it; in ticks of the track.
private struct JudgedEdit {
  var start: Int64 = 0
  var mediaStart: Int64 = 0
  /// How far all times are moved back, so that the first frame that begins in the segment begins with it.
  var moved: Int64 = 0
  /// How much later fragments are presented.
  var delay: Int64 = 0
  var isUncut = false

  init(of track: Track, isFragmented: Bool) {
    isUncut = isFragmented
    delay = isFragmented ? Int64(track.compositionDelay) : 0
    guard let edit = track.edits.first(where: { !$0.isEmpty }) else { return }
    mediaStart = edit.mediaTime
    let scale = Int64(track.timescale)
    func ticks(_ duration: UInt64) -> Int64 {
      RationalTime(Int64(duration), Int64(track.movieTimescale)).ticks(in: scale, rounding: .nearest) ?? 0
    }
    start = track.edits.prefix { $0.isEmpty }.reduce(0) { $0 + ticks($1.duration) }
    guard track.kind == .video, !isFragmented else { return }
    let end = mediaStart + ticks(edit.duration)
    let shown = track.samples.filter { (mediaStart..<max(end, mediaStart + 1)).contains($0.compositionTime) }
    guard let first = shown.first, let least = shown.map(\.compositionTime).min() else { return }
    moved = max(least, first.decodeTime) - mediaStart
  }
}

extension Track {
  /// How far the least composition offset is below 0.
  var compositionDelay: Int { Int(samples.map { -$0.compositionOffset }.max().map { max(0, $0) } ?? 0) }

  /// Whether its last segment has no duration and so lasts as long as the media.
  var endsInOpenSegment: Bool { edits.last.map { $0.duration == 0 && !$0.isEmpty } ?? false }

  /// Whether its samples are so many and so small that FFmpeg joins them.
  var isJoinedSound: Bool { kind == .audio && samples.first?.duration == 1 && samples.last?.duration == 1 }
}
