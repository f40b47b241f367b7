#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("Companions of a picture")
  struct CompanionTests {
    static let color = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)
    static let encoder = HEICEncoder(preset: .ultrafast, tiles: .side(128), threads: .count(2))

    static func picture(_ width: Int, _ height: Int, _ format: PixelFormat = PixelFormat(.yuv420)) -> PlanarImage {
      PlanarImage.synthetic(width: width, height: height, format: format, color: color)
    }

    static func opacity(_ width: Int, _ height: Int, bitDepth: Int = 8) -> PlanarImage {
      PlanarImage.synthetic(width: width, height: height, format: PixelFormat(.yuv400, bitDepth: bitDepth), seed: 9)
    }

    /// One sample, odd and even sides below a coding tree unit, around a tile of 128, and around the standard 512.
    static let sizes: [(Int, Int, HEICTiles)] = [
      (1, 1, .standard), (2, 3, .standard), (64, 64, .standard), (63, 70, .standard), (129, 127, .side(128)),
      (257, 131, .side(128)), (511, 512, .standard), (513, 511, .standard), (512, 513, .none),
    ]

    /// All that exiftool says when it validates a file.
    private func validation(_ path: String) throws -> Set<String> {
      Set(try Judge.exiftool.ask(["-validate", "-warning", "-error", "-a", "-s3", path]).lines)
    }

    @Test(
      "alpha is shown by pillow-heif, heif-info and FFmpeg at every size, and is valid to exiftool",
      .judged(by: .python, .heifInfo, .exiftool, .currentFFmpeg))
    func alpha() throws {
      let folder = try TemporaryFolder()
      var planes: [(name: String, samples: [UInt8])] = []
      for (width, height, tiles) in Self.sizes {
        var encoder = Self.encoder
        encoder.tiles = tiles
        let name = "\(width)x\(height).heic"
        let opacity = Self.opacity(width, height)
        let bytes = try encoder.encode(Self.picture(width, height), companions: [.alpha(opacity)]).materialized()
        let path = try folder.write(bytes, as: name)
        let file = try HEIFFile(parsing: MemorySource(bytes))
        let primary = try #require(file.primaryItem)
        let alpha = try #require(file.auxiliaryImages(of: primary.id).first)
        #expect(alpha.kind == .alpha && alpha.item.isHidden, "\(name)")
        #expect(file.colorDescription(of: alpha.item.id) == ColorDescription(isFullRange: true), "\(name)")
        #expect(file.bitsPerChannel(of: alpha.item.id) == [8], "\(name)")
        #expect(file.brands?.major == "heic", "\(name)")
        let plane = try HEICDecoder().decode(file, item: alpha.item.id).image
        #expect((plane.width, plane.height, plane.format) == (width, height, PixelFormat(.yuv400)), "\(name)")
        #expect(psnr(opacity, plane) > 33, "\(name)")
        planes.append((name, rawVideo(plane)))
        #expect(try Judge.heifInfo.ask([path]).text.contains("alpha channel: yes"), "\(name)")
        #expect(try validation(path) == ["OK"], "\(name)")
        let format = try Judge.currentFFmpeg.askAnything(["-hide_banner", "-i", path]).errorText
        #expect(format.contains("hevc (Main Still Picture)") && format.contains("gray(pc)"), "\(format)")
      }
      let program = """
        import sys, pillow_heif
        from PIL import Image
        pillow_heif.register_heif_opener()
        for path in sys.argv[1:]:
            image = Image.open(path)
            open(path + '.alpha', 'wb').write(image.getchannel('A').tobytes())
            print(image.mode, image.width, image.height)
        """
      let lines = try python(program, planes.map { folder.path($0.name) }).lines
      #expect(lines == Self.sizes.map { "RGBA \($0.0) \($0.1)" })
      for (name, samples) in planes {
        let isSame = try readFile(folder.path(name + ".alpha")) == samples
        #expect(isSame, "\(name)")
      }
    }

    @Test("alpha turns and is cropped with its picture, and can be premultiplied", .judged(by: .python))
    func shownAlpha() throws {
      let folder = try TemporaryFolder()
      let (width, height) = (96, 64)
      // Opaque in the upper left quarter only, so that each turn shows.
      var opacity = PlanarImage(width: width, height: height, format: PixelFormat(.yuv400))
      let samples = (0..<width * height).map { ($0 / width < height / 2 && $0 % width < width / 2) ? 255 : 0 as UInt8 }
      opacity.planes[0] = Plane(width: width, height: height, samples: .bytes(samples))
      let upright = try #require(Self.picture(width, height).raster())
      var corners: [String] = []
      for orientation in Orientation.allCases {
        let bytes = try Self.encoder.encode(
          Self.picture(width, height), orientation: orientation,
          companions: [.alpha(opacity, isPremultiplied: true)]
        ).materialized()
        _ = try folder.write(bytes, as: "\(orientation).heic")
        let file = try HEIFFile(parsing: MemorySource(bytes))
        let primary = try #require(file.primaryItem?.id), alpha = try #require(file.auxiliaryImages(of: primary).first)
        #expect(file.targets(of: "prem", from: primary) == [alpha.item.id])
        #expect(file.transforms(of: alpha.item.id) == file.transforms(of: primary))
        let mask = try #require(upright.withAlpha(opacity.planes[0], bitDepth: 8)).turned(orientation)
        let (right, lower) = (mask.width - 9, mask.height - 9)
        let levels = [(8, 8), (right, 8), (8, lower), (right, lower)].map { mask[$0.0, $0.1, 3] > 127 ? "1" : "0" }
        corners.append("RGBa \(mask.width)x\(mask.height) " + levels.joined())
      }
      let program = """
        import sys, pillow_heif
        from PIL import Image
        pillow_heif.register_heif_opener()
        for path in sys.argv[1:]:
            image = Image.open(path)
            # Mode RGBa is premultiplied, RGBA is not.
            a = image.getchannel(3)
            w, h = a.size
            at = [(8, 8), (w - 9, 8), (8, h - 9), (w - 9, h - 9)]
            print('%s %dx%d %s' % (image.mode, w, h, ''.join('1' if a.getpixel(p) > 127 else '0' for p in at)))
        """
      #expect(try python(program, Orientation.allCases.map { folder.path("\($0).heic") }).lines == corners)

      let middle = CleanAperture(
        width: .init(64), height: .init(48), horizontalOffset: .init(0), verticalOffset: .init(0))
      let bytes = try Self.encoder.encode(
        Self.picture(width, height), cleanAperture: middle, companions: [.alpha(opacity)]
      ).materialized()
      let path = try folder.write(bytes, as: "cropped.heic")
      #expect(try python(program, [path]).lines == ["RGBA 64x48 1000"])
    }

    @Test(
      "gain map, depth map, any other auxiliary picture and a thumbnail are found by others",
      .judged(by: .python, .heifInfo, .exiftool))
    func auxiliaries() throws {
      let xmp = Array(
        """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
        xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
        xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' HDRGainMap:HDRGainMapVersion='131072' \
        HDRGainMap:HDRGainMapHeadroom='4.5'/></rdf:RDF></x:xmpmeta><?xpacket end='w'?>
        """.utf8)
      let gain = Self.opacity(150, 140), depth = Self.opacity(80, 66), small = Self.picture(75, 70)
      let matte = "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
      let bytes = try Self.encoder.encode(
        Self.picture(300, 280), orientation: .right,
        companions: [
          .gainMap(gain, xmp: xmp), .depth(depth), .init(depth, role: .auxiliary(urn: matte)), .thumbnail(small),
        ]
      ).materialized()
      let file = try HEIFFile(parsing: MemorySource(bytes))
      let primary = try #require(file.primaryItem?.id)
      let auxiliaries = file.auxiliaryImages(of: primary)
      #expect(auxiliaries.map(\.kind) == [.gainMap, .depth, .matte("portraiteffectsmatte")])
      #expect(auxiliaries.map(\.item.type) == ["grid", "hvc1", "hvc1"])
      #expect(auxiliaries.allSatisfy { $0.item.isHidden && file.orientation(of: $0.item.id) == .right })
      let map = try #require(auxiliaries.first?.item.id)
      #expect(try file.xmpItem(of: map).map { try file.data(of: $0.id) } == xmp)
      #expect(file.xmpItem(of: primary) == nil)
      let thumbnail = try #require(file.thumbnails(of: primary).first)
      #expect(file.codedSize(of: thumbnail.id).map { [$0.width, $0.height] } == [75, 70])
      #expect(!thumbnail.isHidden && file.orientation(of: thumbnail.id) == .right)
      for (id, source) in [(map, gain), (auxiliaries[1].item.id, depth), (thumbnail.id, small)] {
        #expect(psnr(source, try HEICDecoder().decode(file, item: id).image) > 33, "item \(id)")
      }

      let folder = try TemporaryFolder()
      let path = try folder.write(bytes, as: "a.heic")
      let info = try Judge.heifInfo.ask([path]).text
      #expect(info.contains("thumbnail: ") && info.contains("depth channel: yes"), "\(info)")
      // It takes a second box of one reference type for a duplicate, in camera files too.
      let remarks = try validation(path)
      #expect(
        remarks.isSubset(of: ["OK", "1 Warning", "Duplicate tag 'auxl' at MOV-Meta-ItemReference"]), "\(remarks)")
      let said = try tags(of: path)
      #expect(said.contains { $0.key.hasSuffix("HDRGainMapHeadroom") && $0.value == "4.5" }, "\(said)")
      let program = """
        import sys, pillow_heif
        image = pillow_heif.open_heif(sys.argv[1])
        print(sorted((urn, len(ids)) for urn, ids in image.info['aux'].items()))
        print(image.info['thumbnails'], [d.size for d in image.info['depth_images']])
        """
      let lines = try python(program, [path]).lines
      #expect(lines.count == 2 && lines[0].contains("hdrgainmap', 1") && lines[0].contains("matte', 1"), "\(lines)")
    }

    @Test("deep, grey and colourful pictures have alpha too", arguments: [8, 10, 12])
    func formats(depth: Int) throws {
      for chroma in [ChromaFormat.yuv400, .yuv420, .yuv422, .yuv444] {
        let opacity = Self.opacity(130, 65, bitDepth: depth)
        let bytes = try Self.encoder.encode(
          Self.picture(130, 65, PixelFormat(chroma, bitDepth: depth)), companions: [.alpha(opacity)]
        ).materialized()
        let file = try HEIFFile(parsing: MemorySource(bytes))
        let alpha = try #require(file.primaryItem.flatMap { file.auxiliaryImages(of: $0.id).first })
        #expect(psnr(opacity, try HEICDecoder().decode(file, item: alpha.item.id).image) > 33)
        #expect(file.brands?.major == (chroma == .yuv420 && depth == 8 ? "heic" : "heix"))
      }
    }

    @Test("an ICC profile is that of the picture and its thumbnail, not of alpha")
    func profile() throws {
      let profile = [UInt8](repeating: 3, count: 130)
      let bytes = try Self.encoder.encode(
        Self.picture(64, 64), icc: profile,
        companions: [.alpha(Self.opacity(64, 64)), .thumbnail(Self.picture(32, 32))]
      ).materialized()
      let file = try HEIFFile(parsing: MemorySource(bytes))
      let primary = try #require(file.primaryItem?.id), thumbnail = try #require(file.thumbnails(of: primary).first)
      let alpha = try #require(file.auxiliaryImages(of: primary).first)
      #expect([primary, thumbnail.id, alpha.item.id].map { file.iccProfile(of: $0) } == [profile, profile, nil])
    }

    @Test("bytes with companions do not depend on the number of threads")
    func determinism() throws {
      let companions = [HEICCompanion.alpha(Self.opacity(300, 200)), .thumbnail(Self.picture(75, 50))]
      let files = try [1, 2, 3].map { threads in
        var encoder = Self.encoder
        encoder.threads = .count(threads)
        return try encoder.encode(Self.picture(300, 200), companions: companions).materialized()
      }
      let isSame = files.allSatisfy { $0 == files[0] }
      #expect(isSame)
    }

    @Test("companions that the standard does not allow are refused")
    func refusals() throws {
      let picture = Self.picture(64, 64)
      let bad: [HEICCompanion] = [
        .alpha(Self.opacity(64, 65)), .alpha(picture),
        .init(Self.opacity(64, 64), role: .alpha(isPremultiplied: false)),
        .init(Self.opacity(64, 64), role: .auxiliary(urn: "")),
        .init(Self.opacity(64, 64), role: .auxiliary(urn: "urn:a\0b")),
        .thumbnail(PlanarImage(width: 0, height: 0, format: PixelFormat(.yuv420))),
      ]
      for (index, companion) in bad.enumerated() {
        let text = ownError { _ = try Self.encoder.encode(picture, companions: [companion]) }
        #expect(text?.contains("not supported") == true, "companion \(index)")
      }
    }
  }
#endif
