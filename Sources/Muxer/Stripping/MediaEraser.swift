import LivePhotoCore

/// Zeroes what no sample that stays has, and boxes of the top level that may hold metadata.
struct MediaEraser {
  private let movie: Movie
  /// Where samples that stay are, and those that go.
  private let kept: [Range<Int>], gone: [Range<Int>]
  /// Whether nothing in the media is needed but the samples that stay, and their sizes are known.
  private let isSure: Bool
  private(set) var notes: [String] = []
  private var patches: [PatchedSource.Patch] = []

  /// Boxes of the top level that stay as they are.
  private static let structure: Set<FourCC> = [
    "ftyp", "moov", "wide", "pdin", "moof", "mfra", "sidx", "ssix", "styp", "prft",
  ]

  init(_ movie: Movie, removed: Set<Int>) {
    self.movie = movie
    let staying = movie.tracks.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    kept = OccupiedRanges(of: staying.filter(\.isSelfContained)).ranges
    gone = OccupiedRanges(of: removed.sorted().map { movie.tracks[$0] }.filter(\.isSelfContained)).ranges
    // Not all sound says how long its packets are; 'saio' has offsets to more than samples (ISO/IEC 14496-12, 8.7.9).
    let hasSizes = staying.allSatisfy(\.hasKnownRanges)
    isSure = hasSizes && movie.movieBytes.firstRange(of: Array("saio".utf8)) == nil
  }

  /// The movie's source, with zeros.
  mutating func source() -> PatchedSource {
    for box in movie.topLevel.boxes where !Self.structure.contains(box.type) {
      switch box.type {
      case "free", "skip": patches.append(.zeros(box.payload))
      case "mdat": eraseMedia(box.payload)
      default:
        notes.append("the box '\(box.type)' was left out: it may hold metadata")
        patches.append(.bytes(box.range.lowerBound + 4, Array("free".utf8)))
        patches.append(.zeros(box.content))
      }
    }
    return PatchedSource(movie.source, patches: patches, count: end())
  }

  /// Where the file ends: bytes that belong to no box are left out, unless they are media that was cut off.
  private mutating func end() -> Int {
    let rest = movie.topLevel.rest
    guard !rest.isEmpty else { return movie.source.count }
    let head = try? movie.source.read(rest.lowerBound..<min(rest.lowerBound + 8, rest.upperBound))
    if head?.dropFirst(4) == Array("mdat".utf8)[...] {
      eraseMedia(min(rest.lowerBound + 16, rest.upperBound)..<rest.upperBound)
      return movie.source.count
    }
    notes.append("\(rest.count) bytes behind the movie were left out: they may hold metadata")
    return rest.lowerBound
  }

  /// Zeroes what no sample that stays has; where the sizes of samples are not sure, only samples that go.
  private mutating func eraseMedia(_ media: Range<Int>) {
    guard isSure else {
      let first = gone.partitioningIndex { $0.upperBound > media.lowerBound }
      for range in gone[first...] {
        guard range.lowerBound < media.upperBound else { break }
        for part in kept.gaps(in: range.clamped(to: media)) { patches.append(.zeros(part)) }
      }
      return
    }
    for part in kept.gaps(in: media) { patches.append(.zeros(part)) }
  }
}

extension [Range<Int>] {
  /// The parts of `whole` that are in none of these ranges, which are sorted and apart.
  fileprivate func gaps(in whole: Range<Int>) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var position = whole.lowerBound
    for range in self[partitioningIndex(where: { $0.upperBound > whole.lowerBound })...] {
      guard range.lowerBound < whole.upperBound else { break }
      if position < range.lowerBound { gaps.append(position..<range.lowerBound) }
      position = Swift.min(range.upperBound, whole.upperBound)
    }
    if position < whole.upperBound { gaps.append(position..<whole.upperBound) }
    return gaps
  }
}
