import LivePhotoCore
import Testing
import livephoto

@Suite struct ValueTests {
  @Test(arguments: [
    ("0", RationalTime.zero), ("1.5", RationalTime(3, 2)), ("0:01.5", RationalTime(3, 2)),
    ("01:00", RationalTime(60, 1)),
    ("1:02:03.25", RationalTime(3723_25, 100)), ("780/600", RationalTime(13, 10)), ("0/1", .zero),
    ("1.000000001", RationalTime(1_000_000_001, 1_000_000_000)), ("90", RationalTime(90, 1)),
    ("0.30000000000000004", RationalTime(3, 10)), ("1.9999999999", RationalTime(2, 1)),
    ("90:00", RationalTime(5400, 1)), (".7", RationalTime(7, 10)), ("0:.5", RationalTime(1, 2)),
    ("999999999.999999999", RationalTime(999_999_999_999_999_999, 1_000_000_000)),
  ])
  func readsTimes(text: String, time: RationalTime) {
    #expect(MomentArgument(text) == .time(time))
  }

  @Test(arguments: [
    ("0%", RationalTime.zero), ("50%", RationalTime(1, 2)), ("33.3%", RationalTime(333, 1000)),
    ("100%", RationalTime(1, 1)),
  ])
  func readsPercentages(text: String, fraction: RationalTime) {
    #expect(MomentArgument(text) == .fraction(fraction))
  }

  @Test(arguments: [
    "", ".", "1.", "..5", "-.5", "-1", "+1", "1,5", "1s", " 1", "1 ", "0x10", "1e3", "nan", "inf", "1:", ":1", "1:60",
    "1:61.5",
    "1:60:00", "1:2:3:4", "1//2", "1/", "/2", "1/0", "1/2/3", "-1/2", "1/-2", "1.5/2", "%", "101%", "100.1%", "-5%",
    "50 %", "1.0000000001x", "1.000000000.1", "9999999999", "١", "best", "match", "full",
  ])
  func refusesWhatIsNoMoment(text: String) {
    #expect(MomentArgument(text) == nil)
  }

  @Test(arguments: [("1", 1), ("100", 100), ("007", 7)])
  func readsNumbers(text: String, number: Int) {
    #expect(ValueKind.number(1...100).value(of: text) == .number(number))
  }

  @Test(arguments: ["0", "101", "-1", "+1", "1.0", "", " 1", "1e1", "99999999999999999999"])
  func refusesOtherNumbers(text: String) {
    #expect(ValueKind.number(1...100).value(of: text) == nil)
  }

  @Test(arguments: [("none", TileArgument.none), ("64", .side(64)), ("512", .side(512)), ("8192", .side(8192))])
  func readsTiles(text: String, tile: TileArgument) {
    #expect(ValueKind.tile.value(of: text) == .tile(tile))
  }

  @Test(arguments: ["0", "32", "100", "513", "8256", "None", "-64", ""])
  func refusesOtherTiles(text: String) {
    #expect(ValueKind.tile.value(of: text) == nil)
  }

  @Test(arguments: [
    ("primary", ItemArgument.primary), ("gainmap", .gainMap), ("0", .number(0)), ("4294967295", .number(.max)),
  ])
  func readsItems(text: String, item: ItemArgument) {
    #expect(ValueKind.item.value(of: text) == .item(item))
  }

  @Test(arguments: ["Primary", "4294967296", "-1", ""])
  func refusesOtherItems(text: String) {
    #expect(ValueKind.item.value(of: text) == nil)
  }

  @Test(arguments: [
    ("a.heic", OutputFormat.heic), ("a.b/c.JPG", .jpeg), ("x.Jpeg", .jpeg), (".ppm", .ppm), ("a.y4m", .y4m),
    ("a.png", .png),
  ])
  func anExtensionChoosesTheFormat(path: String, format: OutputFormat) {
    #expect(OutputFormat(path: path) == format)
  }

  @Test(arguments: ["", "a", "a.", "a.tiff", "a.heic/b", "heic", "a.heic "])
  func otherExtensionsChooseNone(path: String) {
    #expect(OutputFormat(path: path) == nil)
  }
}
