import LivePhotoCore
import LivePhotoPNG
import TestSupport
import Testing

@Suite("PNG decoder, damaged and hostile files")
struct DamageTests {
  /// A picture of several rows, whose chunks tests exchange.
  static let raster: RasterImage = {
    var random = SplitMix64(seed: 3)
    return RasterImage(width: 40, height: 30, channels: .rgb, samples: .bytes(random.bytes(40 * 30 * 3)))
  }()
  static let file: [UInt8] = (try? PNGEncoder().encode(raster)) ?? []

  static func chunk(_ type: String, _ content: [UInt8], soundly: Bool = true) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeUInt32(UInt32(content.count))
    writer.writeUTF8(type)
    writer.write(content)
    writer.writeUInt32(CRC32.checksum((Array(type.utf8) + content).span) ^ (soundly ? 0 : 1))
    return writer.bytes
  }

  static func header(_ width: UInt32, _ height: UInt32, depth: UInt8 = 8, type: UInt8 = 2, interlace: UInt8 = 0)
    -> [UInt8]
  {
    var writer = ByteWriter()
    writer.writeUInt32(width)
    writer.writeUInt32(height)
    writer.write([depth, type, 0, 0, interlace])
    return chunk("IHDR", writer.bytes)
  }

  static let signature = Array(file.prefix(8))

  /// A file of these chunks.
  static func file(_ chunks: [UInt8]...) -> [UInt8] { signature + chunks.flatMap { $0 } + chunk("IEND", []) }

  /// An `IDAT` of rows.
  static func data(_ rows: [UInt8]) -> [UInt8] { chunk("IDAT", Deflater().deflate(rows.span)) }

  private func picture(_ bytes: [UInt8], limits: Limits = .standard) throws -> PNGPicture {
    try PNGDecoder(limits: limits).decode(bytes)
  }

  private func reason(_ bytes: [UInt8], limits: Limits = .standard) -> String {
    do { return "\(try picture(bytes, limits: limits).warnings)" } catch { return "\(error)" }
  }

  @Test("a picture that is cut off is shown as far as it goes, and this is said")
  func truncated() throws {
    guard case .bytes(let whole) = Self.raster.samples else { return }
    let rowsSeen = try [900, 2000, 3600].map { length in
      let found = try picture(Array(Self.file[..<length]))
      #expect(!found.warnings.isEmpty)
      #expect(throws: PNGError.self) { try PNGDecoder(isStrict: true).decode(Array(Self.file[..<length])) }
      guard case .bytes(let samples) = found.raster.samples else { return 0 }
      let same = zip(samples, whole).prefix { $0 == $1 }.count
      // Whole rows of the picture, and nothing behind them.
      #expect(samples[(same / 120 * 120)...].allSatisfy { $0 == 0 })
      return same / 120
    }
    #expect(rowsSeen[0] >= 4 && rowsSeen[1] > rowsSeen[0] && rowsSeen[2] > rowsSeen[1] && rowsSeen[2] < 30)
    #expect(throws: PNGError.self) { try picture(Array(Self.file[..<60])) }
    // What is cut off before its data is no picture, and that is the reason.
    let cut = Self.file(Self.header(1, 1), Self.chunk("tIME", [UInt8](repeating: 0, count: 100))).dropLast(50)
    #expect(reason(Array(cut)) == "tIME at byte 41: needs 104 bytes, 66 are left")
  }

  @Test("a picture without its end is whole, with a warning")
  func missingEnd() throws {
    let found = try picture(Array(Self.file.dropLast(12)))
    #expect(found.raster == Self.raster && found.warnings.count == 1)
    #expect(try picture(Self.file + [1, 2, 3]).warnings.isEmpty)
  }

  @Test("a wrong checksum is an error in what the picture needs, and a reason to leave out the rest")
  func checksums() throws {
    let row = Self.data([0, 1, 2, 3]), head = Self.header(1, 1)
    let bad = Self.chunk("IDAT", [1, 2, 3], soundly: false)
    #expect(reason(Self.file(head, bad)).contains("CRC"))
    let found = try picture(Self.file(head, Self.chunk("gAMA", [0, 0, 0, 9], soundly: false), row))
    #expect(found.metadata.gamma == nil && found.warnings.count == 1)
    #expect(found.raster.samples == .bytes([1, 2, 3]))
    var stream = Deflater().deflate([0, 1, 2, 3].span)
    stream[stream.count - 1] ^= 1
    let other = try picture(Self.file(head, Self.chunk("IDAT", stream)))
    #expect(other.raster.samples == .bytes([1, 2, 3]) && other.warnings.count == 1)
  }

  @Test("chunks that cannot be are refused, each with its reason")
  func structure() {
    let head = Self.header(1, 1), row = Self.data([0, 1, 2, 3])
    #expect(reason([]).contains("signature"))
    #expect(reason(Self.signature).contains("IHDR is missing"))
    #expect(reason(Self.file(row, head)).contains("first chunk"))
    #expect(reason(Self.file(Self.chunk("CgBI", [0, 0, 0, 0]), head, row)).contains("Xcode"))
    #expect(reason(Self.file(head)).contains("IDAT is missing"))
    #expect(reason(Self.file(head, Self.chunk("NEWS", []), row)).contains("may not be left out"))
    #expect(reason(Self.file(head, head, row)).contains("second one"))
    #expect(reason(Self.file(head, Self.chunk("PL7E", []), row)).contains("four letters"))
    #expect(reason(Self.file(Self.header(0, 1), row)).contains("width"))
    #expect(reason(Self.file(Self.header(1, 1, depth: 4), row)).contains("colour type and depth"))
    #expect(reason(Self.file(Self.header(1, 1, interlace: 2), row)).contains("interlace"))
    #expect(reason(Self.file(Self.header(1, 1, type: 3), row)).contains("PLTE is missing"))
    #expect(reason(Self.file(Self.header(1, 1, type: 3), Self.chunk("PLTE", [1, 2]), row)).contains("three times"))
    #expect(reason(Self.file(head, row, Self.chunk("tIME", []), row)).contains("one run"))
    #expect(reason(Self.file(head, Self.chunk("tRNS", [1]), row)).contains("tRNS"))
    #expect(reason(Self.file(head, Self.data([5, 1, 2, 3]))).contains("filter"))
    #expect(reason(Self.file(head, Self.data([0, 1, 2]))).contains("needs 4 bytes"))
    #expect(reason(Self.file(head, Self.data([0, 1, 2, 3, 4]))).contains("decompressed size"))
    #expect(reason(Self.file(head, Self.chunk("iCCP", Array("x\0\0junk".utf8)), row)).contains("iCCP"))
  }

  @Test("an index beyond the palette is black, with a warning")
  func palette() throws {
    let found = try picture(
      Self.file(Self.header(2, 1, type: 3), Self.chunk("PLTE", [7, 8, 9]), Self.data([0, 0, 1])))
    #expect(found.raster.samples == .bytes([7, 8, 9, 0, 0, 0]) && found.warnings.count == 1)
  }

  @Test("limits hold before memory is taken")
  func limits() {
    let row = Self.data([0])
    #expect(reason(Self.file(Self.header(65_535, 65_535), row)).contains("number of pixels"))
    #expect(reason(Self.file(Self.header(70_000, 1), row)).contains("width"))
    #expect(reason(Self.file(Self.header(0x8000_0000, 1), row)).contains("width"))
    var limits = Limits.standard
    (limits.pixels, limits.pictureSide) = (.max, .max)
    #expect(reason(Self.file(Self.header(0x7FFF_FFFF, 0x7FFF_FFFF), row), limits: limits).contains("decoded picture"))
    limits = .standard
    limits.blobBytes = 1000
    let profile = Deflater().deflate([UInt8](repeating: 0, count: 1 << 20).span)
    let bomb = Self.file(Self.header(1, 1), Self.chunk("iCCP", Array("x\0\0".utf8) + profile), Self.data([0, 1, 2, 3]))
    #expect(reason(bomb, limits: limits).contains("beyond the limit of 1000"))
    let text = Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8)
    let packets = Self.chunk("iTXt", text + profile) + Self.chunk("iTXt", text + Deflater().deflate([1].span))
    let found = reason(Self.file(Self.header(1, 1), packets, Self.data([0, 1, 2, 3])), limits: limits)
    #expect(found.contains("decompressed size") && found.contains("iTXt"))
    limits.segments = 2
    let many = (0..<3).flatMap { _ in Self.chunk("tIME", []) }
    #expect(reason(Self.file(Self.header(1, 1), many), limits: limits).contains("number of chunks"))
  }

  @Test("no damage is more than an error")
  func damage() throws {
    var metadata = PNGMetadata(
      icc: [UInt8](repeating: 1, count: 300), color: .jfif, exif: [0x4D, 0x4D], xmp: Array("x".utf8),
      density: PNGDensity(x: 1, y: 1))
    metadata.gamma = 1
    let small = RasterImage(width: 5, height: 4, channels: .rgba, bitDepth: 10, samples: .words((0..<80).map { $0 }))
    let bytes = try PNGEncoder().encode(small, metadata: metadata)
    for copy in truncations(of: bytes) + damagedCopies(of: bytes, count: 2000, seed: 4) {
      guard let picture = try? PNGDecoder().decode(copy) else { continue }
      #expect(picture.raster.width == picture.header.width)
    }
  }
}
