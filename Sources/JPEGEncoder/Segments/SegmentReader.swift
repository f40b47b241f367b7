import LivePhotoCore

/// Walks through a JPEG picture from SOI to EOI, reading the source in pieces.
struct SegmentReader {
  private(set) var segments: [JPEGSegment] = []
  private let limits: Limits
  private var window: SourceWindow

  init(_ source: any ByteSource, _ limits: Limits) {
    window = SourceWindow(source)
    self.limits = limits
  }

  /// Reads up to EOI, or to the end of a file that was cut off behind the beginning of a scan.
  mutating func readPicture() throws(ParseError) {
    let start = try window.bytes(at: 0, count: 2)
    guard start == [0xFF, 0xD8] else {
      throw .invalid(
        "beginning", found: start.isEmpty ? "nothing" : "\(start.map { String($0, radix: 16) })",
        expected: "FF D8, as JPEG has it", at: Place(offset: 0))
    }
    try append(.start, 0xD8, 0..<2)
    while segments.last?.kind != .end {
      let position = segments.last?.range.upperBound ?? 0
      guard let marker = try nextMarker(from: position) else { return try endWithoutEOI(position) }
      do {
        try readSegment(marker)
      } catch {
        // Behind coded data it is that data which is damaged or cut off: what is left is kept as it is.
        switch error {
        case .truncated, .invalid:
          guard hasScan else { throw error }
          return try endWithoutEOI(segments.last?.range.upperBound ?? 0)
        default: throw error
        }
      }
      if segments.last?.kind == .scanHeader { try readScanData() }
    }
  }

  /// A marker: where its last 0xFF stands, its second byte, and where its fill bytes begin.
  private typealias Marker = (position: Int, code: UInt8, fill: Int)

  /// The next marker at or behind `position`, before which all is extraneous; nil at the end of the file.
  private mutating func nextMarker(from position: Int) throws(ParseError) -> Marker? {
    let marker = try window.findMarker(from: position, isScan: false)
    if let marker, marker.fill > position { try append(.extraneous, 0, position..<marker.fill) }
    return marker
  }

  private var hasScan: Bool { segments.contains { $0.kind == .scanHeader } }

  /// The file ends at a place where a segment could begin.
  private mutating func endWithoutEOI(_ position: Int) throws(ParseError) {
    guard hasScan else {
      throw .truncated(needed: 2, available: window.count - position, at: Place(offset: position))
    }
    if position < window.count { try append(.extraneous, 0, position..<window.count) }
  }

  private mutating func readSegment(_ marker: Marker) throws(ParseError) {
    let start = marker.fill, content = marker.position + 2
    switch marker.code {
    case 0xD9: return try append(.end, marker.code, start..<content)
    case 0x01, 0xD0...0xD8: return try append(.tables, marker.code, start..<content)
    default: break
    }
    let place = Place(offset: marker.position, path: [JPEGSegment.name(marker.code)])
    let field = try window.bytes(at: content, count: 2)
    guard field.count == 2 else { throw .truncated(needed: 2, available: field.count, at: place) }
    let length = Int(field[0]) << 8 | Int(field[1])
    guard length >= 2 else { throw .invalid("length", found: "\(length)", expected: "2 or more", at: place) }
    guard length <= window.count - content else {
      throw .truncated(needed: length, available: window.count - content, at: place)
    }
    let identifier = try window.bytes(at: content + 2, count: min(length - 2, JPEGSegment.longestIdentifier))
    try append(
      JPEGSegment.kind(marker.code, identifier), marker.code, start..<content + length,
      payload: content + 2..<content + length)
  }

  private mutating func readScanData() throws(ParseError) {
    let position = segments.last?.range.upperBound ?? 0
    let end = try window.findMarker(from: position, isScan: true)?.fill ?? window.count
    if end > position { try append(.scanData, 0, position..<end) }
  }

  private mutating func append(
    _ kind: JPEGSegment.Kind, _ marker: UInt8, _ range: Range<Int>, payload: Range<Int>? = nil
  ) throws(ParseError) {
    guard segments.count < limits.segments else {
      throw .beyondLimit(
        "number of segments", found: segments.count + 1, limit: limits.segments, at: Place(offset: range.lowerBound))
    }
    segments.append(
      JPEGSegment(
        kind: kind, marker: marker, range: range, payload: payload ?? range.upperBound..<range.upperBound))
  }
}

/// A source read in pieces, the last of which is kept.
private struct SourceWindow {
  private static let size = 64 << 10

  private let source: any ByteSource
  private var start = 0
  private var piece: [UInt8] = []

  init(_ source: any ByteSource) { self.source = source }

  var count: Int { source.count }

  /// Up to `count` bytes at `position`, fewer at the end of the file.
  mutating func bytes(at position: Int, count: Int) throws(ParseError) -> [UInt8] {
    let end = min(position + count, source.count)
    guard position < end else { return [] }
    try load(position, end)
    return Array(piece[position - start..<end - start])
  }

  /// The next marker at or behind `position`: 0xFF, any number of times, then a byte that is neither 0xFF nor 0.
  ///
  /// In a scan, restart markers are passed over; elsewhere they are markers like others.
  mutating func findMarker(from position: Int, isScan: Bool) throws(ParseError)
    -> (position: Int, code: UInt8, fill: Int)?
  {
    var position = position
    var fill: Int?
    while position < source.count {
      try load(position, position + 1)
      for index in position - start..<piece.count {
        let byte = piece[index]
        if byte == 0xFF {
          fill = fill ?? start + index
        } else if let begin = fill {
          if byte != 0, !(isScan && (0xD0...0xD7).contains(byte)) { return (start + index - 1, byte, begin) }
          fill = nil
        }
      }
      position = start + piece.count
    }
    return nil
  }

  /// Sees to it that the bytes from `position` to `end` are in the piece.
  private mutating func load(_ position: Int, _ end: Int) throws(ParseError) {
    if position >= start, end <= start + piece.count { return }
    piece = try source.parseBytes(position..<min(source.count, max(end, position + Self.size)))
    start = position
  }
}

extension JPEGSegment {
  /// The number of bytes that ``kind(_:_:)`` looks at.
  static let longestIdentifier = JPEGIdentifier.extendedXMP.count

  /// What a segment holds, by its marker and the first bytes of its content.
  static func kind(_ marker: UInt8, _ content: [UInt8]) -> Kind {
    switch marker {
    case 0xC4, 0xC8, 0xCC: .tables
    case 0xC0...0xCF: .frameHeader
    case 0xDA: .scanHeader
    case 0xE0 where content.starts(with: JPEGIdentifier.jfif): .jfif
    case 0xE1 where ExifPayload.isExif(jpegSegment: content): .exif
    case 0xE1 where content.starts(with: JPEGIdentifier.xmp): .xmp
    case 0xE1 where content.starts(with: JPEGIdentifier.extendedXMP): .extendedXMP
    case 0xE2 where content.starts(with: JPEGIdentifier.icc): .icc
    case 0xE2 where content.starts(with: JPEGIdentifier.multiPicture): .multiPicture
    case 0xEE where content.starts(with: JPEGIdentifier.adobe): .adobe
    case 0xE0...0xEF: .application(Int(marker & 15))
    case 0xFE: .comment
    default: .tables
    }
  }

  /// The usual name of a marker, for errors.
  static func name(_ marker: UInt8) -> String {
    switch marker {
    case 0xC4: "DHT"
    case 0xC8: "JPG"
    case 0xCC: "DAC"
    case 0xC0...0xCF: "SOF\(marker & 15)"
    case 0xDA: "SOS"
    case 0xDB: "DQT"
    case 0xDD: "DRI"
    case 0xE0...0xEF: "APP\(marker & 15)"
    case 0xFE: "COM"
    default: "FF\(String(marker, radix: 16, uppercase: true))"
    }
  }
}
