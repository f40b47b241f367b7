import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG from planes: range, matrix, depth and sampling")
struct ColorTests {
  /// A picture of planes with slopes and noise, kept inside the range that its colour allows.
  static func picture(_ format: PixelFormat, _ color: ColorDescription, width: Int = 43, height: Int = 27)
    -> PlanarImage
  {
    var random = SplitMix64(seed: 9)
    var image = PlanarImage(width: width, height: height, format: format, color: color)
    let unit = 1 << (format.bitDepth - 8)
    for index in image.planes.indices {
      for y in 0..<image.planes[index].height {
        for x in 0..<image.planes[index].width {
          let level = index == 0 ? 60 + x + 2 * y : 128 + (index == 1 ? x - y : y - x) / 2
          image.planes[index][x, y] = UInt16(level * unit + Int(random.next() % UInt64(4 * unit)))
        }
      }
    }
    return image
  }

  /// The full-range BT.601 levels of a picture in double precision, straight from H.273: to RGB and back.
  static func expected(_ image: PlanarImage, red: Double, blue: Double) -> PlanarImage {
    let unit = Double(1 << (image.format.bitDepth - 8)), isFull = image.color.isFullRange
    let shift = image.format.chroma.chromaShift
    let scale = isFull ? (Double(image.format.maximum), Double(image.format.maximum)) : (219 * unit, 224 * unit)
    func ycc(_ x: Int, _ y: Int, _ cx: Int, _ cy: Int) -> [Double] {
      let luma = (Double(image.planes[0][x, y]) - (isFull ? 0 : 16 * unit)) / scale.0
      let cb = (Double(image.planes[1][cx, cy]) - 128 * unit) / scale.1
      let cr = (Double(image.planes[2][cx, cy]) - 128 * unit) / scale.1
      let r = luma + 2 * (1 - red) * cr, b = luma + 2 * (1 - blue) * cb
      let g = (luma - red * r - blue * b) / (1 - red - blue)
      let y601 = 0.299 * r + 0.587 * g + 0.114 * b
      return [y601 * 255, (b - y601) / 1.772 * 255 + 128, (r - y601) / 1.402 * 255 + 128]
    }
    var result = PlanarImage(
      width: image.width, height: image.height, format: PixelFormat(image.format.chroma), color: .jfif)
    for y in 0..<image.height {
      for x in 0..<image.width {
        result.planes[0][x, y] = level(ycc(x, y, x >> shift.x, y >> shift.y)[0])
      }
    }
    for y in 0..<result.planes[1].height {
      for x in 0..<result.planes[1].width {
        // Chroma does not depend on luma in any of these matrices.
        let values = ycc(0, 0, x, y)
        result.planes[1][x, y] = level(values[1])
        result.planes[2][x, y] = level(values[2])
      }
    }
    return result
  }

  /// Rounded up from a half, which the sums above may miss by their last bits.
  private static func level(_ value: Double) -> UInt16 { UInt16(min(255, max(0, (value + 1e-9).rounded()))) }

  @Test(
    "samples are converted as H.273 says, each rounded once",
    arguments: [
      (6, false, 8, 0.299, 0.114), (1, false, 8, 0.2126, 0.0722), (1, true, 8, 0.2126, 0.0722),
      (9, false, 10, 0.2627, 0.0593), (2, false, 10, 0.299, 0.114), (6, true, 12, 0.299, 0.114),
      (1, false, 16, 0.2126, 0.0722),
    ] as [(UInt16, Bool, Int, Double, Double)])
  func conversion(_ matrix: UInt16, _ isFullRange: Bool, _ depth: Int, _ red: Double, _ blue: Double) throws {
    for chroma in [ChromaFormat.yuv420, .yuv422, .yuv444] {
      let color = ColorDescription(primaries: 1, transfer: 1, matrix: matrix, isFullRange: isFullRange)
      let image = Self.picture(PixelFormat(chroma, bitDepth: depth), color)
      let encoder = JPEGEncoder(quality: 100)
      #expect(
        try encoder.encode(image) == encoder.encode(Self.expected(image, red: red, blue: blue)),
        "matrix \(matrix), \(depth) bits, \(chroma)")
    }
  }

  @Test("a limited-range BT.709 frame looks as FFmpeg shows it", .judged(by: .ffmpeg, .djpeg))
  func judged() throws {
    let image = Self.picture(
      PixelFormat(.yuv444), ColorDescription(primaries: 1, transfer: 1, matrix: 1), width: 64, height: 48)
    let folder = try TemporaryFolder()
    let raw = try folder.write(
      image.planes.flatMap { $0.packedSamples.map { UInt8($0) } }, as: "frame.yuv")
    let rgb = try Judge.ffmpeg.ask(
      ["-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "64x48", "-i", raw, "-vf"]
        + ["scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int", "-f", "rawvideo"]
        + ["-pix_fmt", "rgb24", "-"]
    ).output
    let jpeg = try folder.write(JPEGEncoder(quality: 100).encode(image), as: "frame.jpg")
    let decoded = try Judge.djpeg.ask(["-dct", "int", "-pnm", jpeg]).output
    #expect(psnr(Array(decoded.suffix(rgb.count)), rgb, peak: 255) > 48)
  }

  @Test("planes of G, B, R are RGB")
  func identity() throws {
    let picture = TestPicture(.noise, width: 19, height: 11)
    var image = PlanarImage(
      width: 19, height: 11, format: PixelFormat(.yuv444), color: ColorDescription(matrix: 0, isFullRange: true))
    for index in 0..<19 * 11 {
      for (plane, channel) in [(0, 1), (1, 2), (2, 0)] {
        image.planes[plane][index % 19, index / 19] = UInt16(picture.rgb[index * 3 + channel])
      }
    }
    // Rounded once here, in 15-bit weights there: at most a level apart, which the finest quality keeps.
    let a = try decode(JPEGEncoder(quality: 100, subsampling: .yuv444).encode(image))
    let b = try decode(picture.encoded(JPEGEncoder(quality: 100, subsampling: .yuv444)))
    #expect(psnr(a, b, peak: 255) > 50)
    let gray = try JPEGEncoder(subsampling: .gray).encode(image)
    #expect(try JPEGFile(parsing: MemorySource(gray)).frame.components.count == 1)
  }

  private func decode(_ jpeg: [UInt8]) throws -> [UInt8] {
    try Judge.djpeg.ask(["-dct", "int", "-pnm"], input: jpeg).output
  }

  @Test("chroma is averaged or repeated where another sampling is asked for")
  func resampling() throws {
    let image = Self.picture(PixelFormat(.yuv444), .jfif, width: 33, height: 18)
    let half = try JPEGEncoder(quality: 100, subsampling: .yuv420).encode(image)
    var expected = PlanarImage(width: 33, height: 18, format: PixelFormat(.yuv420), color: .jfif)
    expected.planes[0] = image.planes[0]
    for plane in 1...2 {
      for y in 0..<9 {
        for x in 0..<17 {
          let columns = [2 * x, min(2 * x + 1, 32)]
          let sum = [2 * y, 2 * y + 1].reduce(0) { sum, y in
            columns.reduce(sum) { $0 + Int(image.planes[plane][$1, y]) }
          }
          expected.planes[plane][x, y] = UInt16((sum + 2) / 4)
        }
      }
    }
    #expect(try half == JPEGEncoder(quality: 100).encode(expected))
    let doubled = try JPEGEncoder(quality: 100, subsampling: .yuv444).encode(expected)
    var repeated = image
    for plane in 1...2 {
      for y in 0..<18 { for x in 0..<33 { repeated.planes[plane][x, y] = expected.planes[plane][x / 2, y / 2] } }
    }
    #expect(try doubled == JPEGEncoder(quality: 100).encode(repeated))
  }

  @Test("HDR is refused by name unless its samples are asked for as they are")
  func highDynamicRange() throws {
    for transfer in [16, 18] as [UInt16] {
      let color = ColorDescription(primaries: 9, transfer: transfer, matrix: 9)
      let image = Self.picture(PixelFormat(.yuv420, bitDepth: 10), color)
      #expect(throws: JPEGError.highDynamicRange(transfer: transfer)) { try JPEGEncoder().encode(image) }
      var encoder = JPEGEncoder()
      encoder.highDynamicRange = .asCoded
      #expect(try encoder.encode(image).count > 600)
    }
  }

  @Test("what cannot be converted, or does not fit, is refused")
  func refusals() throws {
    for matrix in [8, 10, 14] as [UInt16] {
      let image = Self.picture(PixelFormat(.yuv420), ColorDescription(matrix: matrix))
      #expect(throws: JPEGError.unsupportedMatrix(matrix)) { try JPEGEncoder().encode(image) }
    }
    let samples = [UInt8](repeating: 0, count: 100)
    let y = PlaneView(samples.span, width: 10, height: 10, stride: 10)
    let small = PlaneView(samples.span, width: 4, height: 5, stride: 4)
    let other = PlaneView(samples.span, width: 5, height: 5, stride: 5)
    #expect(throws: JPEGError.planesDoNotMatch("chroma is 4x5 beside luma of 10x10")) {
      try JPEGEncoder().encode(y: y, cb: small, cr: small)
    }
    #expect(throws: JPEGError.planesDoNotMatch("Cb is 4x5, Cr 5x5")) {
      try JPEGEncoder().encode(y: y, cb: small, cr: other)
    }
    #expect(try JPEGEncoder().encode(y: y, cb: other, cr: other).count > 600)
  }

  @Test("a grey picture of planes is written grey")
  func gray() throws {
    let image = Self.picture(PixelFormat(.yuv400, bitDepth: 10), .unspecified)
    let file = try JPEGFile(parsing: MemorySource(try JPEGEncoder(subsampling: .yuv420).encode(image)))
    #expect(file.frame.components.count == 1)
  }
}
