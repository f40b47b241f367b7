public import LivePhotoCore

/// What a YUV4MPEG2 stream says of all its frames.
public struct Y4MHeader: Equatable, Sendable {
  /// Width in luma samples.
  public var width: Int
  /// Height in luma samples.
  public var height: Int
  /// Chroma sampling and depth.
  public var format: PixelFormat
  /// Frames a second as a fraction; nil when the stream does not say.
  public var frameRate: (frames: Int, seconds: Int)?
  /// The shape of a pixel; nil for square ones.
  public var pixelAspectRatio: PixelAspectRatio?
  /// What the samples mean: the range where the stream says it (limited otherwise), the rest unspecified.
  public var color: ColorDescription

  /// A header for frames of a size and format.
  public init(
    width: Int, height: Int, format: PixelFormat, frameRate: (frames: Int, seconds: Int)? = nil,
    color: ColorDescription = .unspecified
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.frameRate = frameRate
    self.color = color
  }

  /// A header for a stream of pictures like this one.
  public init(for image: PlanarImage, frameRate: (frames: Int, seconds: Int)? = nil) {
    self.init(
      width: image.width, height: image.height, format: image.format, frameRate: frameRate, color: image.color)
  }

  /// Whether both say the same.
  public static func == (a: Y4MHeader, b: Y4MHeader) -> Bool {
    (a.width, a.height, a.format, a.color) == (b.width, b.height, b.format, b.color)
      && a.pixelAspectRatio == b.pixelAspectRatio
      && a.frameRate?.frames == b.frameRate?.frames && a.frameRate?.seconds == b.frameRate?.seconds
  }

  /// Bytes of a frame's samples.
  var frameSize: Int {
    let samples = (0..<format.chroma.planeCount).reduce(0) { sum, index in
      let size = format.chroma.planeSize(index, width: width, height: height)
      return sum + size.width * size.height
    }
    return samples * format.sampleSize
  }
}

// MARK: Writing

extension Y4MHeader {
  /// The depths that the format has names for.
  private static let depths = [8, 9, 10, 12, 14, 16]

  /// The line that a stream begins with.
  ///
  /// - Throws: ``PictureFormatError`` when the format has no name for the samples: 11, 13 or 15 bits, or RGB.
  public func bytes() throws(PictureFormatError) -> [UInt8] {
    guard color.matrix != 0 else { throw PictureFormatError("Y4M holds no RGB; choose PPM or PAM") }
    guard Self.depths.contains(format.bitDepth) else {
      throw PictureFormatError("Y4M has no samples of \(format.bitDepth) bits; choose PPM or PAM")
    }
    let depth = format.bitDepth == 8 ? "" : "\(format.bitDepth)"
    let tag =
      switch format.chroma {
      case .yuv400: "mono" + depth
      case .yuv420: depth.isEmpty ? "420jpeg" : "420p" + depth
      case .yuv422: depth.isEmpty ? "422" : "422p" + depth
      case .yuv444: depth.isEmpty ? "444" : "444p" + depth
      }
    let rate = frameRate.map { "\($0.frames):\($0.seconds)" } ?? "0:0"
    let range = color.isFullRange ? "FULL" : "LIMITED"
    let pixel = pixelAspectRatio.map { "\($0.horizontalSpacing):\($0.verticalSpacing)" } ?? "1:1"
    return Array("YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A\(pixel) C\(tag) XCOLORRANGE=\(range)\n".utf8)
  }

  /// The bytes of one frame, its own line included.
  ///
  /// - Precondition: the picture has the size and format of the header.
  public func frame(_ image: PlanarImage) -> [UInt8] {
    precondition((image.width, image.height, image.format) == (width, height, format), "frames are of one kind")
    var bytes = Self.frameLine
    bytes.reserveCapacity(bytes.count + frameSize)
    for plane in image.planes { bytes += plane.packedBytes }
    return bytes
  }

  /// What stands in front of a frame's samples.
  static let frameLine = Array("FRAME\n".utf8)

  /// Where row `y` of a plane begins in the samples of a frame, in bytes.
  func offset(ofPlane index: Int, row y: Int) -> Int {
    let sizes = (0...index).map { format.chroma.planeSize($0, width: width, height: height) }
    let samples = sizes.dropLast().reduce(0) { $0 + $1.width * $1.height } + y * sizes[index].width
    return samples * format.sampleSize
  }
}

extension Plane {
  /// The samples as bytes, rows without a gap, the less significant byte first.
  var packedBytes: [UInt8] {
    switch samples {
    case .bytes(let samples) where samples.count == width * height: return samples
    case .bytes(let samples): return (0..<height).flatMap { samples[$0 * stride..<$0 * stride + width] }
    case .words(let samples) where samples.count == width * height: return samples.span.bytes(bigEndian: false)
    case .words(let samples):
      return (0..<height).flatMap {
        samples.span.extracting($0 * stride..<$0 * stride + width).bytes(bigEndian: false)
      }
    }
  }
}

// MARK: Reading

/// Reads the frames of a YUV4MPEG2 stream, one after the other.
public struct Y4MReader: Sendable {
  /// What holds for all frames.
  public let header: Y4MHeader

  private let source: any ByteSource
  private var position: Int

  /// Bytes that a line may take.
  private static let largestLine = 4096

  /// Reads the first line of a stream.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is none, names a sampling that is not read here, or is beyond
  ///   `limits`.
  public init(parsing source: any ByteSource, limits: Limits = .standard) throws(ParseError) {
    self.source = source
    position = 0
    let line = try Self.line(of: source, at: &position)
    let words = line.split(separator: " ")
    guard words.first == "YUV4MPEG2" else {
      throw .invalid("signature", found: "'\(line.prefix(10))'", expected: "YUV4MPEG2", at: Place(offset: 0))
    }
    header = try Y4MHeader(fields: words.dropFirst())
    try header.check(limits)
  }

  /// The next frame; nil at the end of the stream.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the frame is cut off.
  public mutating func next() throws(ParseError) -> PlanarImage? {
    guard position < source.count else { return nil }
    let start = position
    let line = try Self.line(of: source, at: &position)
    guard line == "FRAME" || line.hasPrefix("FRAME ") else {
      throw .invalid("frame", found: "'\(line.prefix(10))'", expected: "FRAME", at: Place(offset: start))
    }
    let size = header.frameSize
    guard size <= source.count - position else {
      throw .truncated(needed: size, available: source.count - position, at: Place(offset: position, path: ["FRAME"]))
    }
    let bytes = try source.parseBytes(position..<position + size)
    position += size
    return header.image(of: bytes)
  }

  /// The line at `position`, which then stands behind its end.
  private static func line(of source: any ByteSource, at position: inout Int) throws(ParseError) -> String {
    let bytes = try source.parseBytes(position..<min(position + largestLine, source.count))
    guard let end = bytes.firstIndex(of: 0x0A) else { throw .missing("the end of a line", at: Place(offset: position)) }
    position += end + 1
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

extension Y4MHeader {
  /// Reads the fields of the first line.
  fileprivate init(fields: ArraySlice<Substring>) throws(ParseError) {
    self.init(width: 0, height: 0, format: PixelFormat(.yuv420))
    for field in fields {
      let value = field.dropFirst()
      switch field.first {
      case "W": width = try Self.number(value, "width")
      case "H": height = try Self.number(value, "height")
      case "C": format = try Self.format(value)
      case "F":
        let parts = value.split(separator: ":")
        if parts.count == 2, let frames = Int(parts[0]), let seconds = Int(parts[1]), frames > 0, seconds > 0 {
          frameRate = (frames, seconds)
        }
      case "X" where value == "COLORRANGE=FULL": color.isFullRange = true
      default: break
      }
    }
  }

  private static func number(_ text: Substring, _ name: String) throws(ParseError) -> Int {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text)
    else { throw .invalid(name, found: "'\(text.prefix(16))'", expected: "a number", at: Place(offset: 0)) }
    return value
  }

  /// The sampling and depth of a name such as `420p10` or `mono`.
  private static func format(_ name: Substring) throws(ParseError) -> PixelFormat {
    let samplings: [(Substring, ChromaFormat)] = [
      ("420jpeg", .yuv420), ("420mpeg2", .yuv420), ("420paldv", .yuv420), ("420", .yuv420), ("422", .yuv422),
      ("444", .yuv444), ("mono", .yuv400),
    ]
    for (sampling, chroma) in samplings where name.hasPrefix(sampling) {
      var rest = name.dropFirst(sampling.count)
      if rest.isEmpty { return PixelFormat(chroma) }
      if chroma != .yuv400, rest.first == "p" { rest = rest.dropFirst() }
      if let depth = Int(rest), Self.depths.contains(depth), depth > 8 { return PixelFormat(chroma, bitDepth: depth) }
    }
    throw .unsupported("the sampling C\(name.prefix(16))", at: Place(offset: 0))
  }

  fileprivate func check(_ limits: Limits) throws(ParseError) {
    let place = Place(offset: 0)
    for (name, side) in [("width", width), ("height", height)] {
      guard side > 0 else { throw .missing(name, at: place) }
      guard side <= limits.pictureSide else {
        throw .beyondLimit(name, found: side, limit: limits.pictureSide, at: place)
      }
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= limits.pixels else {
      throw .beyondLimit("number of pixels", found: overflow ? .max : pixels, limit: limits.pixels, at: place)
    }
  }

  /// The picture of a frame's samples, of which there are enough.
  fileprivate func image(of bytes: [UInt8]) -> PlanarImage {
    var position = 0
    let planes = (0..<format.chroma.planeCount).map { index in
      let size = format.chroma.planeSize(index, width: width, height: height)
      let count = size.width * size.height * format.sampleSize
      defer { position += count }
      let part = bytes[position..<position + count]
      guard format.bitDepth > 8 else {
        return Plane(width: size.width, height: size.height, samples: .bytes(Array(part)))
      }
      let maximum = UInt16(truncatingIfNeeded: format.maximum)
      let words = stride(from: part.startIndex, to: part.endIndex, by: 2).map {
        // A larger value than the depth allows has no meaning, and kernels rely on there being none.
        min(UInt16(part[$0]) | UInt16(part[$0 + 1]) << 8, maximum)
      }
      return Plane(width: size.width, height: size.height, samples: .words(words))
    }
    return PlanarImage(width: width, height: height, format: format, color: color, planes: planes)
  }
}
