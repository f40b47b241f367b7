import LivePhotoCore
import LivePhotoEngine
import LivePhotoPNG
import TestSupport
import Testing

/// PNG pictures on their way in and out, with Pillow as the judge.
@Suite struct PNGTests {
  let folder: TemporaryFolder
  /// RGBA, turned by Exif, with an ICC profile.
  let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("source.HEIC")
    guard Judge.python.path != nil else { return }
    let program = """
      import sys
      import numpy as np
      from PIL import Image, ImageCms
      y, x = np.mgrid[0:48, 0:64]
      pixels = np.stack([x * 4, y * 5, (x + y) * 2, 255 - x * 3], -1).astype(np.uint8)
      exif = Image.Exif()
      exif[0x0112] = 6
      profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
      Image.fromarray(pixels).save(sys.argv[1], "PNG", exif=exif, icc_profile=profile)
      """
    try python(program, [source])
  }

  @Test("a picture of which not one row can be had is an error, and leaves nothing", arguments: ["heic", "jpg"])
  func noRows(_ kind: String) throws {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      var writer = ByteWriter()
      writer.writeUInt32(UInt32(content.count))
      let body = Array(type.utf8) + content
      writer.write(body)
      writer.writeUInt32(CRC32.checksum(body.span))
      return writer.bytes
    }
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let header: [UInt8] = [0, 0, 4, 0, 0, 0, 4, 0, 8, 2, 0, 0, 0]
    // The second stream has a block of type 3; the third ends before its first block.
    for data: [UInt8] in [[1, 2, 3, 4], [0x78, 0x9C, 0x07, 0], [0x78, 0x9C]] {
      let bytes = signature + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
      let path = try folder.write(bytes, as: "damaged.png"), goal = folder.path("out.\(kind)")
      #expect(throws: LivePhotoError.self) {
        try PictureEncoder(threads: .count(2)).encode(path, as: kind == "jpg" ? .jpeg() : .heic(), to: goal)
      }
      #expect(try !folder.names().contains("out.\(kind)"))
    }
  }

  /// Runs a program that sees the source as `source` and another file as `other`, both opened by Pillow.
  private func judge(_ other: String, _ statements: String) throws {
    let program = """
      import sys
      import numpy as np
      from PIL import Image, ImageOps
      source, other = Image.open(sys.argv[1]), Image.open(sys.argv[2])
      upright = ImageOps.exif_transpose(source)
      pixels = lambda image: np.asarray(image).astype(int)
      assert len(source.info["icc_profile"]) > 100
      """
    try python(program + "\n" + statements, [source, other])
  }

  @Test("a picture becomes a JPEG: upright, over white, with its profile, and this is said", .judged(by: .python))
  func encoded() throws {
    let goal = folder.path("a.jpg")
    let report = try PictureEncoder().encode(source, as: .jpeg(quality: 95), to: goal)
    #expect((report.width, report.height) == (48, 64))
    #expect(report.warnings.contains { $0.contains("over white") })
    try judge(
      goal,
      """
      flat = Image.new("RGBA", upright.size, "white")
      flat.alpha_composite(upright)
      assert np.abs(pixels(flat.convert("RGB")) - pixels(other)).mean() < 2
      assert other.info["icc_profile"] == source.info["icc_profile"] and other.getexif()[0x0112] == 1
      """)
  }

  @Test("a picture is decoded with alpha and profile, upright or as coded", .judged(by: .python))
  func decoded() throws {
    let goal = folder.path("a.png")
    for isUpright in [true, false] {
      _ = try PictureDecoder(isUpright: isUpright).decode(source, as: .png, to: goal, overwrite: true)
      try judge(
        goal,
        """
        assert (pixels(other) == pixels(\(isUpright ? "upright" : "source"))).all() and other.mode == "RGBA"
        assert other.info["icc_profile"] == source.info["icc_profile"]
        """)
    }
    let pam = folder.path("a.pam")
    _ = try PictureDecoder().decode(source, as: .pam, to: pam)
    _ = try PictureDecoder().decode(pam, as: .png, to: goal, overwrite: true)
    try judge(goal, "assert (pixels(other) == pixels(upright)).all() and 'icc_profile' not in other.info")
    #expect(throws: LivePhotoError.self) { try PictureDecoder().decode(source, as: .y4m, to: folder.path("a.y4m")) }
  }

  @Test("pair leaves pixels alone, so that it points to make", .judged(by: .python))
  func notPaired() throws {
    let error = #expect(throws: LivePhotoError.self) {
      try PairMaker().pair(photo: source, movie: source, into: PairDestination(folder: folder.root))
    }
    #expect(error?.description.contains("`livephoto make VIDEO --photo \(source)`") == true)
  }

  /// A grey slope of 10 bits.
  private func deep(_ color: ColorDescription) throws -> String {
    let values = (0..<64).flatMap { y in [UInt16](repeating: UInt16(y * 16 + 4), count: 64 * 3) }
    let raster = RasterImage(width: 64, height: 64, channels: .rgb, bitDepth: 10, samples: .words(values))
    return try folder.write(PNGEncoder().encode(raster, metadata: PNGMetadata(color: color)), as: "deep.png")
  }

  @Test(
    "HDR is mapped to sRGB for JPEG, other primaries get a profile, and colours that have none are named",
    .judged(by: .exiftool))
  func colorsForJPEG() throws {
    let goal = folder.path("a.jpg")
    let hdr = try deep(ColorDescription(primaries: 9, transfer: 16, matrix: 0, isFullRange: true))
    #expect(try PictureEncoder().encode(hdr, as: .jpeg(), to: goal).warnings.map { $0.contains("HDR (PQ)") } == [true])
    #expect(try tags(of: goal)["ICC_Profile:ProfileDescription"] == nil)
    try removeFiles([goal])
    let wide = try deep(ColorDescription(primaries: 12, transfer: 13, matrix: 0, isFullRange: true))
    #expect(try PictureEncoder().encode(wide, as: .jpeg(), to: goal).warnings == [])
    #expect(try tags(of: goal)["ICC_Profile:ProfileDescription"]?.contains("primaries 12") == true)
    let linear = try deep(ColorDescription(primaries: 12, transfer: 8, matrix: 0, isFullRange: true))
    let report = try PictureEncoder().encode(linear, as: .jpeg(), to: goal, overwrite: true)
    #expect(report.warnings.contains { $0.contains("primaries 12") })
  }

  #if HEVC
    @Test("the alpha plane of a HEIC becomes the alpha of a PNG", .judged(by: .python))
    func alphaOfHEIC() throws {
      let heic = folder.path("a.heic"), goal = folder.path("a.png"), ppm = folder.path("a.ppm")
      let program = """
        import sys
        import pillow_heif
        from PIL import Image
        pillow_heif.register_heif_opener()
        source = Image.open(sys.argv[1])
        source.info = {}
        source.save(sys.argv[2], quality=-1, chroma=444)
        """
      try python(program, [source, heic])
      let report = try PictureDecoder().decode(heic, as: .png, to: goal)
      #expect((report.width, report.height) == (64, 48))
      try judge(
        goal,
        """
        assert other.mode == "RGBA"
        assert np.abs(pixels(other)[..., 3] - pixels(source)[..., 3]).max() <= 1
        assert np.abs(pixels(other)[..., :3] - pixels(source)[..., :3]).mean() < 3
        """)
      _ = try PictureDecoder().decode(heic, as: .ppm, to: ppm)
    }

    @Test("10 bits and their colours go through HEIC and come back")
    func deepPicture() throws {
      let color = ColorDescription(primaries: 9, transfer: 16, matrix: 0, isFullRange: true)
      let source = try deep(color), heic = folder.path("a.heic"), goal = folder.path("a.png")
      _ = try PictureEncoder().encode(source, as: .heic(quality: 100), to: heic)
      _ = try PictureDecoder().decode(heic, as: .png, to: goal)
      let before = try PNGDecoder(isStrict: true).decode(readFile(source))
      let after = try PNGDecoder(isStrict: true).decode(readFile(goal))
      #expect(after.significantBits == 10 && after.header.bitDepth == 16)
      #expect(after.metadata.color == color)
      guard case .words(let first) = before.raster.samples, case .words(let second) = after.raster.samples else {
        return
      }
      #expect(psnr(first, second, peak: 65535) > 45)
    }

    @Test("a Live Photo is made with a PNG as its still", .judged(by: .exiftool, .python))
    func madeStill() throws {
      let clip = try Demonstration(threads: .allCores).run(in: folder.root).clip
      let pair = try LivePhotoMaker().make(
        from: clip, photo: source, format: .jpeg(quality: 95), into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(pair.warnings.contains { $0.contains("a PNG picture was encoded to JPEG") })
      #expect(pair.warnings.contains { $0.contains("over white") })
      #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).errors.isEmpty)
      try judge(
        pair.photo,
        "assert other.size == upright.size and other.info['icc_profile'] == source.info['icc_profile']")
      // The profile says the colours, not the number that stands for sRGB.
      #expect(try Judge.exiftool.ask(["-s3", "-n", "-ColorSpace", pair.photo]).lines == ["65535"])
    }
  #endif
}
