public import LivePhotoCore

extension HEVCSequenceParameterSet {
  /// A sequence parameter set with another conformance window (ITU-T H.265, 7.4.3.2.1), so that decoders show another
  /// part of its pictures; all else in it stays, bit for bit.
  ///
  /// - Parameters:
  ///   - unit: the NAL unit, header included.
  ///   - area: the part to show, counted from the corner of the coded picture.
  /// - Returns: the NAL unit, header included.
  /// - Throws: ``LivePhotoCore/ParseError`` as ``init(parsing:limits:)``, and `invalid` for an area that is empty, does
  ///   not lie inside the coded picture, or has an edge within a sample of halved chroma.
  public static func cropping(_ unit: Span<UInt8>, to area: PictureArea) throws(ParseError) -> [UInt8] {
    let format = try HEVCSequenceParameterSet(parsing: unit).format
    let payload = try HEVCNALUnitHeader.readPayload(of: unit, named: "SPS", if: { $0 == .sps }) {
      (_, reader) throws(ParseError) in
      var source = reader
      try skipToWindow(&reader)
      let offsets = try windowOffsets(of: area, in: format, at: reader.place)
      var writer = BitWriter()
      try writer.copy(reader.position, from: &source)
      let isCropped = offsets.contains { $0 > 0 }
      writer.write(isCropped)
      if isCropped { for offset in offsets { writer.writeUE(offset) } }
      if try reader.readFlag() { for _ in offsets { _ = try reader.readUE() } }
      // Up to the stop bit; zeros fill its byte.
      try writer.copy(reader.stopBit + 1 - reader.position, from: &reader)
      return writer.bytes
    }
    var header = ByteCursor(unit)
    return try header.readBytes(HEVCNALUnitHeader.size) + EmulationPrevention.inserted(into: payload.span)
  }

  /// Steps over all before `conformance_window_flag`.
  private static func skipToWindow(_ reader: inout BitReader) throws(ParseError) {
    try reader.skipBits(4)
    let layers = try readMaxSubLayers(&reader)
    try reader.skipBits(1)
    _ = try HEVCProfileTierLevel(parsing: &reader, maxSubLayers: layers)
    _ = try reader.readUE()  // sps_seq_parameter_set_id
    if try reader.readUE() == 3 { try reader.skipBits(1) }  // chroma_format_idc, separate_colour_plane_flag
    for _ in 0..<2 { _ = try reader.readUE() }  // the size in luma samples
  }

  /// `conf_win_left_offset` and those of right, top and bottom, in units of chroma samples.
  private static func windowOffsets(
    of area: PictureArea, in format: VideoFormat, at place: Place
  ) throws(ParseError) -> [UInt32] {
    let shift = format.chroma.chromaShift
    // Sides first: where they fit, no difference below can overflow.
    guard area.width > 0, area.height > 0, area.x >= 0, area.y >= 0, area.width <= format.codedWidth,
      area.height <= format.codedHeight, area.x <= format.codedWidth - area.width,
      area.y <= format.codedHeight - area.height
    else {
      throw .invalid(
        "conformance window", found: "\(area.width)x\(area.height) at (\(area.x), \(area.y))",
        expected: "a part of \(format.codedWidth)x\(format.codedHeight)", at: place)
    }
    let sides = [
      (area.x, shift.x), (format.codedWidth - area.x - area.width, shift.x),
      (area.y, shift.y), (format.codedHeight - area.y - area.height, shift.y),
    ]
    guard sides.allSatisfy({ $0 & ((1 << $1) - 1) == 0 }) else {
      throw .invalid(
        "conformance window", found: "\(sides.map(\.0)) samples cut off", expected: "whole chroma samples", at: place)
    }
    return sides.map { UInt32($0 >> $1) }
  }
}
