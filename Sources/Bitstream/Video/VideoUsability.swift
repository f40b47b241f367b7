import LivePhotoCore

/// The first part of the video usability information, which H.264 and HEVC write in the same way: shape of a sample,
/// colour, chroma location (ITU-T H.264 and H.265, E.2.1).
struct VideoUsability {
  var pixelAspect: PixelAspectRatio?
  var color = ColorDescription.unspecified
  var chromaLocation: Int?

  init() {}

  init(parsing reader: inout BitReader) throws(ParseError) {
    if try reader.readFlag() { pixelAspect = try Self.readPixelAspect(&reader) }
    if try reader.readFlag() { try reader.skipBits(1) }  // overscan
    if try reader.readFlag() { color = try Self.readColor(&reader) }
    if try reader.readFlag() {
      chromaLocation = try reader.readUE("chroma_sample_loc_type_top_field", in: 0...5)
      _ = try reader.readUE("chroma_sample_loc_type_bottom_field", in: 0...5)
    }
  }

  private static func readPixelAspect(_ reader: inout BitReader) throws(ParseError) -> PixelAspectRatio? {
    let index = Int(try reader.readBits(8))
    var sides: (UInt32, UInt32) = index < aspects.count ? aspects[index] : (0, 0)
    if index == 255 { sides = (try reader.readBits(16), try reader.readBits(16)) }
    guard sides.0 > 0, sides.1 > 0 else { return nil }
    return PixelAspectRatio(horizontalSpacing: sides.0, verticalSpacing: sides.1)
  }

  /// Table E-1 of both standards; number 0 says that the shape is not known.
  private static let aspects: [(UInt32, UInt32)] = [
    (0, 0), (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11), (15, 11),
    (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  private static func readColor(_ reader: inout BitReader) throws(ParseError) -> ColorDescription {
    try reader.skipBits(3)  // video_format
    var color = ColorDescription(isFullRange: try reader.readFlag())
    guard try reader.readFlag() else { return color }
    color.primaries = UInt16(try reader.readBits(8))
    color.transfer = UInt16(try reader.readBits(8))
    color.matrix = UInt16(try reader.readBits(8))
    return color
  }

  /// Reads `num_units_in_tick` and `time_scale`: the duration of `ticks` ticks, or nil where one of them is 0.
  static func readDuration(_ reader: inout BitReader, ticks: Int64) throws(ParseError) -> RationalTime? {
    let units = Int64(try reader.readBits(32)), scale = Int64(try reader.readBits(32))
    return units > 0 ? RationalTime(exactly: units * ticks, timescale: scale) : nil
  }
}
