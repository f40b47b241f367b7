import LivePhotoCore

/// Writes the chunks of a PNG file in the order that the format asks for (PNG, 5.6).
struct PNGChunkWriter {
  private var writer = ByteWriter()

  /// A file of nothing but its signature.
  init() { writer.write(PNGChunkReader.signature) }

  /// The file so far.
  var bytes: [UInt8] { writer.bytes }

  /// Appends a chunk (PNG, 5.3).
  ///
  /// - Throws: ``PNGError/metadataTooLarge(size:limit:)``.
  mutating func chunk(_ type: FourCC, _ content: some Collection<UInt8>) throws(PNGError) {
    guard content.count <= Int32.max else {
      throw .metadataTooLarge(size: content.count, limit: Int(Int32.max))
    }
    var typed = ByteWriter()
    typed.writeFourCC(type)
    typed.write(content)
    writer.writeUInt32(UInt32(content.count))
    writer.write(typed.bytes)
    writer.writeUInt32(CRC32.checksum(typed.bytes.span))
  }

  private mutating func chunk(_ type: FourCC, _ fill: (inout ByteWriter) -> Void) throws(PNGError) {
    var content = ByteWriter()
    fill(&content)
    try chunk(type, content.bytes)
  }

  mutating func writeHeader(_ image: RasterImage) throws(PNGError) {
    let type: PNGHeader.ColorType =
      switch image.channels {
      case .gray: .gray
      case .grayAlpha: .grayAlpha
      case .rgb: .rgb
      case .rgba: .rgba
      }
    try chunk("IHDR") { content in
      content.writeUInt32(UInt32(image.width))
      content.writeUInt32(UInt32(image.height))
      content.writeUInt8(image.bitDepth > 8 ? 16 : 8)
      content.writeUInt8(type.rawValue)
      content.writeZeros(3)
    }
    if image.bitDepth > 8, image.bitDepth < 16 {
      try chunk("sBIT", Array(repeating: UInt8(image.bitDepth), count: image.channels.rawValue))
    }
  }

  /// Writes all that stands in front of the picture.
  mutating func write(_ metadata: PNGMetadata) throws(PNGError) {
    if let color = metadata.color {
      let values = [color.primaries, color.transfer, 0, color.isFullRange ? 1 : 0]
      try chunk("cICP", values.map { UInt8(clamping: $0) })
    }
    if let icc = metadata.icc {
      try chunk("iCCP", Array("ICC profile\0\0".utf8) + Deflater().deflate(icc.span))
    }
    if let intent = metadata.renderingIntent { try chunk("sRGB", [intent]) }
    if let gamma = metadata.gamma { try chunk("gAMA") { $0.writeUInt32(gamma) } }
    if let colors = metadata.chromaticities {
      try chunk("cHRM") { content in
        for point in [colors.white, colors.red, colors.green, colors.blue] {
          content.writeUInt32(point.x)
          content.writeUInt32(point.y)
        }
      }
    }
    if let density = metadata.density {
      try chunk("pHYs") { content in
        content.writeUInt32(density.x)
        content.writeUInt32(density.y)
        content.writeUInt8(density.isPerMetre ? 1 : 0)
      }
    }
    if let exif = metadata.exif { try chunk("eXIf", exif) }
    if let xmp = metadata.xmp { try chunk("iTXt", Array("\(PNGFileReader.xmpKeyword)\0\0\0\0\0".utf8) + xmp) }
  }
}
