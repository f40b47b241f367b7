public import LivePhotoCore

extension JPEGFile {
  /// The content of the first Exif segment; nil when there is none.
  ///
  /// - Throws: ``ParseError`` when its TIFF structure cannot be read.
  public func exif() throws(ParseError) -> ExifPayload? {
    guard let segment = first(.exif) else { return nil }
    let bytes = try source.parseBytes(segment.payload)
    do { return try ExifPayload(jpegSegment: bytes, limits: limits) } catch { throw error.inside("APP1") }
  }

  /// The first XMP packet, without its extended part; nil when there is none.
  ///
  /// - Throws: ``ParseError`` when it cannot be read.
  public func xmp() throws(ParseError) -> [UInt8]? {
    guard let segment = first(.xmp) else { return nil }
    return try source.parseBytes(segment.payload.dropFirst(JPEGIdentifier.xmp.count))
  }

  /// The ICC profile, put together from its pieces; nil when there is none.
  ///
  /// - Throws: ``ParseError`` when a piece is missing, doubled or cannot be read, or the profile is too large.
  public func iccProfile() throws(ParseError) -> [UInt8]? {
    let segments = segments.filter { $0.kind == .icc }
    guard let first = segments.first else { return nil }
    let place = Place(offset: first.range.lowerBound, path: ["APP2"])
    let headSize = JPEGIdentifier.icc.count + 2
    var pieces: [Int: [UInt8]] = [:]
    var size = 0
    for segment in segments {
      let payload = try source.parseBytes(segment.payload)
      guard payload.count >= headSize else {
        throw .truncated(needed: headSize, available: payload.count, at: place)
      }
      let (number, count) = (Int(payload[headSize - 2]), Int(payload[headSize - 1]))
      guard count == segments.count, (1...count).contains(number), pieces[number] == nil else {
        throw .invalid(
          "piece of an ICC profile", found: "\(number) of \(count)", expected: "each of \(segments.count) once",
          at: place)
      }
      size += payload.count - headSize
      guard size <= limits.blobBytes else {
        throw .beyondLimit("size of the ICC profile", found: size, limit: limits.blobBytes, at: place)
      }
      pieces[number] = Array(payload[headSize...])
    }
    return (1...segments.count).flatMap { pieces[$0] ?? [] }
  }
}
