import LivePhotoCore

/// A small picture whose pixels are all different, moved by rules that share nothing with the code under test.
struct LabelledPicture: Equatable {
  var rows: [[Character]]

  static let sample = LabelledPicture(rows: ["abc", "def"].map(Array.init))

  var width: Int { rows[0].count }
  var height: Int { rows.count }

  /// As Exif defines it: on which side of the shown picture the stored first row and first column are.
  func shown(_ orientation: Orientation) -> LabelledPicture {
    let sides: [Orientation: (row: String, column: String)] = [
      .up: ("top", "left"), .upMirrored: ("top", "right"), .down: ("bottom", "right"),
      .downMirrored: ("bottom", "left"), .leftMirrored: ("left", "top"), .right: ("right", "top"),
      .rightMirrored: ("right", "bottom"), .left: ("left", "bottom"),
    ]
    let (rowSide, columnSide) = sides[orientation] ?? ("", "")
    let turned = ["left", "right"].contains(rowSide)
    var shown = Array(
      repeating: Array(repeating: Character("?"), count: turned ? height : width), count: turned ? width : height)
    for y in 0..<height {
      for x in 0..<width {
        var place = (x: 0, y: 0)
        for (side, index, last) in [(rowSide, y, height - 1), (columnSide, x, width - 1)] {
          switch side {
          case "top": place.y = index
          case "bottom": place.y = last - index
          case "left": place.x = index
          default: place.x = last - index
          }
        }
        shown[place.y][place.x] = rows[y][x]
      }
    }
    return LabelledPicture(rows: shown)
  }

  func mirroredLeftToRight() -> LabelledPicture { LabelledPicture(rows: rows.map { $0.reversed() }) }
  func mirroredTopToBottom() -> LabelledPicture { LabelledPicture(rows: rows.reversed()) }

  func turnedClockwise(_ times: Int) -> LabelledPicture {
    (0..<times).reduce(self) { picture, _ in
      LabelledPicture(rows: (0..<picture.width).map { x in picture.rows.reversed().map { $0[x] } })
    }
  }

  /// Each pixel's centre sent through the matrix.
  func moved(by matrix: MovieMatrix) -> LabelledPicture? {
    var places: [(x: Int, y: Int, label: Character)] = []
    for y in 0..<height {
      for x in 0..<width {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let sx = (px * Double(matrix.a) + py * Double(matrix.c) + Double(matrix.tx)) / 65536
        let sy = (px * Double(matrix.b) + py * Double(matrix.d) + Double(matrix.ty)) / 65536
        places.append((Int(sx.rounded(.down)), Int(sy.rounded(.down)), rows[y][x]))
      }
    }
    let width = (places.map(\.x).max() ?? 0) + 1, height = (places.map(\.y).max() ?? 0) + 1
    guard places.allSatisfy({ $0.x >= 0 && $0.y >= 0 }), width * height == places.count else { return nil }
    var rows = Array(repeating: Array(repeating: Character("?"), count: width), count: height)
    for place in places { rows[place.y][place.x] = place.label }
    return LabelledPicture(rows: rows)
  }
}
