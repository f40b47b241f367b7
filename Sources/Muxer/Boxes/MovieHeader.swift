public import LivePhotoCore

/// The movie header, `mvhd` (ISO/IEC 14496-12, 8.2.2; QuickTime File Format, "Movie header atom").
public struct MovieHeader: Equatable, Sendable {
  /// When the movie was made, in seconds since 1904-01-01 UTC (some writers use local time); 0 when not said.
  public var creationTime: UInt64
  /// When the movie was last changed, counted like ``creationTime``.
  public var modificationTime: UInt64
  /// Ticks a second of the movie's own time scale; positive.
  public var timescale: UInt32
  /// The duration of the longest track in ticks of ``timescale``; nil when the file says that it is unknown.
  public var duration: UInt64?
  /// The identifier that the next new track gets; all ones mean that a free one has to be looked for.
  public var nextTrackID: UInt32
  /// The transformation of the whole picture, after each track's own.
  public var matrix: MovieMatrix

  /// What this engine does not interpret: rate, volume and reserved bytes, then the six "predefined" words.
  private var beforeMatrix: [UInt8]
  private var afterMatrix: [UInt8]
  private var isLarge: Bool

  /// Reads the payload of a `mvhd` box.
  ///
  /// - Throws: ``ParseError`` when it is cut off or the time scale is 0.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let (version, _) = try cursor.readVersionAndFlags()
    isLarge = version == 1
    let times = try HeaderTimes(parsing: &cursor, isLarge: isLarge)
    (creationTime, modificationTime) = (times.creation, times.modification)
    let scalePlace = cursor.place
    timescale = try cursor.readUInt32()
    guard timescale > 0 else {
      throw .invalid("movie time scale", found: "0", expected: "at least 1", at: scalePlace)
    }
    duration = try cursor.readDuration(isLarge: isLarge)
    beforeMatrix = try cursor.readBytes(16)
    matrix = try MovieMatrix(parsing: &cursor)
    afterMatrix = try cursor.readBytes(24)
    nextTrackID = try cursor.readUInt32()
  }

  /// Forgets the preview, the poster and the selection, which are times in the movie (QuickTime alone has them).
  mutating func clearSelections() { afterMatrix = Array(repeating: 0, count: afterMatrix.count) }

  /// Writes the whole box, with 64-bit times where the source had them or the duration needs them.
  func write(to writer: inout ByteWriter) {
    let isLarge = isLarge || (duration ?? 0) >= UInt32.max
    writer.fullBox("mvhd", version: isLarge ? 1 : 0, flags: 0) { writer in
      HeaderTimes(creation: creationTime, modification: modificationTime).write(to: &writer, isLarge: isLarge)
      writer.writeUInt32(timescale)
      writer.writeDuration(duration, isLarge: isLarge)
      writer.write(beforeMatrix)
      matrix.write(to: &writer)
      writer.write(afterMatrix)
      writer.writeUInt32(nextTrackID)
    }
  }
}

/// The two dates at the start of `mvhd`, `tkhd` and `mdhd`.
struct HeaderTimes: Equatable, Sendable {
  var creation: UInt64
  var modification: UInt64
}

extension HeaderTimes {
  init(parsing cursor: inout ByteCursor, isLarge: Bool) throws(ParseError) {
    let width = isLarge ? 8 : 4
    creation = try cursor.readUInt(width: width)
    modification = try cursor.readUInt(width: width)
  }

  func write(to writer: inout ByteWriter, isLarge: Bool) {
    writer.writeUInt(creation, width: isLarge ? 8 : 4)
    writer.writeUInt(modification, width: isLarge ? 8 : 4)
  }
}

extension ByteCursor {
  /// A duration of 32 or 64 bits; nil for all ones, which means "unknown".
  mutating func readDuration(isLarge: Bool) throws(ParseError) -> UInt64? {
    let value = try readUInt(width: isLarge ? 8 : 4)
    return value == (isLarge ? .max : UInt64(UInt32.max)) ? nil : value
  }
}

extension ByteWriter {
  /// The counterpart of ``ByteCursor/readDuration(isLarge:)``.
  mutating func writeDuration(_ duration: UInt64?, isLarge: Bool) {
    writeUInt(duration ?? .max, width: isLarge ? 8 : 4)
  }
}
