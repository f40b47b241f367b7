public import LivePhotoCore

/// A JPEG file from which metadata was taken, and what is to be told of it.
public struct StrippedJPEG: Sendable {
  /// The new file.
  public let plan: OutputPlan
  /// What went although it cannot be looked into, or was more than metadata, in words.
  public let removed: [String]
}

extension JPEGFile {
  /// The file without metadata of some kind; coded data are copied.
  ///
  /// Of ``MetadataStripping/location`` go positions in Exif and XMP, and what may hold one and is not looked into: IPTC,
  /// makers' segments, further pictures' own metadata, what follows the pictures (a motion photo's video). Of
  /// ``MetadataStripping/all`` go all segments but those that decoding and display need: JFIF, the ICC profile, Adobe's,
  /// the index of further pictures, the data of gain maps; Exif then says how the picture is turned.
  ///
  /// - Throws: ``JPEGError``.
  public func stripping(_ what: MetadataStripping) throws(JPEGError) -> StrippedJPEG {
    var stripper = JPEGStripper(what, limits: limits)
    var splices: [Splice] = []
    do throws(ParseError) {
      splices = try stripper.splices(of: self)
      splices += try trailerSplices(&stripper)
    } catch { throw .malformed(error) }
    return StrippedJPEG(plan: try plan(splices), removed: stripper.notes)
  }

  /// What becomes of that which follows the first picture: further pictures keep their sizes, all else goes.
  private func trailerSplices(_ stripper: inout JPEGStripper) throws(ParseError) -> [Splice] {
    guard !trailer.isEmpty else { return [] }
    var pictures: [Range<Int>] = []
    if let segment = first(.multiPicture) {
      let index = MultiPictureIndex(
        parsing: try source.parseBytes(segment.payload), at: segment.payload.lowerBound, limits: limits)
      pictures = (index?.furtherPictures ?? []).sorted { $0.lowerBound < $1.lowerBound }
    }
    var splices: [Splice] = []
    var position = trailer.lowerBound
    var gone = 0
    for range in pictures
    where range.lowerBound >= position && range.upperBound <= trailer.upperBound && splices.count < limits.segments {
      guard let window = try? SubSource(source, range: range),
        let picture = try? JPEGFile(parsing: window, limits: limits)
      else { continue }
      if position < range.lowerBound { splices.append(Splice(range: position..<range.lowerBound, bytes: [])) }
      gone += range.lowerBound - position
      splices += try stripper.blanks(of: picture, at: range.lowerBound)
      position = range.upperBound
    }
    if position < trailer.upperBound { splices.append(Splice(range: position..<trailer.upperBound, bytes: [])) }
    gone += trailer.upperBound - position
    if gone > 0 { stripper.note("\(gone) bytes behind the picture were left out: they may hold metadata") }
    return splices
  }
}

/// Decides of each segment what is left of it.
private struct JPEGStripper {
  let what: MetadataStripping
  let limits: Limits
  private(set) var notes: [String] = []
  /// Whether it is a picture behind the first, whose XMP may hold the numbers of a gain map.
  private var isFurther = false

  /// What begins a segment with the data of a gain map (ISO 21496-1).
  private static let gainMap = Array("urn:iso:std:iso:ts:21496:-1".utf8)

  init(_ what: MetadataStripping, limits: Limits) {
    self.what = what
    self.limits = limits
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// The changes to the segments of a file's first picture.
  mutating func splices(of file: JPEGFile) throws(ParseError) -> [Splice] {
    var splices: [Splice] = []
    for segment in file.segments {
      guard let left = try content(of: segment, in: file) else { continue }
      splices.append(Splice(range: segment.range, bytes: left.isEmpty ? [] : Self.segment(segment.marker, left)))
    }
    return splices
  }

  /// The changes to a further picture that begins at `base`; what goes is blanked, so that nothing moves.
  mutating func blanks(of file: JPEGFile, at base: Int) throws(ParseError) -> [Splice] {
    isFurther = true
    defer { isFurther = false }
    var splices: [Splice] = []
    for segment in file.segments {
      guard let left = try content(of: segment, in: file) else { continue }
      let size = segment.range.count, payload = segment.payload.count
      var bytes = [UInt8](repeating: 0, count: size)
      if segment.payload.isEmpty || size < payload + 4 {
        // Bytes between segments.
        bytes = [UInt8](repeating: 0xFF, count: size)
      } else if left.count == payload {
        bytes = Array(repeating: 0xFF, count: size - payload - 4) + Self.segment(segment.marker, left)
      } else {
        // A comment of zeros.
        let comment = Self.segment(0xFE, Array(repeating: 0, count: payload))
        bytes = Array(repeating: 0xFF, count: size - payload - 4) + comment
      }
      splices.append(Splice(range: base + segment.range.lowerBound..<base + segment.range.upperBound, bytes: bytes))
    }
    if !file.trailer.isEmpty {
      let range = base + file.trailer.lowerBound..<base + file.trailer.upperBound
      splices.append(Splice(range: range, bytes: [UInt8](repeating: 0, count: range.count)))
    }
    return splices
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.segment(marker, content)
    return writer.bytes
  }

  /// What a segment holds afterwards, nothing where it goes; nil where it stays as it is.
  private mutating func content(of segment: JPEGSegment, in file: JPEGFile) throws(ParseError) -> [UInt8]? {
    switch segment.kind {
    case .start, .end, .jfif, .icc, .multiPicture, .adobe, .frameHeader, .scanHeader, .scanData, .tables: return nil
    case .extraneous: return []
    case .exif: return exif(try file.source.parseBytes(segment.payload), of: file)
    case .xmp: return xmp(try file.source.parseBytes(segment.payload))
    case .extendedXMP:
      if what == .location { note("the extended part of XMP was left out: it may hold a position") }
      return []
    case .comment:
      if what == .all { return [] }
      let bytes = try file.source.parseBytes(segment.payload)
      let text = String(decoding: bytes, as: UTF8.self)
      return PlaceNames.matches(text) || PlaceNames.isPosition(text) || PlaceNames.holdsPosition(bytes) ? [] : nil
    case .application(let number):
      let head = try file.source.parseBytes(segment.payload.prefix(64))
      if head.starts(with: Self.gainMap) || number == 0 && head.starts(with: Array("JFXX".utf8)) && what == .location {
        return nil
      }
      if what == .location { note("a segment APP\(number) was left out: it may hold a position") }
      return []
    }
  }

  private mutating func exif(_ bytes: [UInt8], of file: JPEGFile) -> [UInt8] {
    guard var payload = try? ExifPayload(jpegSegment: bytes, limits: limits) else {
      note("Exif was left out: it cannot be read")
      return []
    }
    switch what {
    case .location: for line in payload.block.removePlaces() { note("of Exif was left out: \(line)") }
    case .all: payload.block = payload.block.undescribed(width: file.frame.width, height: file.frame.height)
    }
    return payload.bytes
  }

  private mutating func xmp(_ bytes: [UInt8]) -> [UInt8] {
    if what == .all, !isFurther { return [] }
    let size = JPEGIdentifier.xmp.count
    var packet = XMPPacket(Array(bytes.dropFirst(size)))
    // The extended part and a video go.
    let isBlank = packet.blank { name in
      XMPPacket.namesPlace(name) || name == "HasExtendedXMP" || name.hasPrefix("MotionPhoto")
        || name.hasPrefix("MicroVideo")
    }
    if isBlank { return Array(bytes.prefix(size)) + packet.bytes }
    note("XMP was left out: it cannot be read and may hold a position")
    return []
  }
}
