import LivePhotoCore
import Testing

@Suite("Clean aperture and pixel shape")
struct CleanApertureTests {
  /// The area that an iPhone's 1920x1440 movie shows: 1744x1308, centred.
  private let camera = CleanAperture(
    width: .init(1744), height: .init(1308), horizontalOffset: .init(0), verticalOffset: .init(0))

  @Test func centredArea() throws {
    let area = try #require(camera.rectangle(inWidth: 1920, height: 1440))
    #expect(area == (88, 66, 1744, 1308))
  }

  @Test func offsetsMoveTheCentre() throws {
    var clap = camera
    clap.horizontalOffset = .init(-88)
    clap.verticalOffset = .init(132, 2)
    let area = try #require(clap.rectangle(inWidth: 1920, height: 1440))
    #expect(area == (0, 132, 1744, 1308))
  }

  @Test func refusesWhatIsNoArea() {
    for (width, denominator) in [(1922, 1), (0, 1), (-4, 1), (1744, 0)] as [(Int32, UInt32)] {
      var clap = camera
      clap.width = .init(width, denominator)
      #expect(clap.rectangle(inWidth: 1920, height: 1440) == nil)
    }
    var extreme = camera
    extreme.horizontalOffset = .init(.min, .max)
    extreme.width = .init(.max, .max)
    _ = extreme.rectangle(inWidth: .max, height: 1)
  }

  @Test func roundTrip() throws {
    var writer = ByteWriter()
    camera.write(to: &writer)
    PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3).write(to: &writer)
    #expect(writer.count == 40)
    var cursor = ByteCursor(writer.bytes.span)
    #expect(try CleanAperture(parsing: &cursor) == camera)
    #expect(try PixelAspectRatio(parsing: &cursor) == PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3))
  }
}
