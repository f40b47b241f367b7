import LivePhotoCore
import Testing

@Suite struct OrientationTests {
  static let all = Orientation.allCases
  private let picture = LabelledPicture.sample

  @Test(arguments: all) func anOrientationIsAMirrorAndThenATurn(_ orientation: Orientation) {
    let mirrored = orientation.isMirrored ? picture.mirroredLeftToRight() : picture
    #expect(mirrored.turnedClockwise(orientation.quarterTurns) == picture.shown(orientation))
    #expect(orientation.swapsAxes == (picture.shown(orientation).width == picture.height))
    #expect(Orientation(mirrored: orientation.isMirrored, quarterTurns: orientation.quarterTurns - 8) == orientation)
  }

  @Test(arguments: all, all) func compositionMovesPixelsAsOneAfterTheOther(_ first: Orientation, _ second: Orientation)
  {
    #expect(picture.shown(first.followed(by: second)) == picture.shown(first).shown(second))
  }

  @Test(arguments: all) func theInverseUndoes(_ orientation: Orientation) {
    #expect(picture.shown(orientation).shown(orientation.inverse) == picture)
  }

  @Test(arguments: all) func movieMatricesMovePixelsToTheirPlaces(_ orientation: Orientation) {
    let matrix = MovieMatrix(orientation, width: Int32(picture.width), height: Int32(picture.height))
    #expect(picture.moved(by: matrix) == picture.shown(orientation))
    #expect(matrix.orientation == orientation)
  }

  @Test func theMatrixOfAPhoneHeldUprightIsExif6() {
    // What iPhones write for a 1920x1440 movie: (0, 1, -1, 0), tx = 1440.
    let matrix = MovieMatrix(a: 0, b: 1 << 16, c: -1 << 16, d: 0, tx: 1440 << 16, ty: 0)
    #expect(matrix == MovieMatrix(.right, width: 1920, height: 1440))
    #expect(MovieMatrix.identity == MovieMatrix(.up, width: 7, height: 9))
  }

  @Test func otherMatricesAreNoneOfThese() throws {
    let one: Int32 = 1 << 16
    for (a, b, c, d) in [(2 * one, 0, 0, one), (one, 1, 0, one), (0, 0, 0, 0), (one, one, -one, one), (one, 0, 0, 0)] {
      #expect(MovieMatrix(a: a, b: b, c: c, d: d, tx: 0, ty: 0).orientation == nil)
    }
    var perspective = MovieMatrix.identity
    perspective.u = 1
    #expect(perspective.orientation == nil)
    perspective = .identity
    perspective.w = 1 << 16
    #expect(perspective.orientation == nil)
    _ = MovieMatrix(.left, width: .max, height: .min)
  }

  @Test func matricesAreStoredAsTheyWere() throws {
    var writer = ByteWriter()
    for value in 1...9 { writer.writeInt32(Int32(value) * (value % 2 == 0 ? -1 : 1)) }
    var cursor = ByteCursor(writer.bytes.span)
    var again = ByteWriter()
    try MovieMatrix(parsing: &cursor).write(to: &again)
    #expect(again.bytes == writer.bytes)
    #expect(throws: ParseError.self) { try MovieMatrix(parsing: &cursor) }
  }

  @Test(arguments: all) func heifPropertiesMovePixelsToTheirPlaces(_ orientation: Orientation) {
    let transform = HEIFTransform(orientation)
    #expect(Orientation(transform) == orientation)
    var moved = picture.turnedClockwise((4 - Int(transform.rotation)) % 4)
    switch transform.mirrorAxis {
    case .vertical: moved = moved.mirroredLeftToRight()
    case .horizontal: moved = moved.mirroredTopToBottom()
    case nil: break
    }
    #expect(moved == picture.shown(orientation))
  }

  @Test(arguments: 0...3) func everyPairOfPropertiesHasItsOrientation(_ rotation: UInt8) {
    let turned = picture.turnedClockwise((4 - Int(rotation)) % 4)
    #expect(picture.shown(Orientation(HEIFTransform(rotation: rotation))) == turned)
    let vertical = Orientation(HEIFTransform(mirrorAxis: .vertical, rotation: rotation))
    #expect(picture.shown(vertical) == turned.mirroredLeftToRight())
    let horizontal = Orientation(HEIFTransform(mirrorAxis: .horizontal, rotation: rotation))
    #expect(picture.shown(horizontal) == turned.mirroredTopToBottom())
  }
}
