public import LivePhotoCore

/// A rectangle of a picture, in luma samples from its top left corner.
public struct PictureArea: Hashable, Sendable {
  /// Samples left of it.
  public var x: Int
  /// Rows above it.
  public var y: Int
  /// Its width.
  public var width: Int
  /// Its height.
  public var height: Int

  /// An area.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// What a sequence parameter set says of its pictures, the same for H.264 and HEVC.
public struct VideoFormat: Hashable, Sendable {
  /// The width that is coded, in luma samples: whole blocks.
  public var codedWidth: Int
  /// The height that is coded, in luma samples, of a whole frame.
  public var codedHeight: Int
  /// The part to show: the conformance window of HEVC, the frame cropping of H.264.
  ///
  /// It lies inside the coded picture and is not empty.
  public var area: PictureArea
  /// The chroma planes.
  public var chroma: ChromaFormat
  /// Bits a luma sample, 8 to 16.
  public var lumaBitDepth: Int
  /// Bits a chroma sample, 8 to 16; without meaning in a picture of luma only.
  public var chromaBitDepth: Int
  /// What the sample values mean.
  public var color: ColorDescription
  /// The shape of a sample; nil when nothing is said.
  public var pixelAspect: PixelAspectRatio?
  /// `chroma_sample_loc_type_top_field`, 0 to 5: where chroma samples lie; nil when nothing is said, which means 0
  /// (left, between two rows) for 4:2:0.
  public var chromaLocation: Int?
  /// The nominal duration of a frame; nil when nothing is said.
  public var frameDuration: RationalTime?

  /// The width to show, in luma samples.
  public var width: Int { area.width }
  /// The height to show, in luma samples.
  public var height: Int { area.height }

  /// The layout of decoded pictures; nil when luma and chroma have different depths.
  public var pixelFormat: PixelFormat? {
    guard chroma == .yuv400 || lumaBitDepth == chromaBitDepth else { return nil }
    return PixelFormat(chroma, bitDepth: lumaBitDepth)
  }
}

/// Samples to leave out at each side of a picture, in luma samples.
struct CropOffsets {
  var left = 0
  var right = 0
  var top = 0
  var bottom = 0

  /// Reads four codes, each a number of `unitX` or `unitY` luma samples, in the order that all parameter sets have.
  init(_ reader: inout BitReader, unitX: Int, unitY: Int) throws(ParseError) {
    left = Int(try reader.readUE()) * unitX
    right = Int(try reader.readUE()) * unitX
    top = Int(try reader.readUE()) * unitY
    bottom = Int(try reader.readUE()) * unitY
  }

  init() {}
}

extension PictureArea {
  /// What `offsets` leave of a picture, or nil when they leave nothing.
  init?(width: Int, height: Int, without offsets: CropOffsets) {
    let restWidth = width - offsets.left - offsets.right, restHeight = height - offsets.top - offsets.bottom
    guard restWidth > 0, restHeight > 0 else { return nil }
    self.init(x: offsets.left, y: offsets.top, width: restWidth, height: restHeight)
  }

  /// The same, for an area that a parameter set has to have.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the picture is empty or beyond the limits, or nothing is left of it.
  init(width: Int, height: Int, cropped offsets: CropOffsets, limits: Limits, at place: Place) throws(ParseError) {
    let side = max(width, height)
    guard width > 0, height > 0 else {
      throw .invalid("picture size", found: "\(width)x\(height)", expected: "at least 1x1", at: place)
    }
    guard side <= limits.pictureSide else {
      throw .beyondLimit("side of the picture", found: side, limit: limits.pictureSide, at: place)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, pixels <= limits.pixels else {
      throw .beyondLimit("pixels of the picture", found: overflow ? .max : pixels, limit: limits.pixels, at: place)
    }
    guard let area = PictureArea(width: width, height: height, without: offsets) else {
      throw .invalid(
        "cropping", found: "\(offsets.left)+\(offsets.right) by \(offsets.top)+\(offsets.bottom)",
        expected: "less than the picture of \(width)x\(height)", at: place)
    }
    self = area
  }
}
