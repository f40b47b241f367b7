import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

@Suite struct NetpbmTests {
  func read(_ text: String, _ rest: [UInt8] = [], limits: Limits = .standard) throws(ParseError) -> RasterImage {
    try RasterImage(netpbm: MemorySource(Array(text.utf8) + rest), limits: limits)
  }

  @Test func readsAllForms() throws {
    #expect(try read("P2\n# made by hand\n3 1 # size\n255\n0 128 255\n").samples == .bytes([0, 128, 255]))
    #expect(try read("P3 1 2 255 1 2 3 4 5 6").samples == .bytes([1, 2, 3, 4, 5, 6]))
    #expect(try read("P5 2 1 255\n", [7, 8]).samples == .bytes([7, 8]))
    #expect(try read("P6\r\n1 1\n255\n", [7, 8, 9, 99]).samples == .bytes([7, 8, 9]))
    #expect(try read("P5 1 1 65535\n", [1, 2]).samples == .words([258]))
    let pam = try read("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", [1, 2, 3, 4])
    #expect(pam.channels == .rgba)
    #expect(pam.samples == .bytes([1, 2, 3, 4]))
    #expect(try read("P7 WIDTH 1 HEIGHT 1 DEPTH 2 MAXVAL 255 ENDHDR\n", [1, 2]).channels == .grayAlpha)
  }

  @Test func keepsDepthsAndScalesOtherRanges() throws {
    let ten = try read("P5 1 1 1023\n", [3, 255])
    #expect(ten.bitDepth == 10)
    #expect(ten.samples == .words([1023]))
    #expect(try read("P2 3 1 100 0 50 100").samples == .bytes([0, 128, 255]))
    let odd = try read("P2 2 1 1000 500 1000")
    #expect(odd.bitDepth == 16)
    #expect(odd.samples == .words([32768, 65535]))
    #expect(try read("P5 2 1 1\n", [0, 1]).samples == .bytes([0, 255]))
  }

  @Test(arguments: [
    "", "P", "P8 1 1 255\n", "PNG", "P1 1 1 0", "P6", "P6 1", "P6 1 1", "P6 1 1 255", "P6 0 1 255\n", "P6 1 0 255\n",
    "P6 1 1 0\n", "P6 1 1 65536\n", "P6 -1 1 255\n", "P6 1x 1 255\n", "P6 1.5 1 255\n", "P6 9999999999 1 255\n",
    "P6 70000 1 255\n", "P6 60000 60000 255\n", "P6 1 1 255\nab", "P5 1 1 256\n\u{7F}", "P2 1 1 255\n",
    "P2 1 1 255\n256",
    "P2 2 1 255\n1 x", "P2 20000 20000 255\n1 2 3", "P7\nENDHDR\n",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabc",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nNONSENSE 3\nENDHDR\na", "P5 1 1 100\n\u{7F}",
  ])
  func refusesWhatIsNone(text: String) {
    #expect(throws: ParseError.self) { try read(text) }
  }

  @Test func aLimitIsALimit() throws {
    var limits = Limits()
    limits.pixels = 5
    #expect(throws: ParseError.beyondLimit("number of pixels", found: 6, limit: 5, at: Place(offset: 0))) {
      try read("P5 3 2 255\n", [1, 2, 3, 4, 5, 6], limits: limits)
    }
  }

  @Test(arguments: RasterImage.Channels.allCases, [8, 10, 16])
  func aPAMHoldsEveryPicture(channels: RasterImage.Channels, bitDepth: Int) throws {
    let image = sample(7, 3, channels, bitDepth)
    #expect(try RasterImage(netpbm: MemorySource(image.netpbm(.pam))) == image)
    let ppm = try RasterImage(netpbm: MemorySource(image.netpbm(.ppm)))
    #expect(ppm.channels == .rgb)
    if channels == .rgb { #expect(ppm == image) }
    if channels == .gray { #expect(try RasterImage(netpbm: MemorySource(image.netpbm(.pgm))) == image) }
    if channels.hasColor { #expect(throws: PictureFormatError.self) { try image.netpbm(.pgm) } }
  }

  @Test func everyTruncationAndFlippedByteIsReadOrRefused() throws {
    let files = [
      try sample(5, 4, .rgba, 8).netpbm(.pam), try sample(5, 4, .rgb, 10).netpbm(.ppm),
      Array("P3 1 2 255 1 2 3 4 5 6".utf8),
    ]
    for file in files {
      for end in file.indices.dropLast() {
        let part = Array(file[..<end])
        // A plain file may lose its last digit and still be one.
        if file[1] != 0x33 { #expect(throws: ParseError.self) { try RasterImage(netpbm: MemorySource(part)) } }
        _ = try? RasterImage(netpbm: MemorySource(part))
      }
      for at in file.indices {
        for value in [UInt8(0), 0x20, 0x39, 0xFF, file[at] ^ 1, file[at] ^ 0x80] {
          var changed = file
          changed[at] = value
          _ = try? RasterImage(netpbm: MemorySource(changed))
        }
      }
    }
  }

  @Test(.enabled(if: findProgram("ffmpeg") != nil, "ffmpeg is not installed"), arguments: [8, 16])
  func ffmpegReadsTheSamePixels(bitDepth: Int) throws {
    let folder = try TemporaryFolder()
    let image = sample(7, 5, .rgb, bitDepth)
    for (format, name) in [(NetpbmFormat.ppm, "a.ppm"), (.pam, "a.pam")] {
      let path = try folder.write(try image.netpbm(format), as: name)
      let layout = bitDepth == 8 ? "rgb24" : "rgb48be"
      let raw = try runChecked("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", layout, "-"])
      #expect(try raw.output == Array(image.netpbm(.ppm).suffix(raw.output.count)))
      #expect(raw.output.count == 7 * 5 * 3 * bitDepth / 8)
    }
  }
}

/// A picture of varied samples.
func sample(_ width: Int, _ height: Int, _ channels: RasterImage.Channels, _ bitDepth: Int) -> RasterImage {
  let values = (0..<width * height * channels.rawValue).map { $0 * 7919 % (1 << bitDepth) }
  return RasterImage(
    width: width, height: height, channels: channels, bitDepth: bitDepth,
    samples: bitDepth > 8 ? .words(values.map { UInt16($0) }) : .bytes(values.map { UInt8($0) }))
}
