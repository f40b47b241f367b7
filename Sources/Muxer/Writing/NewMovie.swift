public import LivePhotoCore

/// A QuickTime movie of one video track, made of coded pictures.
///
/// ```swift
/// var movie = NewMovie(track: NewVideoTrack(codec: "hvc1", width: 1440, height: 1080, timescale: 600))
/// movie.track.configuration = (type: "hvcC", payload: configuration.bytes)
/// movie.track.samples.append(NewSample(bytes: accessUnit, duration: 20, isSync: true))
/// let plan = try movie.plan()
/// ```
public struct NewMovie: Sendable {
  /// The track.
  public var track: NewVideoTrack
  /// Metadata items, keys of the namespace `mdta` with texts.
  public var metadata: [(key: String, text: String)] = []
  /// When the movie was made, in seconds since 1904-01-01 UTC.
  public var creationTime: UInt64 = 0

  /// A movie of one track; its own time scale is the track's.
  public init(track: NewVideoTrack) { self.track = track }

  /// The file: `ftyp`, `wide`, `mdat`, `moov`, as cameras lay it out.
  ///
  /// - Throws: ``MovieWriteError/noVideo`` without samples, ``MovieWriteError/layout(_:)`` for 4 GiB of media and more,
  ///   ``MovieWriteError/unsupported(_:)`` for times that do not fit into the tables.
  public func plan() throws(MovieWriteError) -> OutputPlan {
    guard !track.samples.isEmpty else { throw .noVideo }
    try track.check()
    guard creationTime <= UInt32.max else { throw .unsupported("a creation time of \(creationTime)") }
    var builder = OutputPlanBuilder()
    var start = ByteWriter()
    FileType.quickTime.write(to: &start)
    start.box("wide", [])
    let size = 8 + track.samples.reduce(0) { $0 + $1.bytes.count }
    guard size <= UInt32.max else { throw .layout(.offsetTooLarge(size, width: 4)) }
    start.writeUInt32(UInt32(size))
    start.writeFourCC("mdat")
    builder.append(start)
    let media = builder.makeAnchor()
    builder.place(media)
    for sample in track.samples { builder.append(sample.bytes) }
    builder.append(header(media))
    do { return try builder.finish() } catch { throw .layout(error) }
  }

  private func header(_ media: Anchor) -> ByteWriter {
    var writer = ByteWriter()
    let dates = HeaderTimes(creation: creationTime, modification: creationTime)
    writer.box("moov") { writer in
      writer.fullBox("mvhd", version: 0, flags: 0) { writer in
        dates.write(to: &writer, isLarge: false)
        writer.writeUInt32(track.timescale)
        writer.writeDuration(UInt64(track.duration), isLarge: false)
        writer.writeUInt32(0x10000)  // rate 1.0
        writer.writeUInt16(0x100)  // volume 1.0
        writer.writeZeros(10)
        MovieMatrix.identity.write(to: &writer)
        writer.writeZeros(24)
        writer.writeUInt32(NewVideoTrack.id + 1)
      }
      track.write(to: &writer, dates: dates, media: media)
      KeyEditor(KeyChanges(values: metadata.map { ($0.key, .utf8($0.text)) })).writeNew(to: &writer)
    }
    return writer
  }
}
