import LivePhotoCore
import TestSupport
import Testing

@Suite("Stripping Exif and XMP") struct StrippingTests {
  private func blank(_ packet: String) -> String? {
    var xmp = XMPPacket(Array(packet.utf8))
    guard xmp.blankPlaces() else { return nil }
    #expect(xmp.bytes.count == packet.utf8.count)
    return String(decoding: xmp.bytes, as: UTF8.self).replacing(/\ +/, with: " ")
  }

  @Test func properties() {
    #expect(blank("<a exif:GPSLatitude='1' b='2'/>") == "<a b='2'/>")
    #expect(blank("<a><exif:GPSLatitude>1</exif:GPSLatitude><b/></a>") == "<a> <b/></a>")
    #expect(blank("<a><x:City><rdf:Alt><x:City/></rdf:Alt></x:City>t</a>") == "<a> t</a>")
    #expect(blank("<a><x:City/><!-- here --><![CDATA[<x:City>]]></a>") == "<a> <![CDATA[<x:City>]]></a>")
    #expect(blank("<?xpacket begin='\u{FEFF}'?><a b=\">\" c='\"'/><?xpacket end='w'?>\n") != nil)
    #expect(blank("<a xmlns:GPS='x'/>") == "<a xmlns:GPS='x'/>")
    // Positions in values and texts of other properties.
    #expect(blank("<a b='was +12.3-098.7/' c='2'>at geo:12.3,-98.7 <d>e</d></a>") == "<a c='2'> <d>e</d></a>")
    #expect(blank("<a><![CDATA[+12.3-098.7/]]><b/></a>") == "<a><![CDATA[ ]]><b/></a>")
    for damaged in ["<a>", "</a>", "<a b></a>", "<a b='1></a>", "<!DOCTYPE a><a/>", "<a/ >"] {
      #expect(blank(damaged) == nil, "\(damaged)")
    }
    var wide = XMPPacket(Array("<a/>".utf8).flatMap { [0, $0] })
    let isRead = wide.blankPlaces()
    #expect(!isRead)
  }

  /// Damaged packets are refused or keep their length, and never end in a trap.
  @Test func damagedPackets() {
    let packet = Array("<?x y?><a b='c'><exif:GPSLatitude>1</exif:GPSLatitude><!-- x --><d e=\"f\"/></a>".utf8)
    for bytes in truncations(of: packet) + damagedCopies(of: packet, count: 2000, seed: 5) {
      var xmp = XMPPacket(bytes)
      _ = xmp.blankPlaces()
      #expect(xmp.bytes.count == bytes.count)
    }
  }

  @Test(arguments: [false, true]) func exif(_ isLittle: Bool) throws {
    var draft = ExifDraft(width: 40, height: 30)
    draft.make = "Acme"
    draft.orientation = .right
    draft.position = GPSPosition(latitude: 12.34567, longitude: -98.76543, altitude: 5)
    draft.makerNote = AppleMakerNote(contentIdentifier: .random())
    var block = draft.makeBlock()
    try block.set(.undefined(TIFFTag(rawValue: 0x83BB), Array("Nowhere Town".utf8)), in: .image)
    try block.set(.ascii(TIFFTag(rawValue: 0x010E), "+12.34567-098.76543/"), in: .image)
    try block.set(.undefined(TIFFTag(rawValue: 0x9286), Array("ASCII\0\0\0+12.34567-098.76543/".utf8)), in: .exif)
    let wide = { (text: String) in text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
    // Texts of Windows, and another one.
    try block.set(.bytes(TIFFTag(rawValue: 0x9C9B), wide("a title")), in: .image)
    try block.set(.bytes(TIFFTag(rawValue: 0x9C9C), wide("at geo:12.34567,-98.76543")), in: .image)
    try block.set(.ascii(TIFFTag(rawValue: 0x013B), "was at +12.34567-098.76543/"), in: .image)
    try block.set(.bytes(TIFFTag(rawValue: 0x02BC), Array("<a exif:GPSLatitude='12,20.7'/>".utf8)), in: .image)
    var clean = block
    let notes = clean.removePlaces()
    #expect(notes.count == 1, "\(notes)")
    #expect(clean.bytes.count == block.bytes.count)
    for trace in ["Nowhere", "12.345", "12,20.7"] {
      #expect(clean.bytes.firstRange(of: Array(trace.utf8)) == nil, "\(trace)")
      #expect(clean.bytes.firstRange(of: wide(trace)) == nil, "\(trace)")
    }
    #expect(clean.field(TIFFTag(rawValue: 0x9C9B), in: .image)?.bytes == wide("a title"))
    #expect(!clean.has(.gps) && clean.position == nil)
    #expect(clean.field(.make, in: .image)?.text == "Acme")
    #expect(clean.contentIdentifier == block.contentIdentifier)
    #expect(clean.orientation == .right)
    // Again there is nothing to do.
    var again = clean
    let furtherNotes = again.removePlaces()
    #expect(furtherNotes.isEmpty && again == clean)

    let bare = block.undescribed(width: 40, height: 30)
    #expect(bare.orientation == .right)
    #expect(bare.contentIdentifier == nil && bare.field(.make, in: .image) == nil)
  }

  /// Comments in UTF-16, whose byte order need not be the block's.
  @Test(arguments: [false, true]) func wideComments(_ isLittle: Bool) throws {
    for (text, isKept) in [("at +12.34567-098.76543/", false), ("a comment", true)] {
      var block = ExifDraft(width: 40, height: 30).makeBlock()
      let units = text.utf16.map { isLittle ? $0.byteSwapped : $0 }
      let comment = Array("UNICODE\0".utf8) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      try block.set(.undefined(TIFFTag(rawValue: 0x9286), comment), in: .exif)
      _ = block.removePlaces()
      #expect((block.field(TIFFTag(rawValue: 0x9286), in: .exif) != nil) == isKept)
      #expect((block.bytes.firstRange(of: comment) != nil) == isKept)
    }
  }

  /// What Apple's note says of the brightness of a gain map stays.
  @Test func headroom() throws {
    var writer = ByteWriter()
    writer.writeUTF8("Apple iOS\0")
    writer.write([0, 1])
    writer.writeUTF8("MM")
    writer.writeUInt16(3)
    for (tag, type, count, value) in [(0x11, 2, 2, 0x4100_0000), (0x21, 10, 1, 56), (0x30, 10, 1, 64)] {
      writer.writeUInt16(UInt16(tag))
      writer.writeUInt16(UInt16(type))
      writer.writeUInt32(UInt32(count))
      writer.writeUInt32(UInt32(value))
    }
    writer.writeUInt32(0)
    for value in [5, 4, 7, 8] as [UInt32] { writer.writeUInt32(value) }
    var draft = ExifDraft(width: 1, height: 1)
    draft.makerNote = try AppleMakerNote(parsing: writer.bytes)
    guard case .apple(let note) = draft.makeBlock().undescribed(width: 1, height: 1).makerNote else {
      Issue.record("no note")
      return
    }
    #expect(note.fields.map(\.tag) == [.appleHDRHeadroom, .appleHDRGain])
    #expect(note.field(.appleHDRHeadroom)?.rationals == [TIFFRational(5, 4)])
    #expect(note.field(.appleHDRGain)?.rationals == [TIFFRational(7, 8)])
  }

  @Test func patches() throws {
    let base = MemorySource((0..<100).map { UInt8($0) })
    let source = PatchedSource(base, patches: [.bytes(50, [1, 2, 3]), .zeros(10..<20), .zeros(90..<200)], count: 95)
    var expected = (0..<95).map { UInt8($0) }
    expected.replaceSubrange(10..<20, with: Array(repeating: 0, count: 10))
    expected.replaceSubrange(50..<53, with: [1, 2, 3])
    expected.replaceSubrange(90..<95, with: Array(repeating: 0, count: 5))
    #expect(source.count == 95)
    for start in 0..<95 {
      for end in start...95 { #expect(try source.read(start..<end) == Array(expected[start..<end])) }
    }
    #expect(throws: SourceError.self) { try source.read(90..<96) }
  }
}
