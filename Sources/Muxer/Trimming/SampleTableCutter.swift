import LivePhotoCore

/// Puts stretches of a sample table together as a new table, whose samples stay where they are in the file.
///
/// Runs stay runs: what it costs goes by the samples that are listed one by one, and by the runs and chunks.
struct SampleTableCutter {
  private let source: SampleTable
  private let packing: SoundPacking?
  private var count = 0
  private var endTime: Int64 = 0
  private var chunkOffsets: [Int] = []
  private var chunkRuns: [ChunkRun] = []
  private var listedSizes: [UInt32] = []
  private var timeRuns: [TimeRun] = []
  private var compositionRuns: [CompositionRun] = []
  private var syncSamples: [UInt32] = []
  private var dependencies: [UInt8] = []

  /// A cutter of a track's table.
  init(_ source: SampleTable, packing: SoundPacking?) {
    self.source = source
    self.packing = packing
  }

  /// Adds a stretch of samples; the last one before it lasts until the stretch begins.
  ///
  /// - Throws: ``MovieTrimError/unsupported(_:)`` when a chunk is where no file reaches.
  mutating func append(_ stretch: Range<Int>) throws(MovieTrimError) {
    guard !stretch.isEmpty else { return }
    if let previous, previous < stretch.lowerBound {
      setLastDuration(source.decodeTime(of: stretch.lowerBound) - source.decodeTime(of: previous))
    }
    previous = stretch.upperBound - 1
    let shift = count - stretch.lowerBound
    appendTimes(stretch, shift: shift)
    try appendPlaces(stretch, shift: shift)
    appendCompositionOffsets(stretch, shift: shift)
    if let all = source.syncSamples {
      let first = all.partitioningIndex { Int($0) >= stretch.lowerBound }
      syncSamples += all[first...].prefix { Int($0) < stretch.upperBound }.map { UInt32(Int($0) + shift) }
    }
    let stated = stretch.clamped(to: 0..<source.dependencies.count)
    if !stated.isEmpty {
      dependencies += repeatElement(0, count: count - dependencies.count)
      dependencies += source.dependencies[stated]
    }
    count += stretch.count
  }

  private var previous: Int?

  private mutating func appendTimes(_ stretch: Range<Int>, shift: Int) {
    Self.forEach(source.timeRuns, in: stretch) { run, part in
      if timeRuns.last?.delta != run.delta || lastRunIsShort {
        timeRuns.append(TimeRun(firstSample: part.lowerBound + shift, start: endTime, delta: run.delta))
        lastRunIsShort = false
      }
      endTime += Int64(part.count) * run.delta
    }
  }

  private mutating func appendCompositionOffsets(_ stretch: Range<Int>, shift: Int) {
    func add(_ offset: Int64, from sample: Int) {
      guard compositionRuns.last?.offset ?? 0 != offset else { return }
      compositionRuns.append(CompositionRun(firstSample: sample + shift, offset: offset))
    }
    // The first run may begin behind samples that have no offset.
    if let first = source.compositionRuns.first, first.firstSample > stretch.lowerBound {
      add(0, from: stretch.lowerBound)
    }
    Self.forEach(source.compositionRuns, in: stretch) { add($0.offset, from: $1.lowerBound) }
  }

  /// Whether the last run of durations cannot go on, since its duration was changed.
  private var lastRunIsShort = false

  private mutating func appendPlaces(_ stretch: Range<Int>, shift: Int) throws(MovieTrimError) {
    for chunk in source.chunks(of: stretch) {
      let start = source.bytes(of: chunk, packing: packing).lowerBound
      guard source.canBegin(chunk, at: start) else { throw .unsupported("a chunk beyond byte 2^63") }
      let samples = chunk.samples.lowerBound + shift..<chunk.samples.upperBound + shift
      chunkRuns.append(samples, descriptionIndex: chunk.descriptionIndex, chunk: chunkOffsets.count)
      chunkOffsets.append(start)
    }
    if case .listed(let sizes) = source.sizes { listedSizes += sizes.values[stretch] }
  }

  /// Calls `body` with each run that covers samples of a stretch, and with these.
  private static func forEach<Run: SampleRun>(
    _ runs: [Run], in stretch: Range<Int>, _ body: (Run, Range<Int>) -> Void
  ) {
    guard !runs.isEmpty else { return }
    for index in runs.run(ofSample: stretch.lowerBound)..<runs.count {
      let end = index + 1 < runs.count ? runs[index + 1].firstSample : Int.max
      guard runs[index].firstSample < stretch.upperBound else { return }
      let lower = max(runs[index].firstSample, stretch.lowerBound)
      let upper = min(end, stretch.upperBound)
      if lower < upper { body(runs[index], lower..<upper) }
    }
  }

  /// Lets the last sample last `duration` ticks.
  mutating func setLastDuration(_ duration: Int64) {
    guard count > 0, let run = timeRuns.last, run.delta != duration else { return }
    let start = endTime - run.delta
    if run.firstSample == count - 1 { timeRuns.removeLast() }
    timeRuns.append(TimeRun(firstSample: count - 1, start: start, delta: duration))
    endTime = start + duration
    lastRunIsShort = true
  }

  /// Makes the media, in composition time, reach a tick at least: the last sample lasts longer where it does not.
  mutating func extend(to end: Int64) {
    guard let run = timeRuns.last else { return }
    let table = table(shiftedBy: 0), times = table.isReordered ? table.compositionTimes : []
    // Where frames shown before the last ones are left out, decoding takes less time than there is between them.
    let decodingEnd = times.min().map { $0 &+ table.totalDuration } ?? table.endTime
    guard max(decodingEnd, times.max() ?? decodingEnd) < end else { return }
    setLastDuration(run.delta + end - decodingEnd)
  }

  /// The table; all composition times are `shift` ticks later than they were.
  func table(shiftedBy shift: Int64) -> SampleTable {
    var runs = compositionRuns
    if shift != 0 {
      if runs.first.map({ $0.firstSample > 0 }) ?? true {
        runs.insert(CompositionRun(firstSample: 0, offset: 0), at: 0)
      }
      for index in runs.indices { runs[index].offset += shift }
    }
    let sizes: SizeColumn =
      switch source.sizes {
      case .constant(let size): .constant(size)
      case .listed: .listed(ListedSizes(listedSizes))
      }
    return SampleTable(
      count: count, totalDuration: endTime, chunkOffsets: chunkOffsets, chunkRuns: chunkRuns, sizes: sizes,
      timeRuns: timeRuns, compositionRuns: runs, syncSamples: source.syncSamples == nil ? nil : syncSamples,
      dependencies: dependencies)
  }
}

extension SampleTable {
  /// Whether samples of the sizes that are stated end, when a chunk of them begins at `start`, where an offset can be.
  fileprivate func canBegin(_ chunk: SampleChunk, at start: Int) -> Bool {
    guard case .constant(let size) = sizes else { return true }
    let (length, tooLong) = chunk.samples.count.multipliedReportingOverflow(by: size)
    return !tooLong && !start.addingReportingOverflow(length).overflow
  }
}
