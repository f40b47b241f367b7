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
  /// How the still's picture maps to the frame's, row by row.
  var transform = StillImageTransform.identity

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
  var end: Int64 { boxes.end }

  /// The sample's 105 bytes: the value -1, the transform, and the dimensions that it is meant for.
  var sample: [UInt8] {
    var writer = ByteWriter()
    writer.value(1) { $0.writeInt8(-1) }
    writer.value(2) { writer in for number in transform.matrix { writer.writeFloat64(number) } }
    writer.value(3) { writer in
      writer.writeFloat32(Float(referenceDimensions.width))
      writer.writeFloat32(Float(referenceDimensions.height))
    }
    return writer.bytes
  }

  private var boxes: MetadataTrackBoxes {
    MetadataTrackBoxes(
      trackID: trackID, references: [TrackReference(type: "cdsc", trackIDs: [videoTrackID])], timescale: timescale,
      start: time, dates: dates, keys: Self.types.map { NewTimedMetadataKey($0.name, type: .wellKnown($0.type)) },
      durations: [UInt32(Self.duration)], sizes: [sample.count])
  }

  /// Writes the `trak` box; its only chunk begins at `anchor`.
  func write(to writer: inout ByteWriter, sampleAt anchor: Anchor, offsetWidth: Int) {
    boxes.write(to: &writer, offsetWidth: offsetWidth) { writer, width in
      writer.writeOffset(from: anchor, distance: 0, width: width)
    }
  }
}

/// How the picture of a still maps to that of its frame in the movie.
public struct StillImageTransform: Equatable, Sendable {
  /// Nine numbers of a perspective transform, row by row.
  public let matrix: [Double]
  /// The dimensions that the transform is meant for; nil for those of the video as coded.
  public var referenceDimensions: Dimensions?

  /// A transform; nil where there are not nine numbers.
  public init?(_ matrix: [Double], referenceDimensions: Dimensions? = nil) {
    guard matrix.count == 9 else { return nil }
    self.matrix = matrix
    self.referenceDimensions = referenceDimensions
  }

  private init() { matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1] }

  /// The still shows what the frame shows.
  public static let identity = StillImageTransform()
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
