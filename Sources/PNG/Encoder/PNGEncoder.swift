public import LivePhotoCore

/// Encodes PNG pictures: grey or RGB, with or without alpha, of 8 or 16 bits (PNG, third edition; ISO/IEC 15948).
///
/// ```swift
/// let bytes = try PNGEncoder().encode(picture, metadata: PNGMetadata(icc: profile))
/// ```
/// Pictures of 9 to 15 bits are written with 16, and `sBIT` says how many are meant. The same picture always gives the
/// same bytes. A call blocks and uses one thread.
public struct PNGEncoder: Sendable, Hashable {
  /// The largest width and height.
  public static let maximumSide = 0x7FFF_FFFF

  /// The bytes of an `IDAT`.
  private static let dataSize = 1 << 20

  /// An encoder.
  public init() {}

  /// The file.
  ///
  /// - Throws: ``PNGError/sizeOutOfRange(width:height:)`` for a picture without pixels,
  ///   ``PNGError/metadataTooLarge(size:limit:)``.
  public func encode(_ image: RasterImage, metadata: PNGMetadata = PNGMetadata()) throws(PNGError) -> [UInt8] {
    let sides = 1...Self.maximumSide
    guard sides.contains(image.width), sides.contains(image.height) else {
      throw .sizeOutOfRange(width: image.width, height: image.height)
    }
    var writer = PNGChunkWriter()
    try writer.writeHeader(image)
    try writer.write(metadata)
    let data = Deflater(content: .filtered).deflate(Self.filtered(image).span)
    for start in stride(from: 0, to: data.count, by: Self.dataSize) {
      try writer.chunk("IDAT", data[start..<min(start + Self.dataSize, data.count)])
    }
    try writer.chunk("IEND", [])
    return writer.bytes
  }

  /// All rows, each with its filter in front.
  private static func filtered(_ image: RasterImage) -> [UInt8] {
    let count = image.width * image.channels.rawValue
    let sampleSize = image.bitDepth > 8 ? 2 : 1
    var filter = RowFilter(count: count * sampleSize, distance: image.channels.rawValue * sampleSize)
    var output: [UInt8] = []
    output.reserveCapacity((1 + count * sampleSize) * image.height)
    switch image.samples {
    case .bytes(let samples):
      for y in 0..<image.height {
        filter.append(to: &output) { row in
          row.replaceSubrange(
            RowFilter.padding..<RowFilter.padding + count, with: samples[y * count..<(y + 1) * count])
        }
      }
    case .words(let samples):
      let maximum = UInt32(image.maximum)
      for y in 0..<image.height {
        filter.append(to: &output) { row in
          let source = samples.span.extracting(y * count..<(y + 1) * count)
          var row = row.mutableSpan
          for index in source.indices {
            // The nearest of 65536 values (PNG, 12.4).
            let value = (UInt32(source[index]) &* 65535 &+ maximum / 2) / maximum
            row[RowFilter.padding + 2 * index] = UInt8(truncatingIfNeeded: value >> 8)
            row[RowFilter.padding + 2 * index + 1] = UInt8(truncatingIfNeeded: value)
          }
        }
      }
    }
    return output
  }
}
