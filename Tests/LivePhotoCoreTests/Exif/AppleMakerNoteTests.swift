import LivePhotoCore
import TestSupport
import Testing

@Suite struct AppleMakerNoteTests {
  static let orders = ExifBlockTests.orders
  static let identifier = ContentIdentifier(asRead: "ABCDEF01-2345-6789-ABCD-EF0123456789")

  @Test func theSmallestNoteIsOfSixtyNineBytes() throws {
    let note = AppleMakerNote(contentIdentifier: Self.identifier)
    let head = Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8)
    let entry: [UInt8] = [0, 1, 0, 0x11, 0, 2, 0, 0, 0, 37, 0, 0, 0, 32]
    #expect(note.bytes == head + entry + [0, 0, 0, 0] + Array("ABCDEF01-2345-6789-ABCD-EF0123456789\0".utf8))
    #expect(note.contentIdentifier == Self.identifier)
    #expect(try AppleMakerNote(parsing: note.bytes).contentIdentifier == Self.identifier)
  }

  @Test(arguments: orders) func aFullNoteIsRead(order: ByteOrder) throws {
    let bytes = ExifSample.appleNote(order: order)
    let note = try AppleMakerNote(parsing: bytes)
    #expect(note.bytes == bytes)
    #expect(note.damages.isEmpty)
    #expect(note.contentIdentifier?.text == "11111111-2222-3333-4444-555555555555")
    #expect(note.field(0x0001)?.integers == [15])
    #expect(note.field(0x0017)?.unsignedIntegers == [0x2_0050_2024])
    #expect(note.field(0x0008)?.rationals?.first == TIFFRational(-1, 1000))
    let runTime = try #require(note.runTime)
    #expect(runTime.time == RationalTime(3, 2))
    #expect(runTime.flags == 1 && runTime.epoch == 1)
  }

  @Test(arguments: orders) func anIdentifierOfTheSameLengthChangesNothingElse(order: ByteOrder) throws {
    let before = ExifSample.appleNote(order: order)
    var note = try AppleMakerNote(parsing: before)
    note.setContentIdentifier(Self.identifier)
    #expect(note.contentIdentifier == Self.identifier)
    #expect(note.bytes == ExifSample.appleNote(identifier: Self.identifier.text, order: order))
  }

  @Test(arguments: orders, ["short", "abc", "a text that is longer than the identifier of a camera"])
  func anIdentifierOfAnotherLengthMovesNothing(order: ByteOrder, text: String) throws {
    let before = try AppleMakerNote(parsing: ExifSample.appleNote(order: order))
    var note = before
    note.setContentIdentifier(ContentIdentifier(asRead: text))
    #expect(note.contentIdentifier?.text == text)
    #expect(note.fields.filter { $0.tag != 0x0011 } == before.fields.filter { $0.tag != 0x0011 })
    #expect(try AppleMakerNote(parsing: note.bytes) == note)
    note.setContentIdentifier(Self.identifier)
    #expect(note.contentIdentifier == Self.identifier)
    #expect(note.fields.filter { $0.tag != 0x0011 } == before.fields.filter { $0.tag != 0x0011 })
  }

  @Test(arguments: orders) func anIdentifierIsInserted(order: ByteOrder) throws {
    let before = try AppleMakerNote(parsing: ExifSample.appleNote(identifier: nil, order: order))
    var note = before
    note.setContentIdentifier(Self.identifier)
    #expect(note.bytes.count == before.bytes.count + 12 + 37)
    #expect(note.contentIdentifier == Self.identifier)
    #expect(note.fields.filter { $0.tag != 0x0011 } == before.fields)
    #expect(note.fields.map(\.tag) == [0x0001, 0x0003, 0x0008, 0x0011, 0x0017, 0x002B])
    #expect(try AppleMakerNote(parsing: note.bytes) == note)
  }

  @Test func aNoteWithoutTheTerminatorOrTheNextOffsetIsEdited() throws {
    let minimal = AppleMakerNote(contentIdentifier: Self.identifier).bytes
    let next = ContentIdentifier(asRead: "00000000-0000-0000-0000-000000000000")
    var unterminated = minimal
    unterminated[23] = 36
    unterminated.removeLast()
    var note = try AppleMakerNote(parsing: unterminated)
    note.setContentIdentifier(next)
    #expect(note.bytes == Array(unterminated.prefix(32)) + Array(next.text.utf8))

    let empty = Array(minimal.prefix(14)) + [0, 0]
    note = try AppleMakerNote(parsing: empty)
    #expect(note.contentIdentifier == nil)
    note.setContentIdentifier(next)
    #expect(note.contentIdentifier == next)
    #expect(try AppleMakerNote(parsing: note.bytes) == note)
  }

  @Test func whatIsNoAppleNoteIsRefused() {
    let cases: [[UInt8]] = [
      [], Array("Apple iOS".utf8), Array("Apple iOS\0\0\u{1}XX\0\0".utf8), Array("Apple iOS\0\0\u{1}MM".utf8),
      Array("Nikon\0\0\u{1}MM\0\0\0\0\0\0".utf8),
    ]
    for bytes in cases { #expect(throws: ParseError.self) { try AppleMakerNote(parsing: bytes) } }
  }

  @Test func aPropertyListThatIsNoneGivesNoRunTime() {
    #expect(AppleRunTime(propertyList: []) == nil)
    #expect(AppleRunTime(propertyList: Array("bplist00".utf8)) == nil)
    for damaged in damagedCopies(of: ExifSample.runTime, count: 3000, seed: 3) {
      _ = AppleRunTime(propertyList: damaged)
    }
    for cut in truncations(of: ExifSample.runTime) { #expect(AppleRunTime(propertyList: cut) == nil) }
  }
}
