import LivePhotoCore

/// The columns of a sample table that grows by the samples of fragments.
struct SampleColumns {
  private(set) var count: Int
  /// When the next sample is decoded, in ticks of the track's time scale.
  private(set) var endTime: Int64
  private var chunkOffsets: [Int]
  private var chunkRuns: [ChunkRun]
  private var sizes: [UInt32]
  /// Where the first sample of the chunk begins that is not closed yet.
  private var chunkStart: Int?
  private var timeRuns: [TimeRun]
  private var compositionRuns: [CompositionRun]
  private var syncSamples: [UInt32]?
  private var dependencies: [UInt8]

  /// What a fragment says of one sample.
  struct Row {
    var size: UInt32
    var duration: UInt32
    var compositionOffset: Int32
    /// The sample flags of ISO/IEC 14496-12, 8.8.3.1.
    var flags: UInt32

    var isSync: Bool { flags & 0x01_0000 == 0 }
    /// The same as an entry of `sdtp` (8.6.4.2).
    var dependency: UInt8 { UInt8(truncatingIfNeeded: flags >> 20) }
  }

  /// Columns that begin with the samples of `table`.
  init(_ table: SampleTable) {
    count = table.count
    endTime = table.endTime
    chunkOffsets = table.chunkOffsets
    chunkRuns = table.chunkRuns
    switch table.sizes {
    case .listed(let listed): sizes = Array(listed.values.prefix(table.count))
    case .constant(let size): sizes = Array(repeating: UInt32(truncatingIfNeeded: size), count: table.count)
    }
    timeRuns = table.timeRuns
    compositionRuns = table.compositionRuns
    syncSamples = table.syncSamples
    dependencies = table.dependencies
  }

  /// Lets the next sample be decoded at `time`: the last one's duration ends there (8.8.12.1).
  ///
  /// Returns false when that is before the last sample is decoded, and leaves all as it is.
  mutating func move(to time: Int64) -> Bool {
    guard let run = timeRuns.last, count > 0 else {
      endTime = time
      return true
    }
    guard time != endTime else { return true }
    let last = count - 1
    let start = run.start + Int64(last - run.firstSample) * run.delta
    guard time >= start else { return false }
    if run.firstSample == last { timeRuns.removeLast() }
    timeRuns.append(TimeRun(firstSample: last, start: start, delta: time - start))
    endTime = time
    return true
  }

  /// Adds a sample whose bytes begin at `offset`, behind those of the sample before it in the same chunk.
  mutating func append(_ row: Row, at offset: Int) {
    if timeRuns.last?.delta != Int64(row.duration) || count == 0 {
      timeRuns.append(TimeRun(firstSample: count, start: endTime, delta: Int64(row.duration)))
    }
    endTime += Int64(row.duration)
    if compositionRuns.last?.offset ?? 0 != Int64(row.compositionOffset) {
      compositionRuns.append(CompositionRun(firstSample: count, offset: Int64(row.compositionOffset)))
    }
    if !row.isSync, syncSamples == nil { syncSamples = Array(0..<UInt32(count)) }
    if row.isSync { syncSamples?.append(UInt32(count)) }
    if row.dependency != 0 || !dependencies.isEmpty {
      dependencies += repeatElement(0, count: max(0, count - dependencies.count))
      dependencies.append(row.dependency)
    }
    sizes.append(row.size)
    if chunkStart == nil { chunkStart = offset }
    count += 1
  }

  /// Makes a chunk of the samples from `first` on.
  mutating func closeChunk(from first: Int, description: Int) {
    guard first < count, let chunkStart else { return }
    let samples = count - first
    let goesOn = chunkRuns.last.map { run in
      // A run whose chunks are not all full ends, whatever follows.
      let (chunks, rest) = (first - run.firstSample).quotientAndRemainder(dividingBy: run.samplesPerChunk)
      return run.samplesPerChunk == samples && run.descriptionIndex == description && rest == 0
        && run.firstChunk + chunks == chunkOffsets.count
    }
    if goesOn != true {
      chunkRuns.append(
        ChunkRun(
          firstSample: first, firstChunk: chunkOffsets.count, samplesPerChunk: samples, descriptionIndex: description))
    }
    chunkOffsets.append(chunkStart)
    self.chunkStart = nil
  }

  /// The table of all samples.
  var table: SampleTable {
    SampleTable(
      count: count, totalDuration: endTime - (timeRuns.first?.start ?? endTime), chunkOffsets: chunkOffsets,
      chunkRuns: chunkRuns, sizes: .listed(ListedSizes(sizes)), timeRuns: timeRuns,
      compositionRuns: compositionRuns, syncSamples: syncSamples, dependencies: dependencies)
  }
}
