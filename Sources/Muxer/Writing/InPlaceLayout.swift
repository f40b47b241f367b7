import LivePhotoCore

/// Finds where in a movie's own file a new movie header can stand, and the one write that makes it the movie's.
///
/// The new header (with the new media, if any) is written where no reader looks: into a free box beside the old header, or behind
/// the end of the file into a free box that reaches to the end. Then one size or one box header is written over, which makes
/// what comes before the new header, the old one among it, one box that is passed over.
struct InPlaceLayout {
  /// A place for the new bytes.
  struct Placement {
    /// Where they begin.
    var start: Int
    /// Whether the header comes before the new media.
    var isHeaderFirst = false
    /// The write that hides what is then written behind it.
    var opening: InPlaceEdit.Write?
    /// Bytes before and behind the new ones, which are written together with them.
    var before: [UInt8] = []
    var behind: [UInt8] = []
    /// A size that is stated, where a box extends to the end of the file.
    var statedSize: InPlaceEdit.Write?
    var commit: InPlaceEdit.Write
    /// Whether the header stands behind media that it stood before.
    var movesHeader = false
  }

  let movie: Movie
  /// How many bytes the new header and the new media take.
  let contentSize: Int
  private let boxes: [BoxHeader]
  private let index: Int
  private let header: BoxHeader
  /// Where samples are, and where those are that the new movie has too.
  private let samples: OccupiedRanges
  private let keptSamples: OccupiedRanges

  /// Room that is left before a header at the end of the file, so that the next one, which is a little larger at most, can be written
  /// in the room of this one.
  private static let slack = 256

  /// - Parameter isKept: whether the new movie has a track.
  /// - Throws: ``MovieWriteError/notInPlace(_:)``.
  init(of movie: Movie, contentSize: Int, isKept: (Track) -> Bool) throws(MovieWriteError) {
    self.movie = movie
    self.contentSize = contentSize
    boxes = movie.topLevel.boxes
    guard let index = boxes.firstIndex(where: { $0.range == movie.movieBox.range }) else {
      throw .notInPlace("its header is not a box of its own")
    }
    guard movie.topLevel.rest.isEmpty else { throw .notInPlace("it ends in bytes that are no box") }
    self.index = index
    header = boxes[index]
    samples = OccupiedRanges(of: movie.tracks)
    keptSamples = OccupiedRanges(of: movie.tracks.filter(isKept))
  }

  /// The best place: one that leaves the header where it is in the order of the boxes, else the end of the file.
  ///
  /// - Throws: ``MovieWriteError/notInPlace(_:)``.
  func placement() throws(MovieWriteError) -> Placement {
    if let room = roomBehind() ?? roomBefore() { return room }
    return try atEnd()
  }

  // MARK: Free boxes

  private func isFree(_ box: BoxHeader) -> Bool {
    ["free", "skip"].contains(box.type) && !samples.overlap(box.range)
  }

  /// Whether a box can become part of a free one.
  private func isDispensable(_ box: BoxHeader) -> Bool {
    isFree(box) || box.type == "wide" || box.type == "mdat" && !keptSamples.overlap(box.range)
  }

  private func roomBehind() -> Placement? {
    for box in boxes[(index + 1)...] {
      // The end of the file is another matter.
      if isFree(box), box.sizeForm != .toEnd, box.payload.count >= contentSize {
        let start = box.range.upperBound - contentSize
        if let commit = commit("free", to: start) {
          return Placement(start: start, isHeaderFirst: true, commit: commit)
        }
      }
      guard isDispensable(box) else { return nil }
    }
    return nil
  }

  private func roomBefore() -> Placement? {
    for box in boxes[..<index].reversed() {
      let start = box.range.lowerBound + box.headerSize
      if isFree(box), box.payload.count >= contentSize + 8 {
        let rest = Self.box("free", size: header.range.upperBound - start - contentSize)
        let commit = sizeWrite(of: box, box.headerSize)
        if rest.count == 8, let commit, commit.isAtomic {
          return Placement(start: start, behind: rest, commit: commit)
        }
      }
      guard isDispensable(box) else { return nil }
    }
    return nil
  }

  // MARK: The end of the file

  private func atEnd() throws(MovieWriteError) -> Placement {
    let fileEnd = movie.source.count
    let following = boxes[(index + 1)...]
    let hidden: FourCC = following.allSatisfy(isDispensable) ? "free" : "mdat"
    if hidden == "mdat", let box = following.first(where: { !["mdat", "free", "skip", "wide"].contains($0.type) }) {
      throw .notInPlace(
        "it has no room for a new header beside the old one, and the box '\(box.type)' stands between that and its end")
    }
    var opening: InPlaceEdit.Write?, statedSize: InPlaceEdit.Write?
    var first = fileEnd + 8
    if let last = following.last, last.sizeForm == .toEnd, isFree(last) {
      // What an edit left that did not come to its end.
      first = last.payload.lowerBound
    } else {
      opening = InPlaceEdit.Write([0, 0, 0, 0] + Self.box("free", size: 8)[4...], at: fileEnd)
      if let last = boxes.last, last.sizeForm == .toEnd {
        statedSize = InPlaceEdit.Write(Self.box(last.type, size: last.range.count), at: last.range.lowerBound)
        guard statedSize?.bytes.count == 8, statedSize?.isAtomic == true else {
          throw .notInPlace("its last box '\(last.type)' extends to its end, and has no room to state its size")
        }
      }
    }
    let start = first + Self.slack
    guard let commit = commit(hidden, to: start) else {
      throw .notInPlace("its header begins at byte \(header.range.lowerBound), across the boundary of two sectors")
    }
    // What is left of an old free box becomes one of its own.
    let rest = fileEnd - start - contentSize
    let behind =
      rest <= 0 ? [] : rest < 8 ? Self.box("free", size: rest + 8) + Self.zeros(rest) : Self.box("free", size: rest)
    return Placement(
      start: start, opening: opening, before: Self.zeros(Self.slack), behind: behind, statedSize: statedSize,
      commit: commit, movesHeader: hidden == "mdat")
  }

  // MARK: The write that counts

  /// One write that makes everything from the old header, or from the box before it, to `end` a box that is passed over.
  private func commit(_ type: FourCC, to end: Int) -> InPlaceEdit.Write? {
    let direct = InPlaceEdit.Write(
      Self.box(type, size: end - header.range.lowerBound), at: header.range.lowerBound)
    if direct.isAtomic { return direct }
    guard index > 0 else { return nil }
    let before = boxes[index - 1]
    guard before.type == "mdat" || type == "free" && isFree(before) else { return nil }
    let grown = sizeWrite(of: before, end - before.range.lowerBound)
    return grown?.isAtomic == true ? grown : nil
  }

  /// The write that gives a box another size; nil where that does not fit.
  private func sizeWrite(of box: BoxHeader, _ size: Int) -> InPlaceEdit.Write? {
    var writer = ByteWriter()
    switch box.sizeForm {
    case .compact:
      guard let size = UInt32(exactly: size) else { return nil }
      writer.writeUInt32(size)
      return InPlaceEdit.Write(writer.bytes, at: box.range.lowerBound)
    case .large:
      writer.writeUInt64(UInt64(size))
      return InPlaceEdit.Write(writer.bytes, at: box.range.lowerBound + 8)
    case .toEnd: return nil
    }
  }

  /// The header of a box, its size in 64 bits where it needs them.
  private static func box(_ type: FourCC, size: Int) -> [UInt8] {
    var writer = ByteWriter()
    let isLarge = size > Int(UInt32.max)
    writer.writeUInt32(isLarge ? 1 : UInt32(size))
    writer.writeFourCC(type)
    if isLarge { writer.writeUInt64(UInt64(size)) }
    return writer.bytes
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
