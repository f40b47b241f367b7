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
    return chapterList?.chapters ?? []
  }

  /// The chapters of the user data, of the part that is left of a trimmed movie.
  var chapterList: ChapterList? {
    let list = userData["chpl"].flatMap { ChapterList(parsing: $0.bytes) }
    return keptPart.flatMap { list?.cut(to: $0) } ?? list
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
}

/// A `chpl` item of user data, which Nero introduced: starts in units of 100 ns, each with a counted title.
struct ChapterList {
  private let version: UInt8
  private let flags: UInt32
  /// Starts, and titles in UTF-8.
  private var entries: [(start: RationalTime, title: [UInt8])] = []

  /// Reads the payload as far as it is well-formed; nil where that is not even the head.
  init?(parsing bytes: [UInt8]) {
    var cursor = ByteCursor(bytes.span)
    let count: UInt8
    do throws(ParseError) {
      (version, flags) = try cursor.readVersionAndFlags()
      if version > 0 { try cursor.skip(4) }
      count = try cursor.readUInt8()
    } catch { return nil }
    while entries.count < count, let entry = try? Self.readEntry(&cursor) { entries.append(entry) }
  }

  private static func readEntry(_ cursor: inout ByteCursor) throws(ParseError) -> (RationalTime, [UInt8]) {
    let place = cursor.place
    guard let start = Int64(exactly: try cursor.readUInt64()) else {
      throw .invalid("start of a chapter", found: "beyond 2^63", expected: "less", at: place)
    }
    return (RationalTime(start, 10_000_000), try cursor.readBytes(Int(try cursor.readUInt8())))
  }

  var chapters: [Chapter] {
    entries.map { Chapter(start: $0.start, title: String(decoding: $0.title, as: UTF8.self)) }
  }

  /// The chapters of a part of the movie, in its time; the one that the part begins in begins with it.
  func cut(to part: Range<RationalTime>) -> ChapterList {
    var list = self
    let first = entries.lastIndex { $0.start <= part.lowerBound } ?? 0
    list.entries = entries.dropFirst(first).filter { $0.start < part.upperBound }.map { entry in
      (max(entry.start.subtracting(part.lowerBound) ?? .zero, .zero), entry.title)
    }
    return list
  }

  /// Writes the whole box.
  func write(to writer: inout ByteWriter) {
    writer.fullBox("chpl", version: version, flags: flags) { writer in
      if version > 0 { writer.writeZeros(4) }
      writer.writeUInt8(UInt8(entries.count))
      for entry in entries {
        writer.writeUInt64(UInt64(max(0, entry.start.ticks(in: 10_000_000, rounding: .nearest) ?? 0)))
        writer.writeUInt8(UInt8(entry.title.count))
        writer.write(entry.title)
      }
    }
  }
}
