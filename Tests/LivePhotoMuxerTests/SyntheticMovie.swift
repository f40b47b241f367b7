import LivePhotoCore
import TestSupport

/// A track to be built for a test.
struct SyntheticTrack {
  var id: UInt32 = 1
  var handler: FourCC = "vide"
  var timescale: UInt32 = 600
  /// Counts and durations of samples in decoding order.
  var durations: [(count: Int, delta: UInt32)] = [(10, 20)]
  /// One composition offset a sample, or none; with the version of `ctts`.
  var offsets: [Int32] = []
  var offsetVersion: UInt8 = 0
  /// Segments: duration in movie ticks, media time, rate.
  var edits: [(duration: UInt64, mediaTime: Int64, rate: Int32)] = []
  var samplesPerChunk = 3
  var sizes = Sizes.listed
  /// The size that `stsz` says of all samples, whatever they have; the true ones where nil.
  var statedSize: UInt32?
  var hasLargeOffsets = false
  var syncSamples: [UInt32]?
  var matrix = MovieMatrix.identity
  var width: UInt16 = 64
  var height: UInt16 = 48
  /// The whole sample entry; one of video where nil.
  var entry: [UInt8]?
  /// The coding that the entry of video names.
  var format: FourCC = "hvc1"
  /// The samples themselves; made up where nil.
  var samples: [[UInt8]]?
  /// Whole boxes behind `mdia`.
  var extra: [UInt8] = []
  /// Whole boxes at the end of `stbl`.
  var tableExtra: [UInt8] = []
  /// Whole boxes at the end of `minf`.
  var informationExtra: [UInt8] = []

  enum Sizes { case listed, constant, compact4, compact8, compact16 }

  var count: Int { durations.reduce(0) { $0 + $1.count } }

  /// Samples of unlike sizes and bytes, equal sizes where the table says so.
  func content() -> [[UInt8]] {
    if let samples { return samples }
    var generator = SplitMix64(seed: UInt64(id))
    return (0..<count).map { index in
      let size =
        switch sizes {
        case .constant: 7
        case .compact4: 1 + index % 15
        default: 5 + index % 11
        }
      return generator.bytes(size)
    }
  }
}

/// A movie to be built for a test.
struct SyntheticMovie {
  var timescale: UInt32 = 600
  var tracks = [SyntheticTrack()]
  var brand: FourCC? = "qt  "
  var isHeaderFirst = false
  var mediaForm = MediaForm.compact
  /// Whole boxes at the top level: before the media, and at the end.
  var before: [UInt8] = []
  var after: [UInt8] = []
  /// Whole boxes at the end of `moov`.
  var movieExtra: [UInt8] = []
  var nextTrackID: UInt32?
  var duration: UInt32?

  enum MediaForm { case compact, large, toEnd, onePerTrack }

  func build() throws -> [UInt8] {
    var builder = OutputPlanBuilder()
    let anchors = tracks.map { _ in builder.makeAnchor() }
    let contents = tracks.map { $0.content() }
    // Chunks of all tracks by turns, as a camera writes them.
    var media = tracks.map { _ in [UInt8]() }
    var distances = tracks.map { _ in [Int]() }
    let isShared = mediaForm != .onePerTrack
    let rounds = zip(tracks, contents).map { ($1.count + $0.samplesPerChunk - 1) / $0.samplesPerChunk }.max() ?? 0
    for round in 0..<rounds {
      for (index, track) in tracks.enumerated() {
        let first = round * track.samplesPerChunk
        guard first < contents[index].count else { continue }
        let into = isShared ? 0 : index
        distances[index].append(media[into].count)
        media[into] += contents[index][first..<min(first + track.samplesPerChunk, contents[index].count)].joined()
      }
    }
    var header = ByteWriter()
    writeHeader(to: &header, contents, distances, anchors: isShared ? tracks.map { _ in anchors[0] } : anchors)

    if let brand {
      var writer = ByteWriter()
      writer.box("ftyp") { writer in
        writer.writeFourCC(brand)
        writer.writeUInt32(0)
        writer.writeFourCC(brand)
      }
      builder.append(writer)
    }
    builder.append(before)
    if isHeaderFirst { builder.append(header) }
    if !isHeaderFirst && mediaForm == .toEnd { builder.append(header) }
    for (anchor, bytes) in isShared ? [(anchors[0], media[0])] : Array(zip(anchors, media)) {
      builder.append(mediaHeader(bytes.count))
      builder.place(anchor)
      builder.append(bytes)
    }
    if !isHeaderFirst && mediaForm != .toEnd { builder.append(header) }
    builder.append(after)
    return try builder.finish().materialized()
  }

  private func mediaHeader(_ count: Int) -> [UInt8] {
    var writer = ByteWriter()
    switch mediaForm {
    case .large:
      writer.writeUInt32(1)
      writer.writeFourCC("mdat")
      writer.writeUInt64(UInt64(count + 16))
    case .toEnd:
      writer.writeUInt32(0)
      writer.writeFourCC("mdat")
    case .compact, .onePerTrack:
      writer.writeUInt32(UInt32(count + 8))
      writer.writeFourCC("mdat")
    }
    return writer.bytes
  }

  private func writeHeader(
    to writer: inout ByteWriter, _ contents: [[[UInt8]]], _ distances: [[Int]], anchors: [Anchor]
  ) {
    writer.box("moov") { writer in
      writer.fullBox("mvhd", version: 0, flags: 0) { writer in
        writer.writeZeros(8)
        writer.writeUInt32(timescale)
        writer.writeUInt32(duration ?? movieDuration)
        writer.writeUInt32(0x10000)
        writer.writeUInt16(0x100)
        writer.writeZeros(10)
        MovieMatrix.identity.write(to: &writer)
        writer.writeZeros(24)
        writer.writeUInt32(nextTrackID ?? (tracks.map(\.id).max() ?? 0) + 1)
      }
      for (index, track) in tracks.enumerated() {
        track.write(
          to: &writer, sizes: contents[index].map(\.count), distances: distances[index], anchor: anchors[index],
          duration: movieDuration)
      }
      writer.write(movieExtra)
    }
  }

  private var movieDuration: UInt32 {
    tracks.map { track in
      let media = track.durations.reduce(0) { $0 + UInt64($1.count) * UInt64($1.delta) }
      let edited = track.edits.reduce(0) { $0 + $1.duration }
      return UInt32(clamping: track.edits.isEmpty ? media * UInt64(timescale) / UInt64(track.timescale) : edited)
    }.max() ?? 0
  }
}

extension SyntheticTrack {
  fileprivate func write(
    to writer: inout ByteWriter, sizes counts: [Int], distances: [Int], anchor: Anchor, duration: UInt32
  ) {
    writer.box("trak") { writer in
      writer.fullBox("tkhd", version: 0, flags: 0xF) { writer in
        writer.writeZeros(8)
        writer.writeUInt32(id)
        writer.writeZeros(4)
        writer.writeUInt32(duration)
        writer.writeZeros(16)
        matrix.write(to: &writer)
        writer.writeUInt32(UInt32(width) << 16)
        writer.writeUInt32(UInt32(height) << 16)
      }
      if !edits.isEmpty {
        writer.box("edts") { writer in
          let isLarge = edits.contains { $0.duration > UInt32.max }
          writer.fullBox("elst", version: isLarge ? 1 : 0, flags: 0) { writer in
            writer.writeUInt32(UInt32(edits.count))
            for edit in edits {
              writer.writeUInt(edit.duration, width: isLarge ? 8 : 4)
              writer.writeUInt(UInt64(bitPattern: edit.mediaTime), width: isLarge ? 8 : 4)
              writer.writeInt32(edit.rate)
            }
          }
        }
      }
      writer.box("mdia") { writer in
        writer.fullBox("mdhd", version: 0, flags: 0) { writer in
          writer.writeZeros(8)
          writer.writeUInt32(timescale)
          writer.writeUInt32(UInt32(clamping: durations.reduce(0) { $0 + $1.count * Int($1.delta) }))
          writer.writeUInt16(0x15C7)
          writer.writeUInt16(0)
        }
        writer.fullBox("hdlr", version: 0, flags: 0) { writer in
          writer.writeFourCC("mhlr")
          writer.writeFourCC(handler)
          writer.writeZeros(13)
        }
        writer.box("minf") { writer in
          writer.box("dinf") { writer in
            writer.fullBox("dref", version: 0, flags: 0) { writer in
              writer.writeUInt32(1)
              writer.fullBox("url ", version: 0, flags: 1) { _ in }
            }
          }
          writer.box("stbl") { writeTable(to: &$0, sizes: counts, distances, anchor) }
          writer.write(informationExtra)
        }
      }
      writer.write(extra)
    }
  }

  private func writeTable(to writer: inout ByteWriter, sizes counts: [Int], _ distances: [Int], _ anchor: Anchor) {
    func table(_ type: FourCC, version: UInt8 = 0, _ rows: [[UInt32]], to writer: inout ByteWriter) {
      writer.fullBox(type, version: version, flags: 0) { writer in
        writer.writeUInt32(UInt32(rows.count))
        for value in rows.joined() { writer.writeUInt32(value) }
      }
    }
    writer.fullBox("stsd", version: 0, flags: 0) { writer in
      writer.writeUInt32(1)
      writer.write(entry ?? videoEntry)
    }
    table("stts", durations.map { [UInt32($0.count), $0.delta] }, to: &writer)
    if !offsets.isEmpty {
      table("ctts", version: offsetVersion, offsets.map { [1, UInt32(bitPattern: $0)] }, to: &writer)
    }
    if let syncSamples { table("stss", syncSamples.map { [$0] }, to: &writer) }
    let rest = counts.count % samplesPerChunk
    var runs = [[1, UInt32(samplesPerChunk), 1]]
    if rest > 0, distances.count > 1 { runs.append([UInt32(distances.count), UInt32(rest), 1]) }
    if rest > 0, distances.count == 1 { runs = [[1, UInt32(rest), 1]] }
    table("stsc", runs, to: &writer)
    writeSizes(counts, to: &writer)
    writer.fullBox(hasLargeOffsets ? "co64" : "stco", version: 0, flags: 0) { writer in
      writer.writeUInt32(UInt32(distances.count))
      writer.writeOffsets(from: anchor, distances: distances, width: hasLargeOffsets ? 8 : 4)
    }
    writer.write(tableExtra)
  }

  private func writeSizes(_ counts: [Int], to writer: inout ByteWriter) {
    if let statedSize {
      writer.fullBox("stsz", version: 0, flags: 0) { writer in
        writer.writeUInt32(statedSize)
        writer.writeUInt32(UInt32(counts.count))
      }
      return
    }
    let width =
      switch sizes {
      case .compact4: 4
      case .compact8: 8
      case .compact16: 16
      case .listed, .constant: 32
      }
    writer.fullBox(width == 32 ? "stsz" : "stz2", version: 0, flags: 0) { writer in
      writer.writeUInt32(width < 32 ? UInt32(width) : sizes == .constant ? UInt32(counts.first ?? 0) : 0)
      writer.writeUInt32(UInt32(counts.count))
      if sizes == .constant { return }
      if width == 4 {
        for index in stride(from: 0, to: counts.count, by: 2) {
          writer.writeUInt8(UInt8(counts[index] << 4 | (index + 1 < counts.count ? counts[index + 1] : 0)))
        }
      } else {
        for count in counts { writer.writeUInt(UInt64(count), width: width / 8) }
      }
    }
  }

  private var videoEntry: [UInt8] {
    var writer = ByteWriter()
    writer.box(format) { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.writeZeros(16)
      writer.writeUInt16(width)
      writer.writeUInt16(height)
      writer.writeZeros(50)
      writer.box("pasp") { PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3).write(to: &$0) }
      writer.box("colr") { writer in
        writer.writeFourCC("nclx")
        for value in [9, 16, 9] as [UInt16] { writer.writeUInt16(value) }
        writer.writeUInt8(0x80)
      }
      writer.writeZeros(4)
    }
    return writer.bytes
  }
}

/// Boxes that tests put into movies.
enum SyntheticBox {
  static func box(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.box(type, content)
    return writer.bytes
  }

  /// A `meta` box of QuickTime's kind: keys, types, locales and values.
  static func keys(_ items: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])], isFullBox: Bool = false)
    -> [UInt8]
  {
    var writer = ByteWriter()
    writer.box("meta") { writer in
      if isFullBox { writer.writeZeros(4) }
      writer.fullBox("hdlr", version: 0, flags: 0) { writer in
        writer.writeZeros(4)
        writer.writeFourCC("mdta")
        writer.writeZeros(13)
      }
      writer.fullBox("keys", version: 0, flags: 0) { writer in
        writer.writeUInt32(UInt32(items.count))
        for item in items { writer.box("mdta") { $0.writeUTF8(item.key) } }
      }
      writer.box("ilst") { writer in
        for (index, item) in items.enumerated() {
          writer.box(FourCC(rawValue: UInt32(index) + 1)) { writer in
            writer.box("data") { writer in
              writer.writeUInt32(item.type)
              writer.writeUInt32(item.locale)
              writer.write(item.bytes)
            }
          }
        }
      }
    }
    return writer.bytes
  }

  /// A `mebx` sample entry with keys of type int8, numbered from 1.
  static func timedKeys(_ names: [String]) -> [UInt8] {
    var writer = ByteWriter()
    writer.box("mebx") { writer in
      writer.writeZeros(6)
      writer.writeUInt16(1)
      writer.box("keys") { writer in
        for (index, name) in names.enumerated() {
          writer.box(FourCC(rawValue: UInt32(index) + 1)) { writer in
            writer.box("keyd") { $0.writeUTF8("mdta" + name) }
            writer.box("dtyp") { $0.write([0, 0, 0, 0, 0, 0, 0, 65]) }
          }
        }
      }
    }
    return writer.bytes
  }

  /// A still-image-time track of the smallest kind, without an edit list.
  static func marker(id: UInt32, samples: [[UInt8]], delta: UInt32 = 1) -> SyntheticTrack {
    SyntheticTrack(
      id: id, handler: "meta", durations: [(samples.count, delta)], width: 0, height: 0,
      entry: timedKeys(["com.apple.quicktime.still-image-time"]), samples: samples)
  }

  /// A sample with the one value of ``marker(id:samples:delta:)``'s key, and one that says nothing.
  static let value: [UInt8] = [0, 0, 0, 9, 0, 0, 0, 1, 0xFF]
  static let nothing: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0]
}
