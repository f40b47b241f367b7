import LivePhotoCore

/// Copies a `moov` box with everything in it as it is, but for what is changed on purpose: the movie header, the
/// identifier, the still-image-time track, the samples of trimmed and fragmented movies, and all absolute offsets into
/// the file.
struct MovieBoxEditor {
  let movie: Movie
  let layout: FileLayout
  /// What the file is to be, which changes the form of some boxes.
  let container: MovieContainer
  let header: MovieHeader
  /// The identifier to be set; nil where the movie's own is left.
  let identifier: ContentIdentifier?
  /// Tracks that are left out, by their places among all tracks; the first of them gives its place to ``newTrack``.
  let removedTracks: [Int]
  let newTrack: (track: StillImageTimeTrack, anchor: Anchor)?

  /// Writes the whole box.
  ///
  /// - Throws: ``ParseError`` when a box is damaged, or holds offsets that cannot be corrected.
  func write(to writer: inout ByteWriter) throws(ParseError) {
    var cursor = ByteCursor(movie.movieBytes.span, base: movie.movieBox.range.lowerBound)
    try cursor.skip(movie.movieBox.headerSize)
    try writer.container(movie.movieBox) { (writer) throws(ParseError) in
      try writeMovie(&cursor, to: &writer)
    }
  }

  private func writeMovie(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let types = try cursor.peekChildren()
    let editor = identifier.map { KeyEditor(name: MetadataName.contentIdentifier, text: $0.text) }
    // Metadata of another kind, as MP4 has it, is left alone, and QuickTime's comes beside it.
    let keysRange = movie.metadata.handler == "mdta" ? movie.metadataRange : nil
    var trackIndex = 0
    for box in types {
      var content = try cursor.slice(box.range.count)
      try content.skip(box.headerSize)
      switch box.type {
      case "mvhd" where movie.isTrimmed || header != movie.header: header.write(to: &writer)
      case "trak":
        try writeTrack(trackIndex, box, &content, to: &writer)
        trackIndex += 1
        if trackIndex == movie.tracks.count, removedTracks.isEmpty { writeNewTrack(to: &writer) }
      case "meta" where box.range == keysRange && editor != nil: try editor?.rewrite(&content, to: &writer)
      case "meta":
        try refuseItemLocations(content)
        copy(box, to: &writer)
      case "udta" where movie.isTrimmed && movie.userData["chpl"] != nil:
        try writer.container(box) { (writer) throws(ParseError) in try writeUserData(&content, to: &writer) }
      case "mvex" where movie.isFragmented: break
      default: copy(box, to: &writer)
      }
    }
    if keysRange == nil { editor?.writeNew(to: &writer) }
    writer.write(cursor.readRemaining())
  }

  /// Copies user data with the chapters that are left.
  private func writeUserData(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    for box in try cursor.peekChildren() {
      try cursor.skip(box.range.count)
      if box.type == "chpl", let list = movie.chapterList { list.write(to: &writer) } else { copy(box, to: &writer) }
    }
    writer.write(cursor.readRemaining())
  }

  /// A box as it is.
  private func copy(_ box: BoxHeader, to writer: inout ByteWriter) { writer.copy(box, bytes(of: box)) }

  private func bytes(of box: BoxHeader) -> ArraySlice<UInt8> {
    let base = movie.movieBox.range.lowerBound
    return movie.movieBytes[box.range.lowerBound - base..<box.range.upperBound - base]
  }

  // MARK: Tracks

  private func writeNewTrack(to writer: inout ByteWriter) {
    guard let newTrack else { return }
    newTrack.track.write(to: &writer, sampleAt: newTrack.anchor, offsetWidth: layout.latestEnd > UInt32.max ? 8 : 4)
  }

  private func writeTrack(_ index: Int, _ box: BoxHeader, _ content: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    if removedTracks.contains(index) {
      if index == removedTracks.first { writeNewTrack(to: &writer) }
      return
    }
    let track = movie.tracks[index]
    try writer.container(box) { (writer) throws(ParseError) in
      // MP4 states the sizes of uncompressed sound; QuickTime says 1.
      let frameSize = container == .mp4 ? track.soundPacking.flatMap { $0.samples == 1 ? $0.bytes : nil } : nil
      let flat =
        movie.hasNewTables
        ? FlatTrack(track, chunks: layout.arranged?.media.tracks[index], frameSize: frameSize) : nil
      try writeInside(
        EditedTrack(track: track, index: index, flat: flat, frameSize: frameSize), &content,
        pathToTable: ["mdia", "minf", "stbl"],
        to: &writer)
    }
  }

  /// A track on its way into the new movie.
  private struct EditedTrack {
    let track: Track
    let index: Int
    /// What has to be said of all samples; nil where the boxes already say it.
    let flat: FlatTrack?
    /// The size of a sample of sound, where the table has to say it and did not.
    let frameSize: Int?
  }

  /// Copies what is inside a box of a track, offsets corrected.
  ///
  /// - Parameter pathToTable: the boxes on the way from here to the sample table, the outermost first.
  private func writeInside(
    _ edited: EditedTrack, _ cursor: inout ByteCursor, pathToTable: ArraySlice<FourCC>, to writer: inout ByteWriter
  ) throws(ParseError) {
    let (track, flat) = (edited.track, edited.flat)
    let children = try cursor.peekChildren()
    // An edit list where there was none comes before the media, as writers have it.
    var needsEdits =
      pathToTable.count == 3 && flat?.edits.isEmpty == false && !children.contains { $0.type == "edts" }
    var groups = pathToTable.isEmpty ? track.fragmentGroups : nil
    for box in children {
      var content = try cursor.slice(box.range.count)
      try content.skip(box.headerSize)
      if needsEdits, box.type == "mdia" || box.type == "tref" {
        writer.box("edts") { EditList.write(flat?.edits ?? [], to: &$0) }
        needsEdits = false
      }
      switch box.type {
      case pathToTable.first:
        try writer.container(box) { (writer) throws(ParseError) in
          try writeInside(edited, &content, pathToTable: pathToTable.dropFirst(), to: &writer)
        }
      case let type where flat != nil && pathToTable.isEmpty && SampleTableBoxes.types.contains(type):
        // All of them are made anew where the chunk offsets stand.
        guard type == "stco" || type == "co64" else { continue }
        flat?.writeTables(to: &writer)
        writeChunkOffsets(of: edited, isLarge: type == "co64", to: &writer)
      case "stsz" where pathToTable.isEmpty && edited.frameSize != nil:
        track.samples.writeSizes(to: &writer, constant: edited.frameSize)
      case "stsc" where pathToTable.isEmpty && layout.arranged != nil:
        layout.arranged?.media.tracks[edited.index].runs.write(to: &writer)
      case "stco" where pathToTable.isEmpty, "co64" where pathToTable.isEmpty:
        writeChunkOffsets(of: edited, isLarge: box.type == "co64", to: &writer)
      case "sgpd" where groups != nil, "sbgp" where groups != nil: try groups?.take(box.type, &content)
      case let type where pathToTable.isEmpty && SampleBoxCutter.types.contains(type) && track.keptSamples != nil:
        try SampleBoxCutter(kept: track.keptSamples ?? []).write(box, &content, bytes(of: box), to: &writer)
      case "tkhd", "mdhd":
        if let flat { writer.copy(box, flat.patched(box, bytes(of: box))) } else { copy(box, to: &writer) }
      case "edts" where flat?.edits.isEmpty == false:
        writer.box("edts") { EditList.write(flat?.edits ?? [], to: &$0) }
      case "edts" where movie.isTrimmed: break
      case "hdlr" where container == .mp4 && pathToTable.first == "minf":
        writer.copy(box, MP4Conversion.handler(box, bytes(of: box)))
      case "stsd" where container == .mp4 && pathToTable.isEmpty && track.kind == .audio:
        writer.table("stsd", count: track.sampleDescriptions.count) { writer in
          for description in track.sampleDescriptions { writer.write(MP4Conversion.sound(description)) }
        }
      case "saio": try writeAuxiliaryOffsets(&content, to: &writer)
      case "meta":
        try refuseItemLocations(content)
        copy(box, to: &writer)
      default: copy(box, to: &writer)
      }
    }
    groups?.write(to: &writer, kept: track.keptSamples)
    writer.write(cursor.readRemaining())
  }

  // MARK: Offsets

  /// Writes the chunk offsets, each counted from the piece of the source that holds it, or from the media put together
  /// anew.
  private func writeChunkOffsets(of edited: EditedTrack, isLarge: Bool, to writer: inout ByteWriter) {
    if let arranged = layout.arranged {
      let width = layout.latestEnd > UInt32.max ? 8 : 4
      let positions = arranged.media.tracks[edited.index].positions
      writer.table(width == 8 ? "co64" : "stco", count: positions.count) { writer in
        writer.writeOffsets(from: arranged.anchor, distances: positions, width: width)
      }
      return
    }
    let offsets = edited.track.samples.chunkOffsets
    let needsLarge = offsets.contains { offset in
      guard let piece = layout.piece(holding: offset..<offset) else { return offset > Int(UInt32.max) }
      return piece.latestPosition + offset - piece.source.lowerBound > Int(UInt32.max)
    }
    let width = isLarge || needsLarge ? 8 : 4
    writer.table(width == 8 ? "co64" : "stco", count: offsets.count) { writer in
      var start = 0
      while start < offsets.count {
        let piece = layout.piece(holding: offsets[start]..<offsets[start])
        guard let piece else {
          // A chunk without samples, whose offset means nothing.
          writer.writeUInt(UInt64(offsets[start]), width: width)
          start += 1
          continue
        }
        let end = offsets[start...].firstIndex { !piece.source.contains($0) && $0 != piece.source.upperBound }
        let run = offsets[start..<max(end ?? offsets.count, start + 1)]
        writer.writeOffsets(from: piece.anchor, distances: run.map { $0 - piece.source.lowerBound }, width: width)
        start = run.endIndex
      }
    }
  }

  /// Corrects `saio`, the offsets of information that encryption needs (ISO/IEC 14496-12, 8.7.9).
  private func writeAuxiliaryOffsets(_ cursor: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let place = cursor.place
    guard layout.arranged == nil else {
      throw .unsupported("cutting or rearranging samples with auxiliary information ('saio', encryption)", at: place)
    }
    let (version, flags) = try cursor.readVersionAndFlags()
    let type = try cursor.readBytes(flags & 1 != 0 ? 8 : 0)
    let width = version == 0 ? 4 : 8
    let count = Int(try cursor.readUInt32())
    var targets: [(Anchor, Int)] = []
    for _ in 0..<count {
      let offset = try cursor.readUInt(width: width)
      guard let offset = Int(exactly: offset), let piece = layout.piece(holding: offset..<offset) else {
        throw .unsupported("auxiliary information ('saio') outside the media", at: place)
      }
      targets.append((piece.anchor, offset - piece.source.lowerBound))
    }
    writer.fullBox("saio", version: version, flags: flags) { writer in
      writer.write(type)
      writer.writeUInt32(UInt32(targets.count))
      for (anchor, distance) in targets { writer.writeOffset(from: anchor, distance: distance, width: width) }
    }
  }

  /// Items of a `meta` box may lie anywhere in the file; where something moves, they are not followed.
  private func refuseItemLocations(_ cursor: borrowing ByteCursor) throws(ParseError) {
    guard !layout.isInPlace else { return }
    var cursor = copy cursor
    _ = try cursor.skipMetaVersion()
    if let box = try cursor.peekChildren().first(where: { $0.type == "iloc" }) {
      throw .unsupported("moving items of metadata ('iloc')", at: Place(offset: box.range.lowerBound))
    }
  }
}

extension ByteCursor {
  /// The headers of all boxes from here on; the cursor stays where it is.
  func peekChildren() throws(ParseError) -> [BoxHeader] {
    var ahead = self
    var headers: [BoxHeader] = []
    try ahead.forEachBox { (header, _) throws(ParseError) in headers.append(header) }
    return headers
  }
}

extension ByteWriter {
  /// A box around new content, its size written as the source wrote it.
  mutating func container(_ header: BoxHeader, _ content: (inout ByteWriter) throws(ParseError) -> Void)
    throws(ParseError)
  {
    guard header.sizeForm == .large else {
      try box(header.type, content)
      return
    }
    let start = count
    writeUInt32(1)
    writeFourCC(header.type)
    writeUInt64(0)
    try content(&self)
    let size = UInt64(count - start)
    patchUInt32(UInt32(truncatingIfNeeded: size >> 32), at: start + 8)
    patchUInt32(UInt32(truncatingIfNeeded: size), at: start + 12)
  }

  /// Writes a box as it was read: `bytes` are the whole of it.
  ///
  /// One that says it extends to the end states its size instead, since something may be written behind it.
  mutating func copy(_ header: BoxHeader, _ bytes: some Collection<UInt8>) {
    guard header.sizeForm == .toEnd else { return write(bytes) }
    writeUInt32(UInt32(truncatingIfNeeded: bytes.count))
    write(bytes.dropFirst(4))
  }
}
