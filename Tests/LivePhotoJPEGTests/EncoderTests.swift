import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder, judged by other decoders")
struct EncoderTests {
  /// Around the sizes of blocks and MCUs (8, 16, 32) and of the groups of 16 pixels that kernels take.
  static let sides = [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40]

  @Test(
    "every size around block and MCU edges decodes without a warning, as well as libjpeg's own",
    .judged(by: .python, .djpeg, .ffmpeg), arguments: JPEGSubsampling.allCases)
  func sizes(_ subsampling: JPEGSubsampling) throws {
    var set = try JudgedSet()
    for width in Self.sides {
      for height in Self.sides {
        let content = TestPicture.Content.allCases[set.count % 4]
        let picture = TestPicture(content, width: width, height: height)
        let isGray = subsampling == .gray
        let jpeg = try picture.encoded(
          JPEGEncoder(quality: 90, subsampling: subsampling), layout: isGray ? .gray : .rgb)
        try set.add(
          jpeg, original: picture.netpbm(gray: isGray), quality: 90, subsampling: subsampling.pillow)
      }
    }
    let verdict = try set.judge()
    #expect(verdict.complaints == [])
    // Pictures this small consist of edges, which each encoder continues in its own way.
    #expect(abs(verdict.psnr - verdict.peerPSNR) <= 0.1, "\(verdict.psnr) dB, libjpeg \(verdict.peerPSNR)")
    #expect(Double(verdict.bytes) <= Double(verdict.peerBytes) * 1.01, "\(verdict.bytes), \(verdict.peerBytes)")
  }

  @Test(
    "quality and size are libjpeg's at every quality", .judged(by: .python, .djpeg, .ffmpeg),
    arguments: [1, 25, 50, 75, 90, 95, 96, 100],
    [TestPicture.Content.smooth, .noise])
  func qualities(_ quality: Int, _ content: TestPicture.Content) throws {
    var set = try JudgedSet()
    let picture = TestPicture(content, width: 200, height: 136)
    let jpeg = try picture.encoded(JPEGEncoder(quality: quality, subsampling: .yuv420))
    try set.add(jpeg, original: picture.netpbm(), quality: quality, subsampling: JPEGSubsampling.yuv420.pillow)
    let verdict = try set.judge()
    #expect(verdict.complaints == [])
    // At 95 and more the 32-bit transform is libjpeg's own.
    let tolerance = quality > 94 ? 0.02 : 0.05
    let gain = verdict.psnr - verdict.peerPSNR
    #expect((-tolerance...0.1).contains(gain), "\(verdict.psnr) dB, libjpeg \(verdict.peerPSNR)")
    let ratio = Double(verdict.bytes) / Double(verdict.peerBytes)
    #expect((0.97...(quality < 50 ? 1.02 : 1.01)).contains(ratio), "\(ratio) of libjpeg's size")
  }

  @Test(
    "a photograph at every quality of use: libjpeg's size and error", .judged(by: .python, .djpeg, .ffmpeg),
    .needsCorpus, arguments: [50, 60, 70, 75, 80, 85, 90, 92, 94, 95, 97, 100])
  func photograph(_ quality: Int) throws {
    let photo = try JPEGDecoder().decode(
      JPEGFile(parsing: MemorySource(Corpus.bytes("01-livephotos/iphone7plus_waves.JPG")))
    ).raster().cropped(columns: 1200..<2011, rows: 900..<1501)
    guard case .bytes(let pixels) = photo.samples else { return }
    for subsampling in [JPEGSubsampling.yuv420, .yuv444] {
      var set = try JudgedSet()
      let jpeg = try JPEGEncoder(quality: quality, subsampling: subsampling).encode(
        PixelView(pixels.span, width: photo.width, height: photo.height, layout: .rgb))
      let netpbm = Array("P6\n\(photo.width) \(photo.height)\n255\n".utf8) + pixels
      try set.add(jpeg, original: netpbm, quality: quality, subsampling: subsampling.pillow)
      let verdict = try set.judge()
      #expect(verdict.complaints == [])
      let gain = verdict.psnr - verdict.peerPSNR
      // At 100 hardly more is left than how the mean of four chroma samples is rounded.
      #expect((quality == 100 ? -0.1...0.1 : -0.05...0.1).contains(gain), "\(verdict.psnr) dB, \(verdict.peerPSNR)")
      let ratio = Double(verdict.bytes) / Double(verdict.peerBytes)
      #expect((0.97...1.01).contains(ratio), "\(ratio) of libjpeg's size")
    }
  }

  @Test(
    "the largest sides decode", .judged(by: .python, .djpeg, .ffmpeg),
    arguments: [(JPEGEncoder.maximumSide, 3), (3, JPEGEncoder.maximumSide)])
  func largest(_ width: Int, _ height: Int) throws {
    var set = try JudgedSet()
    let picture = TestPicture(.smooth, width: width, height: height)
    let jpeg = try picture.encoded(JPEGEncoder(quality: 75))
    try set.add(jpeg, original: picture.netpbm(), quality: 75, subsampling: JPEGSubsampling.yuv420.pillow)
    #expect(try set.judge().complaints == [])
  }

  @Test("all pixel layouts and strides give the same bytes", arguments: PixelLayout.allCases)
  func layouts(_ layout: PixelLayout) throws {
    let picture = TestPicture(.noise, width: 37, height: 21)
    let encoder = JPEGEncoder(quality: 85)
    let plain = try picture.encoded(encoder, layout: layout == .gray ? .gray : .rgb)
    let bytes = picture.bytes(layout, padding: 13)
    let padded = try encoder.encode(
      PixelView(
        bytes.span, width: 37, height: 21, stride: 37 * layout.bytesPerPixel + 13, layout: layout))
    #expect(padded == plain)
  }

  @Test("sizes and qualities outside the range are refused")
  func refusals() {
    let pixels = [UInt8](repeating: 0, count: 70_000 * 3)
    #expect(throws: JPEGError.sizeOutOfRange(width: 0, height: 4)) {
      try JPEGEncoder().encode(PixelView(pixels.span, width: 0, height: 4, layout: .rgb))
    }
    #expect(throws: JPEGError.sizeOutOfRange(width: 65_501, height: 1)) {
      try JPEGEncoder().encode(PixelView(pixels.span, width: 65_501, height: 1, layout: .rgb))
    }
    for quality in [0, 101, -1] {
      #expect(throws: JPEGError.qualityOutOfRange(quality)) {
        try JPEGEncoder(quality: quality).encode(PixelView(pixels.span, width: 4, height: 4, layout: .rgb))
      }
    }
  }
}

extension JPEGSubsampling {
  /// Pillow's name for the sampling; 3 where it has none.
  var pillow: Int {
    switch self {
    case .yuv444, .gray: 0
    case .yuv422: 1
    case .yuv420: 2
    case .yuv411: 3
    }
  }
}
