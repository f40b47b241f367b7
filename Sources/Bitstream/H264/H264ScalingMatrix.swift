import LivePhotoCore

/// The scaling lists of a parameter set: six of 4x4, and none, two or six of 8x8 (ITU-T H.264, 7.3.2.1.1.1).
public struct H264ScalingMatrix: Hashable, Sendable {
  /// One list.
  public enum List: Hashable, Sendable {
    /// Not there: the fall-back rule of table 7-2 applies.
    case fallback
    /// There, but saying that the default list is to be used.
    case standard
    /// 16 or 64 factors, 1 to 255, in zig-zag order.
    case factors([UInt8])
  }

  /// The lists in the order of table 7-2: 4x4 intra Y, Cb, Cr, inter Y, Cb, Cr, then 8x8 intra Y, inter Y, intra Cb,
  /// inter Cb, intra Cr, inter Cr.
  public var lists: [List]

  /// Reads `count` lists, the first six of which are 4x4.
  init(parsing reader: inout BitReader, count: Int) throws(ParseError) {
    lists = []
    for index in 0..<count {
      lists.append(try reader.readFlag() ? Self.readList(&reader, size: index < 6 ? 16 : 64) : .fallback)
    }
  }

  /// Reads `scaling_list()`.
  private static func readList(_ reader: inout BitReader, size: Int) throws(ParseError) -> List {
    var factors: [UInt8] = []
    var last: UInt8 = 8
    while factors.count < size {
      let delta = try reader.readSE("delta_scale", in: -128...127)
      let next = last &+ UInt8(truncatingIfNeeded: delta)
      guard next != 0 else {
        if factors.isEmpty { return .standard }
        // From here on the last factor is repeated.
        return .factors(factors + Array(repeating: last, count: size - factors.count))
      }
      factors.append(next)
      last = next
    }
    return .factors(factors)
  }
}
