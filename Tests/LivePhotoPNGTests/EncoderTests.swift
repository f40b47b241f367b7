import Foundation
import LivePhotoCore
import LivePhotoPNG
import TestSupport
import Testing

@Suite("PNG encoder")
struct EncoderTests {
  static let kinds: [(RasterImage.Channels, Int)] = RasterImage.Channels.allCases.flatMap { channels in
    [8, 10, 16].map { (channels, $0) }
  }

  /// A picture with slopes, edges and noise.
  static func raster(_ channels: RasterImage.Channels, bitDepth: Int, width: Int, height: Int) -> RasterImage {
    var random = SplitMix64(seed: UInt64(width))
    let top = (1 << bitDepth) - 1
    let values = (0..<width * height * channels.rawValue).map { index -> UInt16 in
      let pixel = index / channels.rawValue, channel = index % channels.rawValue
      let x = pixel % width, y = pixel / width
      let edge = (x / 16 + y / 16 + channel) % 5 == 0 ? top / 4 : 0
      let value = (x * (channel + 1) + y * 2) * top / 600 + edge + Int(random.next() % 4)
      return UInt16(min(top, value))
    }
    return RasterImage(
      width: width, height: height, channels: channels, bitDepth: bitDepth,
      samples: bitDepth > 8 ? .words(values) : .bytes(values.map { UInt8($0) }))
  }

  @Test(
    "Pillow and FFmpeg read every layout as it was given", .judged(by: .python, .ffmpeg), arguments: kinds)
  func layouts(_ channels: RasterImage.Channels, bitDepth: Int) throws {
    // Rows around the sixteen bytes that the kernels take at once.
    for (width, height) in [(1, 1), (3, 5), (16, 3), (17, 4), (200, 90)] {
      let raster = Self.raster(channels, bitDepth: bitDepth, width: width, height: height)
      let bytes = try PNGEncoder().encode(raster)
      #expect(try PNGEncoder().encode(raster) == bytes)
      let folder = try TemporaryFolder()
      let path = try folder.write(bytes, as: "a.png")
      let read = try PNGDecoder(isStrict: true).decode(bytes)
      switch raster.samples {
      case .bytes(let samples):
        let modes: [RasterImage.Channels: String] = [.gray: "L", .grayAlpha: "LA", .rgb: "RGB", .rgba: "RGBA"]
        let program = """
          import sys
          from PIL import Image
          image = Image.open(sys.argv[1])
          assert image.mode == sys.argv[2], image.mode
          sys.stdout.buffer.write(image.tobytes())
          """
        #expect(try python(program, [path, modes[channels] ?? ""]).output == samples)
        #expect(read.raster == raster)
      case .words(let samples):
        let formats: [RasterImage.Channels: String] = [
          .gray: "gray16le", .grayAlpha: "ya16le", .rgb: "rgb48le", .rgba: "rgba64le",
        ]
        let wide = samples.map { Int($0) * 65535 }.map { ($0 + raster.maximum / 2) / raster.maximum }
        let found = try Judge.ffmpeg.ask(
          ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", formats[channels] ?? "", "-"]
        ).output
        #expect(found == wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(read.significantBits == (bitDepth == 16 ? nil : bitDepth))
        #expect(read.raster.reduced(to: bitDepth) == raster)
      }
    }
  }

  @Test("files are about as small as Pillow's at its default, of pictures of all kinds", .judged(by: .python))
  func sizes() throws {
    let folder = try TemporaryFolder()
    let program = """
      import io, os, sys
      import numpy as np
      from PIL import Image
      folder, r = sys.argv[1], np.random.default_rng(5)
      y, x = np.mgrid[0:300, 0:400]
      slope = np.stack([x * 255 / 400, y * 255 / 300, (x + y) * 255 / 700], -1)
      pictures = {
          "slope": slope, "noisy": slope + r.normal(0, 3, slope.shape), "noise": r.integers(0, 256, slope.shape),
          "flat": slope * 0 + 200, "bars": np.stack([x // 50 * 30, x // 25 * 15, y // 60 * 50], -1),
          "text": np.repeat((r.integers(0, 9, (300, 400, 1)) > 7) * 255, 3, 2),
          "waves": 128 + 100 * np.sin(slope / 9), "gray": slope[..., 0] + r.normal(0, 2, (300, 400)),
      }
      for name, pixels in pictures.items():
          image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
          image.save(f"{folder}/{name}.png", compress_level=6)
      """
    try python(program, [folder.root])
    var paths = try folder.names().map { folder.path($0) }
    if Corpus.isPresent {
      let photo = folder.path("photo.png")
      let program = """
        import sys
        from PIL import Image
        image = Image.open(sys.argv[1])
        image.info = {}
        image.crop((0, 0, 1200, 900)).save(sys.argv[2], compress_level=6)
        """
      let jpeg = try #require(Corpus.files(in: "05-jpeg").first { $0.contains("asymmetric") })
      try python(program, [Corpus.file(jpeg), photo])
      paths.append(photo)
    }
    for path in paths {
      let theirs = try readFile(path)
      let ours = try PNGEncoder().encode(PNGDecoder().decode(theirs).raster)
      #expect(ours.count <= theirs.count * 115 / 100 + 20, "\(path): \(ours.count) bytes against \(theirs.count)")
    }
  }

  @Test("metadata are there for exiftool and Pillow, in sound chunks", .judged(by: .exiftool, .python))
  func metadata() throws {
    let folder = try TemporaryFolder()
    var draft = ExifDraft(width: 4, height: 3)
    draft.make = "Maker"
    let xmp = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
      <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:format>image/png</dc:format>\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let profile = folder.path("profile")
    try python(
      """
      import sys
      from PIL import ImageCms
      open(sys.argv[1], "wb").write(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
      """, [profile])
    var metadata = PNGMetadata(
      icc: try readFile(profile), color: ColorDescription(primaries: 12, transfer: 13, matrix: 0, isFullRange: true),
      exif: draft.makeBlock().bytes, xmp: Array(xmp.utf8), density: PNGDensity(x: 2835, y: 2835))
    metadata.gamma = 45455
    metadata.chromaticities = PNGChromaticities(
      white: .init(x: 31270, y: 32900), red: .init(x: 64000, y: 33000), green: .init(x: 30000, y: 60000),
      blue: .init(x: 15000, y: 6000))
    let raster = Self.raster(.rgb, bitDepth: 8, width: 4, height: 3)
    let bytes = try PNGEncoder().encode(raster, metadata: metadata)
    #expect(try PNGDecoder(isStrict: true).decode(bytes).metadata == metadata)
    let path = try folder.write(bytes, as: "a.png")
    let tags = ["Make", "Format", "Gamma", "WhitePointX", "PixelsPerUnitX", "ProfileDescription", "Warning"]
    let found = try Judge.exiftool.ask(["-s", "-a"] + tags.map { "-\($0)" } + [path]).lines.map {
      $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "=")
    }
    #expect(
      Set(found) == [
        "Make=Maker", "Format=image/png", "Gamma=2.2", "WhitePointX=0.3127", "PixelsPerUnitX=2835",
        "ProfileDescription=sRGB built-in",
      ])
    let program = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      image.verify()
      assert image.info["icc_profile"] == open(sys.argv[2], "rb").read()
      """
    try python(program, [path, profile])
    let position = try #require(bytes.indices.first { bytes[$0...].starts(with: "cICP".utf8) })
    #expect(Array(bytes[position + 4..<position + 8]) == [12, 13, 0, 1])
  }

  @Test("a picture without pixels is refused")
  func empty() {
    let raster = RasterImage(width: 0, height: 3, channels: .gray, samples: .bytes([]))
    #expect(throws: PNGError.sizeOutOfRange(width: 0, height: 3)) { try PNGEncoder().encode(raster) }
  }
}
