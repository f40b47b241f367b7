public import LivePhotoCore

/// A key of a ``TimedMetadataTrack``.
public struct NewTimedMetadataKey: Sendable, Equatable {
  /// The key, such as `com.apple.quicktime.video-orientation`.
  public var name: String
  /// How values are coded.
  public var dataType: TimedMetadataKey.DataType
  /// How ``name`` is to be understood.
  public var namespace: FourCC = "mdta"
  /// Boxes behind the key and its type: setup data (`setu`), structural dependency (`sdpd`) and so on.
  public var extensions: [DescriptionExtension] = []

  /// A key.
  public init(_ name: String, type dataType: TimedMetadataKey.DataType) {
    self.name = name
    self.dataType = dataType
  }

  func write(to writer: inout ByteWriter) {
    writer.box("keyd") { writer in
      writer.writeFourCC(namespace)
      writer.writeUTF8(name)
    }
    writer.box("dtyp") { writer in
      switch dataType {
      case .wellKnown(let type):
        writer.writeUInt32(0)
        writer.writeUInt32(type)
      case .named(let name):
        writer.writeUInt32(1)
        writer.writeUTF8(name)
      case .other(let space, let bytes):
        writer.writeUInt32(space)
        writer.write(bytes)
      }
    }
    for box in extensions { writer.box(box.type, box.payload) }
  }
}

/// What a ``TimedMetadataTrack`` says for a while.
public struct NewTimedMetadataSample: Sendable, Equatable {
  /// A value and the place of its key among the track's.
  public struct Value: Sendable, Equatable {
    /// The place of the key, counted from 0.
    public var key: Int
    /// The value in the key's type.
    public var bytes: [UInt8]
  }

  /// How long it lasts, in ticks of the movie's time scale.
  public var duration: UInt32
  /// The values; none where there is nothing to say.
  public private(set) var values: [Value] = []

  /// A sample that says nothing yet.
  public init(duration: UInt32) { self.duration = duration }

  /// Adds a value as it stands in the file.
  public mutating func add(_ bytes: [UInt8], forKey key: Int) { values.append(Value(key: key, bytes: bytes)) }

  /// Boxes of values; one of nothing where there is none, since a sample may not be empty.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    for value in values { writer.box(FourCC(rawValue: UInt32(truncatingIfNeeded: value.key + 1)), value.bytes) }
    if values.isEmpty { writer.box(FourCC(rawValue: 0), []) }
    return writer.bytes
  }
}

/// A track of boxed metadata (`mebx`) to be added to a movie: any keys, with values of any types.
///
/// ```swift
/// var track = TimedMetadataTrack(keys: [NewTimedMetadataKey("com.example.level", type: .wellKnown(23))])
/// try track.append([(0, .real(0.5))], duration: 20)
/// let movie = try movie.adding(track)
/// ```
public struct TimedMetadataTrack: Sendable {
  /// The keys.
  public var keys: [NewTimedMetadataKey]
  /// The samples, one behind the other.
  public var samples: [NewTimedMetadataSample] = []
  /// When the first sample begins, in ticks of the movie's time scale.
  public var start: Int64 = 0
  /// References to other tracks; where there is none, the track describes (`cdsc`) the one that the movie shows.
  public var references: [TrackReference] = []

  /// A track without samples.
  public init(keys: [NewTimedMetadataKey]) { self.keys = keys }

  /// Adds a sample of values in the well-known types of their keys, or as they stand in the file (``MetadataValue/data(type:_:)``).
  ///
  /// - Throws: ``MovieWriteError/unsupported(_:)`` when there is no such key, or a value does not fit its type.
  public mutating func append(_ values: [(key: Int, value: MetadataValue)], duration: UInt32) throws(MovieWriteError) {
    var sample = NewTimedMetadataSample(duration: duration)
    for (index, value) in values {
      guard keys.indices.contains(index) else { throw .unsupported("a value of key \(index), which is not there,") }
      let bytes: [UInt8]? =
        if case .data(_, let bytes) = value { bytes } else if case .wellKnown(let type) = keys[index].dataType {
          value.encoded(as: type)
        } else { nil }
      guard let bytes else {
        throw .unsupported("the value \(value) in the type of \(keys[index].name)")
      }
      sample.add(bytes, forKey: index)
    }
    samples.append(sample)
  }

  /// A track that says for a whole movie how its pictures are turned, as cameras write it.
  ///
  /// - Parameter duration: in ticks of the movie's time scale.
  public static func videoOrientation(_ orientation: Orientation, duration: UInt32) -> TimedMetadataTrack {
    var track = TimedMetadataTrack(keys: [
      NewTimedMetadataKey(MetadataName.videoOrientation, type: .wellKnown(66))
    ])
    var sample = NewTimedMetadataSample(duration: duration)
    sample.add([UInt8(orientation.rawValue >> 8), UInt8(orientation.rawValue & 255)], forKey: 0)
    track.samples = [sample]
    return track
  }
}

extension Movie {
  /// The movie with a further track of metadata behind all others.
  ///
  /// The samples stand behind the movie in the new one's ``source``, from where any writer takes them.
  ///
  /// - Throws: ``MovieWriteError/unsupported(_:)`` for a track without samples or beyond 32 bits,
  ///   ``MovieWriteError/header(_:)`` when the movie's header is damaged.
  public func adding(_ track: TimedMetadataTrack, limits: Limits = .standard) throws(MovieWriteError) -> Movie {
    let content = track.samples.map(\.bytes)
    guard !content.isEmpty, !track.keys.isEmpty, track.start >= 0 else {
      throw .unsupported("a metadata track without keys and samples")
    }
    let size = content.reduce(0) { $0 + $1.count }
    guard size < Int(Int32.max), track.start < Int64(Int32.max) else {
      throw .unsupported("a metadata track of \(size) bytes from tick \(track.start) on")
    }
    let shown = videoTrack.map { [TrackReference(type: "cdsc", trackIDs: [$0.id])] } ?? []
    let boxes = MetadataTrackBoxes(
      trackID: freeTrackID, references: track.references.isEmpty ? shown : track.references,
      timescale: header.timescale, start: track.start,
      dates: HeaderTimes(creation: header.creationTime, modification: header.modificationTime), keys: track.keys,
      durations: track.samples.map(\.duration), sizes: content.map(\.count))

    // Bytes that belong to no box would hide what stands behind them, but for media that were cut off.
    let isCut =
      topLevel.rest.isEmpty || (try? source.read(topLevel.rest.prefix(8)))?.dropFirst(4) == Array("mdat".utf8)[...]
    let end = isCut ? source.count : topLevel.rest.lowerBound
    var media = ByteWriter()
    media.box("mdat") { writer in for bytes in content { writer.write(bytes) } }
    let newSource = AppendedSource(source, count: end, appending: media.bytes)
    do throws(ParseError) {
      var movieHeader = header
      movieHeader.nextTrackID = max(movieHeader.nextTrackID, boxes.trackID &+ 1)
      if let duration = header.duration { movieHeader.duration = max(duration, UInt64(max(0, boxes.end))) }
      return try rewritingHeader(over: newSource, limits: limits) { (cursor, writer) throws(ParseError) in
        try Self.copy(&cursor, header: movieHeader, to: &writer) { writer in
          boxes.write(to: &writer, offsetWidth: end + 8 > UInt32.max ? 8 : 4) { writer, width in
            writer.writeUInt(UInt64(end + 8), width: width)
          }
        }
      }
    } catch { throw .header(error) }
  }

  /// Copies `moov` with another header and something behind its last track.
  private static func copy(
    _ cursor: inout ByteCursor, header: MovieHeader, to writer: inout ByteWriter, _ track: (inout ByteWriter) -> Void
  ) throws(ParseError) {
    let children = try cursor.peekChildren()
    let last = children.lastIndex { $0.type == "trak" } ?? children.count - 1
    for (index, box) in children.enumerated() {
      let bytes = try cursor.readBytes(box.range.count)
      if box.type == "mvhd" { header.write(to: &writer) } else { writer.copy(box, bytes) }
      if index == last { track(&writer) }
    }
    writer.write(cursor.readRemaining())
  }
}
