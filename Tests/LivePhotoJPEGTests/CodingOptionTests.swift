import Foundation
import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder: restarts, given tables, tables made for the picture")
struct CodingOptionTests {
  /// The pixels that djpeg makes of a file; a warning is an error.
  private func decoded(_ jpeg: [UInt8]) throws -> [UInt8] {
    let result = try Judge.djpeg.ask(["-dct", "int"], input: jpeg)
    guard result.errorOutput.isEmpty else { throw CommandError.failed(command: "djpeg", result) }
    return result.output
  }

  /// What libjpeg-turbo's encoder makes of a picture.
  private func peer(_ picture: TestPicture, gray: Bool = false, _ arguments: [String]) throws -> [UInt8] {
    try Judge.cjpeg.ask(["-dct", "int"] + arguments, input: picture.netpbm(gray: gray)).output
  }

  private static let samplings: [(JPEGSubsampling, cjpeg: [String])] = [
    (.yuv444, ["-sample", "1x1"]), (.yuv422, ["-sample", "2x1"]), (.yuv420, ["-sample", "2x2"]),
    (.yuv411, ["-sample", "4x1"]), (.gray, ["-grayscale"]),
  ]

  // MARK: Restarts

  @Test("restarts change no pixel, and their markers count up to 7 and begin again", .judged(by: .djpeg))
  func restarts() throws {
    for subsampling in JPEGSubsampling.allCases {
      let picture = TestPicture(.smooth, width: 151, height: 91)
      let layout: PixelLayout = subsampling == .gray ? .gray : .rgb
      var encoder = JPEGEncoder(subsampling: subsampling)
      let expected = try decoded(picture.encoded(encoder, layout: layout))
      for interval: JPEGRestartInterval in [.mcus(1), .mcus(3), .mcus(64), .mcus(65_535), .rows(1), .rows(2)] {
        encoder.restartInterval = interval
        let jpeg = try picture.encoded(encoder, layout: layout)
        #expect(try decoded(jpeg) == expected, "\(subsampling), \(interval)")
        let (mcus, stated, markers) = try scan(of: jpeg)
        #expect(markers == (0..<(mcus - 1) / stated).map { 0xD0 + UInt8($0 % 8) }, "\(subsampling), \(interval)")
      }
    }
  }

  /// The number of MCUs, the interval that DRI states, and the markers in the scan.
  private func scan(of jpeg: [UInt8]) throws -> (mcus: Int, interval: Int, markers: [UInt8]) {
    let file = try JPEGFile(parsing: MemorySource(jpeg))
    let luma = file.frame.components[0]
    let size = (width: luma.horizontal * 8, height: luma.vertical * 8)
    let mcus =
      (file.frame.width + size.width - 1) / size.width * ((file.frame.height + size.height - 1) / size.height)
    let interval = try #require(file.segments.first { $0.marker == 0xDD })
    let payload = Array(jpeg[interval.payload])
    let data = try #require(file.segments.first { $0.kind == .scanData }).range
    let markers = data.dropLast().filter { jpeg[$0] == 0xFF && jpeg[$0 + 1] != 0 }.map { jpeg[$0 + 1] }
    return (mcus, Int(payload[0]) << 8 | Int(payload[1]), markers)
  }

  @Test("intervals that DRI cannot state are refused")
  func refusedIntervals() {
    let picture = TestPicture(.smooth, width: 100, height: 20)
    for interval: JPEGRestartInterval in [.mcus(0), .mcus(65_536), .rows(0), .rows(-1), .rows(10_000), .rows(.max)] {
      var encoder = JPEGEncoder()
      encoder.restartInterval = interval
      #expect(throws: JPEGError.restartIntervalOutOfRange(interval)) { try picture.encoded(encoder) }
    }
  }

  // MARK: Quantisation tables

  @Test("given tables are in the file, in their places", .judged(by: .python))
  func givenTables() throws {
    let luma = (0..<64).map { UInt8($0 * 3 + 1) }, chroma = (0..<64).map { UInt8(255 - $0 * 2) }
    var encoder = JPEGEncoder()
    encoder.quantization = try JPEGQuantizationTables(luma: luma, chroma: chroma)
    let folder = try TemporaryFolder()
    let path = try folder.write(TestPicture(.noise, width: 40, height: 40).encoded(encoder), as: "a.jpg")
    let result = try python(
      "import sys; from PIL import Image; q = Image.open(sys.argv[1]).quantization; print(*q[0]); print(*q[1])", [path])
    #expect(result.lines == [luma, chroma].map { $0.map(String.init).joined(separator: " ") })
  }

  @Test("coarse, fine and lopsided tables cost no more than libjpeg's do", .judged(by: .djpeg, .cjpeg))
  func tableQuality() throws {
    let folder = try TemporaryFolder()
    let fine = [UInt8](repeating: 1, count: 64)
    let tables: [(String, [UInt8])] = [
      ("1", fine), ("2", fine.map { $0 + 1 }), ("3", fine.map { $0 + 2 }), ("255", fine.map { _ in 255 }),
      ("fine low", (0..<64).map { $0 % 8 + $0 / 8 < 3 ? 1 : 255 }),
      ("fine high", (0..<64).map { $0 % 8 + $0 / 8 < 3 ? 40 : 1 }), ("fine DC", (0..<64).map { $0 == 0 ? 1 : 60 }),
      ("slope", (0..<64).map { UInt8(1 + $0 % 8 + $0 / 8) }),
    ]
    for content in [TestPicture.Content.smooth, .noise] {
      let picture = TestPicture(content, width: 200, height: 136)
      for (name, table) in tables {
        var encoder = JPEGEncoder(subsampling: .yuv444)
        encoder.quantization = try JPEGQuantizationTables(luma: table)
        let ours = try picture.encoded(encoder)
        let file = try folder.write(Array(table.map(String.init).joined(separator: " ").utf8), as: "tables.txt")
        // At quality 50 cjpeg takes tables as they are.
        let theirs = try peer(picture, ["-qtables", file, "-qslots", "0", "-quality", "50", "-sample", "1x1"])
        let loss = try psnr(theirs, picture) - psnr(ours, picture)
        #expect((-0.1...0.05).contains(loss), "\(content), table \(name): \(loss) dB")
        let ratio = Double(ours.count) / Double(theirs.count)
        // The reciprocals of coarse quantisers have few digits, and some values round the other way.
        #expect(
          (0.96...(table[63] >= 60 ? 1.05 : 1.01)).contains(ratio),
          "\(content), table \(name): \(ratio) of libjpeg's size")
      }
    }
  }

  /// What the mean error of all samples is, in dB.
  private func psnr(_ jpeg: [UInt8], _ picture: TestPicture) throws -> Double {
    let squares = zip(try decoded(jpeg).suffix(picture.rgb.count), picture.rgb).reduce(0) { sum, pair in
      sum + (Int(pair.0) - Int(pair.1)) * (Int(pair.0) - Int(pair.1))
    }
    return 10 * log10(255 * 255 * Double(picture.rgb.count) / Double(squares))
  }

  @Test("tables that no file can hold are refused")
  func refusedTables() {
    let good = [UInt8](repeating: 9, count: 64)
    #expect(throws: JPEGError.quantizationTableMalformed("luma has 63 values")) {
      try JPEGQuantizationTables(luma: Array(good.dropLast()))
    }
    #expect(throws: JPEGError.quantizationTableMalformed("chroma has a 0")) {
      try JPEGQuantizationTables(luma: good, chroma: good.dropLast() + [0])
    }
  }

  // MARK: Huffman tables

  @Test(
    "tables made for the picture change no pixel, and make files as small as libjpeg's", .judged(by: .djpeg, .cjpeg))
  func optimized() throws {
    for (subsampling, sampling) in Self.samplings {
      for (content, quality) in [(TestPicture.Content.smooth, 90), (.noise, 75), (.saturated, 50), (.binary, 95)] {
        let picture = TestPicture(content, width: 260, height: 190)
        let layout: PixelLayout = subsampling == .gray ? .gray : .rgb
        var encoder = JPEGEncoder(quality: quality, subsampling: subsampling)
        let plain = try picture.encoded(encoder, layout: layout)
        encoder.optimizesHuffmanTables = true
        let small = try picture.encoded(encoder, layout: layout)
        #expect(try decoded(small) == decoded(plain), "\(subsampling), \(content)")
        #expect(small.count < plain.count, "\(subsampling), \(content)")
        let theirs = try peer(picture, gray: subsampling == .gray, ["-optimize", "-quality", "\(quality)"] + sampling)
        #expect(
          Double(small.count) <= Double(theirs.count) * 1.005,
          "\(subsampling), \(content): \(small.count), \(theirs.count)")
      }
    }
  }

  @Test("pictures with few symbols, or with only one", .judged(by: .djpeg))
  func fewSymbols() throws {
    for (width, height) in [(1, 1), (8, 8), (64, 64)] {
      for value: UInt8 in [0, 128, 255] {
        let pixels = [UInt8](repeating: value, count: width * height * 3)
        for layout in [PixelLayout.rgb, .gray] {
          var encoder = JPEGEncoder(quality: 50)
          let view = PixelView(pixels.span, width: width, height: height, layout: layout)
          let expected = try decoded(encoder.encode(view))
          encoder.optimizesHuffmanTables = true
          #expect(try decoded(encoder.encode(view)) == expected)
        }
      }
    }
  }

  @Test("codes longer than 16 bits are shortened", .judged(by: .djpeg))
  func longCodes() throws {
    // Amplitudes and runs that double in rarity: without a limit the codes would have over 20 bits.
    var pixels: [UInt8] = []
    var random = SplitMix64(seed: 4)
    for _ in 0..<1 << 15 {
      let rarity = min(12, random.next().trailingZeroBitCount)
      let amplitude = rarity < 2 ? 0 : 8 << (rarity / 2)
      pixels += (0..<64).map { _ in
        UInt8(clamping: 128 + (amplitude == 0 ? 0 : Int(random.next() % UInt64(amplitude)) - amplitude / 2))
      }
    }
    let view = PixelView(pixels.span, width: 1024, height: pixels.count / 1024, layout: .gray)
    var encoder = JPEGEncoder(quality: 98)
    let expected = try decoded(encoder.encode(view))
    encoder.optimizesHuffmanTables = true
    let jpeg = try encoder.encode(view)
    #expect(try decoded(jpeg) == expected)
    let file = try JPEGFile(parsing: MemorySource(jpeg))
    let tables = try #require(file.segments.last { $0.marker == 0xC4 })
    // The AC table's 16 counts are behind the DC table, of 17 bytes and a symbol for each code.
    let payload = Array(jpeg[tables.payload])
    let start = 17 + payload[1..<17].reduce(0) { $0 + Int($1) } + 1
    #expect(payload[start..<start + 16].last ?? 0 > 0, "no code of 16 bits: the limit was not met")
  }
}
