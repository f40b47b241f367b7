import LivePhotoCore

extension PNGFileReader {
  static let xmpKeyword = "XML:com.adobe.xmp"

  /// Reads a chunk that says something about the picture; others are stepped over.
  mutating func readMetadata(_ type: FourCC, _ cursor: inout ByteCursor) throws(ParseError) {
    switch type {
    case "iCCP": metadata.icc = try profile(&cursor)
    case "cICP":
      let values = try cursor.readBytes(4)
      guard values[2] == 0 else {
        throw .invalid("matrix", found: "\(values[2])", expected: "0, the identity", at: cursor.place)
      }
      metadata.color = ColorDescription(
        primaries: UInt16(values[0]), transfer: UInt16(values[1]), matrix: 0, isFullRange: values[3] != 0)
    case "sRGB": metadata.renderingIntent = try cursor.readUInt8()
    case "gAMA": metadata.gamma = try cursor.readUInt32()
    case "cHRM":
      metadata.chromaticities = PNGChromaticities(
        white: try point(&cursor), red: try point(&cursor), green: try point(&cursor), blue: try point(&cursor))
    case "pHYs":
      metadata.density = PNGDensity(
        x: try cursor.readUInt32(), y: try cursor.readUInt32(), isPerMetre: try cursor.readUInt8() == 1)
    case "sBIT":
      // Of a palette, its entries of 8 bits are meant.
      let depth = header.colorType == .palette ? 8 : header.bitDepth
      let count = header.colorType == .palette ? 3 : header.colorType.sampleCount
      let bits = try cursor.readBytes(count)
      if let most = bits.max(), bits.allSatisfy({ (1...depth).contains(Int($0)) }) { significantBits = Int(most) }
    case "eXIf":
      try checkSize(cursor.count, at: cursor.place)
      let bytes = cursor.readRemaining()
      metadata.exif = bytes.starts(with: ExifPayload.code) ? Array(bytes.dropFirst(ExifPayload.code.count)) : bytes
    case "acTL": frames = Int(try cursor.readUInt32())
    case "tEXt", "zTXt", "iTXt":
      let start = cursor.position
      guard type == "iTXt", cursor.readTerminatedUTF8() == Self.xmpKeyword else {
        try cursor.seek(to: start)
        if texts.count < 1000 { texts.append(try PNGText(type, parsing: &cursor)) }
        return
      }
      // The first packet rules, even one that cannot be read: a file may hold any number that take long to fail.
      guard !hasMetXMP else { return }
      hasMetXMP = true
      metadata.xmp = try text(&cursor)
    default: break
    }
  }

  private func point(_ cursor: inout ByteCursor) throws(ParseError) -> PNGChromaticities.Point {
    PNGChromaticities.Point(x: try cursor.readUInt32(), y: try cursor.readUInt32())
  }

  /// A name, the number of the compression, and the profile (PNG, 11.3.2.3).
  private func profile(_ cursor: inout ByteCursor) throws(ParseError) -> [UInt8] {
    _ = cursor.readTerminatedUTF8()
    try demandDeflate(cursor.readUInt8(), at: cursor.place)
    return try inflate(cursor)
  }

  /// Flag and number of the compression, a language, the keyword in it, and the text (PNG, 11.3.3.4).
  private func text(_ cursor: inout ByteCursor) throws(ParseError) -> [UInt8] {
    let isCompressed = try cursor.readUInt8() != 0, method = try cursor.readUInt8()
    _ = cursor.readTerminatedUTF8()
    _ = cursor.readTerminatedUTF8()
    guard isCompressed else {
      try checkSize(cursor.remaining, at: cursor.place)
      return cursor.readRemaining()
    }
    try demandDeflate(method, at: cursor.place)
    return try inflate(cursor)
  }

  private func demandDeflate(_ method: UInt8, at place: Place) throws(ParseError) {
    guard method == 0 else { throw .invalid("compression method", found: "\(method)", expected: "0", at: place) }
  }

  private func checkSize(_ size: Int, at place: Place) throws(ParseError) {
    guard size <= limits.blobBytes else {
      throw .beyondLimit("size", found: size, limit: limits.blobBytes, at: place)
    }
  }

  private func inflate(_ cursor: borrowing ByteCursor) throws(ParseError) -> [UInt8] {
    var rest = copy cursor
    let bytes = rest.readRemaining()
    return try Inflater(limit: limits.blobBytes).inflate(bytes.span)
  }
}
