import LivePhotoCore

/// One chunk of a PNG file (PNG, 5.3).
struct PNGChunk {
  let type: FourCC
  /// Where its content lies in the file, as far as it is there.
  let content: Range<Int>
  /// The bytes that the content should have.
  let size: Int
  /// Whether content and checksum are all there.
  let isWhole: Bool
  /// Whether the checksum is the content's.
  let isSound: Bool

  /// Whether the picture can be shown without it: bit 5 of the first letter (PNG, 5.4).
  var isAncillary: Bool { type.rawValue & 0x2000_0000 != 0 }

  /// Where it stands, for a finding.
  var place: Place { Place(offset: content.lowerBound, path: ["\(type)"]) }
}

/// Walks from chunk to chunk and checks their checksums.
struct PNGChunkReader {
  /// What a PNG file begins with (PNG, 5.2).
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private var position: Int

  /// Begins behind the signature.
  init(_ bytes: Span<UInt8>) throws(ParseError) {
    var cursor = ByteCursor(bytes)
    let found = try cursor.readBytes(min(bytes.count, Self.signature.count))
    guard found == Self.signature else {
      throw .invalid("signature", found: "\(found)", expected: "that of PNG", at: Place(offset: 0))
    }
    position = Self.signature.count
  }

  /// The next chunk; nil at the end of the file.
  ///
  /// - Throws: ``ParseError`` where no chunk can begin like that.
  mutating func next(_ bytes: Span<UInt8>) throws(ParseError) -> PNGChunk? {
    var cursor = ByteCursor(bytes)
    try cursor.seek(to: position)
    guard !cursor.isAtEnd else { return nil }
    let size = Int(try cursor.readUInt32()), type = try cursor.readFourCC()
    let start = cursor.position
    guard Self.isType(type) else {
      throw .invalid("chunk type", found: "\(type)", expected: "four letters", at: Place(offset: start - 4))
    }
    guard size <= Int32.max else {
      throw .invalid("chunk size", found: "\(size)", expected: "at most 2^31 - 1", at: Place(offset: start - 8))
    }
    guard cursor.remaining >= size + 4 else {
      position = bytes.count
      let end = min(start + size, bytes.count)
      return PNGChunk(type: type, content: start..<end, size: size, isWhole: false, isSound: true)
    }
    let checksum = CRC32.checksum(bytes.extracting(start - 4..<start + size))
    try cursor.skip(size)
    let isSound = try cursor.readUInt32() == checksum
    position = cursor.position
    return PNGChunk(type: type, content: start..<start + size, size: size, isWhole: true, isSound: isSound)
  }

  private static func isType(_ type: FourCC) -> Bool {
    [24, 16, 8, 0].allSatisfy { (shift: UInt32) in
      let letter = UInt8(truncatingIfNeeded: type.rawValue >> shift) & ~0x20
      return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    }
  }
}
