import LivePhotoCore

/// How the parts of a source file stand in the file to be written: every top-level box but `ftyp` and `moov` is kept
/// as it is, in its order; where the media are put together anew, one `mdat` stands in the place of the first.
struct FileLayout {
  /// A stretch of the source that is copied as it is.
  struct Piece {
    var source: Range<Int>
    /// Bytes that come before it: the header of a box whose own one does not fit its new place.
    var header: [UInt8] = []
    /// Stands at the first byte of ``source`` in the new file.
    var anchor: Anchor
    /// A position that the anchor will not be beyond.
    var latestPosition = 0
  }

  /// The brands, as a whole box.
  let fileType: [UInt8]
  private(set) var pieces: [Piece] = []
  /// The movie header comes before this piece.
  private(set) var movieIndex = 0
  /// Whether the movie header comes before new media that stand at the same place.
  private let isHeaderFirst: Bool
  /// The new media, if any, comes before this piece.
  private(set) var mediaIndex = 0
  /// A position that nothing in the new file is beyond.
  private(set) var latestEnd = 0
  /// Whether every piece stands where it stood in the source.
  let isInPlace: Bool
  /// The media put together anew, the anchor at their first byte, and the piece that they come before.
  private(set) var arranged: (media: MediaArrangement, anchor: Anchor, index: Int)?

  /// - Parameters:
  ///   - container: what the file is to be.
  ///   - arrangement: the media put together anew; nil where they are copied as they are.
  ///   - movieSize: a size that the new `moov` will not exceed.
  ///   - mediaSize: the size of the new `mdat`.
  init(
    of movie: Movie, container: MovieContainer, placement: MovieHeaderPlacement, arrangement: MediaArrangement?,
    movieSize: Int, mediaSize: Int, builder: inout OutputPlanBuilder
  ) throws(MovieWriteError) {
    fileType = try container.fileType(for: movie)
    isHeaderFirst = placement == .first
    let boxes = movie.topLevel.boxes
    let brand = boxes.firstIndex { $0.type == "ftyp" }
    let header = boxes.firstIndex { $0.range == movie.movieBox.range } ?? 0
    let lastMedia = boxes.lastIndex { $0.type == "mdat" } ?? -1
    let rest = arrangement == nil ? try Self.mediaInRest(of: movie) : nil

    var pieces: [Piece] = []
    var movieIndex: Int?
    var mediaPlace: Int?
    for (index, box) in boxes.enumerated() where index != brand {
      if movie.isFragmented, Self.fragmentTypes.contains(box.type) { continue }
      if arrangement != nil, box.type == "mdat" {
        mediaPlace = mediaPlace ?? pieces.count
        continue
      }
      if index == header {
        // A header that already comes behind all media stays where it is.
        if placement == .last, index > lastMedia, rest == nil { movieIndex = pieces.count }
        continue
      }
      let isFollowed =
        placement == .first ? mediaSize > 0 || arrangement != nil && lastMedia < 0 : movieIndex == nil
      let isLast = index == boxes.count - 1 && !isFollowed
      pieces.append(
        box.sizeForm == .toEnd && !isLast
          ? Piece(
            source: box.payload, header: Self.header(of: box.type, payload: box.payload.count),
            anchor: builder.makeAnchor())
          : Piece(source: box.range, anchor: builder.makeAnchor()))
    }
    if let rest {
      pieces.append(
        Piece(source: rest, header: Self.header(of: "mdat", payload: rest.count), anchor: builder.makeAnchor()))
    }
    mediaIndex = pieces.count
    if rest == nil, !movie.topLevel.rest.isEmpty, !movie.isFragmented, arrangement == nil {
      pieces.append(Piece(source: movie.topLevel.rest, anchor: builder.makeAnchor()))
    }
    switch placement {
    case .first: self.movieIndex = 0
    case .last:
      self.movieIndex = movieIndex ?? mediaIndex
      mediaIndex = self.movieIndex
    }
    let arrangedSize = arrangement.map { $0.count + 16 } ?? 0
    if let arrangement {
      arranged = (arrangement, builder.makeAnchor(), min(mediaPlace ?? pieces.count, mediaIndex))
    }
    let isSame = Self.place(
      &pieces, from: fileType.count, movie: (self.movieIndex, movieSize), media: (mediaIndex, mediaSize))
    isInPlace = isSame && arrangement == nil
    latestEnd = pieces.reduce(fileType.count + movieSize + mediaSize + arrangedSize) {
      $0 + $1.header.count + $1.source.count
    }
    self.pieces = pieces
  }

  /// Boxes that only say where fragments are and what is in them.
  private static let fragmentTypes: Set<FourCC> = ["moof", "mfra", "sidx", "ssix", "styp"]

  /// Works out the latest positions; returns whether those before the movie header are where they were.
  private static func place(
    _ pieces: inout [Piece], from start: Int, movie: (index: Int, size: Int), media: (index: Int, size: Int)
  ) -> Bool {
    var position = start
    var isInPlace = movie.index > 0
    for index in pieces.indices {
      if index == media.index { position += media.size }
      if index == movie.index { position += movie.size }
      position += pieces[index].header.count
      pieces[index].latestPosition = position
      if index < movie.index, position != pieces[index].source.lowerBound { isInPlace = false }
      position += pieces[index].source.count
    }
    return isInPlace
  }

  /// The payload of an `mdat` that claims to be longer than the file, as in one that was cut off.
  private static func mediaInRest(of movie: Movie) throws(MovieWriteError) -> Range<Int>? {
    let rest = movie.topLevel.rest
    guard rest.count >= 16 else { return nil }
    do {
      let head = try movie.source.read(rest.lowerBound..<rest.lowerBound + 8)
      var cursor = ByteCursor(head.span)
      guard let size = try? cursor.readUInt32(), (try? cursor.readFourCC()) == "mdat" else { return nil }
      return rest.lowerBound + (size == 1 ? 16 : 8)..<rest.upperBound
    } catch { throw .header(.source(error)) }
  }

  private static func header(of type: FourCC, payload: Int) -> [UInt8] {
    var writer = ByteWriter()
    let isLarge = payload + 8 > Int(UInt32.max)
    writer.writeUInt32(isLarge ? 1 : UInt32(payload + 8))
    writer.writeFourCC(type)
    if isLarge { writer.writeUInt64(UInt64(payload + 16)) }
    return writer.bytes
  }

  /// The piece that holds a range of the source; nil when none holds all of it.
  func piece(holding range: Range<Int>) -> Piece? {
    // Pieces stand in the order of the source.
    let next = pieces.partitioningIndex { $0.source.lowerBound > range.lowerBound }
    guard next > 0, range.upperBound <= pieces[next - 1].source.upperBound else { return nil }
    return pieces[next - 1]
  }

  /// Puts everything in its place.
  func assemble(
    _ builder: inout OutputPlanBuilder, movie: Movie, header: ByteWriter, media: (bytes: [UInt8], anchor: Anchor)?
  ) {
    builder.append(fileType)
    for index in 0...pieces.count {
      if isHeaderFirst, index == movieIndex { builder.append(header) }
      if let arranged, index == arranged.index {
        builder.append(Self.header(of: "mdat", payload: arranged.media.count))
        builder.place(arranged.anchor)
        for stretch in arranged.media.stretches { builder.append(stretch, of: movie.source) }
      }
      if index == mediaIndex, let media {
        builder.append(Self.header(of: "mdat", payload: media.bytes.count))
        builder.place(media.anchor)
        builder.append(media.bytes)
      }
      if !isHeaderFirst, index == movieIndex { builder.append(header) }
      guard index < pieces.count else { break }
      builder.append(pieces[index].header)
      builder.place(pieces[index].anchor)
      builder.append(pieces[index].source, of: movie.source)
    }
  }
}
