#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import TestSupport
  import Testing

  /// Every HEIF file of the corpus beside what other decoders make of it.
  @Suite("HEIC decoder and real files", .needsCorpus, .judged(by: .python, .currentFFmpeg, .heifConvert))
  struct CorpusTests {
    static let folders = ["01-livephotos", "02-heif", "04-motionphotos"]
    static let paths = folders.flatMap { Corpus.files(in: $0, extensions: ["heic", "heif", "avif"]) }

    /// What cannot be decoded here although another decoder does, and how the refusal names it.
    static let refusals = [
      "02-heif/conf_multilayer004.heic": "coded as H.264 ('avc1'), which libheif",
      "02-heif/jpeg_item_32.heif": "coded as JPEG ('jpeg'), which libheif",
      "02-heif/unci32.heif": "coded as uncompressed samples ('unci'), which libheif",
      // A file of a few bytes.
      "02-heif/exiftool_min_mif1.heic": "byte 4: needs",
    ]

    /// What is no picture here, and how that is named.
    static let noPictures = [
      "02-heif/libheif_seq_seed.heif": "an image sequence without a still picture is not supported",
      // A PNG of the wrong name.
      Corpus.path("01-livephotos/tool_app", "34.HEIC"): "0x0D0A1A0A at byte 0",
    ]

    @Test("decodes what any other decoder does: FFmpeg's planes bit for bit, pillow-heif's RGB within one level")
    func everyFile() throws {
      let folder = try TemporaryFolder()
      let files: [(path: String, file: HEIFFile?)] = try Self.paths.map { path in
        let source = MemorySource(try Corpus.bytes(path))
        do throws(ParseError) { return (path: path, file: try HEIFFile(parsing: source)) } catch {
          #expect(error.description.contains(Self.noPictures[path] ?? "?"), "\(path): \(error)")
          return (path: path, file: nil)
        }
      }
      let judged = try JudgedFile.all(files, in: folder)
      for (path, file) in files {
        let judgement = judged[path] ?? JudgedFile()
        do {
          guard let file else {
            #expect(try !judgement.isDecoded(path), "\(path) is no HEIF file here")
            continue
          }
          try compare(file, path: path, with: judgement)
        } catch {
          let refusal = (error as? HEICError)?.description ?? ""
          let expected = Self.refusals[path] ?? "nothing: the file is decoded"
          #expect(refusal.contains(expected), "\(path): \(error)")
        }
      }
      #expect(judged.values.map(\.planes.count).reduce(0, +) > 120, "FFmpeg has decoded too little")
      #expect(judged.values.filter { $0.pixels != nil }.count > 55, "pillow-heif has decoded too little")
    }

    private func compare(_ file: HEIFFile, path: String, with judgement: JudgedFile) throws {
      let decoder = HEICDecoder(threads: .allCores)
      let picture = try decoder.decode(file)
      for (id, expected) in judgement.planes {
        var image = id == file.primaryItem?.id ? picture.image : try decoder.decode(file, item: id).image
        if file.item(id)?.type == "grid" {
          // FFmpeg turns grids, and only these, whatever it is told, and leaves out the last of an odd number of rows.
          image = image.turned(file.orientation(of: id))
          image = image.cropped(x: 0, y: 0, width: expected.width, height: expected.height)
        }
        let checksum = CRC32.checksum(rawVideo(image).span)
        #expect(
          checksum == expected.checksum,
          "\(path), item \(id): \(image.width)x\(image.height), FFmpeg \(expected.width)x\(expected.height)")
      }
      // pillow-heif passes over a primary picture that is a thumbnail, and one that is predicted from another.
      guard let pixels = judgement.pixels, let primary = file.primaryItem?.id,
        file.targets(of: "thmb", from: primary).isEmpty, file.targets(of: "pred", from: primary).isEmpty
      else { return }
      let raster = try decoder.decodeRaster(file).raster
      let isSame = raster == picture.image.raster()
      #expect(isSame, "\(path): \(picture.image.color)")
      let shown = picture.transforms.reduce(raster) { $1.applied(to: $0) }
      let difference = try #require(
        try pixels.largestDifference(from: shown),
        "\(path): \(shown.width)x\(shown.height), pillow-heif \(pixels.width)x\(pixels.height)")
      // Of more than 8 bits in limited range, libheif is itself up to 1.5 levels off the exact value.
      let isWideLimited = shown.bitDepth > 8 && !picture.image.color.isFullRange
      #expect(difference <= (isWideLimited ? 2 : 1), "\(path)")
    }
  }
#endif
