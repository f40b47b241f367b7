import LivePhotoCore
import LivePhotoHEIF
import TestSupport
import Testing

/// Pictures composed of what libheif 1.15.1 writes: independent coded items, each with its own properties.
@Suite(.judged(by: .python, .exiftool, .heifInfo)) struct ComposeTests {
  private let folder: TemporaryFolder
  private let tiled: HEIFFile
  private let tiledPath: String

  /// Encoded once for all tests.
  private static let tiledBytes = Result {
    let folder = try TemporaryFolder()
    return try readFile(try coded(in: folder, name: "tiled", tiles: 6, width: 96, height: 64).path)
  }

  init() throws {
    folder = try TemporaryFolder()
    let bytes = try Self.tiledBytes.get()
    tiledPath = try folder.write(bytes, as: "tiled.heic")
    tiled = try HEIFFile(parsing: MemorySource(bytes))
  }

  /// A file of `count` coded pictures by heif-enc, of noise that is smooth enough to show any misplaced tile.
  private static func coded(
    in folder: TemporaryFolder, name: String, tiles count: Int, width: Int, height: Int, bits: Int = 8
  )
    throws -> (path: String, file: HEIFFile)
  {
    let program = """
      import sys, numpy as np
      from PIL import Image
      n, w, h, bits, out = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
      for k in range(n):
          y, x = np.mgrid[0:h, 0:w]
          r = np.stack([(x * 2 + 30 * k) % 256, (y * 3 + 17 * k) % 256, (x + y + 40 * k) % 256], -1).astype(np.uint8)
          if bits == 8: Image.fromarray(r).save(f'{out}{k}.png')
          else: Image.fromarray((r[..., 0].astype(np.uint16) * 257)).save(f'{out}{k}.png')
      """
    try python(program, ["\(count)", "\(width)", "\(height)", "\(bits)", folder.path(name)])
    let path = folder.path("\(name).heic")
    let inputs = (0..<count).map { folder.path("\(name)\($0).png") }
    try runChecked("heif-enc", ["-q", "80", "-b", "\(bits)", "-p", "preset=ultrafast", "-o", path] + inputs)
    return (path, try HEIFFile(parsing: MemorySource(try readFile(path))))
  }

  private func compose(_ presentation: PicturePresentation, width: Int = 270, height: Int = 120) throws -> String {
    let layout = try #require(GridLayout(covering: width, height, tileWidth: 96, tileHeight: 64))
    #expect(layout == GridLayout(rows: 2, columns: 3, width: width, height: height))
    let builder = try HEIFBuilder(
      picture: tiled.items.map(\.id), of: tiled, layout: layout, presentation: presentation,
      exif: ExifDraft(width: width, height: height).makeBlock())
    return try folder.write(try builder.plan().materialized(), as: "composed.heic")
  }

  /// How far the picture of `path` is from the one put together from the coded pictures one by one, after the given
  /// steps in Python (`a` is the picture): the largest difference of a sample, and the size.
  private func difference(_ path: String, _ steps: String, width: Int = 270, height: Int = 120) throws -> [Int] {
    let program = """
      import sys, numpy as np, pillow_heif
      t = [np.asarray(i.to_pillow().convert('RGB')).astype(int) for i in pillow_heif.open_heif(sys.argv[1])]
      a = np.vstack([np.hstack(t[0:3]), np.hstack(t[3:6])])[:\(height), :\(width)]
      \(steps)
      f = pillow_heif.open_heif(sys.argv[2])
      assert len(f) == 1
      b = np.asarray(f[0].to_pillow().convert('RGB')).astype(int)
      print(*(b.shape[1], b.shape[0], abs(a - b).max()) if a.shape == b.shape else ('shapes', a.shape, b.shape))
      """
    let words = try python(program, [tiledPath, path]).text.split(whereSeparator: \.isWhitespace)
    return words.compactMap { Int($0) }
  }

  @Test func aNumberThatIsFreeIsGivenWhereTheLargestOfAllIsTaken() {
    var builder = HEIFBuilder()
    let first = builder.addItem("mime", contentType: "a/b", content: .bytes([1]))
    builder.groups = [3, .max].map { EntityGroup("altr", id: $0, members: [first]) }
    builder.addGroup("eqiv", of: [first])
    #expect(builder.groups.last?.id == 2)
    #expect(builder.addItem("mime", contentType: "a/b", content: .bytes([2])) == 4)
  }

  @Test func isAsCamerasWriteIt() throws {
    let path = try compose(PicturePresentation(color: .jfif))
    let bytes = try readFile(path)
    let file = try HEIFFile(parsing: MemorySource(bytes))
    #expect(file.brands == .init(major: "heic", compatible: ["mif1", "heic", "miaf"]))
    let primary = try #require(file.primaryItem)
    #expect(primary.type == "grid" && !primary.isHidden)
    let tiles = file.tiles(of: primary.id).compactMap { file.item($0) }
    #expect(tiles.count == 6 && tiles.allSatisfy { $0.isHidden && $0.type == "hvc1" })
    #expect(Set(tiles.map(\.associations)).count == 1, "the tiles share all properties")
    #expect(file.properties.map(\.type) == ["hvcC", "ispe", "pixi", "colr", "ispe"])
    for (tile, old) in zip(tiles, tiled.items) { #expect(try file.data(of: tile.id) == tiled.data(of: old.id)) }
    #expect(try file.exif() != nil)
    // Unedited, a composed file is itself; the order of boxes is the camera's.
    #expect(try file.plan(applying: HEIFEdit()).materialized() == bytes)
    let types = try metaChildren(bytes)
    #expect(types == ["hdlr", "dinf", "pitm", "iinf", "iref", "iprp", "idat", "iloc"])
  }

  @Test func isAcceptedByOthers() throws {
    let path = try compose(PicturePresentation(color: .jfif))
    #expect(try Judge.heifInfo.ask([path]).text.contains("image: 270x120 (id=7), primary"))
    #expect(try Judge.exiftool.ask(["-validate", "-a", "-s3", "-Validate", path]).text.contains("OK"))
    #expect(try difference(path, "") == [270, 120, 0])
    let png = folder.path("old.png")
    try Judge.heifConvert.ask([path, png])
    // libheif 1.15 interpolates chroma, so a little more than nothing is right.
    let old = try python("import sys; from PIL import Image; print(*Image.open(sys.argv[1]).size)", [png])
    #expect(old.text == "270 120\n")
    let streams = try python("import sys, av; print(len(av.open(sys.argv[1]).streams.video))", [path])
    #expect(streams.text == "6\n")
  }

  /// The newest FFmpeg puts the tiles together itself.
  @Test(.judged(by: .currentFFmpeg)) func isDecodedByFFmpeg() throws {
    let path = try compose(PicturePresentation(color: .jfif))
    let text = try Judge.currentFFmpeg.askAnything(["-hide_banner", "-i", path]).errorText
    #expect(text.contains("Tile Grid") && text.contains("270x120"))
    let decoded = try Judge.currentFFmpeg.ask(
      ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]
    ).output
    #expect(decoded.count == 270 * 120)
  }

  @Test(arguments: Orientation.allCases)
  func isTurned(_ orientation: Orientation) throws {
    let path = try compose(PicturePresentation(color: .jfif, orientation: orientation))
    // The names that Pillow gives to Exif's orientations.
    let steps: [Orientation: String] = [
      .up: "", .upMirrored: "a = a[:, ::-1]", .down: "a = a[::-1, ::-1]", .downMirrored: "a = a[::-1]",
      .leftMirrored: "a = a.transpose(1, 0, 2)", .right: "a = np.rot90(a, -1)",
      .rightMirrored: "a = a[::-1, ::-1].transpose(1, 0, 2)", .left: "a = np.rot90(a, 1)",
    ]
    let size = orientation.swapsAxes ? [120, 270] : [270, 120]
    #expect(try difference(path, steps[orientation] ?? "fail") == size + [0])
    let file = try HEIFFile(parsing: MemorySource(try readFile(path)))
    let primary = try #require(file.primaryItem).id
    #expect(file.orientation(of: primary) == orientation)
    #expect(file.displaySize(of: primary) ?? (0, 0) == (size[0], size[1]))
    #expect(file.item(primary)?.associations.filter(\.isEssential).count == file.transforms(of: primary).count)
  }

  @Test func isCropped() throws {
    let aperture = CleanAperture(
      width: .init(200), height: .init(100), horizontalOffset: .init(-15), verticalOffset: .init(4))
    let path = try compose(PicturePresentation(color: .jfif, cleanAperture: aperture, orientation: .right))
    #expect(try difference(path, "a = np.rot90(a[14:114, 20:220], -1)") == [100, 200, 0])
  }

  @Test func carriesColourAndProfile() throws {
    let profile = [UInt8](repeating: 7, count: 300)
    let color = ColorDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    let file = try HEIFFile(
      parsing: MemorySource(try readFile(try compose(PicturePresentation(color: color, iccProfile: profile)))))
    let primary = try #require(file.primaryItem).id
    #expect(file.colorDescription(of: primary) == color)
    #expect(file.iccProfile(of: primary) == profile)
    #expect(file.iccProfile(of: file.tiles(of: primary)[0]) == profile)
    #expect(file.properties.count { $0.type == "colr" } == 2)
  }

  @Test func isOneItemWithoutALayout() throws {
    let presentation = PicturePresentation(color: .jfif, orientation: .left)
    let builder = try HEIFBuilder(picture: [tiled.items[4].id], of: tiled, layout: nil, presentation: presentation)
    let path = try folder.write(try builder.plan().materialized(), as: "single.heic")
    #expect(try Judge.heifInfo.ask([path]).text.contains("image: 64x96 (id=1), primary"))
    #expect(try difference(path, "a = np.rot90(t[4], 1)") == [64, 96, 0])
  }

  @Test func namesMoreThanMainHEIX() throws {
    let (path, coded) = try Self.coded(in: folder, name: "deep", tiles: 2, width: 64, height: 64, bits: 10)
    let builder = try HEIFBuilder(
      picture: coded.items.map(\.id), of: coded, layout: GridLayout(rows: 1, columns: 2, width: 128, height: 64),
      presentation: PicturePresentation(color: .jfif))
    let composed = try folder.write(try builder.plan().materialized(), as: "deep-grid.heic")
    let file = try HEIFFile(parsing: MemorySource(try readFile(composed)))
    #expect(file.brands?.major == "heix")
    #expect(file.primaryItem.flatMap { file.bitsPerChannel(of: $0.id) }?.first == 10)
    let program = """
      import sys, numpy as np, pillow_heif
      a = [np.asarray(i) for i in pillow_heif.open_heif(sys.argv[1], convert_hdr_to_8bit=False)]
      b = np.asarray(pillow_heif.open_heif(sys.argv[2], convert_hdr_to_8bit=False)[0])
      print(b.dtype, (np.hstack(a) == b).all())
      """
    #expect(try python(program, [path, composed]).text == "uint16 True\n")
  }

  @Test func refusesWhatDoesNotFit() throws {
    let (_, other) = try Self.coded(in: folder, name: "other", tiles: 1, width: 64, height: 64)
    var builder = HEIFBuilder()
    #expect(throws: HEIFBuildError.noPrimaryItem) { try builder.plan() }
    builder.primaryItem = try builder.copyItem(other.items[0].id, from: other)
    builder.addReference("thmb", from: 1, to: [9])
    #expect(throws: HEIFBuildError.missingItem(9)) { try builder.plan() }
    #expect(throws: ParseError.self) {
      try HEIFBuilder(
        picture: [tiled.items[0].id], of: tiled, layout: GridLayout(rows: 1, columns: 2, width: 90, height: 60),
        presentation: PicturePresentation())
    }
  }
}

@Suite struct CopyTests {
  @Test(.needsCorpus, arguments: corpusPictures)
  func keepsTheGraph(_ path: String) throws {
    try expectSameGraph(try HEIFFile(parsing: MemorySource(try Corpus.bytes(path))))
  }

  @Test func widensIDs() throws {
    let form = SyntheticFile(ilocVersion: 2, infeVersion: 3, irefVersion: 1, firstID: 70_000)
    try expectSameGraph(try HEIFFile(parsing: MemorySource(form.bytes)))
    let plain = SyntheticFile(firstID: 65_532)
    var builder = try HEIFBuilder(copying: try HEIFFile(parsing: MemorySource(plain.bytes)))
    let added = builder.addXMP([1, 2, 3], describing: plain.gridID)
    #expect(added == 65_536)
    let file = try HEIFFile(parsing: MemorySource(try builder.plan().materialized()))
    #expect(try file.data(of: added) == [1, 2, 3])
    #expect(file.xmpItem()?.id == added)
    for (id, content) in plain.contents { #expect(try file.data(of: id) == content) }
  }

  private func expectSameGraph(_ file: HEIFFile) throws {
    let copy = try HEIFFile(parsing: MemorySource(try HEIFBuilder(copying: file).plan().materialized()))
    #expect(copy.primaryItem?.id == file.primaryItem?.id)
    #expect(copy.references == file.references)
    #expect(copy.groups == file.groups)
    #expect(copy.items.map(\.id) == file.items.map(\.id))
    for item in file.items {
      #expect(copy.properties(of: item.id) == file.properties(of: item.id))
      #expect(copy.item(item.id)?.associations.map(\.isEssential) == item.associations.map(\.isEssential))
      #expect(try copy.data(of: item.id) == file.data(of: item.id))
      #expect(copy.item(item.id)?.type == item.type && copy.item(item.id)?.isHidden == item.isHidden)
    }
  }
}

/// The types of the boxes in `meta`.
private func metaChildren(_ bytes: [UInt8]) throws -> [String] {
  let source = MemorySource(bytes)
  let meta = try #require(try TopLevelBoxes(of: source).first("meta")).payload
  return try TopLevelBoxes(of: SubSource(source, range: meta.lowerBound + 4..<meta.upperBound)).boxes.map(
    \.type.description)
}
