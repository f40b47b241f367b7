/// An Exif block in its wrapping: the payload of a HEIF item of type `Exif`, or of a JPEG APP1 segment.
///
/// What stands before the TIFF header is kept exactly as it was found.
public struct ExifPayload: Sendable, Equatable {
  /// What stands before the TIFF header.
  public let prefix: [UInt8]
  /// The block.
  public var block: ExifBlock

  /// The payload, to be stored again.
  public var bytes: [UInt8] { prefix + block.bytes }

  /// The code that stands before TIFF in a JPEG segment, and in most HEIF items.
  public static let code: [UInt8] = Array("Exif\0\0".utf8)

  /// The largest block that fits into a JPEG segment, whose length is 16 bits and counts itself.
  public static let jpegSegmentLimit = 65_535 - 2 - code.count

  private init(prefix: [UInt8], block: ExifBlock) {
    self.prefix = prefix
    self.block = block
  }

  private init(_ bytes: [UInt8], splitAt start: Int, limits: Limits) throws(ParseError) {
    prefix = Array(bytes.prefix(start))
    block = try ExifBlock(parsing: Array(bytes.dropFirst(start)), limits: limits)
  }
}

// MARK: HEIF

extension ExifPayload {
  /// Wraps a block for a HEIF item, as phones do: the offset 6, then "Exif" and two zeros (ISO/IEC 23008-12, A.2.1).
  public init(newHEIFItem block: ExifBlock) {
    self.init(prefix: [0, 0, 0, 6] + Self.code, block: block)
  }

  /// Reads the payload of a HEIF item: a 32-bit `exif_tiff_header_offset`, and TIFF that many bytes behind it.
  ///
  /// Writers that miscount the code before TIFF, or leave the offset out, are read too.
  ///
  /// - Throws: ``ParseError`` when no TIFF block is found there or it cannot be read.
  public init(heifItem bytes: [UInt8], limits: Limits = .standard) throws(ParseError) {
    var cursor = ByteCursor(bytes.span)
    let stated = 4 + Int(try cursor.readUInt32())
    let candidates = [stated, stated + Self.code.count, 4, 4 + Self.code.count, 0, Self.code.count]
    let start = candidates.first { ExifBlock.byteOrder(ofHeader: bytes.dropFirst($0)) != nil }
    guard let start else {
      throw .invalid(
        "exif_tiff_header_offset", found: "\(stated - 4)", expected: "the offset of a TIFF header", at: Place(offset: 0)
      )
    }
    try self.init(bytes, splitAt: start, limits: limits)
  }
}

// MARK: JPEG

extension ExifPayload {
  /// Wraps a block for a JPEG APP1 segment (CIPA DC-008, 4.7.2).
  public init(newJPEGSegment block: ExifBlock) {
    self.init(prefix: Self.code, block: block)
  }

  /// Whether the payload of an APP1 segment (what follows its length) is Exif.
  public static func isExif(jpegSegment bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: code.prefix(5))
  }

  /// Reads the payload of a JPEG APP1 segment, which begins with "Exif" and two zeros.
  ///
  /// - Throws: ``ParseError`` when it does not, or the TIFF block cannot be read.
  public init(jpegSegment bytes: [UInt8], limits: Limits = .standard) throws(ParseError) {
    guard Self.isExif(jpegSegment: bytes) else {
      throw .invalid("APP1 segment", found: "\(bytes.prefix(6))", expected: "Exif\\0\\0", at: Place(offset: 0))
    }
    try self.init(bytes, splitAt: Self.code.count, limits: limits)
  }
}
