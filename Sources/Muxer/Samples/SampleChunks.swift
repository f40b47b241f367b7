import LivePhotoCore

/// A chunk of a sample table, or the part of one that lies in a stretch of samples.
struct SampleChunk {
  /// The chunk, counted from 0.
  var index: Int
  /// The first sample of the whole chunk.
  var firstSample: Int
  /// The samples that are meant.
  var samples: Range<Int>
  /// The sample description, counted from 0.
  var descriptionIndex: Int
}

/// The chunks that have samples in a stretch, in order.
struct SampleChunks: Sequence, IteratorProtocol {
  private let table: SampleTable
  private let stretch: Range<Int>
  /// The run that the next chunk is in, its first sample and its number.
  private var run: Int, first: Int, chunk: Int

  fileprivate init(_ table: SampleTable, in stretch: Range<Int>) {
    self.table = table
    self.stretch = stretch.clamped(to: 0..<table.count)
    (run, first, chunk) = (table.chunkRuns.count, 0, 0)
    guard !self.stretch.isEmpty else { return }
    run = table.chunkRuns.run(ofSample: self.stretch.lowerBound)
    let begin = table.chunkRuns[run]
    let skipped = Swift.max(0, self.stretch.lowerBound - begin.firstSample) / begin.samplesPerChunk
    (first, chunk) = (begin.firstSample + skipped * begin.samplesPerChunk, begin.firstChunk + skipped)
  }

  mutating func next() -> SampleChunk? {
    let runs = table.chunkRuns
    while run < runs.count, first < stretch.upperBound {
      let next = run + 1 < runs.count ? runs[run + 1].firstSample : table.count
      guard first < next else {
        run += 1
        guard run < runs.count else { return nil }
        (first, chunk) = (runs[run].firstSample, runs[run].firstChunk)
        continue
      }
      let start = first
      first += runs[run].samplesPerChunk
      defer { chunk += 1 }
      let end = Swift.min(first, next, stretch.upperBound)
      return SampleChunk(
        index: chunk, firstSample: start, samples: Swift.max(start, stretch.lowerBound)..<end,
        descriptionIndex: runs[run].descriptionIndex)
    }
    return nil
  }
}

extension SampleTable {
  /// The chunks that have samples in a stretch, in order.
  ///
  /// - Complexity: a walk over them is linear in their number.
  func chunks(of stretch: Range<Int>) -> SampleChunks { SampleChunks(self, in: stretch) }

  /// Where the bytes of a chunk's samples are; up to the end of all numbers where they cannot be.
  func bytes(of chunk: SampleChunk, packing: SoundPacking?) -> Range<Int> {
    let offset = chunkOffsets[chunk.index]
    guard let packing else {
      let first = sizes.place(
        of: chunk.samples.lowerBound, chunkOffset: offset,
        sampleInChunk: chunk.samples.lowerBound - chunk.firstSample)
      let last = sizes.place(
        of: chunk.samples.upperBound - 1, chunkOffset: offset,
        sampleInChunk: chunk.samples.upperBound - 1 - chunk.firstSample)
      return first.offset..<last.offset + last.size
    }
    func position(_ sample: Int) -> Int {
      let packets = (sample - chunk.firstSample + packing.samples - 1) / packing.samples
      let (sum, overflow) = offset.addingReportingOverflow(packets * packing.bytes)
      return overflow ? .max : sum
    }
    return position(chunk.samples.lowerBound)..<position(chunk.samples.upperBound)
  }
}

/// How many bytes so many samples of sound have, where `stsz` does not say: QuickTime counts samples of uncompressed
/// sound, and of some compressed kinds, as one byte each (QuickTime File Format, "Sound sample description").
struct SoundPacking: Equatable {
  /// Samples that stand together.
  var samples: Int
  /// The bytes of them, of all channels.
  var bytes: Int
}

extension Track {
  /// The packing of sound whose samples all have one size and last one tick each; nil where `stsz` says all.
  var soundPacking: SoundPacking? {
    guard case .constant(let stated) = samples.sizes, let packing = describedPacking,
      samples.timeRuns.allSatisfy({ $0.delta == 1 }), packing != SoundPacking(samples: 1, bytes: stated)
    else { return nil }
    return packing
  }

  /// The packing that the first sample description of sound says.
  var describedPacking: SoundPacking? {
    guard kind == .audio, let description = sampleDescriptions.first, let audio = description.audio else { return nil }
    let packing =
      audio.version == 1 ? SoundPacking(versionOne: description.bytes) ?? .init(description) : .init(description)
    guard let packing, packing.bytes <= 1 << 20, packing.samples <= 1 << 20 else { return nil }
    return packing
  }
}

extension SoundPacking {
  /// What version 1 of a description says of compressed sound.
  fileprivate init?(versionOne entry: [UInt8]) {
    var cursor = ByteCursor(entry.span)
    guard (try? cursor.skip(36)) != nil, let samples = try? cursor.readUInt32(), (try? cursor.skip(4)) != nil,
      let bytes = try? cursor.readUInt32(), samples > 1, bytes > 0
    else { return nil }
    self.init(samples: Int(samples), bytes: Int(bytes))
  }

  /// Uncompressed sound as QuickTime has it, by its code.
  fileprivate init?(_ description: SampleDescription) {
    guard let audio = description.audio else { return nil }
    let bits: Int
    switch description.format {
    case "ulaw", "alaw": bits = 8
    case "sowt", "twos": bits = max(16, audio.bitsPerSample)
    case "raw ", "NONE", "lpcm": bits = audio.bitsPerSample
    case "in24": bits = 24
    case "in32", "fl32": bits = 32
    case "fl64": bits = 64
    default: return nil
    }
    let bytes = audio.version == 2 ? audio.bytesPerFrame ?? 0 : audio.channels * ((bits + 7) / 8)
    guard bytes > 0 else { return nil }
    self.init(samples: 1, bytes: bytes)
  }
}
