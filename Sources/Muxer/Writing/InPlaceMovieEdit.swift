public import LivePhotoCore

extension LivePhotoMovieWriter {
  /// The new movie as a change of the old one's own file, of which only the header is written anew.
  ///
  /// The file is a movie at every instant: the old one until the last write, which is one of 4 to 16 bytes in one
  /// sector, and the new one from then on.
  /// New bytes go into free boxes beside the header where there is room, else behind the end of the file;
  /// ``headerPlacement`` plays no part. Where brands are MP4's, they become QuickTime's before that; a movie
  /// without brands stays one. Samples are not written; of `hev1` and `avc3` in MP4 the heads of some are read, for
  /// their parameter sets.
  ///
  /// - Parameter movie: the movie as it was read, with all that its file says: changes of it are not in the file.
  /// - Throws: ``MovieWriteError``; ``MovieWriteError/notInPlace(_:)`` where a copy has to be written instead.
  public func edit(of movie: Movie) throws(MovieWriteError) -> InPlaceMovieEdit {
    guard !movie.isFragmented else { throw .notInPlace("it is fragmented, so that all of it has to be written anew") }
    guard movie.isAsRead else { throw .notInPlace("it was changed since it was read") }
    let quickTime = try movie.asQuickTime()
    let planned = try plan(forQuickTime: quickTime)
    let parts = try NewParts(of: planned)
    var result = InPlaceMovieEdit(
      edit: InPlaceEdit(fileSize: movie.source.count), movie: quickTime, marker: planned.marker, time: planned.time,
      movesHeader: false)
    if parts.media.isEmpty, movie.fileType?.isQuickTime ?? true, try parts.header(mediaAt: 0) == movie.movieBytes {
      return result
    }

    let layout = try InPlaceLayout(of: movie, contentSize: parts.headerSize + parts.media.count) { track in
      planned.marker == .kept || !track.isStillImageTime
    }
    let place = try layout.placement()
    let mediaStart = place.isHeaderFirst ? place.start + parts.headerSize : place.start
    let header = try parts.header(mediaAt: mediaStart)
    let content = place.isHeaderFirst ? header + parts.media : parts.media + header
    result.edit.preparations = try [brands(of: movie), place.statedSize].compactMap(\.self)
    result.edit.hidden =
      [place.opening].compactMap(\.self)
      + [InPlaceEdit.Write(place.before + content + place.behind, at: place.start - place.before.count)]
    result.edit.commit = place.commit
    result.movesHeader = place.movesHeader
    return result
  }

  /// The write that makes MP4's brands QuickTime's; nil where they are that, or there are none.
  private func brands(of movie: Movie) throws(MovieWriteError) -> InPlaceEdit.Write? {
    guard let fileType = movie.fileType, !fileType.isQuickTime, let box = movie.topLevel.first("ftyp") else {
      return nil
    }
    var writer = ByteWriter()
    writer.writeFourCC("qt  ")
    writer.writeUInt32(0)
    // QuickTime fills what it does not need with zeros.
    for index in fileType.compatibleBrands.indices { writer.writeUInt32(index == 0 ? FourCC("qt  ").rawValue : 0) }
    let write = InPlaceEdit.Write(writer.bytes, at: box.payload.lowerBound)
    guard write.isAtomic else { throw .notInPlace("its brands are MP4's, and there are too many to write at once") }
    return write
  }
}

/// A change of a movie's own file, and what the movie will say.
public struct InPlaceMovieEdit: Sendable {
  /// What is written; without a commit where the movie says all of it already.
  public internal(set) var edit: InPlaceEdit
  /// The old movie, as QuickTime has it: see ``Movie/asQuickTime(limits:)``.
  public let movie: Movie
  /// What is done about the still-image-time track.
  public let marker: MarkerChange
  /// The moment of the still, as the movie will say it.
  public let time: RationalTime
  /// Whether the movie header, which stood before the media, will stand behind them.
  public internal(set) var movesHeader: Bool
}

/// What a planned movie has that its source has not: the movie header and a box of media.
private struct NewParts {
  private let plannedHeader: [UInt8]
  /// The whole `mdat` box; empty where no media are added.
  let media: [UInt8]
  private let file: PlannedFile
  private let mediaRange: Range<Int>

  init(of planned: LivePhotoMoviePlan) throws(MovieWriteError) {
    let file = PlannedFile(planned.output)
    do throws(ParseError) {
      let boxes = try TopLevelBoxes(of: file).boxes
      guard let box = boxes.first(where: { $0.type == "moov" }) else {
        throw .missing("'moov' box", at: Place(offset: 0))
      }
      plannedHeader = try file.parseBytes(box.range)
      mediaRange =
        boxes.first { $0.type == "mdat" && !$0.payload.isEmpty && file.origin(of: $0.payload.lowerBound) == nil }?.range
        ?? 0..<0
      media = try file.parseBytes(mediaRange)
    } catch { throw .header(error) }
    self.file = file
  }

  var headerSize: Int { plannedHeader.count }

  /// The header with the offsets of the movie's own file, in which the new media begin at one.
  func header(mediaAt start: Int) throws(MovieWriteError) -> [UInt8] {
    var header = plannedHeader
    do throws(ParseError) {
      try ChunkOffsetPatch.apply(to: &header) { offset in
        mediaRange.contains(offset) ? offset - mediaRange.lowerBound + start : file.origin(of: offset)
      }
    } catch { throw .header(error) }
    return header
  }
}

extension Track {
  /// Whether it says which moment a still shows.
  fileprivate var isStillImageTime: Bool {
    sampleDescriptions.contains { $0.metadataKeys.contains { $0.name == MetadataName.stillImageTime } }
  }
}
