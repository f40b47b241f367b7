public import LivePhotoCore

/// The part of a sample description that is the same for all codings of video (ISO/IEC 14496-12, 12.1.3).
public struct VideoDescription: Equatable, Sendable {
  /// The coded width in pixels.
  public let width: Int
  /// The coded height in pixels.
  public let height: Int
  /// Bits a pixel as QuickTime counts them: 24 without alpha.
  public let depth: UInt16
  /// The name of the encoder, often empty.
  public let compressorName: String
  /// All boxes behind the fixed fields, in order, those parsed below among them.
  public let extensions: [DescriptionExtension]

  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    try cursor.skip(16)
    width = Int(try cursor.readUInt16())
    height = Int(try cursor.readUInt16())
    try cursor.skip(14)
    let name = try cursor.readBytes(32)
    compressorName = String(decoding: name.dropFirst().prefix(min(31, Int(name.first ?? 0))), as: UTF8.self)
    depth = try cursor.readUInt16()
    try cursor.skip(2)
    extensions = DescriptionExtension.list(parsing: &cursor)
  }

  /// The payload of the first box of a type: `configuration("hvcC")`.
  public func configuration(_ type: FourCC) -> [UInt8]? { extensions.first { $0.type == type }?.payload }

  /// What every `colr` box says, in order.
  public var colors: [ColorInformation] {
    extensions.compactMap { $0.type == "colr" ? ColorInformation(payload: $0.payload) : nil }
  }

  /// The colour as code points, from the first `colr` of type `nclx` or `nclc`; nil when there is none.
  public var color: ColorDescription? {
    colors.lazy.compactMap { color in
      switch color {
      case .nclx(let description), .nclc(let description): description
      case .icc: nil
      }
    }.first
  }

  /// The part of the picture that is meant to be shown, from `clap`.
  public var cleanAperture: CleanAperture? {
    parse("clap") { (cursor) throws(ParseError) in try .init(parsing: &cursor) }
  }

  /// The shape of a pixel, from `pasp`.
  public var pixelAspectRatio: PixelAspectRatio? {
    parse("pasp") { (cursor) throws(ParseError) in try .init(parsing: &cursor) }
  }

  func parse<Value>(_ type: FourCC, _ read: (inout ByteCursor) throws(ParseError) -> Value) -> Value? {
    guard let payload = configuration(type) else { return nil }
    var cursor = ByteCursor(payload.span)
    return try? read(&cursor)
  }
}

/// What one `colr` box says (ISO/IEC 14496-12, 12.1.5; QuickTime File Format, "Color parameter atoms").
public enum ColorInformation: Equatable, Sendable {
  /// QuickTime's form, which says nothing of the range; ``ColorDescription/isFullRange`` is false here.
  case nclc(ColorDescription)
  /// MPEG's form.
  case nclx(ColorDescription)
  /// An ICC profile.
  case icc([UInt8])

  /// Reads the payload of a `colr` box; nil for another type or one that is cut off.
  init?(payload: [UInt8]) {
    var cursor = ByteCursor(payload.span)
    guard let type = try? cursor.readFourCC() else { return nil }
    switch type {
    case "nclc", "nclx":
      guard let primaries = try? cursor.readUInt16(), let transfer = try? cursor.readUInt16(),
        let matrix = try? cursor.readUInt16()
      else { return nil }
      // Some writers leave the byte with the range out of `nclx`: limited range then.
      let range = type == "nclx" ? (try? cursor.readUInt8()) ?? 0 : 0
      let color = ColorDescription(
        primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range & 0x80 != 0)
      self = type == "nclx" ? .nclx(color) : .nclc(color)
    case "prof", "rICC": self = .icc(cursor.readRemaining())
    default: return nil
    }
  }
}
