import LivePhotoCore
import Testing

@Suite struct ExifEditTests {
  static let orders = ExifBlockTests.orders

  /// All fields of all directories but those that point at others, which may move.
  static func content(_ block: ExifBlock, without removed: Set<TIFFTag> = []) -> [ExifDirectory: [TIFFField]] {
    let pointers: Set<TIFFTag> = [.exifDirectory, .gpsDirectory, .interoperabilityDirectory]
    return Dictionary(
      uniqueKeysWithValues: ExifDirectory.allCases.map { directory in
        (directory, block.fields(in: directory).filter { !pointers.union(removed).contains($0.tag) })
      })
  }

  @Test(arguments: orders) func aValueOfTheSameSizeIsOverwritten(order: ByteOrder) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order).bytes())
    var after = before
    try after.set(.ascii(.dateTimeOriginal, "2031:12:13 14:15:16"), in: .exif)
    try after.set(.short(.orientation, 8), in: .image)
    #expect(after.bytes.count == before.bytes.count)
    #expect(zip(after.bytes, before.bytes).count { $0 != $1 } == 7)
    #expect(after.orientation == .left)
    #expect(after.field(.dateTimeOriginal, in: .exif)?.text == "2031:12:13 14:15:16")
    var again = before
    for field in before.fields(in: .exif) { try again.set(field, in: .exif) }
    #expect(again.bytes == before.bytes)
  }

  @Test(arguments: orders) func aLargerValueIsAppendedAndNothingElseMoves(order: ByteOrder) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order).bytes())
    var after = before
    try after.set(.ascii(.make, "A maker of a longer name"), in: .image)
    #expect(after.field(.make, in: .image)?.text == "A maker of a longer name")
    #expect(Self.content(after, without: [.make]) == Self.content(before, without: [.make]))
    #expect(after.thumbnail == before.thumbnail)
    // The entry's count and offset, and the old text, which is gone.
    let changed = before.bytes.indices.filter { before.bytes[$0] != after.bytes[$0] }
    #expect(changed.allSatisfy { (10..<22).contains($0) || (122..<128).contains($0) })
    #expect(after.bytes[122..<128].allSatisfy { $0 == 0 })
  }

  @Test func aSharedValueIsNotOverwritten() throws {
    var block = try ExifBlock(parsing: ExifSample(order: .big).bytes())
    try block.set(.rationals(.xResolution, [(300, 1)]), in: .image)
    #expect(block.field(.xResolution, in: .image)?.rationals == [TIFFRational(300, 1)])
    #expect(block.field(.yResolution, in: .image)?.rationals == [TIFFRational(72, 1)])
  }

  @Test(arguments: orders, ExifDirectory.allCases) func aNewTagEntersAnyDirectory(
    order: ByteOrder, directory: ExifDirectory
  ) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order).bytes())
    var after = before
    try after.set([.ascii(0x8298, "somebody"), .short(0x0106, 6)], in: directory)
    #expect(after.field(0x8298, in: directory)?.text == "somebody")
    #expect(after.field(0x0106, in: directory)?.unsignedIntegers == [6])
    #expect(Self.content(after, without: [0x8298, 0x0106]) == Self.content(before))
    #expect(after.thumbnail == before.thumbnail)
    let tags = after.fields(in: directory).map(\.tag)
    #expect(tags == tags.sorted())
    #expect(try ExifBlock(parsing: after.bytes) == after)
  }

  @Test(arguments: orders) func directoriesAreMadeWhereMissing(order: ByteOrder) throws {
    let header = Array((order == .big ? "MM\0*\0\0\0\u{8}" : "II*\0\u{8}\0\0\0").utf8)
    var block = try ExifBlock(parsing: header + [0, 0])
    try block.set(.ascii(0x0001, "R98"), in: .interoperability)
    try block.set(.ascii(.gpsLatitudeRef, "N"), in: .gps)
    try block.set(.short(0x0103, 6), in: .thumbnail)
    try block.set(.ascii(.model, "A model"), in: .image)
    #expect(ExifDirectory.allCases.allSatisfy(block.has))
    #expect(block.damages.isEmpty)
    #expect(block.field(0x0001, in: .interoperability)?.text == "R98")
    #expect(block.field(0x0103, in: .thumbnail)?.unsignedIntegers == [6])
    #expect(try ExifBlock(parsing: block.bytes) == block)
  }

  @Test(arguments: orders) func aTagIsRemoved(order: ByteOrder) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order).bytes())
    var after = before
    let removed = after.remove(.dateTimeOriginal, in: .exif)
    #expect(removed)
    let again = after.remove(.dateTimeOriginal, in: .exif)
    #expect(!again)
    #expect(after.bytes.count == before.bytes.count)
    #expect(Self.content(after) == Self.content(before, without: [.dateTimeOriginal]))
    #expect(ExifDirectory.allCases.allSatisfy(after.has))
    #expect(!String(decoding: after.bytes, as: UTF8.self).contains("2001:02:03"))
  }

  @Test(arguments: orders, [ExifDirectory.exif, .gps, .interoperability, .thumbnail])
  func aDirectoryIsRemoved(order: ByteOrder, directory: ExifDirectory) throws {
    let before = try ExifBlock(parsing: ExifSample(order: order).bytes())
    var after = before
    let removed = after.remove(directory)
    #expect(removed)
    #expect(!after.has(directory))
    var expected = Self.content(before)
    expected[directory] = []
    if directory == .exif { expected[.interoperability] = [] }
    #expect(Self.content(after) == expected)
    if directory == .gps {
      #expect(after.position == nil)
      // The position's numbers are not left behind.
      let seconds = ExifSample(order: order).long(5040)
      #expect(!after.bytes.indices.contains { after.bytes[$0...].starts(with: seconds) })
    }
  }

  @Test func ifd0Stays() throws {
    var block = try ExifBlock(parsing: ExifSample(order: .big).bytes())
    let removed = block.remove(.image)
    #expect(!removed)
    #expect(block.has(.image))
  }

  @Test func aBlockThatWouldBeTooLargeIsLeftAlone() throws {
    var limits = Limits()
    limits.directoryEntries = 12
    limits.blobBytes = 2000
    let before = try ExifBlock(parsing: ExifSample(order: .big).bytes(), limits: limits)
    var after = before
    #expect(throws: ExifEditError.self) { try after.set((1...4).map { .short(TIFFTag(rawValue: $0), 1) }, in: .gps) }
    #expect(throws: ExifEditError.self) {
      try after.set(.ascii(.make, String(repeating: "x", count: 2000)), in: .image)
    }
    #expect(after == before)
  }
}
