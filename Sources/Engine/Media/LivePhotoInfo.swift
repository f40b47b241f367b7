import LivePhotoCore

/// What a sample of a camera's `live-photo-info` track says about its frame, as far as it is used here.
///
/// The layout was read from camera files: little-endian, version 3, with two lists of 32-byte records of varying length.
struct LivePhotoInfo {
  /// The camera's own clock, in nanoseconds, when the frame was taken: where the frame was made by interpolation, when
  /// the one it stands for was.
  let timestamp: UInt64

  /// The key of the track.
  static let key = "com.apple.quicktime.live-photo-info"

  /// Reads a sample's value; nil where it is of another version or says no time.
  init?(_ bytes: [UInt8]) {
    var cursor = ByteCursor(bytes.span)
    do throws(ParseError) {
      guard try cursor.readUInt32(.little) == 3 else { return nil }
      try cursor.seek(to: 44)
      try cursor.skip(32 * Int(try cursor.readUInt32(.little)))
      var records = 0
      for _ in 0..<4 { records += Int(try cursor.readUInt32(.little)) }
      try cursor.skip(32 * records)
      let flags = try cursor.readUInt16(.little)
      try cursor.skip(38)
      let presented = try cursor.readUInt64(.little), original = try cursor.readUInt64(.little)
      if flags & 4 != 0 {
        timestamp = original
      } else if flags & 2 != 0 {
        timestamp = presented
      } else {
        return nil
      }
    } catch { return nil }
  }
}
