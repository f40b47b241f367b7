import LivePhotoCore

/// The boxes of a track of boxed metadata whose samples lie in one chunk, as cameras write them (QuickTime File Format,
/// "Timed metadata media").
struct MetadataTrackBoxes {
  var trackID: UInt32
  /// References to other tracks, such as `cdsc`, in order.
  var references: [TrackReference]
  /// Ticks a second of the movie and of the track.
  var timescale: UInt32
  /// The moment of the first sample, in ticks.
  var start: Int64
  var dates: HeaderTimes
  /// Keys without their numbers, which count from 1.
  var keys: [NewTimedMetadataKey]
  var durations: [UInt32]
  var sizes: [Int]

  /// All samples together, in ticks.
  private var mediaDuration: UInt64 { durations.reduce(0) { $0 + UInt64($1) } }
  /// The moment at which the track ends, in ticks.
  var end: Int64 { start &+ Int64(clamping: mediaDuration) }

  private var edits: [Edit] {
    let shown = Edit(duration: mediaDuration, mediaTime: 0)
    return start > 0 ? [Edit(duration: UInt64(start), mediaTime: -1), shown] : [shown]
  }

  /// Writes the `trak` box.
  ///
  /// - Parameter chunkOffset: writes where the samples begin, in as many bytes as it is told.
  func write(to writer: inout ByteWriter, offsetWidth: Int, chunkOffset: (inout ByteWriter, Int) -> Void) {
    writer.box("trak") { writer in
      writeHeader(to: &writer)
      writer.box("edts") { EditList.write(edits, to: &$0) }
      if !references.isEmpty {
        writer.box("tref") { writer in
          for reference in references {
            writer.box(reference.type) { writer in for id in reference.trackIDs { writer.writeUInt32(id) } }
          }
        }
      }
      writer.box("mdia") { writer in
        writeMediaHeader(to: &writer)
        writer.handler("mhlr", "meta", flags: 1, name: "Core Media Metadata")
        writer.box("minf") { writer in
          writer.genericMediaHeader()
          writer.handler("dhlr", "alis", flags: 0, name: "Core Media Data Handler")
          writer.box("dinf") { writer in
            writer.table("dref", count: 1) { $0.fullBox("alis", version: 0, flags: 1) { _ in } }
          }
          writer.box("stbl") { writer in
            writeTables(to: &writer)
            writer.table(offsetWidth == 8 ? "co64" : "stco", count: 1) { chunkOffset(&$0, offsetWidth) }
          }
        }
      }
    }
  }

  private func writeHeader(to writer: inout ByteWriter) {
    let isLarge = end >= UInt32.max || dates.isLarge
    writer.fullBox("tkhd", version: isLarge ? 1 : 0, flags: 0xF) { writer in
      dates.write(to: &writer, isLarge: isLarge)
      writer.writeUInt32(trackID)
      writer.writeZeros(4)
      writer.writeDuration(UInt64(end), isLarge: isLarge)
      // Reserved, layer, alternate group and volume: all 0.
      writer.writeZeros(16)
      MovieMatrix.identity.write(to: &writer)
      writer.writeZeros(8)
    }
  }

  private func writeMediaHeader(to writer: inout ByteWriter) {
    let isLarge = dates.isLarge || mediaDuration >= UInt32.max
    writer.fullBox("mdhd", version: isLarge ? 1 : 0, flags: 0) { writer in
      dates.write(to: &writer, isLarge: isLarge)
      writer.writeUInt32(timescale)
      writer.writeDuration(mediaDuration, isLarge: isLarge)
      writer.writeUInt16(LanguageCode.undetermined)
      writer.writeUInt16(0)
    }
  }

  private func writeTables(to writer: inout ByteWriter) {
    writer.table("stsd", count: 1) { writeDescription(to: &$0) }
    let runs = durations.runs
    writer.table("stts", count: runs.count) { writer in
      for run in runs {
        writer.writeUInt32(run.count)
        writer.writeUInt32(run.value)
      }
    }
    [ChunkRun(firstSample: 0, firstChunk: 0, samplesPerChunk: sizes.count, descriptionIndex: 0)].write(to: &writer)
    writer.fullBox("stsz", version: 0, flags: 0) { writer in
      let isConstant = sizes.allSatisfy { $0 == sizes[0] }
      writer.writeUInt32(isConstant ? UInt32(truncatingIfNeeded: sizes.first ?? 0) : 0)
      writer.writeUInt32(UInt32(truncatingIfNeeded: sizes.count))
      if !isConstant { for size in sizes { writer.writeUInt32(UInt32(truncatingIfNeeded: size)) } }
    }
  }

  private func writeDescription(to writer: inout ByteWriter) {
    writer.box("mebx") { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.box("keys") { writer in
        for (index, key) in keys.enumerated() {
          writer.box(FourCC(rawValue: UInt32(truncatingIfNeeded: index + 1))) { key.write(to: &$0) }
        }
      }
    }
  }
}

extension HeaderTimes {
  /// Whether they take 64 bits.
  var isLarge: Bool { creation > UInt32.max || modification > UInt32.max }
}

extension ByteWriter {
  /// The base media header of media without pictures: "dither copy" and mid-grey, as QuickTime writes it (QuickTime File
  /// Format, "Base media information header atoms").
  mutating func genericMediaHeader() {
    box("gmhd") { writer in
      writer.fullBox("gmin", version: 0, flags: 0) { writer in
        for value in [0x40, 0x8000, 0x8000, 0x8000, 0, 0] as [UInt16] { writer.writeUInt16(value) }
      }
    }
  }
}
