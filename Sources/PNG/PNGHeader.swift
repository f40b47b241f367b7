import LivePhotoCore

/// How the pixels of a PNG file are stored (PNG, 11.2.1 `IHDR`).
public struct PNGHeader: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// Bits a sample, or a palette index: 1, 2, 4, 8 or 16.
  public let bitDepth: Int
  /// The samples of a pixel.
  public let colorType: ColorType
  /// Whether the rows are stored in seven passes (Adam7).
  public let isInterlaced: Bool

  /// The samples of a pixel.
  public enum ColorType: UInt8, Sendable, CaseIterable {
    /// Grey.
    case gray = 0
    /// Red, green, blue.
    case rgb = 2
    /// An index into a palette.
    case palette = 3
    /// Grey and alpha.
    case grayAlpha = 4
    /// Red, green, blue, alpha.
    case rgba = 6

    /// Samples a pixel.
    public var sampleCount: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// The depths that the format allows.
    public var bitDepths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  init(width: Int, height: Int, bitDepth: Int, colorType: ColorType, isInterlaced: Bool) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = isInterlaced
  }

  /// Reads the content of the chunk, which `limits` bound.
  init(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) {
    let place = cursor.place
    guard cursor.count == 13 else {
      throw .invalid("size", found: "\(cursor.count)", expected: "13", at: place)
    }
    width = Int(try cursor.readUInt32())
    height = Int(try cursor.readUInt32())
    bitDepth = Int(try cursor.readUInt8())
    let type = try cursor.readUInt8(), compression = try cursor.readUInt8(), filter = try cursor.readUInt8()
    let interlace = try cursor.readUInt8()
    guard let colorType = ColorType(rawValue: type), colorType.bitDepths.contains(bitDepth) else {
      throw .invalid(
        "colour type and depth", found: "\(type) and \(bitDepth)", expected: "a pair that PNG has", at: place)
    }
    self.colorType = colorType
    for (name, value, largest) in [("compression", compression, 0), ("filter", filter, 0), ("interlace", interlace, 1)]
    {
      guard value <= largest else {
        throw .invalid("\(name) method", found: "\(value)", expected: "at most \(largest)", at: place)
      }
    }
    isInterlaced = interlace == 1
    try check(limits, at: place)
  }

  private func check(_ limits: Limits, at place: Place) throws(ParseError) {
    for (name, side) in [("width", width), ("height", height)] {
      guard (1...0x7FFF_FFFF).contains(side) else {
        throw .invalid(name, found: "\(side)", expected: "1 to 2^31 - 1", at: place)
      }
      guard side <= limits.pictureSide else {
        throw .beyondLimit(name, found: side, limit: limits.pictureSide, at: place)
      }
    }
    let pixels = width * height
    guard pixels <= limits.pixels else {
      throw .beyondLimit("number of pixels", found: pixels, limit: limits.pixels, at: place)
    }
    // What is compressed, hardly more than the rows as they are stored, and samples of up to four channels.
    let (bytes, overflow) = pixels.multipliedReportingOverflow(
      by: (colorType.sampleCount + 4) * (bitDepth == 16 ? 2 : 1))
    guard !overflow, bytes <= limits.decodedBytes else {
      throw .beyondLimit(
        "size of the decoded picture", found: overflow ? .max : bytes, limit: limits.decodedBytes, at: place)
    }
  }

  /// Bits a pixel, as stored.
  var bitsPerPixel: Int { bitDepth * colorType.sampleCount }

  /// The samples of a decoded pixel, of a file that says a colour or a palette to be transparent (`tRNS`) or not.
  func channels(hasTransparency: Bool) -> RasterImage.Channels {
    let hasColor = colorType != .gray && colorType != .grayAlpha
    let hasAlpha = hasTransparency || colorType == .grayAlpha || colorType == .rgba
    return hasColor ? hasAlpha ? .rgba : .rgb : hasAlpha ? .grayAlpha : .gray
  }

  /// How far filters look back: the bytes of a pixel, at least one (PNG, 9.2).
  var filterDistance: Int { max(1, bitsPerPixel / 8) }

  /// The bytes of a row of `width` pixels.
  func rowSize(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

  /// The passes that hold pixels, in the order of the file.
  var passes: [PNGPass] {
    guard isInterlaced else { return [PNGPass(x: 0, y: 0, stepX: 1, stepY: 1, width: width, height: height)] }
    return PNGPass.adam7.compactMap { x, y, stepX, stepY in
      guard x < width, y < height else { return nil }
      return PNGPass(
        x: x, y: y, stepX: stepX, stepY: stepY, width: (width - x + stepX - 1) / stepX,
        height: (height - y + stepY - 1) / stepY)
    }
  }

  /// The bytes of all rows, each with its filter in front.
  var filteredSize: Int { passes.reduce(0) { $0 + $1.height * (1 + rowSize($1.width)) } }
}

/// The pixels of one pass (PNG, 8.2): every so many from a first one on.
struct PNGPass {
  let x: Int, y: Int, stepX: Int, stepY: Int
  /// The size of the reduced picture that the pass is.
  let width: Int, height: Int

  /// First column and row, and the steps, of the seven passes.
  static let adam7 = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
  ]
}

/// The filters of rows (PNG, 9.2).
enum PNGFilter: UInt8, CaseIterable {
  case none, sub, up, average, paeth
}
