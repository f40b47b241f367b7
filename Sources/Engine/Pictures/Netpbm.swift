public import LivePhotoCore

/// The Netpbm formats that are written: each holds 8 bits a sample, or 16, big-endian.
public enum NetpbmFormat: String, Sendable, CaseIterable {
  /// P6: colour, no alpha.
  case ppm
  /// P5: grey, no alpha.
  case pgm
  /// P7: grey or colour, with or without alpha.
  case pam
}

/// Why a picture cannot be written in a format.
public struct PictureFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the format does not hold, and what does.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension RasterImage {
  /// The bytes of a Netpbm file.
  ///
  /// A PPM of a grey picture has three equal samples a pixel; alpha is laid over white for a PPM or PGM. Depths from 9
  /// to 16 keep their largest value as the file's.
  ///
  /// - Throws: ``PictureFormatError`` for a PGM of a picture with colour.
  public func netpbm(_ format: NetpbmFormat) throws(PictureFormatError) -> [UInt8] {
    try netpbmHeader(format, height: height) + netpbmSamples(format)
  }

  /// What stands in front of the samples of a picture like this one of `height` rows.
  ///
  /// - Throws: ``PictureFormatError`` for a PGM of a picture with colour.
  func netpbmHeader(_ format: NetpbmFormat, height: Int) throws(PictureFormatError) -> [UInt8] {
    switch format {
    case .pam:
      let type =
        switch channels {
        case .gray: "GRAYSCALE"
        case .grayAlpha: "GRAYSCALE_ALPHA"
        case .rgb: "RGB"
        case .rgba: "RGB_ALPHA"
        }
      let size = "WIDTH \(width)\nHEIGHT \(height)\nDEPTH \(channels.rawValue)\n"
      return Array("P7\n\(size)MAXVAL \(maximum)\nTUPLTYPE \(type)\nENDHDR\n".utf8)
    case .ppm: return Array("P6\n\(width) \(height)\n\(maximum)\n".utf8)
    case .pgm:
      guard !channels.hasColor else { throw PictureFormatError("PGM holds no colour; choose PPM or PAM") }
      return Array("P5\n\(width) \(height)\n\(maximum)\n".utf8)
    }
  }

  /// The samples of all rows, as the format has them.
  func netpbmSamples(_ format: NetpbmFormat) -> [UInt8] {
    let opaque = format == .pam ? self : flattened()
    let copies = format == .ppm && !channels.hasColor ? 3 : 1
    switch opaque.samples {
    case .bytes(let samples) where copies == 1: return samples
    case .bytes(let samples):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(samples.count * copies)
      for sample in samples { bytes.append(contentsOf: repeatElement(sample, count: copies)) }
      return bytes
    case .words(let samples) where copies == 1: return samples.span.bytes(bigEndian: true)
    case .words(let samples):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(samples.count * copies * 2)
      for sample in samples {
        for _ in 0..<copies {
          bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
          bytes.append(UInt8(truncatingIfNeeded: sample))
        }
      }
      return bytes
    }
  }
}

// MARK: Reading

extension RasterImage {
  /// Reads a Netpbm picture: plain or raw PGM and PPM (P2, P3, P5, P6), or PAM (P7) of one to four channels.
  ///
  /// A largest value of 2^n - 1 from 8 to 16 bits is kept; another one is scaled to 8 bits, or 16 where it is above 255.
  /// Of a file with several pictures the first is read.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the bytes are not such a picture, are cut off, or are beyond `limits`.
  public init(netpbm source: any ByteSource, limits: Limits = .standard) throws(ParseError) {
    let head = try source.parseBytes(0..<min(source.count, NetpbmHeader.largest))
    var reader = TokenReader(head)
    let header = try NetpbmHeader(parsing: &reader)
    try header.check(limits)
    let count = header.sampleCount
    let depth = header.bitDepth
    if header.isPlain {
      // Each sample takes a digit and, but for the last, something between.
      guard count <= (source.count - reader.position + 1) / 2 else {
        throw .truncated(needed: 2 * count - 1, available: source.count - reader.position, at: reader.place)
      }
      var all = TokenReader(try source.parseBytes(0..<source.count), at: reader.position)
      let values = try header.plainSamples(&all)
      self.init(
        width: header.width, height: header.height, channels: header.channels, bitDepth: depth,
        samples: depth > 8 ? .words(values) : .bytes(values.map { UInt8(truncatingIfNeeded: $0) }))
    } else {
      let size = count * (header.maximum > 255 ? 2 : 1)
      guard size <= source.count - reader.position else {
        throw .truncated(needed: size, available: source.count - reader.position, at: reader.place)
      }
      let bytes = try source.parseBytes(reader.position..<reader.position + size)
      self.init(
        width: header.width, height: header.height, channels: header.channels, bitDepth: depth,
        samples: try header.rawSamples(bytes, at: reader.position))
    }
  }
}

/// The header of a Netpbm file.
struct NetpbmHeader {
  /// Bytes that a header may take, comments included.
  static let largest = 1 << 16

  var isPlain = false
  var width = 0
  var height = 0
  var maximum = 0
  var channels = RasterImage.Channels.gray

  /// Samples of the picture; ``check(_:)`` says that there are not too many.
  var sampleCount: Int { width * height * channels.rawValue }

  /// The depth that the samples are kept at.
  var bitDepth: Int {
    let depth = (maximum + 1).trailingZeroBitCount
    return (8...16).contains(depth) && maximum + 1 == 1 << depth ? depth : maximum > 255 ? 16 : 8
  }

  init(parsing reader: inout TokenReader) throws(ParseError) {
    let magic = try reader.token("format")
    switch magic {
    case "P2", "P5": channels = .gray
    case "P3", "P6": channels = .rgb
    case "P7":
      try readFields(&reader)
      return
    case "P1", "P4": throw .unsupported("a PBM bitmap", at: Place(offset: 0))
    default:
      throw .invalid("format", found: "'\(magic)'", expected: "P2, P3, P5, P6 or P7", at: Place(offset: 0))
    }
    isPlain = magic == "P2" || magic == "P3"
    width = try reader.number("width")
    height = try reader.number("height")
    maximum = try reader.number("largest value")
    // One byte of white space ends the header.
    try reader.skipByte()
  }

  /// The lines of a PAM header.
  private mutating func readFields(_ reader: inout TokenReader) throws(ParseError) {
    var depth = 0
    var type: String?
    while true {
      let name = try reader.token("header line")
      switch name {
      case "WIDTH": width = try reader.number("WIDTH")
      case "HEIGHT": height = try reader.number("HEIGHT")
      case "DEPTH": depth = try reader.number("DEPTH")
      case "MAXVAL": maximum = try reader.number("MAXVAL")
      case "TUPLTYPE": type = try reader.token("TUPLTYPE")
      case "ENDHDR":
        try reader.skipByte()
        guard let channels = RasterImage.Channels(rawValue: depth) else {
          throw .invalid("DEPTH", found: "\(depth)", expected: "1 to 4", at: reader.place)
        }
        let types = ["GRAYSCALE": 1, "BLACKANDWHITE": 1, "GRAYSCALE_ALPHA": 2, "RGB": 3, "RGB_ALPHA": 4]
        if let type, types[type] != depth {
          throw .invalid(
            "TUPLTYPE", found: "'\(type)' of DEPTH \(depth)", expected: "RGB, GRAYSCALE or these with _ALPHA",
            at: reader.place)
        }
        self.channels = channels
        return
      default: throw .invalid("header line", found: "'\(name)'", expected: "a PAM field", at: reader.place)
      }
    }
  }

  func check(_ limits: Limits) throws(ParseError) {
    let place = Place(offset: 0)
    for (name, side) in [("width", width), ("height", height)] {
      guard side > 0 else { throw .invalid(name, found: "\(side)", expected: "at least 1", at: place) }
      guard side <= limits.pictureSide else {
        throw .beyondLimit(name, found: side, limit: limits.pictureSide, at: place)
      }
    }
    guard (1...65535).contains(maximum) else {
      throw .invalid("largest value", found: "\(maximum)", expected: "1 to 65535", at: place)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= limits.pixels else {
      throw .beyondLimit("number of pixels", found: overflow ? .max : pixels, limit: limits.pixels, at: place)
    }
  }

  /// A sample at the depth that is kept.
  private func scaled(_ value: Int) -> UInt16 {
    let goal = (1 << bitDepth) - 1
    return UInt16(truncatingIfNeeded: goal == maximum ? value : (value * goal + maximum / 2) / maximum)
  }

  fileprivate func plainSamples(_ reader: inout TokenReader) throws(ParseError) -> [UInt16] {
    var values: [UInt16] = []
    values.reserveCapacity(sampleCount)
    for _ in 0..<sampleCount {
      let value = try reader.number("sample")
      guard value <= maximum else { throw excess(value, at: reader.position) }
      values.append(scaled(value))
    }
    return values
  }

  fileprivate func rawSamples(_ bytes: [UInt8], at start: Int) throws(ParseError) -> Plane.Samples {
    if maximum == 255 { return .bytes(bytes) }
    if maximum < 255 {
      if let bad = bytes.firstIndex(where: { Int($0) > maximum }) { throw excess(Int(bytes[bad]), at: start + bad) }
      return .bytes(bytes.map { UInt8(truncatingIfNeeded: scaled(Int($0))) })
    }
    var words: [UInt16] = []
    words.reserveCapacity(sampleCount)
    for at in stride(from: 0, to: bytes.count - 1, by: 2) {
      let value = Int(bytes[at]) << 8 | Int(bytes[at + 1])
      guard value <= maximum else { throw excess(value, at: start + at) }
      words.append(scaled(value))
    }
    return .words(words)
  }

  private func excess(_ value: Int, at offset: Int) -> ParseError {
    .invalid("sample", found: "\(value)", expected: "at most \(maximum)", at: Place(offset: offset))
  }
}
