import LivePhotoCore
import Testing

@Suite struct ExifIdentityTests {
  static let orders = ExifBlockTests.orders
  static let identifier = AppleMakerNoteTests.identifier

  @Test(arguments: orders, orders) func onlyTheIdentifierChangesInAnAppleNote(order: ByteOrder, inner: ByteOrder) throws
  {
    let before = try ExifBlock(parsing: ExifSample(order: order, note: ExifSample.appleNote(order: inner)).bytes())
    var after = before
    #expect(before.contentIdentifier?.text == "11111111-2222-3333-4444-555555555555")
    let edit = try after.setContentIdentifier(Self.identifier, otherMakerNote: .refuse)
    #expect(edit == .editedAppleNote)
    let note = ExifSample.appleNote(identifier: Self.identifier.text, order: inner)
    #expect(after.bytes == ExifSample(order: order, note: note).bytes())
    #expect(after.contentIdentifier == Self.identifier)
  }

  @Test(arguments: orders) func anAppleNoteWithoutIdentifierMovesAsAWhole(order: ByteOrder) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order, note: ExifSample.appleNote(identifier: nil)).bytes())
    var after = before
    let edit = try after.setContentIdentifier(Self.identifier, otherMakerNote: .refuse)
    #expect(edit == .editedAppleNote)
    #expect(after.contentIdentifier == Self.identifier)
    let rest: Set<TIFFTag> = [.makerNote]
    #expect(ExifEditTests.content(after, without: rest) == ExifEditTests.content(before, without: rest))
    // One note, not the old one as well.
    let signatures = after.bytes.indices.count { after.bytes[$0...].starts(with: AppleMakerNote.signature) }
    #expect(signatures == 1)
  }

  @Test(arguments: orders) func aNoteIsAddedWhereThereIsNone(order: ByteOrder) throws {
    var block = try ExifBlock(parsing: ExifSample(order: order).bytes())
    block.remove(.makerNote, in: .exif)
    #expect(block.makerNote == nil)
    let first = try block.setContentIdentifier(Self.identifier, otherMakerNote: .refuse)
    #expect(first == .addedNote)
    #expect(block.contentIdentifier == Self.identifier)
    block.remove(.exif)
    #expect(block.contentIdentifier == nil)
    let second = try block.setContentIdentifier(Self.identifier, otherMakerNote: .refuse)
    #expect(second == .addedNote)
    #expect(block.contentIdentifier == Self.identifier)
    #expect(block.damages.count == 1)
  }

  /// How notes begin, `_` standing for a zero.
  static let others: [(note: String, make: String, owner: String)] = [
    ("Nikon_~~__MM_*", "NIKON CORPORATION", "Nikon"), ("SONY DSC ___", "SONY", "SONY DSC"),
    ("_~_~_~", "Canon ", "Canon"), ("~_", "", "an unknown maker"), ("Apple iOS__~XX", "Apple", "Apple (damaged)"),
  ]

  @Test(arguments: others) func anotherMakersNoteIsReplacedOnlyOnRequest(
    note: String, make: String, owner: String
  ) throws {
    let bytes = note.utf8.map { $0 == UInt8(ascii: "_") ? 0 : $0 } + Array(repeating: 0xEE, count: 100)
    let before = try ExifBlock(parsing: ExifSample(order: .little, note: bytes, make: make).bytes())
    var after = before
    #expect(before.makerNote == .other(owner: owner))
    #expect(throws: ExifEditError.otherMakerNote(owner: owner)) {
      try after.setContentIdentifier(Self.identifier, otherMakerNote: .refuse)
    }
    #expect(after == before)
    let edit = try after.setContentIdentifier(Self.identifier, otherMakerNote: .replace)
    #expect(edit == .replacedNote(owner: owner))
    #expect(after.contentIdentifier == Self.identifier)
    // It fits where the other was, whose rest is cleared.
    #expect(after.bytes.count == before.bytes.count)
    #expect(!after.bytes.contains(0xEE))
    let rest: Set<TIFFTag> = [.makerNote]
    #expect(ExifEditTests.content(after, without: rest) == ExifEditTests.content(before, without: rest))
  }
}
