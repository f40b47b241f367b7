#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  @Suite("HEIC decoder")
  struct DecoderTests {
    /// Single pictures and grids of many writers, 8 and 10 bit, that FFmpeg neither crops nor turns.
    @Test(
      "gives FFmpeg's samples, bit for bit", .needsCorpus, .judged(by: .currentFFmpeg),
      arguments: [
        "02-heif/android_sample_still.heic", "02-heif/apple_sips_6tiles.heic", "02-heif/canon_r8_hdr_pq.heic",
        "02-heif/conf_C005.heic", "02-heif/conf_C015.heic", "02-heif/conf_C052.heic", "02-heif/conf_MIAF002.heic",
        "02-heif/libheif_exif_xmp_iptc.heic", "02-heif/libheif_with_alpha.heic", "02-heif/nokia_cheers_headonly.heic",
        "02-heif/samsung_s25ultra_tmap.heic", "02-heif/xiaomi_M2012K11AG.heic", "02-heif/iphone13pro_portrait_pug.heic",
        Corpus.path("01-livephotos/iphone15plus", ".HEIC"),
      ])
    func exact(path: String) throws {
      let expected = try Judge.currentFFmpeg.ask(
        ["-v", "error", "-noautorotate", "-i", Corpus.file(path), "-frames:v", "1", "-f", "rawvideo", "-"]
      ).output
      let bytes = try Corpus.bytes(path)
      for threads in [1, 3] {
        let samples = rawVideo(try decoded(bytes, threads: .count(threads)).image)
        let isSame = samples == expected
        #expect(isSame, "\(samples.count) and \(expected.count) bytes, \(threads) threads")
      }
    }

    @Test("gives the same picture for an item of any kind", .needsCorpus)
    func otherItems() throws {
      let file = try HEIFFile(parsing: MemorySource(Corpus.bytes(Corpus.path("01-livephotos/iphone15plus", ".HEIC"))))
      let primary = try #require(file.primaryItem)
      let decoder = HEICDecoder(threads: .allCores)
      let thumbnail = try #require(file.thumbnails(of: primary.id).first)
      let small = try decoder.decode(file, item: thumbnail.id).image
      #expect((small.width, small.height) == (416, 312))
      let gainMap = try #require(file.auxiliaryImages(of: primary.id).first { $0.kind == .gainMap })
      let map = try decoder.decode(file, item: gainMap.item.id).image
      #expect((map.width, map.height) == (2856, 2142))
      #expect(map.format == PixelFormat(.yuv400))
    }

    @Test(
      "reports a turn that the primary item asks for", .needsCorpus,
      arguments: [
        ("02-heif/iphone15pro.heic", Orientation.right), ("02-heif/iphone13pro_portrait_pug.heic", .up),
      ])
    func orientation(path: String, orientation: Orientation) throws {
      #expect(try decoded(Corpus.bytes(path)).orientation == orientation)
    }

    @Test("shows an identity item as its source is shown", .needsCorpus)
    func identity() throws {
      let picture = try decoded(Corpus.bytes("02-heif/conf_C039.heic"))
      #expect((picture.image.width, picture.image.height) == (1280, 720))
      #expect(!picture.transforms.isEmpty)
    }

    @Test("gives the same samples band by band", arguments: [Threads.count(1), .count(3)])
    func bands(threads: Threads) throws {
      let image = PlanarImage.synthetic(width: 200, height: 130, format: PixelFormat(.yuv420, bitDepth: 10))
      for tiles in [HEICTiles.side(64), .none] {
        let file = try HEIFFile(
          parsing: MemorySource(HEICEncoder(preset: .ultrafast, tiles: tiles).encode(image).materialized()))
        let decoder = HEICDecoder(threads: threads)
        let whole = try decoder.decode(file)
        var bands = try decoder.bands(of: file)
        #expect((bands.width, bands.height) == (200, 130))
        #expect(bands.transforms == whole.transforms && bands.icc == whole.icc)
        var starts: [Int] = []
        var samples = Array(repeating: [UInt16](), count: 3)
        while let band = try bands.next() {
          starts.append(band.y)
          #expect(band.image.color == whole.image.color && band.image.format == whole.image.format)
          for (index, plane) in band.image.planes.enumerated() { samples[index] += plane.packedSamples }
        }
        #expect(starts == (tiles == .none ? [0] : [0, 64, 128]))
        let isSame = samples == whole.image.planes.map(\.packedSamples)
        #expect(isSame)
      }
    }

    @Test("gives the pixels of the planes, whole and band by band", arguments: ChromaFormat.allCases, [8, 10])
    func rasters(chroma: ChromaFormat, bitDepth: Int) throws {
      let image = PlanarImage.synthetic(
        width: 201, height: 131, format: PixelFormat(chroma, bitDepth: bitDepth),
        color: ColorDescription(matrix: 1, isFullRange: bitDepth == 8))
      for tiles in [HEICTiles.side(64), .none] {
        let file = try HEIFFile(
          parsing: MemorySource(HEICEncoder(preset: .ultrafast, tiles: tiles).encode(image).materialized()))
        let picture = try HEICDecoder().decode(file)
        let expected = try #require(picture.image.raster())
        for threads in [Threads.count(1), .count(3)] {
          let decoder = HEICDecoder(threads: threads)
          let whole = try decoder.decodeRaster(file)
          let isSame = whole.raster == expected
          #expect(isSame && whole.color == picture.image.color)
          #expect(whole.transforms == picture.transforms && whole.icc == picture.icc)
          var bands = try decoder.bands(of: file)
          while let band = try bands.nextRaster() {
            let rows = band.y..<band.y + band.raster.height
            let isPart = band.raster == expected.cropped(columns: 0..<201, rows: rows)
            #expect(isPart, "\(rows)")
          }
        }
      }
    }

    @Test("refuses the pixels of planes that it cannot convert, and of damaged tiles")
    func noRaster() throws {
      let odd = PlanarImage.synthetic(
        width: 200, height: 130, format: PixelFormat(.yuv420), color: ColorDescription(matrix: 8))
      for tiles in [HEICTiles.side(64), .none] {
        let file = try HEIFFile(
          parsing: MemorySource(HEICEncoder(preset: .ultrafast, tiles: tiles).encode(odd).materialized()))
        #expect(ownError { _ = try HEICDecoder().decodeRaster(file) }?.contains("colour matrix 8") == true)
      }
      let damaged = try HEIFFile(parsing: MemorySource(Array(Self.grid().dropLast(40))))
      #expect(ownError { _ = try HEICDecoder(threads: .count(2)).decodeRaster(damaged) } != nil)
    }

    /// The grid has three rows of tiles.
    @Test("gives no more bands after a damaged tile", arguments: 0..<3)
    func damagedBands(row: Int) throws {
      var bytes = try Self.grid()
      let whole = try HEIFFile(parsing: MemorySource(bytes))
      let tiles = whole.tiles(of: try #require(whole.primaryItem).id)
      let tile = try #require(whole.ranges(of: tiles[row * 4 + 1]).first)
      bytes.replaceSubrange(tile, with: repeatElement(0, count: tile.count))
      let decoder = HEICDecoder(threads: .count(2)), file = try HEIFFile(parsing: MemorySource(bytes))
      var bands = try decoder.bands(of: file), rasters = try decoder.bands(of: file)
      for _ in 0..<row {
        let (band, raster) = (try bands.next(), try rasters.nextRaster())
        #expect(band != nil && raster?.y == band?.y)
      }
      #expect(ownError { _ = try bands.next() } != nil)
      #expect(ownError { _ = try rasters.nextRaster() } != nil)
      let (more, moreRasters) = (try bands.next(), try rasters.nextRaster())
      #expect(more == nil && moreRasters == nil)
    }

    @Test("decodes a picture after the one that it is predicted from, and refuses it without")
    func predicted() throws {
      let format = PixelFormat(.yuv420)
      let scene = PlanarImage.synthetic(width: 160, height: 120, format: format)
      let frames = [0, 24].map { scene.cropped(x: $0, y: $0, width: 128, height: 96) }
      var session = try HEVCEncoder(rateFactor: 20).session(
        width: 128, height: 96, format: format, rate: (30, 1), bPictures: 0)
      var units: [HEVCAccessUnit] = []
      for (index, frame) in frames.enumerated() { units += try session.encode(frame, at: Int64(index)) }
      units += try session.finish()
      let configuration = try session.configuration().bytes
      var builder = HEIFBuilder()
      let items = units.map { unit in
        builder.addHEVCImage(unit.bytes, configuration: configuration, width: 128, height: 96)
      }
      #expect(units.count == 2 && !units[1].isIDR)
      builder.primaryItem = items[1]
      let alone = try builder.plan().materialized()
      #expect(ownError { _ = try decoded(alone) }?.contains("predicted from") == true)
      builder.addReference("pred", from: items[1], to: [items[0]])
      let image = try decoded(builder.plan().materialized()).image
      #expect(psnr(image, frames[1]) > psnr(image, frames[0]) + 10)
    }

    /// libheif 1.15 goes through RGB, so colours are near and grey is exact.
    @Test("leaves AVIF to libheif", .judged(by: .python, .currentFFmpeg), arguments: ["4:2:0", "4:4:4", "4:0:0"])
    func foreign(subsampling: String) throws {
      let folder = try TemporaryFolder()
      let path = folder.path("a.avif")
      let program = """
        import sys
        from PIL import Image
        image = Image.new('RGB', (130, 97))
        image.putdata([(x * 2 % 256, y * 2 % 256, (x + y) % 256) for y in range(97) for x in range(130)])
        image.save(sys.argv[1], quality=80, subsampling=sys.argv[2])
        """
      try python(program, [path, subsampling])
      let image = try decoded(readFile(path)).image
      #expect((image.width, image.height) == (130, 97))
      let expected = try ffmpegFrame(
        0, of: path, pixelFormat: subsampling == "4:0:0" ? "gray" : "rgb24", judge: .currentFFmpeg)
      if subsampling == "4:0:0" {
        let isSame = rawVideo(image) == expected
        #expect(isSame)
      } else if case .bytes(let samples) = try #require(image.raster()).samples {
        #expect(psnr(samples, expected, peak: 255) > 30)
      }
    }

    @Test("says of what kind an item is that libheif cannot decode either", .needsCorpus)
    func foreignUnknown() throws {
      let bytes = try Corpus.bytes("02-heif/conf_multilayer004.heic")
      #expect(ownError { _ = try decoded(bytes) }?.contains("'avc1'") == true)
    }

    // MARK: Hostile files

    static func grid() throws -> [UInt8] {
      let image = PlanarImage.synthetic(width: 200, height: 130, format: PixelFormat(.yuv420))
      return try HEICEncoder(preset: .ultrafast, tiles: .side(64)).encode(image).materialized()
    }

    @Test("survives every cut and much damage: an error of ours or a picture")
    func damage() throws {
      let bytes = try Self.grid()
      let whole = try decoded(bytes).image
      for copy in truncations(of: bytes, count: 300) + damagedCopies(of: bytes, count: 300, seed: 11) {
        do {
          _ = try decoded(copy, limits: .small)
        } catch is HEICError {
        } catch is ParseError {
        } catch { Issue.record("\(error)") }
      }
      // Tiles come in the order of the file: a file without its last tile's end is no picture.
      #expect(ownError { _ = try decoded(Array(bytes.dropLast(40))) } != nil)
      #expect(try decoded(bytes).image == whole)
    }

    @Test("refuses a grid that its tiles do not cover, or that needs fewer")
    func gridSize() throws {
      let file = try HEIFFile(parsing: MemorySource(Self.grid()))
      for (width, height) in [(257, 130), (200, 193), (16384, 16384), (192, 130), (200, 128)] {
        var builder = try HEIFBuilder(copying: file)
        let grid = try #require(builder.primaryItem)
        builder.setContent(
          .inline(GridLayout(rows: 3, columns: 4, width: width, height: height).payload), of: grid)
        let bytes = try builder.plan().materialized()
        #expect(ownError { _ = try decoded(bytes) } != nil, "\(width)x\(height)")
      }
    }

    @Test("refuses a picture beyond the limits before it allocates")
    func limits() throws {
      let bytes = try Self.grid()
      var limits = Limits.standard
      limits.pixels = 200 * 130 - 1
      let text = ownError { _ = try decoded(bytes, limits: limits) }
      #expect(text?.contains("beyond the limit") == true)
    }

    /// The standard has `ispe` say what the sequence parameter set does; writers that pad leave the rest to readers.
    @Test("takes no 'ispe' that is larger than the coded picture, and crops to a smaller one")
    func sizeOfTheCodedPicture() throws {
      let image = PlanarImage.synthetic(width: 96, height: 64, format: PixelFormat(.yuv420))
      let file = try HEIFFile(
        parsing: MemorySource(HEICEncoder(preset: .ultrafast).encode(image).materialized()))
      let primary = try #require(file.primaryItem).id
      let whole = try HEICDecoder().decode(file).image
      for (width, height) in [(98, 64), (96, 66), (65_535, 65_535), (8192, 8192), (0, 64), (90, 50)]
        as [(UInt32, UInt32)]
      {
        var edit = HEIFEdit()
        edit.setProperty(.spatialExtents(width: width, height: height), of: primary)
        let bytes = try file.plan(applying: edit).materialized()
        if (width, height) == (90, 50) {
          #expect(try decoded(bytes).image == whole.cropped(x: 0, y: 0, width: 90, height: 50))
        } else {
          #expect(ownError { _ = try decoded(bytes) } != nil, "\(width)x\(height)")
        }
      }
    }

    @Test("does not decode a large picture for a small one")
    func hiddenSize() throws {
      let image = PlanarImage.synthetic(width: 512, height: 384, format: PixelFormat(.yuv420))
      let file = try HEIFFile(
        parsing: MemorySource(HEICEncoder(preset: .ultrafast).encode(image).materialized()))
      var edit = HEIFEdit()
      edit.setProperty(.spatialExtents(width: 16, height: 16), of: try #require(file.primaryItem).id)
      let bytes = try file.plan(applying: edit).materialized()
      #expect(ownError { _ = try decoded(bytes) }?.contains("beyond the limit") == true)
    }

    @Test("refuses items that are made from each other")
    func cycle() throws {
      let file = try HEIFFile(parsing: MemorySource(Self.grid()))
      var builder = try HEIFBuilder(copying: file)
      let first = builder.addItem("iden", content: .inline([0])),
        second = builder.addItem("iden", content: .inline([0]))
      builder.addReference("dimg", from: first, to: [second])
      builder.addReference("dimg", from: second, to: [first])
      builder.primaryItem = first
      let bytes = try builder.plan().materialized()
      #expect(ownError { _ = try decoded(bytes) }?.contains("derivations") == true)
    }

    @Test("refuses tiles of different formats")
    func mixedTiles() throws {
      let file = try HEIFFile(parsing: MemorySource(Self.grid()))
      let deep = try HEIFFile(
        parsing: MemorySource(
          HEICEncoder(preset: .ultrafast).encode(
            PlanarImage.synthetic(width: 64, height: 64, format: PixelFormat(.yuv420, bitDepth: 10))
          ).materialized()))
      var builder = try HEIFBuilder(copying: file)
      let other = try builder.copyItem(try #require(deep.primaryItem).id, from: deep)
      let grid = try #require(builder.primaryItem)
      builder.references = builder.references.map { reference in
        guard reference.type == "dimg", reference.from == grid else { return reference }
        return ItemReference("dimg", from: grid, to: Array(reference.to.dropLast()) + [other])
      }
      let bytes = try builder.plan().materialized()
      #expect(ownError { _ = try decoded(bytes) }?.contains("10 bits") == true)
    }
  }
#endif
