/// Writes ICC profiles of displays (ICC.1:2022, 8.3), for formats that say colours by a profile only.
public enum ICCProfile {
  /// The transfers that are shown with the curve of sRGB: its own, and those of video, whose displays do much the same.
  private static let transfers: Set<UInt16> = [1, 2, 6, 13, 14, 15]

  /// The profile of RGB with the primaries of `color` and the curve of sRGB.
  ///
  /// - Returns: nil where the primaries are not stated or not known here, and for transfers of another kind, such as HDR.
  public static func display(_ color: ColorDescription) -> [UInt8]? {
    guard transfers.contains(color.transfer), let primaries = Chromaticities(color.primaries) else { return nil }
    let adaptation = Matrix3.bradford(from: primaries.white.xyz)
    let columns = adaptation * primaries.toXYZ
    var tags: [(signature: FourCC, data: [UInt8])] = [
      ("desc", text("RGB of ITU-T H.273 primaries \(color.primaries)")), ("cprt", text("No copyright, use freely")),
      ("wtpt", xyz(Self.whiteD50)), ("chad", matrix(adaptation)),
    ]
    for (index, signature) in (["rXYZ", "gXYZ", "bXYZ"] as [FourCC]).enumerated() {
      tags.append((signature, xyz(columns.column(index))))
    }
    tags += [("rTRC", curve), ("gTRC", curve), ("bTRC", curve)]
    return file(tags)
  }

  /// The illuminant of the profile connection space (ICC.1, 7.2.16).
  static let whiteD50 = (x: 0.9642, y: 1.0, z: 0.8249)

  /// Header, tag table, and the data of the tags; equal data stand once (ICC.1, 7.1 to 7.3).
  private static func file(_ tags: [(signature: FourCC, data: [UInt8])]) -> [UInt8] {
    var table = ByteWriter(), data = ByteWriter()
    table.writeUInt32(UInt32(tags.count))
    let start = 128 + 4 + tags.count * 12
    var places: [[UInt8]: Int] = [:]
    for tag in tags {
      let place = places[tag.data] ?? start + data.count
      table.writeFourCC(tag.signature)
      table.writeUInt32(UInt32(place))
      table.writeUInt32(UInt32(tag.data.count))
      guard places.updateValue(place, forKey: tag.data) == nil else { continue }
      data.write(tag.data)
      data.writeZeros((4 - tag.data.count % 4) % 4)
    }
    var writer = ByteWriter()
    writer.writeUInt32(UInt32(start + data.count))
    writer.writeZeros(4)
    writer.writeUInt32(0x0440_0000)
    for type: FourCC in ["mntr", "RGB ", "XYZ "] { writer.writeFourCC(type) }
    // The same bytes at any time: the date of the edition of the standard.
    for number: UInt16 in [2022, 5, 1, 0, 0, 0] { writer.writeUInt16(number) }
    writer.writeFourCC("acsp")
    writer.writeZeros(28)
    writer.write(xyzNumbers(whiteD50))
    writer.writeZeros(48)
    writer.write(table.bytes)
    writer.write(data.bytes)
    return writer.bytes
  }

  // MARK: Types of tags (ICC.1, 10)

  private static func element(_ type: FourCC, _ content: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeFourCC(type)
    writer.writeZeros(4)
    content(&writer)
    return writer.bytes
  }

  /// One record of English.
  private static func text(_ text: String) -> [UInt8] {
    element("mluc") { writer in
      let units = Array(text.utf16)
      for number in [1, 12] { writer.writeUInt32(UInt32(number)) }
      writer.write(Array("enUS".utf8))
      writer.writeUInt32(UInt32(units.count * 2))
      writer.writeUInt32(28)
      for unit in units { writer.writeUInt16(unit) }
    }
  }

  private static func xyz(_ value: (x: Double, y: Double, z: Double)) -> [UInt8] {
    element("XYZ ") { $0.write(xyzNumbers(value)) }
  }

  private static func xyzNumbers(_ value: (x: Double, y: Double, z: Double)) -> [UInt8] {
    var writer = ByteWriter()
    for number in [value.x, value.y, value.z] { writer.writeInt32(fixed(number)) }
    return writer.bytes
  }

  private static func matrix(_ matrix: Matrix3) -> [UInt8] {
    element("sf32") { writer in
      for number in matrix.rows.joined() { writer.writeInt32(fixed(number)) }
    }
  }

  /// The curve of sRGB: ((x + 0.055) / 1.055)^2.4, and x / 12.92 below 0.04045.
  private static let curve = element("para") { writer in
    writer.writeUInt16(3)
    writer.writeZeros(2)
    for number in [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] { writer.writeInt32(fixed(number)) }
  }

  private static func fixed(_ value: Double) -> Int32 { Int32((value * 65_536).rounded()) }
}

/// Where primaries and white lie, as CIE 1931 x and y (ITU-T H.273, table 2).
struct Chromaticities {
  /// A point of the diagram.
  struct Point {
    let x: Double, y: Double

    /// The point with a luminance of 1.
    var xyz: (x: Double, y: Double, z: Double) { (x / y, 1, (1 - x - y) / y) }
  }

  let red: Point, green: Point, blue: Point, white: Point

  private static let whiteD65 = Point(x: 0.3127, y: 0.3290)

  /// Of a code point; nil where H.273 gives none, or none is known here.
  init?(_ primaries: UInt16) {
    let points: (red: (Double, Double), green: (Double, Double), blue: (Double, Double))
    switch primaries {
    case 1: points = ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))
    case 5: points = ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
    case 6, 7: points = ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    case 9: points = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    case 12: points = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
    case 22: points = ((0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
    default: return nil
    }
    red = Point(x: points.red.0, y: points.red.1)
    green = Point(x: points.green.0, y: points.green.1)
    blue = Point(x: points.blue.0, y: points.blue.1)
    white = Self.whiteD65
  }

  /// From linear RGB to XYZ: the columns are the primaries, scaled so that their sum is white.
  var toXYZ: Matrix3 {
    let primaries = Matrix3(columns: red.xyz, green.xyz, blue.xyz)
    let scale = primaries.inverse * white.xyz
    return Matrix3(rows: primaries.rows.map { [$0[0] * scale.x, $0[1] * scale.y, $0[2] * scale.z] })
  }
}

/// A matrix of 3 × 3.
struct Matrix3 {
  let rows: [[Double]]

  init(rows: [[Double]]) { self.rows = rows }

  init(
    columns first: (x: Double, y: Double, z: Double), _ second: (x: Double, y: Double, z: Double),
    _ third: (x: Double, y: Double, z: Double)
  ) {
    rows = [[first.x, second.x, third.x], [first.y, second.y, third.y], [first.z, second.z, third.z]]
  }

  func column(_ index: Int) -> (x: Double, y: Double, z: Double) { (rows[0][index], rows[1][index], rows[2][index]) }

  static func * (matrix: Matrix3, vector: (x: Double, y: Double, z: Double)) -> (x: Double, y: Double, z: Double) {
    let values = matrix.rows.map { $0[0] * vector.x + $0[1] * vector.y + $0[2] * vector.z }
    return (values[0], values[1], values[2])
  }

  static func * (first: Matrix3, second: Matrix3) -> Matrix3 {
    Matrix3(columns: first * second.column(0), first * second.column(1), first * second.column(2))
  }

  /// The inverse, of a matrix that has one.
  var inverse: Matrix3 {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (a, b) = ((row + 1) % 3, (row + 2) % 3), (c, d) = ((column + 1) % 3, (column + 2) % 3)
      return rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]
    }
    let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
    return Matrix3(rows: (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } })
  }

  /// Bradford's adaptation of a white to D50 (ICC.1, annex E).
  static func bradford(from white: (x: Double, y: Double, z: Double)) -> Matrix3 {
    let cone = Matrix3(rows: [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    let from = cone * white, to = cone * ICCProfile.whiteD50
    let scaled = [to.x / from.x, to.y / from.y, to.z / from.z]
    return cone.inverse * Matrix3(rows: zip(cone.rows, scaled).map { row, factor in row.map { $0 * factor } })
  }
}
