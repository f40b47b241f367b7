import LivePhotoCore
import LivePhotoJPEGKernels

/// Writes everything of a JPEG file that comes before the entropy-coded data.
struct FileHeader {
  let frame: FrameLayout
  let quantization: [QuantizationTable]

  /// MCUs between restarts, if there are any.
  let restartInterval: Int?

  /// From SOI to the frame header.
  func opening(_ metadata: JPEGMetadata) throws(JPEGError) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt16(0xFFD8)
    if metadata.includesJFIF { writer.segment(0xE0, jfif(metadata.density)) }
    try writer.metadata(metadata)
    writer.segment(0xDB, quantizationTables())
    writer.segment(0xC0, frameHeader())
    return writer.bytes
  }

  /// From the Huffman tables to the end of SOS.
  func scan(_ huffman: HuffmanTables) -> [UInt8] {
    var writer = ByteWriter()
    writer.segment(0xC4, huffmanTables(huffman))
    if let restartInterval { writer.segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 0xFF)]) }
    writer.segment(0xDA, scanHeader())
    return writer.bytes
  }

  /// Luma's table, and chroma's where there is chroma.
  private var tables: Range<Int> { 0..<(frame.components.count == 1 ? 1 : 2) }

  /// ITU-T T.871, 10.1: version 1.02, no thumbnail.
  private func jfif(_ density: JPEGDensity) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(JPEGIdentifier.jfif)
    writer.writeUInt16(0x0102)
    writer.writeUInt8(density.unit.rawValue)
    writer.writeUInt16(max(1, density.x))
    writer.writeUInt16(max(1, density.y))
    writer.writeUInt16(0)
    return writer.bytes
  }

  /// ITU-T T.81, B.2.4.1.
  private func quantizationTables() -> [UInt8] {
    tables.flatMap { table in
      [UInt8(table)] + (0..<64).map { quantization[table].values[Int(Zigzag.natural[$0])] }
    }
  }

  /// ITU-T T.81, B.2.2, of a baseline frame.
  private func frameHeader() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt8(8)
    writer.writeUInt16(UInt16(frame.height))
    writer.writeUInt16(UInt16(frame.width))
    writer.writeUInt8(UInt8(frame.components.count))
    for (index, component) in frame.components.enumerated() {
      writer.writeUInt8(UInt8(index + 1))
      writer.writeUInt8(UInt8(component.horizontal << 4 | component.vertical))
      writer.writeUInt8(UInt8(component.table))
    }
    return writer.bytes
  }

  /// ITU-T T.81, B.2.4.2.
  private func huffmanTables(_ huffman: HuffmanTables) -> [UInt8] {
    var writer = ByteWriter()
    for table in tables {
      for (kind, huffman) in [huffman.dc[table], huffman.ac[table]].enumerated() {
        writer.writeUInt8(UInt8(kind << 4 | table))
        writer.write(huffman.counts)
        writer.write(huffman.symbols)
      }
    }
    return writer.bytes
  }

  /// ITU-T T.81, B.2.3: one scan of all components.
  private func scanHeader() -> [UInt8] {
    var payload = [UInt8(frame.components.count)]
    for (index, component) in frame.components.enumerated() {
      payload += [UInt8(index + 1), UInt8(component.table << 4 | component.table)]
    }
    return payload + [0, 63, 0]
  }
}

/// What the content of application segments begins with.
enum JPEGIdentifier {
  static let jfif: [UInt8] = Array("JFIF\0".utf8)
  static let xmp: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMP: [UInt8] = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  static let icc: [UInt8] = Array("ICC_PROFILE\0".utf8)
  static let multiPicture: [UInt8] = Array("MPF\0".utf8)
  static let adobe: [UInt8] = Array("Adobe".utf8)

  /// The most that one segment holds behind its length field.
  static let maximumPayload = 65_533
}

extension ByteWriter {
  /// Appends a marker segment: 0xFF, `marker`, the length, the content.
  mutating func segment(_ marker: UInt8, _ payload: [UInt8]) {
    writeUInt8(0xFF)
    writeUInt8(marker)
    writeUInt16(UInt16(payload.count + 2))
    write(payload)
  }

  /// Appends the segments of `metadata` in the conventional order.
  fileprivate mutating func metadata(_ metadata: JPEGMetadata) throws(JPEGError) {
    if let exif = metadata.exif { try segment(0xE1, ExifPayload.code, exif, .exif) }
    if let xmp = metadata.xmp { try segment(0xE1, JPEGIdentifier.xmp, xmp, .xmp) }
    if let icc = metadata.icc { try profile(icc) }
    for segment in metadata.applicationSegments {
      try self.segment(0xE0 + UInt8(segment.number), [], segment.payload, .application)
    }
    if let comment = metadata.comment { try segment(0xFE, [], comment, .comment) }
  }

  /// Appends a segment of an identifier and a content, which must fit.
  mutating func segment(
    _ marker: UInt8, _ identifier: [UInt8], _ content: [UInt8], _ kind: JPEGMetadataKind
  ) throws(JPEGError) {
    let limit = JPEGIdentifier.maximumPayload - identifier.count
    guard content.count <= limit else { throw .metadataTooLarge(kind, size: content.count, limit: limit) }
    segment(marker, identifier + content)
  }

  /// Appends an ICC profile in numbered pieces.
  mutating func profile(_ icc: [UInt8]) throws(JPEGError) {
    let room = JPEGIdentifier.maximumPayload - JPEGIdentifier.icc.count - 2
    guard icc.count <= 255 * room else { throw .metadataTooLarge(.icc, size: icc.count, limit: 255 * room) }
    let count = (icc.count + room - 1) / room
    for index in 0..<count {
      let piece = icc[index * room..<min(icc.count, (index + 1) * room)]
      segment(0xE2, JPEGIdentifier.icc + [UInt8(index + 1), UInt8(count)] + piece)
    }
  }
}
