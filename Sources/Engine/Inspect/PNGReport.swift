import LivePhotoCore
import LivePhotoPNG

/// What ``FileInspector`` finds in a PNG file beside its size and Exif.
public struct PNGReport: Sendable, Codable, Equatable {
  /// Bits a sample, or a palette index, as stored.
  public var bitDepth: Int
  /// `grey`, `RGB`, `palette`, `grey with alpha` or `RGB with alpha`.
  public var colorType: String
  /// Whether the rows are stored in seven passes (Adam7).
  public var isInterlaced: Bool
  /// How many bits of the samples are meant, where the file says it.
  public var significantBits: Int?
  /// Entries of the palette.
  public var paletteEntries: Int?
  /// Whether a colour or entries of the palette are transparent.
  public var hasTransparency: Bool
  /// What says the colours: `cICP`, `iCCP`, `sRGB`, `cHRM` and `gAMA`, in the order in which they rule.
  public var colorChunks: [String]
  /// The colours as code points, where `cICP` says them.
  public var color: ColorReport?
  /// What the ICC profile calls itself.
  public var iccProfile: String?
  /// The pictures of an animation.
  public var frames: Int?
  /// Texts beside the picture.
  public var texts: [TextReport]

  /// A text of a PNG file.
  public struct TextReport: Sendable, Codable, Equatable {
    /// What it is.
    public var keyword: String
    /// The beginning of it; nil where it is compressed.
    public var text: String?
  }
}

extension PNGReport {
  init(_ png: PNGDescription) {
    let metadata = png.metadata
    let chunks: [(String, Bool)] = [
      ("cICP", metadata.color != nil), ("iCCP", metadata.icc != nil), ("sRGB", metadata.renderingIntent != nil),
      ("cHRM", metadata.chromaticities != nil), ("gAMA", metadata.gamma != nil),
    ]
    self.init(
      bitDepth: png.header.bitDepth, colorType: png.header.colorType.phrase, isInterlaced: png.header.isInterlaced,
      significantBits: png.significantBits, paletteEntries: png.paletteEntries, hasTransparency: png.hasTransparency,
      colorChunks: chunks.filter(\.1).map(\.0), color: metadata.color.map(ColorReport.init),
      iccProfile: metadata.icc.flatMap(ICCProfile.name(of:)), frames: png.frames,
      texts: png.texts.map { TextReport(keyword: $0.keyword, text: $0.text) })
  }
}

extension PNGHeader.ColorType {
  fileprivate var phrase: String {
    switch self {
    case .gray: "grey"
    case .rgb: "RGB"
    case .palette: "palette"
    case .grayAlpha: "grey with alpha"
    case .rgba: "RGB with alpha"
    }
  }
}

extension PhotoReport {
  /// A PNG picture.
  ///
  /// - Parameter exif: its Exif, where that can be read.
  init(_ png: PNGDescription, exif: ExifBlock?) {
    let size = DisplaySize(width: png.header.width, height: png.header.height)
    let orientation = exif?.orientation ?? .up
    self.init(
      coding: "PNG", codedSize: size,
      displaySize: orientation.swapsAxes ? DisplaySize(width: size.height, height: size.width) : size,
      orientation: Int(orientation.rawValue), grid: nil, brands: nil, items: nil, auxiliary: [],
      hasXMP: png.metadata.xmp != nil, exif: exif.map(ExifReport.init), png: PNGReport(png))
  }
}
