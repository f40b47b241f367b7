import LivePhotoCore

/// Cuts boxes of a sample table that say something of single samples, other than those that every table has.
struct SampleBoxCutter {
  /// The samples that are left, counted from 0, in order.
  let kept: [Range<Int>]

  /// The boxes that are cut: groups of samples (ISO/IEC 14496-12, 8.9.2), priorities (8.5.3), sub-samples (8.7.7),
  /// padding (8.7.6), shadow sync samples (8.6.3), and QuickTime's partial sync samples.
  static let types: Set<FourCC> = ["sbgp", "csgp", "stdp", "subs", "padb", "stsh", "stps"]

  /// Writes the box of what is left.
  ///
  /// - Throws: ``ParseError`` when the box is damaged, or of a form that is not cut.
  func write(
    _ box: BoxHeader, _ content: inout ByteCursor, _ bytes: ArraySlice<UInt8>, to writer: inout ByteWriter
  ) throws(ParseError) {
    let place = content.place
    if box.type == "sbgp" { return try GroupMapping(parsing: &content).cut(to: kept).write(to: &writer) }
    let (version, flags) = try content.readVersionAndFlags()
    var result = ByteWriter()
    switch box.type {
    case "stdp": try cutPriorities(&content, to: &result)
    case "subs": try cutSubsamples(&content, version: version, to: &result)
    case "padb": try cutPadding(&content, to: &result)
    case "stsh": try cutNumbers(&content, width: 2, to: &result)
    case "stps": try cutNumbers(&content, width: 1, to: &result)
    default: throw .unsupported("trimming a track with '\(box.type)'", at: place)
    }
    writer.fullBox(box.type, version: version, flags: flags) { $0.write(result.bytes) }
  }

  /// The new place of a sample; nil when it is left out.
  private func newIndex(_ sample: Int) -> Int? {
    var before = 0
    for range in kept {
      if range.contains(sample) { return before + sample - range.lowerBound }
      before += range.count
    }
    return nil
  }

  private func cutPriorities(_ content: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let bytes = content.readRemaining()
    for range in kept { writer.write(bytes[(2 * range.lowerBound..<2 * range.upperBound).clamped(to: bytes.indices)]) }
  }

  private func cutPadding(_ content: inout ByteCursor, to writer: inout ByteWriter) throws(ParseError) {
    let count = Int(try content.readUInt32())
    let bytes = content.readRemaining()
    // Four bits a sample, the first one's in the upper half.
    let padding = kept.flatMap { range in
      range.prefix { $0 < count && $0 / 2 < bytes.count }.map { bytes[$0 / 2] >> ($0 % 2 == 0 ? 4 : 0) & 15 }
    }
    writer.writeUInt32(UInt32(truncatingIfNeeded: padding.count))
    for index in stride(from: 0, to: padding.count, by: 2) {
      writer.writeUInt8(padding[index] << 4 | (index + 1 < padding.count ? padding[index + 1] : 0))
    }
  }

  /// Cuts a list of sample numbers, or of groups of `width` numbers of which all have to be left.
  private func cutNumbers(_ content: inout ByteCursor, width: Int, to writer: inout ByteWriter) throws(ParseError) {
    let count = Int(try content.readUInt32())
    var left: [UInt32] = []
    for _ in 0..<count {
      var numbers: [UInt32] = []
      for _ in 0..<width {
        guard let index = newIndex(Int(try content.readUInt32()) - 1) else { continue }
        numbers.append(UInt32(truncatingIfNeeded: index + 1))
      }
      if numbers.count == width { left += numbers }
    }
    writer.writeUInt32(UInt32(truncatingIfNeeded: left.count / width))
    for number in left { writer.writeUInt32(number) }
  }

  private func cutSubsamples(_ content: inout ByteCursor, version: UInt8, to writer: inout ByteWriter)
    throws(ParseError)
  {
    let count = Int(try content.readUInt32())
    var entries = ByteWriter()
    var left = 0, number = 0, last = -1
    for _ in 0..<count {
      let (next, overflow) = number.addingReportingOverflow(Int(try content.readUInt32()))
      number = overflow ? .max : next
      let parts = try content.readUInt16()
      let bytes = try content.readBytes(Int(parts) * (version == 1 ? 10 : 8))
      guard let index = newIndex(number - 1) else { continue }
      entries.writeUInt32(UInt32(truncatingIfNeeded: index - last))
      entries.writeUInt16(parts)
      entries.write(bytes)
      last = index
      left += 1
    }
    writer.writeUInt32(UInt32(truncatingIfNeeded: left))
    writer.write(entries.bytes)
  }
}
