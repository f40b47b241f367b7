import LivePhotoBitstream
import LivePhotoCore

/// The message that pictures are right again after a number of frames (ITU-T H.264, D.1.8).
enum RecoveryPoint {
  /// `recovery_frame_cnt` of an SEI unit; nil where it holds no such message.
  static func frames(in unit: Span<UInt8>) -> Int? {
    let rbsp = EmulationPrevention.removed(from: unit.extracting(min(1, unit.count)..<unit.count))
    var cursor = ByteCursor(rbsp.span)
    return try? find(&cursor)
  }

  private static func find(_ cursor: inout ByteCursor) throws(ParseError) -> Int? {
    while cursor.remaining > 2 {
      let type = try number(&cursor), size = try number(&cursor)
      guard type == 6 else {
        try cursor.skip(size)
        continue
      }
      let message = try cursor.readBytes(size)
      var reader = BitReader(message.span)
      return Int(try reader.readUE())
    }
    return nil
  }

  /// A number in bytes of which all but the last are 255.
  private static func number(_ cursor: inout ByteCursor) throws(ParseError) -> Int {
    var value = 0
    while true {
      let byte = try cursor.readUInt8()
      value += Int(byte)
      if byte < 255 { return value }
    }
  }
}
