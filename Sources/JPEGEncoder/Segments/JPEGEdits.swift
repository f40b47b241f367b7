public import LivePhotoCore

/// What is to change in the metadata of a JPEG file; all else stays as it is, to the byte.
public struct JPEGEdits: Sendable, Hashable {
  /// What is to become of one kind of metadata.
  public enum Change: Sendable, Hashable {
    /// It stays.
    case keep
    /// Every segment of the kind goes.
    case remove
    /// The first segment of the kind (of an ICC profile, all) gives way to this content, or one is added where such a
    /// segment stands by convention.
    case replace([UInt8])
  }

  /// The TIFF block of the Exif segment.
  public var exif = Change.keep
  /// The XMP packet.
  public var xmp = Change.keep
  /// The ICC profile.
  public var icc = Change.keep

  /// Changes nothing but what is given.
  public init(exif: Change = .keep, xmp: Change = .keep, icc: Change = .keep) {
    self.exif = exif
    self.xmp = xmp
    self.icc = icc
  }
}

extension JPEGFile {
  /// The file with its metadata edited: coded data, unknown segments, their order and what follows EOI are copied.
  ///
  /// An index of further pictures (MPF, CIPA DC-007) in the file is corrected: the size of the first picture, and
  /// offsets where they change.
  ///
  /// - Throws: ``JPEGError/metadataTooLarge(_:size:limit:)`` when new content does not fit its segment;
  ///   ``JPEGError/malformed(_:)`` when the file cannot be read.
  public func applying(_ edits: JPEGEdits) throws(JPEGError) -> OutputPlan {
    var splices: [Splice] = []
    splices += try self.splices(edits.exif, .exif, after: [.jfif]) { (content) throws(JPEGError) in
      let head = try exifHead()
      var writer = ByteWriter()
      try writer.segment(0xE1, head, content, .exif)
      return writer.bytes
    }
    splices += try self.splices(edits.xmp, .xmp, after: [.jfif, .exif]) { (content) throws(JPEGError) in
      var writer = ByteWriter()
      try writer.segment(0xE1, JPEGIdentifier.xmp, content, .xmp)
      return writer.bytes
    }
    splices += try self.splices(edits.icc, .icc, after: [.jfif, .exif, .xmp, .extendedXMP]) {
      (content) throws(JPEGError) in
      var writer = ByteWriter()
      try writer.profile(content)
      return writer.bytes
    }
    return try plan(splices)
  }

  /// The file with each splice's range replaced by its bytes, and the index of pictures corrected.
  func plan(_ splices: [Splice]) throws(JPEGError) -> OutputPlan {
    guard !splices.isEmpty else { return OutputPlan([.copy(0..<source.count, from: source)]) }
    return assemble(splices + (try correctedIndex(splices)))
  }

  /// The bytes that stand before TIFF in the Exif segment; of a new one, the code that the standard has.
  private func exifHead() throws(JPEGError) -> [UInt8] {
    guard let segment = first(.exif), segment.payload.count >= ExifPayload.code.count else { return ExifPayload.code }
    let start = segment.payload.lowerBound
    return try read(start..<start + ExifPayload.code.count)
  }

  /// The splices that one change asks for.
  private func splices(
    _ change: JPEGEdits.Change, _ kind: JPEGSegment.Kind, after before: Set<JPEGSegment.Kind>,
    _ segment: (_ content: [UInt8]) throws(JPEGError) -> [UInt8]
  ) throws(JPEGError) -> [Splice] {
    let existing = segments.filter { $0.kind == kind }
    switch change {
    case .keep: return []
    case .remove: return existing.map { Splice(range: $0.range, bytes: []) }
    case .replace(let content):
      let bytes = try segment(content)
      guard let first = existing.first else {
        let place = place(after: before)
        return [Splice(range: place..<place, bytes: bytes)]
      }
      // Pieces of an old profile must not stand beside a new one; a second Exif segment is not ours to judge.
      let others = kind == .icc ? existing.dropFirst() : []
      return [Splice(range: first.range, bytes: bytes)] + others.map { Splice(range: $0.range, bytes: []) }
    }
  }

  /// The end of the run of segments of the given kinds that follows SOI; JFIF may bring an extension (JFXX).
  private func place(after kinds: Set<JPEGSegment.Kind>) -> Int {
    let run = segments.dropFirst().prefix { kinds.contains($0.kind) || $0.kind == .application(0) }
    return (run.last ?? segments[0]).range.upperBound
  }

  /// A splice of equal length that corrects the index of pictures, when there is one that `splices` make wrong.
  private func correctedIndex(_ splices: [Splice]) throws(JPEGError) -> [Splice] {
    guard let segment = first(.multiPicture) else { return [] }
    let bytes = try read(segment.payload)
    guard var index = MultiPictureIndex(parsing: bytes, at: segment.payload.lowerBound, limits: limits) else {
      return []
    }
    try index.move { position in position + splices.shift(at: position) }
    return index.bytes == bytes ? [] : [Splice(range: segment.payload, bytes: index.bytes)]
  }

  /// The file with each splice's range replaced by its bytes.
  private func assemble(_ splices: [Splice]) -> OutputPlan {
    var builder: [OutputPlan.Piece] = []
    var position = 0
    let order = splices.indices.sorted { first, second in
      // What is added at one place stays in the order of the conventions.
      (splices[first].range.lowerBound, first) < (splices[second].range.lowerBound, second)
    }
    for splice in order.map({ splices[$0] }) {
      builder.append(.copy(position..<splice.range.lowerBound, from: source))
      builder.append(.bytes(splice.bytes))
      position = splice.range.upperBound
    }
    builder.append(.copy(position..<source.count, from: source))
    return OutputPlan(builder.filter { !$0.isEmpty })
  }

  private func read(_ range: Range<Int>) throws(JPEGError) -> [UInt8] {
    do { return try source.parseBytes(range) } catch { throw .malformed(error) }
  }
}

/// Bytes in the place of a range of the file.
struct Splice {
  let range: Range<Int>
  let bytes: [UInt8]
}

extension [Splice] {
  /// How far a byte at `position`, outside all ranges, moves.
  fileprivate func shift(at position: Int) -> Int {
    reduce(0) { $1.range.upperBound <= position ? $0 + $1.bytes.count - $1.range.count : $0 }
  }
}

extension OutputPlan.Piece {
  fileprivate var isEmpty: Bool {
    switch self {
    case .bytes(let bytes): bytes.isEmpty
    case .copy(let range, _): range.isEmpty
    }
  }
}
