/// The transformation matrix of a track or movie header (ISO/IEC 14496-12, 6.2.2): row vectors, so that a point
/// becomes `(x·a + y·c + tx, x·b + y·d + ty)`.
///
/// The values are kept as they stand in the file: 16.16 fixed point, and 2.30 for the last column.
public struct MovieMatrix: Hashable, Sendable {
  /// The nine values in file order: a b u, c d v, tx ty w.
  public var a, b, u, c, d, v, tx, ty, w: Int32

  private static let one: Int32 = 1 << 16

  /// The matrix that changes nothing.
  public static let identity = MovieMatrix(a: one, b: 0, c: 0, d: one, tx: 0, ty: 0)

  /// A matrix without perspective; the values are 16.16 fixed point.
  public init(a: Int32, b: Int32, c: Int32, d: Int32, tx: Int32, ty: Int32) {
    (self.a, self.b, self.u) = (a, b, 0)
    (self.c, self.d, self.v) = (c, d, 0)
    (self.tx, self.ty, self.w) = (tx, ty, 1 << 30)
  }

  /// Reads the 36 bytes of a matrix.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    (a, b, u) = (try cursor.readInt32(), try cursor.readInt32(), try cursor.readInt32())
    (c, d, v) = (try cursor.readInt32(), try cursor.readInt32(), try cursor.readInt32())
    (tx, ty, w) = (try cursor.readInt32(), try cursor.readInt32(), try cursor.readInt32())
  }

  /// Writes the 36 bytes of the matrix.
  public func write(to writer: inout ByteWriter) {
    for value in [a, b, u, c, d, v, tx, ty, w] { writer.writeInt32(value) }
  }

  /// The matrix that shows a picture of `width` × `height` pixels in `orientation`, its top left corner at the origin.
  public init(_ orientation: Orientation, width: Int32, height: Int32) {
    let (a, b, c, d) = Self.linearPart(of: orientation)
    // The translation brings the turned picture's smallest coordinates back to zero.
    let x = (min(0, a) &* width) &+ (min(0, c) &* height)
    let y = (min(0, b) &* width) &+ (min(0, d) &* height)
    self.init(
      a: a << 16, b: b << 16, c: c << 16, d: d << 16, tx: (0 &- x) << 16, ty: (0 &- y) << 16)
  }

  /// Which of the eight orientations the matrix stands for, or nil when it scales, shears, turns by another angle
  /// or has perspective ("none of these").
  ///
  /// Translation does not count.
  public var orientation: Orientation? {
    guard u == 0, v == 0, w == 1 << 30 else { return nil }
    return Orientation.allCases.first { candidate in
      let (a, b, c, d) = Self.linearPart(of: candidate)
      return self.a == a << 16 && self.b == b << 16 && self.c == c << 16 && self.d == d << 16
    }
  }

  /// Where the unit vectors go: x becomes (a, b), y becomes (c, d), with y pointing down.
  private static func linearPart(of orientation: Orientation) -> (a: Int32, b: Int32, c: Int32, d: Int32) {
    var (a, b, c, d): (Int32, Int32, Int32, Int32) = (orientation.isMirrored ? -1 : 1, 0, 0, 1)
    for _ in 0..<orientation.quarterTurns {
      // A clockwise quarter turn on a screen: (x, y) becomes (-y, x).
      (a, b) = (-b, a)
      (c, d) = (-d, c)
    }
    return (a, b, c, d)
  }
}
