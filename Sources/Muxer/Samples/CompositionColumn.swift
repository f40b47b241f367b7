import LivePhotoCore

/// The composition offsets of all samples (`ctts`): one each where most differ from the one before, else runs.
struct CompositionColumn: Sendable {
  /// One offset a sample; those behind the last are 0.
  private var offsets: [Int32] = []
  /// Runs, where there is less of them; ``offsets`` is then empty.
  private var longRuns: [CompositionRun] = []
  private var hasRuns = false
  /// The number of samples that entries were added for.
  private var samples = 0
  /// How many single offsets take no more room than runs for all entries.
  private let room: Int

  /// Whether every composition time is the decode time.
  private(set) var isEmpty = true

  /// A column for a table of so many entries.
  init(entries: Int = 0) {
    room = entries * MemoryLayout<CompositionRun>.stride / MemoryLayout<Int32>.stride
    offsets.reserveCapacity(entries)
  }

  /// A column of runs.
  init(_ runs: [CompositionRun]) {
    (room, hasRuns, longRuns, isEmpty) = (0, true, runs, runs.isEmpty)
  }

  /// Adds an entry of `ctts`; one for no sample says nothing.
  mutating func append(count: UInt32, offset: Int32) {
    guard count > 0 else { return }
    if offset != 0 { isEmpty = false }
    if !hasRuns, Int(count) > room - offsets.count {
      (longRuns, offsets, hasRuns) = (Self.runs(of: offsets), [], true)
    }
    if hasRuns {
      longRuns.append(CompositionRun(firstSample: samples, offset: Int64(offset)))
    } else if count == 1 {
      offsets.append(offset)
    } else {
      offsets += repeatElement(offset, count: Int(count))
    }
    samples += Int(count)
  }

  /// Makes the column one of `count` samples: what is beyond is left out, what is missing is 0.
  ///
  /// Returns how many samples the entries are for, where these are too few.
  mutating func fit(to count: Int) -> Int? {
    if isEmpty { (offsets, longRuns) = ([], []) }
    guard !isEmpty, samples != count else { return nil }
    if samples > count {
      offsets.removeLast(max(0, offsets.count - count))
      longRuns.removeSubrange(longRuns.partitioningIndex { $0.firstSample >= count }...)
      return nil
    }
    if hasRuns { longRuns.append(CompositionRun(firstSample: samples, offset: 0)) } else { offsets.append(0) }
    return samples
  }

  /// What is added to a sample's decode time.
  func offset(of index: Int) -> Int64 {
    guard hasRuns else { return index < offsets.count ? Int64(offsets[index]) : 0 }
    guard let first = longRuns.first, index >= first.firstSample else { return 0 }
    return longRuns[longRuns.run(ofSample: index)].offset
  }

  /// Runs of equal offset; none when every offset is 0.
  var runs: [CompositionRun] { hasRuns ? longRuns : Self.runs(of: offsets) }

  /// Adds the offsets to the times of all samples.
  func add(to times: inout [Int64]) {
    for index in 0..<min(offsets.count, times.count) { times[index] &+= Int64(offsets[index]) }
    for (index, run) in longRuns.enumerated() {
      let end = index + 1 < longRuns.count ? longRuns[index + 1].firstSample : times.count
      for sample in run.firstSample..<end { times[sample] &+= run.offset }
    }
  }

  private static func runs(of offsets: [Int32]) -> [CompositionRun] {
    var runs: [CompositionRun] = []
    for (index, offset) in offsets.enumerated() where runs.last?.offset != Int64(offset) {
      runs.append(CompositionRun(firstSample: index, offset: Int64(offset)))
    }
    return runs
  }
}
