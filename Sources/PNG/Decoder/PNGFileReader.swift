import LivePhotoCore

/// Gathers what the chunks of a file say, up to the decoding of its pixels.
struct PNGFileReader {
  let limits: Limits
  private(set) var header: PNGHeader
  private(set) var palette: [UInt8] = []
  /// The content of `tRNS`: alpha of palette entries, or the grey or colour that is transparent.
  private(set) var transparency: [UInt8]?
  var metadata = PNGMetadata()
  var significantBits: Int?
  /// Whether an XMP packet was met.
  var hasMetXMP = false
  /// Where the contents of `IDAT` are in the file, none of them empty, in their order.
  private(set) var data: [Range<Int>] = []
  /// The pictures of an animation.
  var frames: Int?
  /// Texts other than XMP.
  var texts: [PNGText] = []
  var log: DamageLog
  private var chunks: PNGChunkReader
  /// Chunks that stand once in a file and were met.
  private var met: Set<FourCC> = []

  /// Reads signature and header.
  ///
  /// - Throws: ``ParseError`` when they are not PNG's, or beyond the limits.
  init(_ bytes: Span<UInt8>, limits: Limits, isStrict: Bool) throws(ParseError) {
    self.limits = limits
    log = DamageLog(isStrict: isStrict)
    chunks = try PNGChunkReader(bytes)
    guard let first = try chunks.next(bytes) else { throw .missing("IHDR", at: Place(offset: bytes.count)) }
    if first.type == "CgBI" { throw .unsupported("CgBI, the form that Xcode gives to PNG files", at: first.place) }
    guard first.type == "IHDR" else {
      throw .invalid("first chunk", found: "\(first.type)", expected: "IHDR", at: first.place)
    }
    try Self.demandSound(first, bytes)
    var cursor = try ByteCursor(bytes).part(first.content)
    do { header = try PNGHeader(parsing: &cursor, limits: limits) } catch { throw error.inside("IHDR") }
  }

  /// Reads all chunks up to `IEND`.
  mutating func readChunks(_ bytes: Span<UInt8>) throws(ParseError) {
    var count = 0
    /// Whether image data were met, and whether another chunk followed.
    var hasData = false, isBehindData = false
    while let chunk = try nextChunk(bytes) {
      if chunk.type == "IEND" { return }
      if chunk.type == "IDAT" {
        hasData = true
        if isBehindData {
          try log.note(.invalid("IDAT", found: "behind other chunks", expected: "one run of them", at: chunk.place))
        } else {
          try appendData(chunk, bytes)
        }
        continue
      }
      isBehindData = hasData
      count += 1
      guard count <= limits.segments else {
        throw .beyondLimit("number of chunks", found: count, limit: limits.segments, at: chunk.place)
      }
      guard chunk.isAncillary else {
        try readCritical(chunk, bytes, isBehindData: isBehindData)
        continue
      }
      guard chunk.isWhole, chunk.isSound else {
        let damage = Self.damage(of: chunk, bytes)
        if !chunk.isWhole, data.isEmpty { throw damage }
        try log.note(damage)
        continue
      }
      // One that is damaged inside is left out as one with a wrong checksum is.
      do throws(ParseError) { try readAncillary(chunk, bytes) } catch { try log.note(error) }
    }
    try log.note(.missing("IEND", at: Place(offset: bytes.count)))
  }

  /// The next chunk; where none can be read behind image data, the file is taken to end there.
  private mutating func nextChunk(_ bytes: Span<UInt8>) throws(ParseError) -> PNGChunk? {
    do { return try chunks.next(bytes) } catch {
      if data.isEmpty { throw error }
      try log.note(error)
      return nil
    }
  }

  private mutating func appendData(_ chunk: PNGChunk, _ bytes: Span<UInt8>) throws(ParseError) {
    if !chunk.isWhole {
      try log.note(Self.damage(of: chunk, bytes))
    } else {
      try Self.demandSound(chunk, bytes)
    }
    if !chunk.content.isEmpty { data.append(chunk.content) }
  }

  private mutating func readCritical(_ chunk: PNGChunk, _ bytes: Span<UInt8>, isBehindData: Bool) throws(ParseError) {
    guard chunk.type == "PLTE" else {
      if chunk.type == "IHDR" { throw .invalid("IHDR", found: "a second one", expected: "one", at: chunk.place) }
      throw .unsupported("a chunk that is not known and may not be left out", at: chunk.place)
    }
    try Self.demandSound(chunk, bytes)
    guard met.insert(chunk.type).inserted, !isBehindData else {
      throw .invalid("PLTE", found: "a second or late one", expected: "one in front of IDAT", at: chunk.place)
    }
    guard chunk.content.count % 3 == 0, (3...768).contains(chunk.content.count) else {
      throw .invalid("size", found: "\(chunk.content.count)", expected: "three times 1 to 256", at: chunk.place)
    }
    var cursor = try ByteCursor(bytes).part(chunk.content)
    palette = cursor.readRemaining()
  }

  private mutating func readAncillary(_ chunk: PNGChunk, _ bytes: Span<UInt8>) throws(ParseError) {
    // Of what stands in a file once, the first rules.
    guard PNGText.types.contains(chunk.type) || met.insert(chunk.type).inserted else { return }
    var cursor = try ByteCursor(bytes).part(chunk.content)
    guard chunk.type == "tRNS" else {
      do { try readMetadata(chunk.type, &cursor) } catch { throw error.inside("\(chunk.type)") }
      return
    }
    let expected =
      switch header.colorType {
      case .gray: 2...2
      case .rgb: 6...6
      case .palette: 1...max(1, palette.count / 3)
      case .grayAlpha, .rgba: 0...0
      }
    guard data.isEmpty, expected.contains(cursor.count), !expected.contains(0) else {
      throw .invalid(
        "tRNS", found: "\(cursor.count) bytes", expected: "\(expected) in front of IDAT", at: chunk.place)
    }
    transparency = cursor.readRemaining()
  }

  private static func demandSound(_ chunk: PNGChunk, _ bytes: Span<UInt8>) throws(ParseError) {
    guard chunk.isWhole, chunk.isSound else { throw damage(of: chunk, bytes) }
  }

  private static func damage(of chunk: PNGChunk, _ bytes: Span<UInt8>) -> ParseError {
    chunk.isWhole
      ? .invalid("CRC", found: "another", expected: "that of the chunk", at: chunk.place)
      : .truncated(needed: chunk.size + 4, available: bytes.count - chunk.content.lowerBound, at: chunk.place)
  }
}
