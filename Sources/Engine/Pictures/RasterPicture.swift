import LivePhotoCore
import LivePhotoJPEG
import LivePhotoPNG

/// A picture as interleaved samples, and what turns and describes it.
struct RasterPicture {
  /// The samples as stored.
  var raster: RasterImage
  /// How they are turned to be shown.
  var orientation = Orientation.up
  /// How many bits of the samples are meant, where they are fewer.
  var significantBits: Int?
  /// What describes it, of the picture as stored.
  var metadata = PictureMetadata()
  /// What the samples stand for, where the file says it in code points.
  var color: ColorDescription?
  /// What is wrong with the file, or cannot be kept, where a picture came out all the same.
  var warnings: [String] = []

  /// The picture as it is shown.
  var upright: RasterImage { raster.turned(orientation) }

  /// The picture as it is encoded: shown, and of no more bits than are meant.
  var encodable: RasterImage { upright.reduced(to: Self.encodedDepth(significantBits)) }

  /// The bits of a sample that are encoded, where so many are meant.
  static func encodedDepth(_ significantBits: Int?) -> Int {
    // Rounded up to an even number, as codecs have 8, 10 or 12 bits.
    max(8, ((significantBits ?? 16) + 1) & ~1)
  }

  /// Whether sRGB is what the samples stand for.
  var isSRGB: Bool { metadata.icc == nil && color?.isSRGB ?? true }

  /// What is lost where a picture with alpha is encoded without it.
  static let flatteningLoss = "its transparent parts were laid over white"

  /// What is lost when it is encoded.
  func losses(in format: StillFormat, keepsAlpha: Bool, file: String) -> [String] {
    var losses: [String] = []
    if !keepsAlpha, !raster.isOpaque { losses.append(Self.flatteningLoss) }
    if case .jpeg = format, let remark = color?.toneMappingRemark {
      losses.append(remark)
    } else if case .jpeg = format, let color, metadata.icc == nil, ICCProfile.display(color) == nil {
      losses.append(
        "its colours (primaries \(color.primaries), transfer \(color.transfer)) are not said in JPEG, which takes them "
          + "from an ICC profile, and none is made for these")
    }
    return losses.map { "\(file): \($0)" }
  }
}

extension RasterPicture {
  /// A PNG picture.
  ///
  /// - Throws: ``PNGError`` when it cannot be decoded.
  init(png file: OpenedFile, limits: Limits) throws(PNGError) {
    let picture = try PNGDecoder(limits: limits).decode(file.source)
    let description = PNGPictureDescription(picture.metadata, limits: limits)
    self.init(
      raster: picture.raster, orientation: description.orientation, significantBits: picture.significantBits,
      metadata: description.metadata, color: description.color,
      warnings: (picture.warnings.map(\.description) + description.remarks).map { "\(file.path): \($0)" })
  }
}

/// What a PNG file says of its picture beside the pixels.
struct PNGPictureDescription {
  /// How the pixels are turned to be shown.
  let orientation: Orientation
  /// What describes the picture as stored.
  let metadata: PictureMetadata
  /// What the samples stand for, where the file says it in code points.
  private(set) var color: ColorDescription?
  /// What cannot be kept, or was taken for something else.
  private(set) var remarks: [String] = []

  init(_ said: PNGMetadata, limits: Limits) {
    // Metadata that cannot be read does not keep a picture from being shown.
    let exif = said.exif.flatMap { try? ExifBlock(parsing: $0, limits: limits) }
    metadata = PictureMetadata(exif: exif, xmp: said.xmp, icc: said.icc)
    orientation = exif?.orientation ?? .up
    if said.exif != nil, exif == nil { remarks.append("its Exif cannot be read and was left out") }
    if let color = said.color {
      if color.isFullRange {
        self.color = color
      } else {
        remarks.append("its samples are of limited range and were taken for full range")
      }
    } else if said.icc == nil, !said.isNearSRGB {
      remarks.append("its colours (gAMA, cHRM) were taken for sRGB")
    }
  }
}

extension PNGMetadata {
  /// Whether gamma and primaries, which sRGB overrides, are near sRGB's or not stated.
  fileprivate var isNearSRGB: Bool {
    guard renderingIntent == nil else { return true }
    func isNear(_ value: UInt32, _ goal: Int) -> Bool { abs(Int(value) - goal) <= goal / 20 }
    if let gamma, !isNear(gamma, 45_455) { return false }
    guard let colors = chromaticities else { return true }
    let points = [colors.white, colors.red, colors.green, colors.blue]
    let goals = [(31_270, 32_900), (64_000, 33_000), (30_000, 60_000), (15_000, 6_000)]
    return zip(points, goals).allSatisfy { isNear($0.x, $1.0) && isNear($0.y, $1.1) }
  }

  /// What says the colours of samples that were decoded from elsewhere; sRGB and what is not known need no words.
  init(icc: [UInt8]?, colorOf color: ColorDescription?) {
    self.init(icc: icc)
    guard icc == nil, let color, color.primaries != 2, color.transfer != 2, !color.isSRGB else { return }
    self.color = ColorDescription(
      primaries: color.primaries, transfer: color.transfer, matrix: 0, isFullRange: true)
  }
}

extension ColorDescription {
  /// Whether primaries and transfer are sRGB's.
  var isSRGB: Bool { primaries == 1 && transfer == 13 }

  /// The description of the YCbCr that RGB of this one is converted to: BT.2020's own, else BT.601 as cameras write it.
  var forYCbCr: ColorDescription {
    ColorDescription(primaries: primaries, transfer: transfer, matrix: primaries == 9 ? 9 : 6, isFullRange: true)
  }
}
