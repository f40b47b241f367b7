public import LivePhotoCore

/// How the samples of a time code track count frames, `tmcd` (QuickTime File Format, "Timecode sample description").
public struct TimecodeDescription: Equatable, Sendable {
  /// Whether numbers are dropped so that the count keeps up with the clock at 29.97 or 59.94 frames a second.
  public let dropsFrames: Bool
  /// Whether the samples count tape, not hours, minutes, seconds and frames.
  public let isCounter: Bool
  /// Ticks a second of ``frameDuration``.
  public let timescale: Int
  /// Ticks a frame lasts.
  public let frameDuration: Int
  /// Frames a second, rounded, as they are counted.
  public let framesPerSecond: Int

  /// The time code of a frame counted from midnight, such as `01:00:00:00`; `;` stands before the frames where numbers
  /// are dropped (SMPTE ST 12-1, 5.3).
  ///
  /// - Returns: nil where the description gives no number of frames a second, or the samples count tape.
  public func text(ofFrame frame: UInt32) -> String? {
    guard framesPerSecond > 0, !isCounter else { return nil }
    var number = Int(frame)
    if dropsFrames {
      // Two numbers, or four at twice the rate, are missing in each minute but the tenth.
      let dropped = framesPerSecond / 15
      let minute = framesPerSecond * 60 - dropped, ten = minute * 10 + dropped
      let (tens, rest) = number.quotientAndRemainder(dividingBy: ten)
      number += tens * 9 * dropped + (rest >= dropped ? (rest - dropped) / minute * dropped : 0)
    }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let seconds = number / framesPerSecond
    let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(two)
    return parts.joined(separator: ":") + (dropsFrames ? ";" : ":") + two(number % framesPerSecond)
  }
}

extension TimecodeDescription {
  /// Reads a sample description from its format on.
  fileprivate init(parsing cursor: inout ByteCursor) throws(ParseError) {
    try cursor.skip(8 + 8 + 4)
    let flags = try cursor.readUInt32()
    self.init(
      dropsFrames: flags & 1 != 0, isCounter: flags & 8 != 0, timescale: Int(try cursor.readUInt32()),
      frameDuration: Int(try cursor.readUInt32()), framesPerSecond: Int(try cursor.readUInt8()))
  }
}

extension SampleDescription {
  /// How a time code track counts; nil for other tracks.
  public var timecode: TimecodeDescription? {
    guard format == "tmcd" else { return nil }
    var cursor = ByteCursor(bytes.span)
    return try? TimecodeDescription(parsing: &cursor)
  }

  /// The MIME type of the samples of a text metadata track, `mett` (ISO/IEC 14496-12, 12.3.3.2); nil for others.
  public var mimeType: String? {
    guard format == "mett" else { return nil }
    // The encoding of the content, then the type; QuickTime's form repeats the type.
    let strings = bytes.dropFirst(16).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    return strings.prefix(2).last { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Movie {
  /// The time code of the movie's start, from its first time code track that has a sample; nil where there is none.
  ///
  /// - Throws: ``SourceError`` when the sample cannot be read.
  public func startTimecode() throws(SourceError) -> String? {
    for track in tracks where track.codec == "tmcd" && !track.samples.isEmpty {
      let sample = track.samples[0]
      guard let description = track.sampleDescriptions.first?.timecode, sample.size >= 4,
        sample.range.upperBound <= source.count
      else { continue }
      let frame = try source.read(sample.range.prefix(4)).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if let text = description.text(ofFrame: frame) { return text }
    }
    return nil
  }
}
