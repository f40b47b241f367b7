import LivePhotoCore

/// The index of a file's pictures in its first picture's MPF segment (CIPA DC-007, 5.2), for moving what it points at.
///
/// It is a TIFF structure; offsets of pictures are counted from its header, that of the first picture is 0 and means
/// the start of the file.
struct MultiPictureIndex {
  /// The segment's content, corrected.
  private(set) var bytes: [UInt8]

  private let order: ByteOrder
  private let entries: Range<Int>
  /// Where the content begins in the file.
  private let base: Int

  private static let header = JPEGIdentifier.multiPicture.count
  private static let entryList = TIFFTag(rawValue: 0xB002)
  private static let entrySize = 16

  /// Reads the content of an MPF segment that begins at `base` in the file; nil when it holds no list of pictures.
  init?(parsing bytes: [UInt8], at base: Int, limits: Limits) {
    let header = Self.header
    let tiff = Array(bytes.dropFirst(header))
    var damages: [ParseError] = []
    guard let order = ExifBlock.byteOrder(ofHeader: tiff[...]) else { return nil }
    var cursor = ByteCursor(tiff.span)
    guard (try? cursor.skip(4)) != nil, let first = try? cursor.readUInt32(order),
      let directory = try? TIFFDirectory(
        reading: tiff.span, at: Int(first), byteOrder: order, limits: limits, damages: &damages),
      let value = directory.first(Self.entryList)?.value
    else { return nil }
    self.bytes = bytes
    self.order = order
    self.base = base
    entries = value.lowerBound + header..<value.upperBound + header
  }

  /// Where further pictures are in the file, as far as the index says.
  var furtherPictures: [Range<Int>] {
    let origin = base + Self.header
    return stride(from: entries.lowerBound, to: entries.upperBound, by: Self.entrySize).compactMap { entry in
      guard entries.upperBound - entry >= Self.entrySize else { return nil }
      let size = Int(integer(at: entry + 4)), offset = Int(integer(at: entry + 8))
      return offset > 0 && size > 0 ? origin + offset..<origin + offset + size : nil
    }
  }

  /// Corrects sizes and offsets for a file in which a byte at position p stands at `moved(p)`.
  ///
  /// - Throws: ``JPEGError/malformed(_:)`` when a corrected value does not fit in 32 bits.
  mutating func move(_ moved: (Int) -> Int) throws(JPEGError) {
    let origin = base + Self.header
    for (index, entry) in stride(from: entries.lowerBound, to: entries.upperBound, by: Self.entrySize).enumerated() {
      guard entries.upperBound - entry >= Self.entrySize else { return }
      let size = Int(integer(at: entry + 4)), offset = Int(integer(at: entry + 8))
      let start = index == 0 && offset == 0 ? 0 : origin + offset
      // A size of 0 states nothing.
      if size > 0 { try write(moved(start + size) - moved(start), at: entry + 4) }
      if start > 0 { try write(moved(start) - moved(origin), at: entry + 8) }
    }
  }

  private func integer(at position: Int) -> UInt32 {
    let value = bytes[position..<position + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return order == .big ? value : value.byteSwapped
  }

  private mutating func write(_ value: Int, at position: Int) throws(JPEGError) {
    guard let value = UInt32(exactly: value) else {
      throw .malformed(
        .invalid(
          "offset or size in the index of pictures", found: "\(value)", expected: "32 bits without a sign",
          at: Place(offset: base + position, path: ["APP2", "MPF"])))
    }
    bytes.overwrite(at: position, with: value, order)
  }
}
