import Foundation
import LivePhotoCore
import LivePhotoPNG
import TestSupport
import Testing

@Suite("PNG decoder")
struct DecoderTests {
  // Some passes of Adam7 are empty in pictures narrower than five pixels; rows of 1 to 9 pixels end inside a byte.
  static let sizes = [(1, 1), (2, 5), (5, 2), (9, 11), (33, 7)]

  @Test("all colour types, depths, interlacings, filters and transparencies", .judged(by: .python, .ffmpeg))
  func generated() throws {
    let files = try GeneratedFiles(sizes: Self.sizes)
    #expect(files.entries.count == (15 + 11) * 2 * Self.sizes.count)
    for entry in files.entries {
      let picture = try PNGDecoder(isStrict: true).decode(files.bytes(entry))
      #expect(try picture.raster == files.expected(entry), "\(entry.name)")
    }
  }

  @Test("the samples that are Pillow's, of files that others made", .needsCorpus, .judged(by: .python))
  func corpus() throws {
    let names = try String(decoding: readFile(Corpus.file("INDEX.tsv")), as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("PNG bytes") }.map { String($0.prefix { $0 != "\t" }) }
    let program = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      if image.mode == "P": image = image.convert("RGBA" if "transparency" in image.info else "RGB")
      sys.stdout.buffer.write(image.tobytes())
      """
    #expect(names.count >= 2)
    for name in names {
      let picture = try PNGDecoder(isStrict: true).decode(Corpus.bytes(name))
      guard case .bytes(let samples) = picture.raster.samples else {
        Issue.record("\(name) has more than 8 bits")
        continue
      }
      let isSame = try samples == python(program, [Corpus.file(name)]).output
      #expect(isSame, "\(name)")
    }
  }

  @Test("what stands beside the picture is handed out", .judged(by: .python))
  func metadata() throws {
    let folder = try TemporaryFolder()
    let program = """
      import sys, zlib
      from PIL import Image, ImageCms, PngImagePlugin
      info = PngImagePlugin.PngInfo()
      info.add_itxt("Title", "another text")
      info.add_itxt("XML:com.adobe.xmp", "<x:xmpmeta/>", zip=sys.argv[2] == "1")
      info.add(b"gAMA", (45455).to_bytes(4, "big"))
      info.add(b"cHRM", b"".join(v.to_bytes(4, "big") for v in range(1, 9)))
      info.add(b"cICP", bytes([9, 16, 0, 1]))
      info.add(b"sBIT", bytes([5, 6, 5]))
      exif = Image.Exif()
      exif[0x0112] = 6
      profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
      Image.new("RGB", (3, 2)).save(sys.argv[1], pnginfo=info, exif=exif, icc_profile=profile, dpi=(72, 72))
      open(sys.argv[1] + ".icc", "wb").write(profile)
      """
    for isCompressed in ["0", "1"] {
      let path = folder.path("a.png")
      try python(program, [path, isCompressed])
      let picture = try PNGDecoder(isStrict: true).decode(readFile(path))
      let metadata = picture.metadata
      #expect(try metadata.icc == readFile(path + ".icc"))
      #expect(metadata.xmp == Array("<x:xmpmeta/>".utf8))
      #expect(try ExifBlock(parsing: #require(metadata.exif)).orientation == .right)
      #expect(metadata.gamma == 45455)
      #expect(metadata.color == ColorDescription(primaries: 9, transfer: 16, matrix: 0, isFullRange: true))
      #expect(metadata.chromaticities?.white == .init(x: 1, y: 2) && metadata.chromaticities?.blue == .init(x: 7, y: 8))
      #expect(metadata.density == PNGDensity(x: 2835, y: 2835))
      #expect(picture.significantBits == 6)
    }
  }
}
