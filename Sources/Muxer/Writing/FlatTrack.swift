import LivePhotoCore

/// What the boxes of a track say where they do not go by the source's: once the samples of fragments are in its sample
/// table, or only some samples are left.
struct FlatTrack {
  private let track: Track
  /// How the samples lie in chunks, where the media are put together anew.
  private let chunks: MediaArrangement.Chunks?
  /// The size of all samples, where the table has to say another than it did.
  private let frameSize: Int?
  /// The edit list, in which nothing is left open.
  let edits: [Edit]
  /// The duration after editing, in ticks of the movie's time scale.
  let duration: UInt64

  init(_ track: Track, chunks: MediaArrangement.Chunks? = nil, frameSize: Int? = nil) {
    self.track = track
    self.chunks = chunks
    self.frameSize = frameSize
    var edits = track.edits
    if let last = edits.last, last.duration == 0, !last.isEmpty {
      let start = edits.reduce(0) { $0 &+ $1.duration }
      let end = track.timeline().end?.ticks(in: Int64(track.movieTimescale), rounding: .up) ?? 0
      edits[edits.count - 1].duration = UInt64(max(0, end)) - min(UInt64(max(0, end)), start)
    }
    self.edits = edits
    duration =
      edits.isEmpty
      ? UInt64(max(0, track.mediaDuration.ticks(in: Int64(track.movieTimescale), rounding: .up) ?? 0))
      : edits.reduce(0) { $0 &+ $1.duration }
  }

  /// Why the samples of a track cannot be described without fragments; nil when they can.
  static func obstacle(in track: Track) -> String? {
    let isEncrypted = track.sampleDescriptions.contains { ["encv", "enca", "enct", "encs"].contains($0.format) }
    if isEncrypted { return "an encrypted fragmented movie (track \(track.id))" }
    if let first = track.samples.first, first.decodeTime > 0 {
      return
        "a fragmented movie whose first fragments are missing (track \(track.id) begins at tick \(first.decodeTime))"
    }
    if track.samples.timeRuns.contains(where: { $0.delta > Int64(UInt32.max) }) {
      return "a gap of 2^32 ticks between fragments of track \(track.id)"
    }
    return track.samples.fullChunkRuns == nil ? "a chunk without samples before fragments of track \(track.id)" : nil
  }

  /// A `tkhd` or `mdhd` box with another duration; one that does not fit is said to be unknown.
  func patched(_ box: BoxHeader, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var bytes = Array(bytes)
    guard bytes.count > box.headerSize else { return bytes }
    let isLarge = bytes[box.headerSize] == 1
    let isTrack = box.type == "tkhd"
    let value = isTrack ? duration : UInt64(max(0, track.samples.totalDuration))
    let at = box.headerSize + 4 + (isLarge ? 16 : 8) + (isTrack ? 8 : 4)
    let width = isLarge ? 8 : 4
    guard at + width <= bytes.count else { return bytes }
    let known = isLarge || value < UInt64(UInt32.max) ? value : .max
    for index in 0..<width { bytes[at + index] = UInt8(truncatingIfNeeded: known >> (8 * (width - 1 - index))) }
    return bytes
  }
}

extension FlatTrack {
  /// Writes all tables of the samples but the chunk offsets (ISO/IEC 14496-12, 8.6 and 8.7).
  func writeTables(to writer: inout ByteWriter) {
    let samples = track.samples
    samples.writeTimes(to: &writer)
    if track.compositionShift != nil, samples.count > 0 {
      CompositionShift(of: samples).write(to: &writer)
    }
    samples.writeSync(to: &writer)
    (chunks?.runs ?? samples.fullChunkRuns ?? []).write(to: &writer)
    samples.writeSizes(to: &writer, constant: frameSize)
  }
}

extension CompositionShift {
  /// What is true of the samples of a table that is not empty.
  fileprivate init(of samples: SampleTable) {
    let offsets = samples.compositionRuns.map(\.offset) + (samples.compositionRuns.first?.firstSample == 0 ? [] : [0])
    leastOffset = offsets.min() ?? 0
    greatestOffset = offsets.max() ?? 0
    compositionToDecodeShift = max(0, -leastOffset)
    startTime = samples.indices.lazy.map { samples.compositionTime(of: $0) }.min() ?? 0
    endTime =
      samples.indices.lazy.map { index in samples.compositionTime(of: index) &+ samples[index].duration }.max() ?? 0
  }

  fileprivate func write(to writer: inout ByteWriter) {
    let values = [compositionToDecodeShift, leastOffset, greatestOffset, startTime, endTime]
    let isLarge = values.contains { Int32(exactly: $0) == nil }
    writer.fullBox("cslg", version: isLarge ? 1 : 0, flags: 0) { writer in
      for value in values { writer.writeUInt(UInt64(bitPattern: value), width: isLarge ? 8 : 4) }
    }
  }
}

extension SampleTable {
  /// The runs of chunks, with those that are not full as runs of their own; nil when a chunk has no samples.
  fileprivate var fullChunkRuns: [ChunkRun]? {
    var runs: [ChunkRun] = []
    for (index, run) in chunkRuns.enumerated() {
      let isLast = index + 1 == chunkRuns.count
      let samples = (isLast ? count : chunkRuns[index + 1].firstSample) - run.firstSample
      let chunks = (isLast ? chunkOffsets.count : chunkRuns[index + 1].firstChunk) - run.firstChunk
      let (full, rest) = samples.quotientAndRemainder(dividingBy: run.samplesPerChunk)
      if !isLast, full + (rest > 0 ? 1 : 0) != chunks { return nil }
      if full > 0 || isLast { runs.append(run) }
      // The chunk that the header's samples end in, before those of fragments.
      if rest > 0, !isLast {
        var last = run
        last.firstSample += full * run.samplesPerChunk
        last.firstChunk += full
        last.samplesPerChunk = rest
        runs.append(last)
      }
    }
    return runs
  }

  /// A size in bytes that the tables and the chunk offsets do not exceed, whatever chunks the samples are put into.
  var largestTables: Int { 49 * listedCount + 36 * chunkOffsets.count + 40 * timeRuns.count + 256 }

  /// How many samples may each take an entry of a table.
  private var listedCount: Int {
    if case .constant = sizes, !isReordered, syncSamples == nil { return dependencies.count }
    return count
  }

  /// Writes `stts` and `ctts`.
  fileprivate func writeTimes(to writer: inout ByteWriter) {
    writer.table("stts", count: timeRuns.count) { writer in
      for (samples, run) in zip(counts(timeRuns.map(\.firstSample)), timeRuns) {
        writer.writeUInt32(samples)
        writer.writeUInt32(UInt32(truncatingIfNeeded: run.delta))
      }
    }
    writeCompositionOffsets(to: &writer)
  }

  /// Writes `stss` and `sdtp`.
  fileprivate func writeSync(to writer: inout ByteWriter) {
    if let syncSamples {
      writer.table("stss", count: syncSamples.count) { writer in
        for index in syncSamples { writer.writeUInt32(index + 1) }
      }
    }
    if !dependencies.isEmpty {
      writer.fullBox("sdtp", version: 0, flags: 0) { writer in
        writer.write(dependencies)
        writer.writeZeros(count - dependencies.count)
      }
    }
  }

  /// Writes `stsz`; `size`, if any, is that of all samples.
  func writeSizes(to writer: inout ByteWriter, constant size: Int? = nil) {
    writer.fullBox("stsz", version: 0, flags: 0) { writer in
      switch sizes {
      case .constant(let stated):
        writer.writeUInt32(UInt32(size ?? stated))
        writer.writeUInt32(UInt32(count))
      case .listed(let sizes):
        writer.writeUInt32(0)
        writer.writeUInt32(UInt32(count))
        for size in sizes.values.prefix(count) { writer.writeUInt32(size) }
      }
    }
  }

  private func counts(_ firsts: [Int]) -> [UInt32] {
    zip(firsts, firsts.dropFirst() + [count]).map { UInt32($1 - $0) }
  }

  private func writeCompositionOffsets(to writer: inout ByteWriter) {
    var runs = compositionRuns
    guard let first = runs.first else { return }
    if first.firstSample > 0 { runs.insert(CompositionRun(firstSample: 0, offset: 0), at: 0) }
    let isSigned = runs.contains { $0.offset < 0 }
    writer.fullBox("ctts", version: isSigned ? 1 : 0, flags: 0) { writer in
      writer.writeUInt32(UInt32(runs.count))
      for (samples, run) in zip(counts(runs.map(\.firstSample)), runs) {
        writer.writeUInt32(samples)
        writer.writeInt32(Int32(truncatingIfNeeded: run.offset))
      }
    }
  }
}
