public import LivePhotoCore

/// A coded picture of a ``NewVideoTrack``.
public struct NewSample: Sendable, Equatable {
  /// The access unit: NAL units behind their lengths.
  public var bytes: [UInt8]
  /// How long it lasts in decoding order, in ticks of the track.
  public var duration: UInt32
  /// What is added to the decode time to give the composition time.
  public var compositionOffset: Int32
  /// Whether decoding can begin here.
  public var isSync: Bool

  /// A sample.
  public init(bytes: [UInt8], duration: UInt32, compositionOffset: Int32 = 0, isSync: Bool) {
    self.bytes = bytes
    self.duration = duration
    self.compositionOffset = compositionOffset
    self.isSync = isSync
  }
}

/// The video track of a ``NewMovie``: samples in decoding order, stored in one chunk each half second.
public struct NewVideoTrack: Sendable {
  /// The sample entry's code, such as `hvc1`.
  public var codec: FourCC
  /// The coded width in pixels.
  public var width: UInt16
  /// The coded height in pixels.
  public var height: UInt16
  /// Ticks a second.
  public var timescale: UInt32
  /// How the pictures are turned to be shown.
  public var orientation = Orientation.up
  /// The decoder's configuration, such as `hvcC`.
  public var configuration: (type: FourCC, payload: [UInt8])?
  /// What the samples mean; written as `nclc`, which has no range.
  public var color: ColorDescription?
  /// The samples in decoding order.
  public var samples: [NewSample] = []

  static let id: UInt32 = 1

  /// A track without samples.
  ///
  /// - Precondition: `timescale` is positive.
  public init(codec: FourCC, width: UInt16, height: UInt16, timescale: UInt32) {
    precondition(timescale > 0, "a time scale is positive")
    self.codec = codec
    self.width = width
    self.height = height
    self.timescale = timescale
  }

  /// All samples together, in ticks.
  var duration: Int { samples.reduce(0) { $0 + Int($1.duration) } }

  func check() throws(MovieWriteError) {
    guard duration < UInt32.max else { throw .unsupported("a duration of \(duration) ticks") }
    guard samples.allSatisfy({ !$0.bytes.isEmpty && $0.bytes.count <= UInt32.max }) else {
      throw .unsupported("an empty sample")
    }
  }
}

// MARK: Boxes

extension NewVideoTrack {
  /// Writes the `trak` box; the samples lie behind `media` without a gap.
  func write(to writer: inout ByteWriter, dates: HeaderTimes, media: Anchor) {
    writer.box("trak") { writer in
      writeHeader(to: &writer, dates: dates)
      // Pictures may be composed later than they are decoded: the edit list begins with the first one shown.
      writer.box("edts") { writer in
        EditList.write([Edit(duration: UInt64(duration), mediaTime: firstCompositionTime)], to: &writer)
      }
      writer.box("mdia") { writer in
        writer.fullBox("mdhd", version: 0, flags: 0) { writer in
          dates.write(to: &writer, isLarge: false)
          writer.writeUInt32(timescale)
          writer.writeDuration(UInt64(duration), isLarge: false)
          writer.writeUInt16(LanguageCode.undetermined)
          writer.writeUInt16(0)
        }
        writer.handler("mhlr", "vide", flags: 0, name: "Core Media Video")
        writer.box("minf") { writer in
          writer.fullBox("vmhd", version: 0, flags: 1) { writer in
            for value in [0x40, 0x8000, 0x8000, 0x8000] as [UInt16] { writer.writeUInt16(value) }
          }
          writer.handler("dhlr", "alis", flags: 0, name: "Core Media Data Handler")
          writer.box("dinf") { writer in
            writer.table("dref", count: 1) { $0.fullBox("alis", version: 0, flags: 1) { _ in } }
          }
          writer.box("stbl") { writeTables(to: &$0, media: media) }
        }
      }
    }
  }

  private var firstCompositionTime: Int64 {
    var decodeTime: Int64 = 0, first = Int64.max
    for sample in samples {
      first = min(first, decodeTime + Int64(sample.compositionOffset))
      decodeTime += Int64(sample.duration)
    }
    return max(first, 0)
  }

  private func writeHeader(to writer: inout ByteWriter, dates: HeaderTimes) {
    writer.fullBox("tkhd", version: 0, flags: 0xF) { writer in
      dates.write(to: &writer, isLarge: false)
      writer.writeUInt32(Self.id)
      writer.writeZeros(4)
      writer.writeDuration(UInt64(duration), isLarge: false)
      writer.writeZeros(16)
      MovieMatrix(orientation, width: Int32(width), height: Int32(height)).write(to: &writer)
      writer.writeUInt32(UInt32(width) << 16)
      writer.writeUInt32(UInt32(height) << 16)
    }
  }

  private func writeTables(to writer: inout ByteWriter, media: Anchor) {
    writer.table("stsd", count: 1) { writeDescription(to: &$0) }
    let durations = samples.map(\.duration).runs
    writer.table("stts", count: durations.count) { writer in
      for run in durations {
        writer.writeUInt32(run.count)
        writer.writeUInt32(run.value)
      }
    }
    if samples.contains(where: { $0.compositionOffset != 0 }) {
      let offsets = samples.map(\.compositionOffset).runs
      writer.table("ctts", count: offsets.count) { writer in
        for run in offsets {
          writer.writeUInt32(run.count)
          writer.writeInt32(run.value)
        }
      }
    }
    if samples.contains(where: { !$0.isSync }) {
      let sync = samples.indices.filter { samples[$0].isSync }
      writer.table("stss", count: sync.count) { writer in
        for index in sync { writer.writeUInt32(UInt32(index) + 1) }
      }
    }
    let chunks = self.chunks
    var runs: [ChunkRun] = []
    for (index, chunk) in chunks.enumerated() { runs.append(chunk, descriptionIndex: 0, chunk: index) }
    runs.write(to: &writer)
    writer.fullBox("stsz", version: 0, flags: 0) { writer in
      writer.writeUInt32(0)
      writer.writeUInt32(UInt32(samples.count))
      for sample in samples { writer.writeUInt32(UInt32(sample.bytes.count)) }
    }
    writer.table("stco", count: chunks.count) { writer in
      var offset = 0
      for chunk in chunks {
        writer.writeOffset(from: media, distance: offset, width: 4)
        offset += samples[chunk].reduce(0) { $0 + $1.bytes.count }
      }
    }
  }

  /// Ranges of samples that last half a second together.
  private var chunks: [Range<Int>] {
    var chunks: [Range<Int>] = []
    var start = 0, length = 0
    for index in samples.indices {
      length += Int(samples[index].duration)
      if 2 * length >= timescale || index == samples.count - 1 {
        chunks.append(start..<index + 1)
        (start, length) = (index + 1, 0)
      }
    }
    return chunks
  }

  private func writeDescription(to writer: inout ByteWriter) {
    writer.box(codec) { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.writeZeros(4)
      writer.writeFourCC("appl")
      writer.writeUInt32(512)
      writer.writeUInt32(512)
      writer.writeUInt16(width)
      writer.writeUInt16(height)
      writer.writeUInt32(72 << 16)
      writer.writeUInt32(72 << 16)
      writer.writeUInt32(0)
      writer.writeUInt16(1)
      writer.writeUInt8(4)
      writer.writeUTF8("HEVC")
      writer.writeZeros(27)
      writer.writeUInt16(24)
      writer.writeInt16(-1)
      if let configuration { writer.box(configuration.type, configuration.payload) }
      if let color {
        writer.box("colr") { writer in
          writer.writeFourCC("nclc")
          for value in [color.primaries, color.transfer, color.matrix] { writer.writeUInt16(value) }
        }
      }
      // QuickTime ends the list of extensions with four zeros.
      writer.writeZeros(4)
    }
  }
}

extension Array where Element: Equatable {
  /// Equal neighbours counted.
  var runs: [(count: UInt32, value: Element)] {
    var runs: [(count: UInt32, value: Element)] = []
    for value in self {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    return runs
  }
}
