/// One sample of a track: where its bytes are and when it is decoded and composed.
///
/// Times are ticks of the track's own time scale, before the edit list.
public struct Sample: Equatable, Sendable {
  /// Where the bytes begin in the file.
  public let offset: Int
  /// The number of bytes.
  public let size: Int
  /// When the sample is decoded.
  public let decodeTime: Int64
  /// How long it lasts in decoding order: the distance to the next decode time.
  public let duration: Int64
  /// What is added to the decode time to give the composition time; negative in many camera movies.
  public let compositionOffset: Int64
  /// Whether decoding can begin here.
  public let isSync: Bool
  /// The chunk that the sample lies in, counted from 0.
  public let chunk: Int
  /// The sample description that applies, counted from 0.
  public let descriptionIndex: Int

  /// When the sample is composed, which gives the order of display.
  public var compositionTime: Int64 { decodeTime &+ compositionOffset }

  /// Where the bytes are in the file.
  public var range: Range<Int> { offset..<offset + size }
}
