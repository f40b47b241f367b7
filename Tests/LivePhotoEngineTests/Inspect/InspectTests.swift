import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

@Suite struct InspectTests {
  /// The graph of a phone's HEIC, as exiftool's dump of its boxes shows it.
  @Test(.needsCorpus) func picturesOfAPhonesHEIC() throws {
    let report = try FileInspector().inspect(Corpus.file(Corpus.path("01-livephotos/iphone15plus", ".HEIC")))
    let photo = try #require(report.photo), pictures = try #require(photo.pictures)
    #expect(pictures.map(\.role) == ["primary", "thumbnail", "gain map", "tone-mapped form"])
    #expect(pictures.map(\.coding) == ["grid of hvc1", "hvc1", "grid of hvc1", "tmap of grid"])
    #expect(pictures[0].grid == photo.grid)
    #expect(photo.grid?.rows == 5 && photo.grid?.columns == 9)
    #expect(photo.grid?.tile == DisplaySize(width: 640, height: 896))
    #expect(pictures[2].bitsPerChannel == [8])
    #expect(photo.groups?.map(\.type) == ["altr"])
    #expect(photo.groups?.map(\.items) == [[pictures[3].item, pictures[0].item]])
  }

  /// The thumbnails of the primary picture.
  @Test(.needsCorpus, .judged(by: .python)) func pillowFindsTheSameThumbnails() throws {
    let files = Corpus.files(in: "02-heif", extensions: ["heic", "heif"])
    let program = """
      import sys, pillow_heif
      for path in sys.argv[1:]:
          try:
              file = pillow_heif.open_heif(path)
              print(len(file[file.primary_index].info.get('thumbnails', [])))
          except Exception: print('-')
      """
    let lines = try python(program, files.map(Corpus.file)).lines
    var compared = 0
    for (file, line) in zip(files, lines) {
      guard let count = Int(line), let pictures = try? FileInspector().inspect(Corpus.file(file)).photo?.pictures
      else { continue }
      // One file shows a thumbnail; pillow-heif then shows what it is one of.
      guard pictures.first?.role == "primary" else { continue }
      compared += 1
      #expect(pictures.filter { $0.role == "thumbnail" }.count == count, "\(file)")
    }
    #expect(compared > 20)
  }

  /// Auxiliary pictures by what they mean, what they are described by, and the words for how all is coded.
  @Test(.needsCorpus) func everyPictureByItsMeaning() throws {
    let photo = try #require(
      try FileInspector().inspect(Corpus.file(Corpus.path("02-heif/iphone16style", ".HEIC"))).photo)
    let pictures = try #require(photo.pictures), metadata = try #require(photo.metadata)
    #expect(
      pictures.map(\.role) == [
        "primary", "thumbnail", "sky matte", "style delta map", "gain map", "portrait effects matte", "skin matte",
        "linear thumbnail", "tone-mapped form",
      ])
    let item = { (role: String) in pictures.first { $0.role == role }?.item }
    #expect(pictures.last?.sources == [item("primary"), item("gain map")].compactMap(\.self))
    #expect(pictures.last?.codingName == "a tone map, HEVC" && pictures.first?.codingName == "a grid of tiles, HEVC")
    #expect(pictures.first?.displaySize == DisplaySize(width: 3024, height: 4032))
    #expect(metadata.filter { $0.kind == "XMP" }.flatMap(\.describes).contains(try #require(item("gain map"))))
    #expect(metadata.contains { $0.kind == "tag:apple.com,2023:photo:metadata:styles" && $0.bytes ?? 0 > 50_000 })
    let motion = try FileInspector().inspect(Corpus.file("04-motionphotos/samsung_s22plus_oneui6.heic")).photo
    #expect(motion?.attachments == ["video"] && motion?.video?.movie?.tracks.isEmpty == false)
    let depth = try FileInspector().inspect(Corpus.file("02-heif/iphone13pro_portrait_pug.heic")).photo
    #expect(depth?.pictures?.map(\.role) == ["primary", "gain map", "depth"])
    #expect(depth?.pictures?.first?.iccProfile == "Display P3")
  }

  /// The movies of motion photos: where they begin, and what they are; or why they cannot be read.
  @Test(.needsCorpus) func motionPhotos() throws {
    var found: [String: Int] = [:]
    for file in Corpus.files(in: "04-motionphotos") {
      guard let report = try? FileInspector().inspect(Corpus.file(file)), let video = report.photo?.video else {
        continue
      }
      let bytes = try Corpus.bytes(file)
      #expect(Array(bytes[video.offset + 4..<video.offset + 8]) == Array("ftyp".utf8), "\(file)")
      #expect(video.offset + video.bytes <= bytes.count)
      #expect(video.movie?.tracks.contains { $0.kind == "video" } == true, "\(file) \(report.warnings)")
      found[String(file.split(separator: "/")[1])] = video.movie?.tracks.count
    }
    #expect(found.count == 5, "\(found)")
    #expect(found.first { $0.key.hasPrefix("pixel3axl") }?.value == 4)
  }

  @Test(.judged(by: .python)) func aPNG() throws {
    let folder = try TemporaryFolder()
    let program = """
      import sys
      from PIL import Image, ImageCms, PngImagePlugin
      texts = PngImagePlugin.PngInfo()
      texts.add_text('Title', 'A title\\nof two lines')
      texts.add_itxt('Comment', 'caf\u{e9}')
      texts.add_text('Software', 'x' * 300, zip=True)
      exif = Image.Exif(); exif[0x0112] = 6; exif[0x010F] = 'Example'
      profile = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
      Image.new('RGBA', (40, 30)).save(sys.argv[1], pnginfo=texts, exif=exif, icc_profile=profile)
      frames = [Image.new('P', (9, 7), n) for n in (0, 1)]
      frames[0].save(sys.argv[2], save_all=True, append_images=frames[1:], transparency=0)
      """
    try python(program, [folder.path("a.png"), folder.path("b.png")])
    let report = try FileInspector().inspect(folder.path("a.png"))
    let photo = try #require(report.photo), png = try #require(photo.png)
    #expect(report.kind == .png && report.warnings.isEmpty && photo.coding == "PNG")
    #expect(
      photo.codedSize == DisplaySize(width: 40, height: 30) && photo.displaySize == DisplaySize(width: 30, height: 40))
    #expect(photo.exif?.make == "Example" && photo.orientation == 6)
    #expect((png.bitDepth, png.colorType, png.isInterlaced) == (8, "RGB with alpha", false))
    #expect(png.colorChunks == ["iCCP"] && png.iccProfile == "sRGB built-in")
    #expect(png.texts.map(\.keyword) == ["Title", "Comment", "Software"])
    #expect(png.texts.map(\.text) == ["A title\nof two lines", "caf\u{e9}", nil])
    let second = try #require(try FileInspector().inspect(folder.path("b.png")).photo?.png)
    #expect(second.colorType == "palette" && second.hasTransparency && second.frames == 2)
  }

  @Test(.judged(by: .python)) func aPNGWhoseExifCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let program = """
      import sys
      from PIL import Image
      Image.new('L', (4, 3)).save(sys.argv[1], exif=b'MM\\0\\x2a\\xff\\xff\\xff\\xff')
      """
    try python(program, [folder.path("a.png")])
    let report = try FileInspector().inspect(folder.path("a.png"))
    #expect(report.photo?.codedSize == DisplaySize(width: 4, height: 3) && report.photo?.exif == nil)
    #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("Exif cannot be read: "))
  }

  @Test func aDamagedPNG() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], as: "a.png")
    #expect(throws: LivePhotoError.self) { try FileInspector().inspect(path) }
  }
}
