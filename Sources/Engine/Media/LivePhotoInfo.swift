import LivePhotoCore

/// What a sample of a camera's `live-photo-info` track says about its frame.
///
/// The layout was read from camera files: little-endian, version 3, with two lists of 32-byte records of varying length.
struct LivePhotoInfo: Equatable {
  /// Seconds of exposure; nil where the sample does not say, as all that follows.
  var exposureTime: Double?
  /// The camera's zoom.
  var zoom: Double?
  /// The gain of the sensor.
  var gain: Double?
  /// Faces that were found.
  var faces: Int
  /// Further records, whose meaning is not known.
  var records: Int
  /// Whether the frame was made of its neighbours.
  var isInterpolated: Bool
  /// The transform from the frame to its neighbours, row by row.
  var homography: [Double]?
  /// The camera's own clock, in nanoseconds, when the frame was taken: where the frame was made by interpolation, when
  /// the one it stands for was.
  var timestamp: UInt64?

  /// The key of the track.
  static let key = "com.apple.quicktime.live-photo-info"

  /// Reads a sample's value; nil where it is of another version or cut off.
  init?(_ bytes: [UInt8]) {
    var cursor = ByteCursor(bytes.span)
    do throws(ParseError) {
      guard try cursor.readUInt32(.little) == 3 else { return nil }
      let exposure = try cursor.readFloat32()
      try cursor.seek(to: 32)
      let zoom = try cursor.readFloat32(), gain = try cursor.readFloat32()
      try cursor.skip(2)
      let flags = try cursor.readUInt16(.little)
      exposureTime = flags & 1 != 0 ? exposure : nil
      self.zoom = flags & 16 != 0 ? zoom : nil
      self.gain = flags & 32 != 0 ? gain : nil
      faces = Int(try cursor.readUInt32(.little))
      try cursor.skip(32 * faces)
      records = 0
      for _ in 0..<4 { records += Int(try cursor.readUInt32(.little)) }
      try cursor.skip(32 * records)

      let frameFlags = try cursor.readUInt16(.little)
      try cursor.skip(2)
      var matrix: [Double] = []
      for _ in 0..<9 { matrix.append(try cursor.readFloat32()) }
      homography = frameFlags & 1 != 0 ? matrix : nil
      let presented = try cursor.readUInt64(.little), original = try cursor.readUInt64(.little)
      timestamp = frameFlags & 4 != 0 ? original : frameFlags & 2 != 0 ? presented : nil
      // Recipe and displacement of the sequence's adjuster.
      try cursor.skip(2)
      isInterpolated = try cursor.readUInt8() != 0 && frameFlags & 32 != 0
    } catch { return nil }
  }
}

extension ByteCursor {
  /// The next four bytes as a little-endian single.
  fileprivate mutating func readFloat32() throws(ParseError) -> Double {
    Double(Float(bitPattern: try readUInt32(.little)))
  }
}
