public import LivePhotoCore

/// A part of a movie with a name.
public struct Chapter: Equatable, Sendable {
  /// When it begins, counted from the movie's start.
  public let start: RationalTime
  /// What it is called.
  public let title: String
}

extension Movie {
  /// The chapters: of the text track that another refers to by `chap` (QuickTime File Format, "Chapter lists"), else of
  /// a `chpl` item of the user data, which Nero introduced.
  ///
  /// Of a track's, the first 10 000 at most, and no more than have titles of 1 MiB together.
  ///
  /// - Throws: ``SourceError`` when a title cannot be read.
  public func chapters() throws(SourceError) -> [Chapter] {
    for id in tracks.flatMap({ $0.references("chap") }) {
      guard let track = track(id: id), track.kind == .text, !track.samples.isEmpty else { continue }
      return try chapters(of: track)
    }
    return userData["chpl"].map { Self.chapters(inList: $0.bytes) } ?? []
  }

  /// As many chapters as anybody reads.
  private static let maximumChapters = 10_000
  /// The bytes of titles that are read, together: titles may all be at one place.
  private static let titleBytes = 1 << 20

  private func chapters(of track: Track) throws(SourceError) -> [Chapter] {
    let timeline = track.timeline()
    var chapters: [Chapter] = []
    var budget = Self.titleBytes
    for (index, sample) in track.samples.enumerated().prefix(Self.maximumChapters) {
      guard let time = timeline.presentationTime(ofSample: index), sample.size >= 2,
        sample.range.upperBound <= source.count
      else { continue }
      let range = sample.range.prefix(2 + Int(UInt16.max))
      budget -= range.count
      guard budget >= 0 else { break }
      let bytes = try source.read(range)
      let text = bytes.dropFirst(2).prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
      chapters.append(Chapter(start: time, title: Self.title(Array(text))))
    }
    return chapters
  }

  /// UTF-16 where a byte order mark says so, else UTF-8.
  private static func title(_ bytes: [UInt8]) -> String {
    guard bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let high = bytes[0] == 0xFE ? 0 : 1
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Starts in units of 100 ns, each with a counted title.
  private static func chapters(inList bytes: [UInt8]) -> [Chapter] {
    var cursor = ByteCursor(bytes.span)
    var chapters: [Chapter] = []
    try? read(&cursor, into: &chapters)
    return chapters
  }

  private static func read(_ cursor: inout ByteCursor, into chapters: inout [Chapter]) throws(ParseError) {
    if try cursor.readVersionAndFlags().version > 0 { try cursor.skip(4) }
    for _ in 0..<(try cursor.readUInt8()) {
      let start = try cursor.readUInt64()
      let title = try cursor.readBytes(Int(try cursor.readUInt8()))
      guard let value = Int64(exactly: start) else { return }
      chapters.append(Chapter(start: RationalTime(value, 10_000_000), title: String(decoding: title, as: UTF8.self)))
    }
  }
}
