public import LivePhotoCore

extension Movie {
  /// A movie of an MP4 file as QuickTime has it; a QuickTime movie as it is.
  ///
  /// Samples stay.
  ///
  /// - Handlers are components with counted names, and each media has one of its data too.
  /// - Media that neither show nor sound have `gmhd`; `meta` boxes with keys have no version; `iods` goes.
  /// - `hev1` becomes `hvc1`, `avc3` `avc1`: parameter sets among the samples are added to the decoder's configuration
  ///   where they are not in it. Where they change, the entry keeps its name, and ``warnings`` say so.
  /// - AAC is described as cameras do, by version 1 of the sound description with `wave`. All other entries stay, PCM's
  ///   among them.
  ///
  /// - Throws: ``MovieWriteError/header(_:)`` when a box is damaged.
  public func asQuickTime(limits: Limits = .standard) throws(MovieWriteError) -> Movie {
    guard let fileType, !fileType.isQuickTime else { return self }
    var conversion = QuickTimeConversion(movie: self)
    do throws(ParseError) {
      var movie = try rewritingHeader(limits: limits) { (cursor, writer) throws(ParseError) in
        try conversion.write(&cursor, to: &writer)
      }
      movie.tolerated += conversion.warnings
      return movie
    } catch { throw .header(error) }
  }
}

/// Copies the content of MP4's `moov` as QuickTime has it.
private struct QuickTimeConversion {
  let movie: Movie
  private(set) var warnings: [String] = []
  private var track: Track?

  init(movie: Movie) { self.movie = movie }

  mutating func write(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    var trackIndex = 0
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      switch box.type {
      case "iods": continue
      case "trak":
        track = movie.tracks[trackIndex]
        trackIndex += 1
        try writeInside(box, &whole, to: &writer)
      case "meta": try writeMetadata(box, &whole, to: &writer)
      default: writer.copy(box, whole.readRemaining())
      }
    }
    writer.write(cursor.readRemaining())
  }

  /// Copies a box of a track that holds others.
  private mutating func writeInside(_ header: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    try whole.skip(header.headerSize)
    let children = try whole.peekChildren()
    let needsHandler = header.type == "minf" && !children.contains { $0.type == "hdlr" }
    try writer.container(header) { (writer) throws(ParseError) in
      for box in children {
        var content = try whole.slice(box.range.count)
        switch (header.type, box.type) {
        case ("trak", "mdia"), ("mdia", "minf"), ("minf", "stbl"): try writeInside(box, &content, to: &writer)
        case ("trak", "meta"): try writeMetadata(box, &content, to: &writer)
        case ("mdia", "hdlr"): try writeHandler(box, &content, to: &writer)
        case ("minf", "nmhd") where hasGenericMedia: writer.genericMediaHeader()
        case ("minf", "dinf"):
          if needsHandler { writer.handler("dhlr", "alis", flags: 0, name: "Core Media Data Handler") }
          try writeDataInformation(box, &content, to: &writer)
        case ("stbl", "stsd"): try writeDescriptions(box, &content, to: &writer)
        default: writer.copy(box, content.readRemaining())
        }
      }
      writer.write(whole.readRemaining())
    }
  }

  // MARK: Media

  private func writeHandler(_ box: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var content = whole
    try content.skip(box.headerSize)
    let handler = try Handler(parsing: &content)
    guard handler.componentType.rawValue == 0 else { return writer.copy(box, whole.readRemaining()) }
    let own = handler.type.mediaHandlerName
    let name = own.isEmpty ? String(decoding: handler.name.utf8.prefix(255), as: UTF8.self) : own
    writer.handler("mhlr", handler.type, flags: handler.type == "meta" ? 1 : 0, name: name)
  }

  /// Whether the media is of a kind that QuickTime's base media header is for; subtitles keep MPEG's.
  private var hasGenericMedia: Bool { track.map { $0.kind != .text } ?? false }

  /// References to the file itself are aliases.
  private func writeDataInformation(_ header: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    let bytes = whole.readRemaining()
    let own = Array("url ".utf8) + [0, 0, 0, 1]
    guard let range = bytes.firstRange(of: [0, 0, 0, 12] + own), bytes.count == header.headerSize + 28 else {
      return writer.copy(header, bytes)
    }
    var changed = bytes
    changed.replaceSubrange(range.lowerBound + 4..<range.lowerBound + 8, with: Array("alis".utf8))
    writer.copy(header, changed)
  }

  private mutating func writeDescriptions(_ header: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    guard let track else { return writer.copy(header, whole.readRemaining()) }
    try whole.skip(header.headerSize)
    let head = try whole.readBytes(8)
    try writer.container(header) { (writer) throws(ParseError) in
      writer.write(head)
      for (index, box) in try whole.peekChildren().enumerated() {
        let bytes = try whole.readBytes(box.range.count)
        guard track.sampleDescriptions.indices.contains(index) else {
          writer.copy(box, bytes)
          continue
        }
        let entry = QuickTimeDescription(track: track, index: index, source: movie.source).entry()
        if let warning = entry.warning { warnings.append(warning) }
        if entry.bytes == track.sampleDescriptions[index].bytes {
          writer.copy(box, bytes)
        } else {
          writer.write(entry.bytes)
        }
      }
      writer.write(whole.readRemaining())
    }
  }

  // MARK: Metadata

  /// A `meta` box with keys has no version in QuickTime; others stay.
  private func writeMetadata(_ header: BoxHeader, _ whole: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var content = whole
    try content.skip(header.headerSize)
    guard let metadata = try? MovieMetadata(parsingCopyOf: content), metadata.handler == "mdta", metadata.isFullBox
    else { return writer.copy(header, whole.readRemaining()) }
    try content.skip(4)
    try writer.container(header) { (writer) throws(ParseError) in writer.write(content.readRemaining()) }
  }
}
