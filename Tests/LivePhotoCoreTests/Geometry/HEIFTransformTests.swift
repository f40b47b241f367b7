import LivePhotoCore
import Testing

@Suite struct HEIFTransformTests {
  @Test(arguments: Orientation.allCases)
  func transformShowsItsOrientation(_ orientation: Orientation) {
    #expect(Orientation(HEIFTransform(orientation)) == orientation)
  }

  @Test func transformsAreWhatTheirNamesSay() {
    // A camera held upright writes Exif 6 and irot 3; a transposition is a turn and then a mirror.
    #expect(HEIFTransform(.right) == HEIFTransform(rotation: 3))
    #expect(HEIFTransform(.rightMirrored) == HEIFTransform(mirrorAxis: .vertical, rotation: 1))
    #expect(Orientation(HEIFTransform(mirrorAxis: .horizontal)) == .downMirrored)
    #expect(Orientation(HEIFTransform(mirrorAxis: .horizontal, rotation: 2)) == .upMirrored)
  }
}
