import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG decoder")
struct DecoderTests {
  @Test("real files are decoded to djpeg's pixels, byte for byte", .needsCorpus, .judged(by: .djpeg))
  func corpus() throws {
    let paths = Corpus.files(in: "05-jpeg").map { Corpus.file($0) }
    let expected = try djpeg(paths)
    var count = 0
    for (path, judged) in zip(paths, expected) {
      let bytes = try readFile(path)
      guard let judged else {
        #expect(throws: JPEGError.self, "\(path)") { try JPEGDecoder().decode(bytes) }
        continue
      }
      count += 1
      let picture = try JPEGDecoder().decode(bytes)
      #expect(try netpbm(picture.raster()) == judged, "\(path)")
    }
    #expect(count > 60)
  }

  /// cjpeg's options: samplings that libjpeg interpolates and others, scans, restarts, colours.
  static let options = [
    "-sample 1x1", "-sample 2x1", "-sample 1x2", "-sample 2x2", "-sample 4x1", "-sample 1x4", "-sample 4x2",
    "-sample 2x2,2x1,1x2", "-sample 1x1,2x2,2x2", "-sample 2x2 -restart 1", "-sample 2x1 -restart 2B", "-rgb",
    "-grayscale", "-grayscale -progressive -restart 3B", "-progressive -sample 2x2", "-progressive -sample 2x1",
    "-progressive -sample 1x2 -restart 1", "-progressive -rgb", "-optimize -quality 100", "-quality 1 -baseline",
    "-quality 1 -progressive",
  ]

  @Test("files of all kinds and awkward sizes are decoded to djpeg's pixels", .judged(by: .cjpeg, .djpeg))
  func generated() throws {
    // Around one and two blocks and MCUs; two columns are too few for libjpeg to interpolate.
    let sizes = [(1, 1), (2, 1), (1, 3), (3, 2), (5, 9), (8, 8), (9, 16), (17, 15), (31, 7), (33, 33), (65, 4)]
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for (index, size) in sizes.enumerated() {
      let content = TestPicture.Content.allCases[index % 4]
      let original = TestPicture(content, width: size.0, height: size.1)
      let path = try folder.write(original.netpbm(), as: "\(index).ppm")
      paths += Self.options.indices.map { "\(path).\($0).jpg" }
    }
    let commands = Self.options.enumerated().map { "cjpeg \($1) $f > $f.\($0).jpg" }.joined(separator: " && ")
    try runChecked("sh", ["-c", "for f in \(folder.root)/*.ppm; do \(commands) || exit 1; done"])
    for (path, judged) in zip(paths, try djpeg(paths)) {
      let picture = try JPEGDecoder(isStrict: true).decode(readFile(path))
      let isSame = try netpbm(picture.raster()) == (try #require(judged, "\(path)"))
      #expect(isSame, "\(picture.width)x\(picture.height), \(path)")
    }
  }

  @Test(
    "the planes of a picture that was encoded from planes are those that djpeg interpolates",
    arguments: [ChromaFormat.yuv400, .yuv420, .yuv422, .yuv444])
  func planes(_ chroma: ChromaFormat) throws {
    // Even planes survive coding at quality 100 with an error of 1.
    let image = PlanarImage(
      width: 21, height: 13, format: PixelFormat(chroma), color: .jfif, fill: [77, 90, 170].map { UInt16($0) })
    let bytes = try JPEGEncoder(quality: 100).encode(image)
    let decoded = try #require(try JPEGDecoder(isStrict: true).decode(bytes).planarImage())
    #expect((decoded.width, decoded.height, decoded.format, decoded.color) == (21, 13, image.format, .jfif))
    for (plane, original) in zip(decoded.planes, image.planes) {
      #expect((plane.width, plane.height) == (original.width, original.height))
      for y in 0..<plane.height {
        for x in 0..<plane.width { #expect(abs(Int(plane[x, y]) - Int(original[x, y])) <= 1) }
      }
    }
  }

  @Test("samplings and colours that planes cannot state have none")
  func noPlanes() throws {
    let original = TestPicture(.smooth, width: 20, height: 20)
    let folder = try TemporaryFolder()
    for options in ["-sample 1x2", "-sample 4x1", "-rgb"] {
      let path = try folder.write(original.netpbm(), as: "a.ppm")
      let jpeg = try Judge.cjpeg.ask(options.split(separator: " ").map(String.init) + [path]).output
      let picture = try JPEGDecoder().decode(jpeg)
      #expect(picture.planarImage() == nil)
      #expect(picture.coding == (options == "-rgb" ? .rgb : .yCbCr))
    }
  }

  @Test("CMYK and YCCK become djpeg's RGB", .judged(by: .python, .djpeg))
  func cmyk() throws {
    let program = """
      import sys
      from PIL import Image
      import numpy as np
      r = np.random.default_rng(3).integers(0, 256, (19, 23, 4), dtype=np.uint8)
      Image.fromarray(r, "CMYK").save(sys.argv[1], "JPEG", quality=95)
      """
    let folder = try TemporaryFolder()
    let file = folder.path("cmyk.jpg")
    try python(program, [file])
    let bytes = try readFile(file)
    var flipped = bytes
    let adobe = try #require(try JPEGFile(parsing: MemorySource(bytes)).first(.adobe))
    let transform = adobe.payload.lowerBound + 11
    flipped[transform] = bytes[transform] == 2 ? 0 : 2
    let other = try folder.write(flipped, as: "other.jpg")
    let codings = try zip([file, other], try djpeg([file, other])).map { path, judged in
      let picture = try JPEGDecoder(isStrict: true).decode(readFile(path))
      #expect(try netpbm(picture.raster()) == judged)
      return picture.coding
    }
    #expect(Set(codings) == [.cmyk, .ycck])
  }

  @Test("a height that only DNL states is found")
  func dnl() throws {
    let original = TestPicture(.smooth, width: 16, height: 24)
    let jpeg = try original.encoded(JPEGEncoder())
    let frame = try #require(try JPEGFile(parsing: MemorySource(jpeg)).first(.frameHeader)).payload.lowerBound
    var bytes = jpeg
    (bytes[frame + 1], bytes[frame + 2]) = (0, 0)
    bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 0, 24], at: bytes.count - 2)
    #expect(try JPEGDecoder().decode(bytes).raster() == (try JPEGDecoder().decode(jpeg).raster()))
  }
}

/// A picture as djpeg writes it.
func netpbm(_ raster: RasterImage) -> [UInt8] {
  guard case .bytes(let samples) = raster.samples else { return [] }
  return Array("\(raster.channels == .gray ? "P5" : "P6")\n\(raster.width) \(raster.height)\n255\n".utf8) + samples
}

/// What djpeg makes of files, with the accurate transform; nil for a file that it refuses.
func djpeg(_ paths: [String]) throws -> [[UInt8]?] {
  let folder = try TemporaryFolder()
  let list = try folder.write(Array(paths.joined(separator: "\n").utf8) + [10], as: "list")
  // Status 2 says that there were warnings.
  let script = """
    n=0; while read -r f; do djpeg -dct int "$f" > \(folder.root)/$n 2>/dev/null
    s=$?; [ $s = 0 ] || [ $s = 2 ] || rm \(folder.root)/$n; n=$((n + 1)); done < \(list)
    """
  try runChecked("sh", ["-c", script])
  return paths.indices.map { try? readFile(folder.path("\($0)")) }
}
