import LivePhotoCore

/// The track by which a camera's movie says which moment the still shows: one `mebx` sample behind an empty edit.
///
/// Every box is written as iPhones write it, so that the track differs from a camera's only in its times, identifiers
/// and transform.
struct StillImageTimeTrack {
  /// The identifier of the track itself.
  var trackID: UInt32
  /// The track whose pictures the still belongs to.
  var videoTrackID: UInt32
  /// The moment of the still, in ticks of ``timescale``.
  var time: Int64
  /// The movie's time scale, which the track shares.
  var timescale: UInt32
  /// The dates of the headers.
  var dates: HeaderTimes
  /// The coded dimensions of the video, for which the transform is meant.
  var referenceDimensions: Dimensions

  /// How long the sample is shown, in ticks.
  private static let duration: Int64 = 1
  private static let types: [(name: String, type: UInt32)] = [
    (MetadataName.stillImageTime, 65), (MetadataName.stillImageTransform, 83),
    (MetadataName.stillImageReferenceDimensions, 71),
  ]

  /// Whether a track that has these keys holds nothing that this one would lose.
  static func canReplace(_ keys: [TimedMetadataKey]) -> Bool {
    keys.allSatisfy { key in types.contains { $0.name == key.name } }
  }

  /// The moment at which the track ends, in ticks.
  var end: Int64 { time &+ Self.duration }

  /// The sample's 105 bytes: the value -1, the identity, and the dimensions that it is meant for.
  var sample: [UInt8] {
    var writer = ByteWriter()
    writer.value(1) { $0.writeInt8(-1) }
    writer.value(2) { writer in
      for index in 0..<9 { writer.writeFloat64(index % 4 == 0 ? 1 : 0) }
    }
    writer.value(3) { writer in
      writer.writeFloat32(Float(referenceDimensions.width))
      writer.writeFloat32(Float(referenceDimensions.height))
    }
    return writer.bytes
  }

  /// Writes the `trak` box; its only chunk begins at `anchor`.
  func write(to writer: inout ByteWriter, sampleAt anchor: Anchor, offsetWidth: Int) {
    writer.box("trak") { writer in
      writeHeader(to: &writer)
      writer.box("edts") { EditList.write(edits, to: &$0) }
      writer.box("tref") { $0.box("cdsc") { $0.writeUInt32(videoTrackID) } }
      writer.box("mdia") { writer in
        writeMediaHeader(to: &writer)
        writer.handler("mhlr", "meta", flags: 1, name: "Core Media Metadata")
        writer.box("minf") { writer in
          writeInformation(to: &writer)
          writeSampleTable(to: &writer, sampleAt: anchor, offsetWidth: offsetWidth)
        }
      }
    }
  }

  private var edits: [Edit] {
    let shown = Edit(duration: UInt64(Self.duration), mediaTime: 0)
    return time > 0 ? [Edit(duration: UInt64(time), mediaTime: -1), shown] : [shown]
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
    writer.fullBox("mdhd", version: dates.isLarge ? 1 : 0, flags: 0) { writer in
      dates.write(to: &writer, isLarge: dates.isLarge)
      writer.writeUInt32(timescale)
      writer.writeDuration(UInt64(Self.duration), isLarge: dates.isLarge)
      writer.writeUInt16(LanguageCode.undetermined)
      writer.writeUInt16(0)
    }
  }

  private func writeInformation(to writer: inout ByteWriter) {
    writer.box("gmhd") { writer in
      writer.fullBox("gmin", version: 0, flags: 0) { writer in
        // Graphics mode "dither copy" and mid-grey, as QuickTime writes for media without pictures.
        for value in [0x40, 0x8000, 0x8000, 0x8000, 0, 0] as [UInt16] { writer.writeUInt16(value) }
      }
    }
    writer.handler("dhlr", "alis", flags: 0, name: "Core Media Data Handler")
    writer.box("dinf") { writer in
      writer.fullBox("dref", version: 0, flags: 0) { writer in
        writer.writeUInt32(1)
        writer.fullBox("alis", version: 0, flags: 1) { _ in }
      }
    }
  }

  private func writeSampleTable(to writer: inout ByteWriter, sampleAt anchor: Anchor, offsetWidth: Int) {
    writer.box("stbl") { writer in
      writer.table("stsd", count: 1) { writeDescription(to: &$0) }
      writer.table("stts", count: 1) { writer in
        writer.writeUInt32(1)
        writer.writeUInt32(UInt32(Self.duration))
      }
      writer.table("stsc", count: 1) { writer in
        for _ in 0..<3 { writer.writeUInt32(1) }
      }
      writer.fullBox("stsz", version: 0, flags: 0) { writer in
        writer.writeUInt32(UInt32(sample.count))
        writer.writeUInt32(1)
      }
      writer.table(offsetWidth == 8 ? "co64" : "stco", count: 1) { writer in
        writer.writeOffset(from: anchor, distance: 0, width: offsetWidth)
      }
    }
  }

  private func writeDescription(to writer: inout ByteWriter) {
    writer.box("mebx") { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.box("keys") { writer in
        for (index, key) in Self.types.enumerated() {
          writer.box(FourCC(rawValue: UInt32(index) + 1)) { writer in
            writer.box("keyd") { writer in
              writer.writeFourCC("mdta")
              writer.writeUTF8(key.name)
            }
            writer.box("dtyp") { writer in
              writer.writeUInt32(0)
              writer.writeUInt32(key.type)
            }
          }
        }
      }
    }
  }
}

extension HeaderTimes {
  fileprivate var isLarge: Bool { creation > UInt32.max || modification > UInt32.max }
}

extension ByteWriter {
  /// A value of a boxed metadata sample: its size, the number of its key, its content.
  fileprivate mutating func value(_ key: UInt32, _ content: (inout ByteWriter) -> Void) {
    box(FourCC(rawValue: key), content)
  }

  /// A handler with a counted name, as QuickTime has it.
  mutating func handler(_ component: FourCC, _ type: FourCC, flags: UInt32, name: String) {
    fullBox("hdlr", version: 0, flags: 0) { writer in
      writer.writeFourCC(component)
      writer.writeFourCC(type)
      writer.writeFourCC("appl")
      writer.writeUInt32(flags)
      writer.writeUInt32(0)
      writer.writeUInt8(UInt8(truncatingIfNeeded: name.utf8.count))
      writer.writeUTF8(name)
    }
  }

  /// A box that begins with the number of its entries.
  mutating func table(_ type: FourCC, count: Int, _ content: (inout ByteWriter) -> Void) {
    fullBox(type, version: 0, flags: 0) { writer in
      writer.writeUInt32(UInt32(truncatingIfNeeded: count))
      content(&writer)
    }
  }
}
