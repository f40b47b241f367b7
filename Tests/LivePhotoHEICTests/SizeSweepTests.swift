#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoHEVC
  import TestSupport
  import Testing

  /// Every way in which a size is written, before every reader that there is.
  ///
  /// `LIVEPHOTO_FULL_SWEEP=1` takes all sizes from 1 to 70, 4032 × 3024 and 12000 × 9000.
  @Suite(
    "HEIC encoder: sizes, depths and samplings",
    .judged(by: .python, .currentFFmpeg, .heifInfo, .heifConvert, .exiftool, .mediainfo))
  struct SizeSweepTests {
    static let isFull = ProcessInfo.processInfo.environment["LIVEPHOTO_FULL_SWEEP"] == "1"

    /// One sample and the next; around a block (16), around what one coding tree unit holds (64), and beyond.
    static let sides = [1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 69, 70]
    /// Around a tile of the standard size.
    static let largeSides = [511, 512, 513]

    static let formats = [8, 10, 12].flatMap { depth in
      ChromaFormat.allCases.map { PixelFormat($0, bitDepth: depth) }
    }
    static let color = ColorDescription(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)

    /// A picture to encode.
    struct Case {
      var width: Int
      var height: Int
      var format: PixelFormat
      var hasAlpha: Bool
      var isLossless: Bool

      func file(in folder: TemporaryFolder) throws -> SweptFile {
        let encoder = HEICEncoder(isLossless: isLossless, preset: .ultrafast, threads: .count(2))
        return try SweptFile(
          width, height, format, hasAlpha: hasAlpha, color: SizeSweepTests.color, by: encoder, into: folder)
      }
    }

    /// All pairs of sides, each in one format after the other and in the format of cameras, every other one with alpha,
    /// some without loss.
    static func cases(_ sides: [Int]) -> [Case] {
      let pairs = sides.flatMap { width in sides.map { (width, $0) } }, camera = PixelFormat(.yuv420)
      return pairs.enumerated().flatMap { index, pair -> [Case] in
        let format = formats[index % formats.count], turn = index / formats.count
        let first = Case(
          width: pair.0, height: pair.1, format: camera, hasAlpha: index % 2 == 0, isLossless: index % 3 == 0)
        // Where both have the same format, one has alpha.
        let second = Case(
          width: pair.0, height: pair.1, format: format, hasAlpha: format == camera ? !first.hasAlpha : turn % 2 == 1,
          isLossless: turn / 2 % 2 == 1)
        return [first, second]
      }
    }

    @Test("1 to 70 samples a side are seen alike by all readers")
    func small() throws { try judge(Self.cases(Self.isFull ? Array(1...70) : Self.sides)) }

    @Test("each format at sizes of every parity, with and without alpha and loss, is seen alike by all readers")
    func everyFormat() throws {
      let sizes = [(1, 1), (2, 1), (1, 2), (34, 34), (35, 64), (66, 63), (67, 69)]
      try judge(
        Self.formats.flatMap { format in
          sizes.enumerated().flatMap { index, size in
            [true, false].map { hasAlpha in
              Case(
                width: size.0, height: size.1, format: format, hasAlpha: hasAlpha,
                isLossless: (index % 2 == 0) == hasAlpha)
            }
          }
        })
    }

    @Test("around the size of a tile all readers see the same")
    func large() throws {
      let sizes = Self.largeSides.flatMap { width in Self.largeSides.map { (width, $0) } }
      try judge(
        sizes.enumerated().map { index, size in
          Case(
            width: size.0, height: size.1, format: PixelFormat(.yuv420), hasAlpha: index % 2 == 0, isLossless: false)
        }
          + Self.formats.map { Case(width: 513, height: 511, format: $0, hasAlpha: true, isLossless: true) })
    }

    @Test("a camera's size and 108 million pixels are seen alike by all readers", .enabled(if: isFull))
    func huge() throws {
      for format in [PixelFormat(.yuv420), PixelFormat(.yuv420, bitDepth: 10), PixelFormat(.yuv444, bitDepth: 12)] {
        try judge([Case(width: 4032, height: 3024, format: format, hasAlpha: true, isLossless: false)])
      }
      try judge([Case(width: 12000, height: 9000, format: PixelFormat(.yuv420), hasAlpha: false, isLossless: false)])
    }

    /// Encodes pictures and asks all judges, some hundred files at a time.
    private func judge(_ cases: [Case]) throws {
      for start in stride(from: 0, to: cases.count, by: 500) {
        let folder = try TemporaryFolder()
        let files = try cases[start..<min(start + 500, cases.count)].map { part in
          let file = try part.file(in: folder)
          expectDecoded(file, isLossless: part.isLossless)
          return file
        }
        for (file, judgement) in zip(files, try SweepJudgement.all(files, in: folder)) {
          try expectSamples(file, judgement)
          expectSizes(file, judgement)
          try expectPixels(file, judgement)
        }
        try expectMetadata(files, in: folder)
      }
    }

    /// Our decoder, which the real files hold against FFmpeg, gives back what went in.
    private func expectDecoded(_ file: SweptFile, isLossless: Bool) {
      for (source, item, picture) in file.pictures {
        guard (picture.width, picture.height) == (source.width, source.height), picture.format == source.format else {
          Issue.record("\(file.name): \(picture.width)x\(picture.height) \(picture.format)")
          continue
        }
        let isKept = isLossless ? picture == source : psnr(source, picture) > 30
        #expect(isKept, "\(file.name), item \(item.id)")
      }
    }

    /// FFmpeg's samples, bit for bit.
    private func expectSamples(_ file: SweptFile, _ judgement: SweepJudgement) throws {
      let expected = try file.pictures.map { _, item, picture in
        let shown = try file.shownByFFmpeg(item, picture)
        let checksum = String(CRC32.checksum(rawVideo(shown).span), radix: 16)
        return "\(shown.width)x\(shown.height):\(String(repeating: "0", count: 8 - checksum.count))\(checksum)"
      }
      #expect(judgement.planes == expected, "\(file.name)")
    }

    /// The sizes and channels that libheif 1.15.1 and pillow-heif (the newest) tell.
    private func expectSizes(_ file: SweptFile, _ judgement: SweepJudgement) {
      let size = "\(file.image.width)x\(file.image.height)"
      #expect(judgement.info == size + (file.hasAlpha ? " alpha" : ""), "\(file.name)")
      #expect(judgement.converted.hasPrefix(size), "\(file.name): \(judgement.converted)")
      #expect(judgement.pillow?.mode.hasPrefix(size) == true, "\(file.name): \(judgement.pillow?.mode ?? "nothing")")
    }

    /// pillow-heif's RGB within a level of ours, its alpha as coded.
    private func expectPixels(_ file: SweptFile, _ judgement: SweepJudgement) throws {
      let raster = try #require(file.pictures[0].decoded.raster()), theirs = try #require(judgement.pillow?.samples)
      let pixels = raster.width * raster.height, ours = raster.channels.rawValue
      let channels = theirs.count / pixels, shift = UInt16(raster.bitDepth > 8 ? 16 - raster.bitDepth : 0)
      guard theirs.count == channels * pixels, channels >= ours + (file.hasAlpha ? 1 : 0) else {
        Issue.record("\(file.name): \(theirs.count) samples of pillow-heif")
        return
      }
      let samples = raster.samples.words
      var largest = 0
      for pixel in 0..<pixels {
        for channel in 0..<ours {
          let value = theirs[pixel * channels + channel] >> shift
          largest = max(largest, abs(Int(value) - Int(samples[pixel * ours + channel])))
        }
      }
      #expect(largest <= 1, "\(file.name)")
      guard file.hasAlpha else { return }
      let opacity = file.pictures[1].decoded.planes[0].samples.words
      let isSame = (0..<pixels).allSatisfy { theirs[$0 * channels + channels - 1] >> shift == opacity[$0] }
      #expect(isSame, "alpha of \(file.name)")
    }

    /// What exiftool and MediaInfo say of all files.
    private func expectMetadata(_ files: [SweptFile], in folder: TemporaryFolder) throws {
      let paths = files.map { folder.path($0.name) }
      let options = ["-validate", "-warning", "-error", "-ImageWidth", "-ImageHeight", "-T", "-m"]
      let exif = try Judge.exiftool.ask(options + paths, timeout: 1200).lines
      // MediaInfo puts no line between files, so each begins with its own mark.
      let template =
        "--Inform=file://" + (try folder.write(Array("General;|\nImage;%ID%:%Width%x%Height% ".utf8), as: "template"))
      let media = try Judge.mediainfo.ask([template] + paths, timeout: 1200).text.split(separator: "|").map { part in
        part.split(whereSeparator: \.isWhitespace).map(String.init)
      }
      try #require(exif.count == files.count && media.count == files.count)
      for (index, file) in files.enumerated() {
        #expect(exif[index] == "OK\t-\t-\t\(file.image.width)\t\(file.image.height)", "\(file.name)")
        #expect(media[index] == file.sizesByMediaInfo, "\(file.name)")
      }
    }
  }

  extension Plane.Samples {
    /// The samples, whatever their width.
    fileprivate var words: [UInt16] {
      switch self {
      case .bytes(let bytes): bytes.map { UInt16($0) }
      case .words(let words): words
      }
    }
  }
#endif
