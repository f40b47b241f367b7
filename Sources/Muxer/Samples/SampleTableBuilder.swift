import LivePhotoCore

extension SampleTable {
  /// Puts the boxes of a sample table in relation to each other.
  ///
  /// Tables that end early are tolerated as players tolerate them: the last duration goes on, further composition
  /// offsets are 0, and samples that lie in no chunk do not exist. Each is reported through `warn`.
  ///
  /// - Parameter isSound: whether samples may be more than `limits` has them where they are equal: uncompressed sound
  ///   has one for each moment of time.
  /// - Throws: ``ParseError`` when a table that must be there is missing, contradicts itself, or is beyond `limits`.
  init(
    _ boxes: SampleTableBoxes, isSound: Bool, limits: Limits, at place: Place, warn: (String) -> Void
  ) throws(ParseError) {
    guard let sizes = boxes.sizes else { throw .missing("'stsz' box", at: place) }
    guard let chunkOffsets = boxes.chunkOffsets else { throw .missing("'stco' box", at: place) }
    let stated =
      switch sizes {
      case .constant(_, let count): Int(count)
      case .listed(let sizes): sizes.count
      }
    let chunks = try ChunkRun.runs(from: boxes.chunkRuns, chunks: chunkOffsets.count, at: place)
    let count = Swift.min(stated, chunks.samples)
    if count < stated { warn("\(stated) samples are listed, but the chunks hold \(count)") }

    let isListed = if case .listed = sizes { true } else { false }
    if !isSound || isListed || !boxes.composition.isEmpty, count > limits.samplesPerTrack {
      throw .beyondLimit("number of samples", found: count, limit: limits.samplesPerTrack, at: place)
    }
    self.count = count
    self.chunkOffsets = chunkOffsets
    chunkRuns = chunks.runs
    switch sizes {
    case .constant(let size, _):
      try Self.check(chunks.runs, of: Int(size), count: count, chunkOffsets: chunkOffsets, at: place)
      self.sizes = .constant(Int(size))
    case .listed(let sizes):
      let listed = ListedSizes(sizes)
      try Self.check(listed, chunkOffsets: chunkOffsets, at: place)
      self.sizes = .listed(listed)
    }
    (timeRuns, totalDuration) = try TimeRun.runs(from: boxes.times, samples: count, at: place, warn: warn)
    var composition = boxes.composition
    if let covered = composition.fit(to: count) { warn("'ctts' covers \(covered) of \(count) samples") }
    self.composition = composition
    syncSamples = boxes.syncSamples.map { numbers in
      let indices = numbers.filter { $0 > 0 && Int($0) <= count }.map { $0 - 1 }
      return zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 } ? indices : indices.sorted()
    }
    dependencies = Array(boxes.dependencies.prefix(count))
  }

  /// Checks that no sample ends beyond what an offset can express.
  private static func check(_ sizes: ListedSizes, chunkOffsets: [Int], at place: Place) throws(ParseError) {
    let last = chunkOffsets.max() ?? 0
    guard !last.addingReportingOverflow(sizes.total).overflow else {
      throw .invalid("chunk offset", found: "\(last)", expected: "less", at: place)
    }
  }

  /// Checks that no sample of a fixed size ends beyond what an offset can express.
  private static func check(
    _ runs: [ChunkRun], of size: Int, count: Int, chunkOffsets: [Int], at place: Place
  ) throws(ParseError) {
    let (longest, tooLong) = (runs.map(\.samplesPerChunk).max() ?? 0).multipliedReportingOverflow(by: size)
    guard !tooLong, !(chunkOffsets.max() ?? 0).addingReportingOverflow(longest).overflow else {
      throw .invalid("chunk size", found: "beyond 2^63", expected: "samples inside the file", at: place)
    }
  }
}

extension ChunkRun {
  /// Runs with their first samples, and the number of samples that all chunks hold together.
  fileprivate static func runs(
    from entries: [(first: UInt32, samples: UInt32, description: UInt32)], chunks: Int, at place: Place
  ) throws(ParseError) -> (runs: [ChunkRun], samples: Int) {
    var runs: [ChunkRun] = []
    var samples = 0
    for (index, entry) in entries.enumerated() {
      let first = Int(entry.first) - 1
      let end = index + 1 < entries.count ? Int(entries[index + 1].first) - 1 : chunks
      if first >= chunks { break }
      guard first >= 0, end >= first, index > 0 || first == 0 else {
        throw .invalid(
          "first chunk of entry \(index) of 'stsc'", found: "\(entry.first)", expected: "ascending, from 1", at: place)
      }
      guard entry.samples > 0, end > first else {
        guard end == first else {
          throw .invalid("samples a chunk in entry \(index) of 'stsc'", found: "0", expected: "at least 1", at: place)
        }
        continue
      }
      runs.append(
        ChunkRun(
          firstSample: samples, firstChunk: first, samplesPerChunk: Int(entry.samples),
          descriptionIndex: Int(max(entry.description, 1)) - 1))
      let (more, overflow) = (min(end, chunks) - first).multipliedReportingOverflow(by: Int(entry.samples))
      let (sum, tooMany) = samples.addingReportingOverflow(more)
      guard !overflow, !tooMany else {
        throw .invalid("number of samples in 'stsc'", found: "beyond 2^63", expected: "fewer", at: place)
      }
      samples = sum
    }
    return (runs, samples)
  }
}

extension TimeRun {
  /// Runs with their start times, and the time after the last sample.
  fileprivate static func runs(
    from entries: [(count: UInt32, delta: UInt32)], samples: Int, at place: Place, warn: (String) -> Void
  ) throws(ParseError) -> (runs: [TimeRun], total: Int64) {
    var runs: [TimeRun] = []
    var sample = 0
    var time: Int64 = 0
    func advance(_ delta: Int64, by count: Int) throws(ParseError) {
      let (product, overflow) = delta.multipliedReportingOverflow(by: Int64(count))
      let (sum, tooLate) = time.addingReportingOverflow(product)
      // Half the range, so that no composition offset or difference of two times can overflow either.
      guard !overflow, !tooLate, sum < Int64.max / 2 else {
        throw .invalid("duration in 'stts'", found: "beyond 2^62", expected: "less", at: place)
      }
      time = sum
    }
    for entry in entries where sample < samples && entry.count > 0 {
      runs.append(TimeRun(firstSample: sample, start: time, delta: Int64(entry.delta)))
      let covered = min(Int(entry.count), samples - sample)
      try advance(Int64(entry.delta), by: covered)
      sample += covered
    }
    if sample < samples {
      warn("'stts' covers \(sample) of \(samples) samples")
      let last = runs.last?.delta ?? 0
      if runs.isEmpty { runs.append(TimeRun(firstSample: 0, start: 0, delta: 0)) }
      try advance(last, by: samples - sample)
    }
    return (runs, time)
  }
}
