import LivePhotoCore
import TestSupport
import Testing

@Suite struct ExifHostileTests {
  /// Reads everything and tries every kind of edit; what comes out must be readable again.
  private static func exercise(_ bytes: [UInt8]) throws {
    guard var block = try? ExifBlock(parsing: bytes) else { return }
    #expect(block.bytes == bytes)
    for directory in ExifDirectory.allCases { _ = block.fields(in: directory) }
    _ = (block.thumbnail, block.position, block.orientation, block.contentIdentifier)
    if case .apple(let note) = block.makerNote { _ = (note.runTime, note.fields) }
    let identifier = AppleMakerNoteTests.identifier
    _ = try block.setContentIdentifier(identifier, otherMakerNote: .replace)
    try block.set([.ascii(.make, "Another maker"), .short(.orientation, 3), .ascii(0x0100, "new")], in: .image)
    try block.set(.bytes(.gpsVersionID, [2, 3, 0, 0]), in: .gps)
    _ = try ExifBlock(parsing: block.bytes)
    for directory in ExifDirectory.allCases.reversed() {
      block.remove(.make, in: directory)
      block.remove(directory)
    }
    _ = try? ExifBlock(parsing: block.bytes)
  }

  @Test(arguments: ExifBlockTests.orders) func everyTruncationIsRead(order: ByteOrder) throws {
    for cut in truncations(of: ExifSample(order: order).bytes()) { try Self.exercise(cut) }
  }

  @Test(arguments: ExifBlockTests.orders) func damageIsRead(order: ByteOrder) throws {
    let bytes = ExifSample(order: order).bytes()
    for damaged in damagedCopies(of: bytes, count: 5000, seed: 1) { try Self.exercise(damaged) }
  }

  @Test func damagedNotesAreRead() throws {
    let bytes = ExifSample.appleNote()
    for damaged in damagedCopies(of: bytes, count: 5000, seed: 2) + truncations(of: bytes) {
      guard var note = try? AppleMakerNote(parsing: damaged) else { continue }
      _ = (note.fields, note.runTime)
      note.setContentIdentifier(AppleMakerNoteTests.identifier)
      _ = try AppleMakerNote(parsing: note.bytes)
      note.setContentIdentifier(ContentIdentifier(asRead: "x"))
      _ = try AppleMakerNote(parsing: note.bytes)
    }
  }

  @Test func entriesThatAllClaimTheWholeBlockCostNoMemory() throws {
    // 5000 fields of 8 MiB each would be 40 GiB.
    let entries = 5000, size: UInt32 = 8 << 20
    var writer = ByteWriter()
    writer.writeUTF8("MM\0*")
    writer.writeUInt32(8)
    writer.writeUInt16(UInt16(entries))
    for tag in 0..<entries {
      writer.writeUInt16(UInt16(tag))
      writer.writeUInt16(7)
      writer.writeUInt32(size)
      writer.writeUInt32(0)
    }
    writer.writeZeros(Int(size))
    let fields = try ExifBlock(parsing: writer.bytes).fields(in: .image)
    #expect(fields.count == entries)
    #expect(fields.map(\.size).reduce(0, +) == entries * Int(size))
  }

  @Test func everyEntryAtTheLimitIsReadInLinearTime() throws {
    // Ten times the entries may take about ten times as long, not a hundred times.
    func seconds(entries: Int) throws -> Double {
      var writer = ByteWriter()
      writer.writeUTF8("MM\0*")
      writer.writeUInt32(8)
      writer.writeUInt16(UInt16(entries))
      for tag in 0..<entries {
        writer.writeUInt16(UInt16(tag))
        writer.writeUInt16(3)
        writer.writeUInt32(4)
        writer.writeUInt32(0)
      }
      writer.writeUInt32(0)
      let bytes = writer.bytes
      var best = Duration.seconds(60)
      for _ in 0..<5 {
        best = min(
          best,
          try ContinuousClock().measure {
            var block = try ExifBlock(parsing: bytes)
            _ = try block.setContentIdentifier(.random(), otherMakerNote: .refuse)
          })
      }
      return best / .seconds(1)
    }
    #expect(try seconds(entries: 9_000) < 40 * max(try seconds(entries: 900), 1e-5))
  }
}
