import LivePhotoCore
import TestSupport
import Testing

@Suite struct ExifDraftTests {
  /// A draft with every field, none of it any real camera's.
  static func full(position: GPSPosition?) -> ExifDraft {
    var draft = ExifDraft(width: 64, height: 48)
    draft.make = "A maker"
    draft.model = "A model"
    draft.software = "1.2.3"
    draft.orientation = .right
    draft.time = ExifTime(dateTime: "2001:02:03 04:05:06", offset: "-03:30", subSeconds: "250")
    draft.position = position
    draft.makerNote = AppleMakerNote(contentIdentifier: AppleMakerNoteTests.identifier)
    return draft
  }

  @Test func theBlockHoldsWhatWasAskedForAndNothingIdle() throws {
    let position = try #require(GPSPosition(latitude: -33.8569, longitude: 151.2153, altitude: -12.5))
    let block = Self.full(position: position).makeBlock()
    #expect(block.damages.isEmpty)
    #expect(try ExifBlock(parsing: block.bytes) == block)
    #expect(Array(block.bytes.prefix(8)) == Array("MM\0*\0\0\0\u{8}".utf8))
    #expect(block.orientation == .right)
    #expect(block.contentIdentifier == AppleMakerNoteTests.identifier)
    #expect(block.field(.offsetTimeOriginal, in: .exif)?.text == "-03:30")
    let read = try #require(block.position)
    #expect(abs(read.latitude - position.latitude) < 2e-8 && abs(read.longitude - position.longitude) < 2e-8)
    #expect(read.altitude == -12.5)
    // Header, three directories, and the values behind them with their padding.
    let tables = [ExifDirectory.image, .exif, .gps].map { 6 + 12 * block.fields(in: $0).count }.reduce(8, +)
    let values = [ExifDirectory.image, .exif, .gps].flatMap(block.fields(in:)).map(\.bytes.count).filter { $0 > 4 }
    #expect(block.bytes.count <= tables + values.reduce(0) { $0 + $1 + $1 % 2 })
  }

  @Test(arguments: [0, 0.999_999_999, -89.999_999_999, 12.5, 59.999_999_99, -33.856_9, 90])
  func degreesNeverRoundToSixtySeconds(latitude: Double) throws {
    var draft = ExifDraft(width: 1, height: 1)
    draft.position = GPSPosition(latitude: latitude, longitude: -latitude * 2)
    let block = draft.makeBlock()
    let parts = try #require(block.field(.gpsLatitude, in: .gps)?.rationals).compactMap(\.value)
    #expect(parts.count == 3 && parts[1] < 60 && parts[2] < 60)
    #expect(abs(try #require(block.position).latitude - latitude) < 2e-8)
  }

  @Test func positionsThatAreNoneAreRefused() {
    #expect(GPSPosition(latitude: 90.1, longitude: 0) == nil)
    #expect(GPSPosition(latitude: .nan, longitude: 0) == nil)
    #expect(GPSPosition(latitude: 0, longitude: -180.5) == nil)
    #expect(GPSPosition(latitude: 0, longitude: 0, altitude: .infinity) == nil)
  }

  // MARK: What independent tools say

  /// A JPEG of 64x48 pixels with the block in an APP1 segment behind its SOI.
  static func jpeg(_ block: ExifBlock) throws -> [UInt8] {
    let pixels = (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0) }
    let picture = try Judge.cjpeg.ask(["-quality", "90"], input: Array("P6 64 48 255\n".utf8) + pixels).output
    let payload = ExifPayload(newJPEGSegment: block).bytes
    var writer = ByteWriter()
    writer.writeUInt16(0xFFD8)
    writer.writeUInt16(0xFFE1)
    writer.writeUInt16(UInt16(payload.count + 2))
    writer.write(payload)
    return writer.bytes + picture.dropFirst(2)
  }

  static let positions = [GPSPosition(latitude: 0.5, longitude: -71.25, altitude: 8848.86), nil]

  @Test(.judged(by: .exiftool, .cjpeg), arguments: positions)
  func exiftoolFindsNothingToWarnOfInAJPEG(position: GPSPosition?) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(try Self.jpeg(Self.full(position: position).makeBlock()), as: "a.jpg")
    try Self.expectFields(of: path, position: position)
    let bare = try folder.write(try Self.jpeg(ExifDraft(width: 64, height: 48).makeBlock()), as: "b.jpg")
    try Self.expectNoWarning(bare)
  }

  @Test(.judged(by: .exiftool, .python), arguments: positions)
  func exiftoolFindsNothingToWarnOfInAHEIC(position: GPSPosition?) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.heic")
    let program = """
      import sys, pillow_heif
      from PIL import Image
      pillow_heif.register_heif_opener()
      Image.new("RGB", (64, 48), (10, 200, 30)).save(sys.argv[1], exif=sys.stdin.buffer.read())
      """
    try python(program, [path], input: Self.full(position: position).makeBlock().bytes)
    try Self.expectFields(of: path, position: position)
  }

  private static func expectNoWarning(_ path: String) throws {
    let said = try Judge.exiftool.askAnything(["-validate", "-warning", "-error", "-a", "-s", path]).lines
    #expect(said == ["Validate                        : OK"])
  }

  private static func expectFields(of path: String, position: GPSPosition?) throws {
    try expectNoWarning(path)
    let tags = try tags(of: path)
    #expect(tags["IFD0:Make"] == "A maker")
    #expect(tags["IFD0:Model"] == "A model")
    #expect(tags["IFD0:ModifyDate"] == "2001:02:03 04:05:06")
    #expect(tags["Composite:SubSecDateTimeOriginal"] == "2001:02:03 04:05:06.250-03:30")
    let identifier = tags["Apple:ContentIdentifier"] ?? tags["Apple:MediaGroupUUID"]
    #expect(identifier == AppleMakerNoteTests.identifier.text)
    #expect(tags["Composite:GPSLatitude"].flatMap(Double.init) == position?.latitude)
    #expect(tags["Composite:GPSLongitude"].flatMap(Double.init) == position?.longitude)
    #expect(tags["Composite:GPSAltitude"].flatMap(Double.init) == position?.altitude)
  }
}
