public import LivePhotoCore

/// The samples of a track in decoding order, kept as the columns that the file has (ISO/IEC 14496-12, 8.6 to 8.7).
///
/// Sizes of equal samples and runs of equal durations stay runs, so that an hour of PCM audio (one sample every
/// 1/48000 s) takes as little memory as its tables in the file. An element is put together when it is asked for.
///
/// - Complexity: an element takes O(log r) for r runs; a walk over all samples is linear but for that factor.
public struct SampleTable: RandomAccessCollection, Sendable {
  /// The number of samples.
  public let count: Int
  /// The sum of all durations, in ticks of the track's time scale.
  public let totalDuration: Int64
  /// The number of chunks, which the samples lie in.
  public var chunkCount: Int { chunkOffsets.count }

  /// When decoding ends: later than ``totalDuration`` where fragments do not begin at 0.
  var endTime: Int64 { (timeRuns.first?.start ?? 0) + totalDuration }

  /// Where each chunk begins in the file.
  package let chunkOffsets: [Int]
  let chunkRuns: [ChunkRun]
  let sizes: SizeColumn
  let timeRuns: [TimeRun]
  let composition: CompositionColumn
  /// The sync samples counted from 0, ascending; nil when all are.
  let syncSamples: [UInt32]?
  /// One `sdtp` byte a sample, or none.
  let dependencies: [UInt8]

  /// The index of the first sample.
  public var startIndex: Int { 0 }
  /// One past the index of the last sample.
  public var endIndex: Int { count }

  /// The sample at `index`, counted from 0 in decoding order.
  public subscript(index: Int) -> Sample {
    precondition(index >= 0 && index < count, "sample \(index) of \(count)")
    let run = chunkRuns[chunkRuns.run(ofSample: index)]
    let (chunksIn, sampleInChunk) = (index - run.firstSample).quotientAndRemainder(dividingBy: run.samplesPerChunk)
    let chunk = run.firstChunk + chunksIn
    let place = sizes.place(of: index, chunkOffset: chunkOffsets[chunk], sampleInChunk: sampleInChunk)
    let time = timeRuns[timeRuns.run(ofSample: index)]
    return Sample(
      offset: place.offset, size: place.size,
      decodeTime: time.start + Int64(index - time.firstSample) * time.delta, duration: time.delta,
      compositionOffset: composition.offset(of: index), isSync: isSync(index), chunk: chunk,
      descriptionIndex: run.descriptionIndex)
  }

  /// The decode time of a sample.
  func decodeTime(of index: Int) -> Int64 {
    let time = timeRuns[timeRuns.run(ofSample: index)]
    return time.start + Int64(index - time.firstSample) * time.delta
  }

  /// The composition time of a sample.
  func compositionTime(of index: Int) -> Int64 { decodeTime(of: index) &+ composition.offset(of: index) }

  /// Runs of equal composition offset; empty when every composition time is the decode time.
  ///
  /// - Complexity: O(n) for n samples.
  var compositionRuns: [CompositionRun] { composition.runs }

  /// Whether decoding can begin at a sample: it is listed in `stss`, or there is no list.
  public func isSync(_ index: Int) -> Bool {
    guard let syncSamples else { return true }
    let at = syncSamples.partitioningIndex { Int($0) >= index }
    return at < syncSamples.count && Int(syncSamples[at]) == index
  }

  /// Whether other samples depend on one, from `sdtp` (8.6.4); nil when that is not said.
  public func isDisposable(_ index: Int) -> Bool? {
    guard dependencies.indices.contains(index) else { return nil }
    switch dependencies[index] >> 2 & 3 {
    case 1: return false
    case 2: return true
    default: return nil
    }
  }

  /// Whether some sample is composed at another time than it is decoded.
  public var isReordered: Bool { !composition.isEmpty }

  /// The bytes of a sample.
  ///
  /// - Throws: ``SourceError`` when they do not all lie in the source.
  public func bytes(of index: Int, in source: any ByteSource) throws(SourceError) -> [UInt8] {
    try source.read(self[index].range)
  }

  /// The sum of all sizes, in bytes; nil when it does not fit.
  public var totalBytes: Int? {
    switch sizes {
    case .constant(let size):
      let (product, overflow) = size.multipliedReportingOverflow(by: count)
      return overflow ? nil : product
    case .listed(let sizes): return sizes.total
    }
  }
}

extension SampleTable {
  /// A table of the given columns.
  init(
    count: Int, totalDuration: Int64, chunkOffsets: [Int], chunkRuns: [ChunkRun], sizes: SizeColumn,
    timeRuns: [TimeRun], compositionRuns: [CompositionRun], syncSamples: [UInt32]?, dependencies: [UInt8]
  ) {
    self.count = count
    self.totalDuration = totalDuration
    self.chunkOffsets = chunkOffsets
    self.chunkRuns = chunkRuns
    self.sizes = sizes
    self.timeRuns = timeRuns
    composition = CompositionColumn(compositionRuns)
    self.syncSamples = syncSamples
    self.dependencies = dependencies
  }

  /// Whether the chunk that begins last ends behind `end`; where chunks do not overlap, none does otherwise.
  func reaches(beyond end: Int) -> Bool {
    var last = 0
    for (chunk, offset) in chunkOffsets.enumerated() where offset > chunkOffsets[last] { last = chunk }
    guard let run = chunkRuns.last(where: { $0.firstChunk <= last }) else { return false }
    let first = run.firstSample + (last - run.firstChunk) * run.samplesPerChunk
    guard first < count else { return false }
    let index = Swift.min(first + run.samplesPerChunk, count) - 1
    let place = sizes.place(of: index, chunkOffset: chunkOffsets[last], sampleInChunk: index - first)
    return place.size > end || place.offset > end - place.size
  }

  /// The bytes of the first chunk, of those that hold samples, for which `predicate` is true.
  func firstChunk(where predicate: (Range<Int>) -> Bool) -> Range<Int>? {
    for chunk in chunks(of: 0..<count) {
      let range = bytes(of: chunk, packing: nil)
      if predicate(range) { return range }
    }
    return nil
  }
}

// MARK: Columns

/// The sizes of all samples.
enum SizeColumn: Sendable {
  /// Every sample has this size.
  case constant(Int)
  /// One size a sample.
  case listed(ListedSizes)

  func place(of index: Int, chunkOffset: Int, sampleInChunk: Int) -> (offset: Int, size: Int) {
    switch self {
    case .constant(let size): (chunkOffset + sampleInChunk * size, size)
    case .listed(let sizes):
      (chunkOffset + sizes.sum(of: index - sampleInChunk..<index), Int(sizes.values[index]))
    }
  }
}

/// Sizes of samples, with sums from which that of any stretch follows in constant time.
struct ListedSizes: Sendable {
  /// One size a sample.
  let values: [UInt32]
  /// The sum of all sizes before each sixteenth sample, and of all.
  ///
  /// A table has fewer than 2^32 sizes of less than 2^32, so no sum overflows.
  private let sums: [Int]

  private static let step = 16

  init(_ values: [UInt32]) {
    self.values = values
    var sums: [Int] = []
    sums.reserveCapacity(values.count / Self.step + 2)
    var sum = 0
    for start in stride(from: 0, to: values.count, by: Self.step) {
      sums.append(sum)
      for index in start..<min(start + Self.step, values.count) { sum += Int(values[index]) }
    }
    sums.append(sum)
    self.sums = sums
  }

  /// The sum of all sizes.
  var total: Int { sums[sums.count - 1] }

  /// The sum of the sizes of a stretch.
  func sum(of stretch: Range<Int>) -> Int {
    guard stretch.count > Self.step else { return Self.sum(values, stretch) }
    return sum(before: stretch.upperBound) - sum(before: stretch.lowerBound)
  }

  private func sum(before index: Int) -> Int {
    sums[index / Self.step] + Self.sum(values, index / Self.step * Self.step..<index)
  }

  private static func sum(_ values: [UInt32], _ stretch: Range<Int>) -> Int {
    var sum = 0
    for index in stretch { sum += Int(values[index]) }
    return sum
  }
}

/// A stretch of samples that share something; runs are sorted by their first sample.
protocol SampleRun: Sendable {
  /// The first sample of the run, counted from 0.
  var firstSample: Int { get }
}

/// Chunks of equally many samples (`stsc`).
struct ChunkRun: SampleRun {
  var firstSample: Int
  var firstChunk: Int
  var samplesPerChunk: Int
  var descriptionIndex: Int
}

/// Samples of equal duration (`stts`).
struct TimeRun: SampleRun {
  var firstSample: Int
  var start: Int64
  var delta: Int64
}

/// Samples of equal composition offset (`ctts`).
struct CompositionRun: SampleRun {
  var firstSample: Int
  var offset: Int64
}

extension [ChunkRun] {
  /// Adds a chunk, the next one, to the last run or as one of its own.
  ///
  /// - Parameters:
  ///   - samples: the samples of the chunk.
  ///   - chunk: how many chunks there were.
  mutating func append(_ samples: Range<Int>, descriptionIndex: Int, chunk: Int) {
    guard last?.samplesPerChunk != samples.count || last?.descriptionIndex != descriptionIndex else { return }
    append(
      ChunkRun(
        firstSample: samples.lowerBound, firstChunk: chunk, samplesPerChunk: samples.count,
        descriptionIndex: descriptionIndex))
  }

  /// Writes the whole `stsc` box.
  func write(to writer: inout ByteWriter) {
    writer.table("stsc", count: count) { writer in
      for run in self {
        for value in [run.firstChunk + 1, run.samplesPerChunk, run.descriptionIndex + 1] {
          writer.writeUInt32(UInt32(truncatingIfNeeded: value))
        }
      }
    }
  }
}

extension Array where Element: SampleRun {
  /// The index of the run that holds a sample; the first run begins at or before it.
  func run(ofSample sample: Int) -> Int { Swift.max(0, partitioningIndex { $0.firstSample > sample } - 1) }
}
