#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoHEIF
  import TestSupport
  import Testing

  /// What accompanies a picture of a HEIF file, and goes along to a new HEIC as it is coded.
  @Suite("Carried companions") struct CarriedCompanionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func encode(_ source: String, as format: StillFormat = .heic(), to name: String = "out.heic") throws
      -> EncodedReport
    {
      var encoder = PictureEncoder(threads: .allCores)
      encoder.preset = .ultrafast
      return try encoder.encode(source, as: format, to: folder.path(name))
    }

    private func file(_ path: String) throws -> HEIFFile { try HEIFFile(parsing: MemorySource(try readFile(path))) }

    /// All that an auxiliary picture is: how it is put together, its properties, the bytes of it and what describes it.
    private func content(of id: HEIFItem.ID, in file: HEIFFile) throws -> [[UInt8]] {
      try ([id] + file.tiles(of: id)).map { try file.data(of: $0) }
        + [Array("\(file.properties(of: id)) \(file.item(id)?.isHidden ?? false)".utf8)]
        + [try file.xmpItem(of: id).map { try file.data(of: $0.id) } ?? []]
    }

    @Test(
      "Every auxiliary picture is there byte for byte, with its tiles, properties and XMP", .needsCorpus,
      .judged(by: .python, .exiftool, .heifInfo),
      arguments: [
        Corpus.path("01-livephotos/iphone13pro", ".HEIC"), "02-heif/iphone13pro_portrait_pug.heic",
        Corpus.path("02-heif/iphone16style", ".HEIC"), "02-heif/libheif_with_alpha.heic",
        "02-heif/libheif_alpha_thumb.heic",
      ])
    func asCoded(path: String) throws {
      let source = Corpus.file(path)
      #expect(try encode(source).warnings == [])
      let before = try file(source), after = try file(folder.path("out.heic"))
      let old = try #require(before.primaryItem).id, new = try #require(after.primaryItem).id
      let images = before.auxiliaryImages(of: old), copies = after.auxiliaryImages(of: new)
      #expect(images.map(\.urn) == copies.map(\.urn) && !images.isEmpty)
      for (image, copy) in zip(images, copies) {
        #expect(try content(of: image.item.id, in: before) == content(of: copy.item.id, in: after), "\(image.urn)")
      }
      #expect(
        try before.thumbnails(of: old).map { try before.data(of: $0.id) }
          == after.thumbnails(of: new).map { try after.data(of: $0.id) })
      #expect(
        before.properties(of: old).filter { $0.type == "clli" }
          == after.properties(of: new).filter { $0.type == "clli" })
      #expect(
        before.sources(of: "cdsc", to: old).count { before.item($0)?.type == "uri " }
          == after.items.count { $0.type == "uri " })
      let toneMaps = before.toneMappedImages(of: old), newMaps = after.toneMappedImages(of: new)
      #expect(try toneMaps.map { try before.data(of: $0.id) } == newMaps.map { try after.data(of: $0.id) })
      for (map, copy) in zip(toneMaps, newMaps) {
        #expect(before.properties(of: map.id) == after.properties(of: copy.id))
        #expect(after.tiles(of: copy.id) == [new] + copies.filter { $0.kind == .gainMap }.map(\.item.id))
        #expect(after.groups.contains { $0.type == "altr" && $0.members == [copy.id, new] })
      }
      try expectSameToOthers(source, folder.path("out.heic"))
    }

    /// Auxiliary pictures, depth maps, alpha and thumbnails as pillow-heif decodes them; libheif 1.15 opens the file, and
    /// exiftool has nothing to say that it did not say of the source.
    private func expectSameToOthers(_ before: String, _ after: String) throws {
      let program = """
        import sys, hashlib, numpy as np, pillow_heif
        def look(path):
            f = pillow_heif.open_heif(path, convert_hdr_to_8bit=False); i = f[f.primary_index]
            md5 = lambda b: hashlib.md5(bytes(b)).hexdigest()
            def one(k):
                try: return md5(i.get_aux_image(k).data)
                except Exception as e: return type(e).__name__  # of more than one channel
            aux = {urn: [one(k) for k in ids] for urn, ids in i.info.get('aux', {}).items()}
            alpha = md5(np.asarray(i)[..., 3].tobytes()) if 'A' in i.mode else ''
            return i.mode, i.size, aux, [md5(d.data) for d in i.info.get('depth_images', [])], alpha, i.info.get('thumbnails')
        try: x = look(sys.argv[1])
        except ValueError: x = None  # one file is cut off behind its pictures
        y = look(sys.argv[2])
        print(x is None or x == y, x, y)
        """
      let result = try python(program, [before, after]).text
      #expect(result.hasPrefix("True"), "\(result)")
      try Judge.heifInfo.ask([after])
      let arguments = ["-validate", "-a", "-s3", "-Warning", "-Error"]
      let known = Set(try Judge.exiftool.askAnything(arguments + [before]).lines)
      let faults = try Judge.exiftool.askAnything(arguments + [after]).lines.filter {
        $0 != "OK" && !$0.contains("minor") && !known.contains($0)
      }
      #expect(faults == [])
    }

    @Test("JPEG has no room for them, and each is named", .needsCorpus)
    func lostInJPEG() throws {
      let report = try encode(
        Corpus.file("02-heif/iphone13pro_portrait_pug.heic"), as: .jpeg(), to: "out.jpg")
      for words in ["its depth map was left out", "its gain map was left out"] {
        #expect(report.warnings.contains { $0.hasSuffix(words) }, "\(report.warnings)")
      }
    }

    @Test(
      "A companion that HEVC does not code is left out by name, and so are the other pictures of a file", .needsCorpus)
    func lostInHEIC() throws {
      var builder = try HEIFBuilder(copying: file(Corpus.file("02-heif/libheif_with_alpha.heic")))
      let primary = try #require(builder.primaryItem)
      let map = builder.addItem("av01", isHidden: true, content: .bytes([1, 2, 3]))
      builder.addProperty(.spatialExtents(width: 16, height: 16), to: map)
      builder.addProperty(.auxiliaryType("urn:com:apple:photo:2020:aux:hdrgainmap", subtype: []), to: map)
      builder.addReference("auxl", from: map, to: [primary])
      let other = try builder.copyItem(primary, from: file(Corpus.file("02-heif/libheif_with_alpha.heic")))
      #expect(builder.properties(of: other).isEmpty == false)
      let path = try folder.write(builder.plan().materialized(), as: "in.heic")
      let report = try encode(path)
      #expect(
        report.warnings.map { $0.dropFirst(path.count + 2) } == [
          "its gain map, coded as AV1, was left out", "its other picture was left out",
        ])
      let after = try file(folder.path("out.heic"))
      #expect(after.auxiliaryImages(of: try #require(after.primaryItem).id).map(\.kind) == [.alpha])
    }
  }
#endif
