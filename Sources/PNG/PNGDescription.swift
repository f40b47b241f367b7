public import LivePhotoCore

/// What a PNG file says of its picture, read without decoding it.
public struct PNGDescription: Sendable {
  /// How the pixels are stored.
  public let header: PNGHeader
  /// How many bits of the samples are meant (`sBIT`); nil where the file says nothing.
  public let significantBits: Int?
  /// Colours, Exif, XMP and resolution.
  public let metadata: PNGMetadata
  /// Entries of the palette (`PLTE`); nil where there is none.
  public let paletteEntries: Int?
  /// Whether a colour or entries of the palette are transparent (`tRNS`).
  public let hasTransparency: Bool
  /// The pictures of an animation (`acTL`); nil for a file that is none.
  public let frames: Int?
  /// Texts beside the picture (`tEXt`, `zTXt`, `iTXt`), XMP left out; at most 1000.
  public let texts: [PNGText]
  /// What is damaged or missing, in file order, the first 16 findings; empty for a sound file.
  public let warnings: [ParseError]
}

/// A text with its keyword (PNG, 11.3.3).
public struct PNGText: Sendable, Hashable {
  /// What the text is, such as `Title` or `Software`.
  public let keyword: String
  /// The first 4096 bytes of it; nil where it is compressed.
  public let text: String?

  /// The chunks that hold texts.
  static let types: Set<FourCC> = ["tEXt", "zTXt", "iTXt"]

  /// The content of a chunk of the given type.
  init(_ type: FourCC, parsing cursor: inout ByteCursor) throws(ParseError) {
    keyword = cursor.readTerminatedUTF8()
    var isCompressed = type == "zTXt"
    if type == "iTXt" {
      isCompressed = try cursor.readUInt8() != 0
      try cursor.skip(1)
      _ = cursor.readTerminatedUTF8()
      _ = cursor.readTerminatedUTF8()
    }
    let bytes = try cursor.readBytes(min(cursor.remaining, 4096))
    let isLatin = type == "tEXt"
    text =
      isCompressed
      ? nil : isLatin ? String(bytes.map { Character(Unicode.Scalar($0)) }) : String(decoding: bytes, as: UTF8.self)
  }
}

extension PNGDecoder {
  /// What the file says of its picture; no pixel is decoded.
  ///
  /// - Throws: ``PNGError/malformed(_:)`` as ``decode(_:)-(ByteSource)``, but for damage to the pixels.
  public func describe(_ source: any ByteSource) throws(PNGError) -> PNGDescription {
    do throws(ParseError) {
      guard source.count <= limits.decodedBytes else {
        throw .beyondLimit("size of the file", found: source.count, limit: limits.decodedBytes, at: Place(offset: 0))
      }
      let bytes = try source.parseBytes(0..<source.count)
      var file = try PNGFileReader(bytes.span, limits: limits, isStrict: isStrict)
      try file.readChunks(bytes.span)
      return PNGDescription(
        header: file.header, significantBits: file.significantBits, metadata: file.metadata,
        paletteEntries: file.palette.isEmpty ? nil : file.palette.count / 3,
        hasTransparency: file.transparency != nil, frames: file.frames, texts: file.texts,
        warnings: file.log.findings)
    } catch { throw .malformed(error) }
  }
}
