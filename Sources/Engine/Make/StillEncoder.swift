import LivePhotoCore
import LivePhotoJPEG

/// Encodes stills: a frame of a movie, or a picture, with its Exif.
struct StillEncoder {
  let format: StillFormat
  let tiles: TileChoice
  let threads: Threads
  var preset = StillPreset.veryfast
  /// Whether a HEIC holds every sample as it is: planes as they are, RGB as planes G, B, R.
  var isLossless = false
  var subsampling: ChromaSampling?
  var optimizesHuffmanTables = false

  /// A frame as it is: turned and cropped by properties in HEIC, cropped and turned by Exif in JPEG.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(_ frame: MovieFrame, exif: ExifBlock, file: String) throws(LivePhotoError) -> OutputPlan {
    let shown = frame.presentation
    switch format {
    case .heic(let quality):
      return try heic(
        frame.image, quality: quality, orientation: shown.orientation, cleanAperture: shown.cleanAperture,
        pixelAspectRatio: shown.pixelAspectRatio, metadata: PictureMetadata(exif: exif), file: file)
    case .jpeg(let quality):
      let area = shown.area
      let cropped = frame.image.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
      if let mapper = ToneMapper(cropped.color, bitDepth: cropped.format.bitDepth, peak: frame.peak) {
        return try jpeg(
          mapper.map(try PictureReader.raster(cropped, file: file)), quality: quality,
          metadata: PictureMetadata(exif: exif), color: nil, pixelAspectRatio: shown.pixelAspectRatio, file: file)
      }
      return try jpeg(
        file: file, quality: quality, metadata: PictureMetadata(exif: exif), color: frame.image.color,
        pixelAspectRatio: shown.pixelAspectRatio
      ) { (encoder, metadata) throws(JPEGError) in
        try encoder.encode(cropped, metadata: metadata)
      }
    }
  }

  /// Whether the format can say how a decoded picture is cropped and turned, so that its planes stay as they are.
  func keepsPlanes(of picture: StoredPicture) -> Bool {
    switch format {
    case .heic: picture.isCroppedBeforeTurned && !(isLossless && picture.isConverted)
    case .jpeg: picture.transforms.isEmpty && !picture.image.color.isHDR
    }
  }

  /// Whether what accompanies a picture in a HEIF file goes along as it is coded, when the picture's planes stay.
  var keepsCompanions: Bool { keepsAlpha }

  /// Whether the format has room for alpha.
  var keepsAlpha: Bool { if case .heic = format { true } else { false } }

  /// A decoded picture whose planes the format keeps; others are encoded as they are shown.
  ///
  /// - Parameter alpha: opacity of the picture's size, turned and cropped like it; JPEG has no room for it.
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(
    _ picture: StoredPicture, alpha: AlphaPlane? = nil, metadata: PictureMetadata, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    switch format {
    case .heic(let quality):
      return try heic(
        picture.image, alpha: alpha, quality: quality, orientation: picture.orientation,
        cleanAperture: picture.cleanAperture, metadata: metadata, carrying: picture.companions.carried, file: file)
    case .jpeg(let quality):
      return try jpeg(file: file, quality: quality, metadata: metadata, color: picture.image.color) {
        (encoder, metadata) throws(JPEGError) in
        try encoder.encode(picture.image, metadata: metadata)
      }
    }
  }

  /// A picture of interleaved samples; HEIC keeps alpha, for JPEG it is laid over white.
  ///
  /// - Parameter color: what the samples stand for; sRGB where nothing says it.
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(
    _ raster: RasterImage, metadata: PictureMetadata, color: ColorDescription? = nil, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    try encode(try content(of: raster, color: color, file: file), metadata: metadata, color: color, file: file)
  }

  /// What the format codes of a picture of interleaved samples, which is not needed any more then.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)`` for colours or depths that it cannot hold.
  func content(
    of raster: RasterImage, color: ColorDescription?, file: String
  ) throws(LivePhotoError) -> StillContent {
    switch format {
    case .heic: return try planes(of: raster, color: color, file: file)
    case .jpeg:
      let opaque = raster.flattened()
      let mapper = color.flatMap { ToneMapper($0, bitDepth: raster.bitDepth) }
      return .pixels(mapper?.map(opaque) ?? opaque.reduced(to: 8))
    }
  }

  /// Codes what ``content(of:color:file:)`` gave.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(
    _ content: StillContent, metadata: PictureMetadata, color: ColorDescription?, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    switch content {
    case .planes(let image, let alpha):
      return try heic(image, alpha: alpha, quality: format.quality, metadata: metadata, file: file)
    case .pixels(let pixels):
      // HDR has become sRGB, which its profile does not describe.
      let isMapped = color?.isHDR ?? false
      var metadata = metadata
      if isMapped { metadata.icc = nil }
      return try jpeg(
        pixels, quality: format.quality, metadata: metadata, color: isMapped ? nil : color, file: file)
    }
  }

  private func jpeg(
    _ pixels: RasterImage, quality: Int, metadata: PictureMetadata, color: ColorDescription?,
    pixelAspectRatio: PixelAspectRatio? = nil, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    guard case .bytes(let samples) = pixels.samples else {
      throw .codec(file: file, reason: "the picture cannot be reduced to 8 bits")
    }
    return try jpeg(
      file: file, quality: quality, metadata: metadata, color: color, pixelAspectRatio: pixelAspectRatio
    ) { (encoder, metadata) throws(JPEGError) in
      let layout: PixelLayout = pixels.channels.hasColor ? .rgb : .gray
      let view = PixelView(samples.span, width: pixels.width, height: pixels.height, layout: layout)
      return try encoder.encode(view, metadata: metadata)
    }
  }

  private func planes(
    of raster: RasterImage, color: ColorDescription?, file: String
  ) throws(LivePhotoError) -> StillContent {
    let coding = try RasterCoding(
      raster.channels, bitDepth: raster.bitDepth, color: color, isLossless: isLossless, file)
    let reduced = raster.reduced(to: coding.bitDepth), parts = reduced.separatingAlpha()
    let image = PlanarImage(parts?.colors ?? reduced, chroma: coding.chroma, color: coding.color, threads: threads)
    guard let image else { throw .codec(file: file, reason: "the picture cannot be converted to YCbCr") }
    return .planes(image, alpha: reduced.isOpaque ? nil : parts.map { AlphaPlane($0.alpha, bitDepth: coding.bitDepth) })
  }

  /// A JPEG file, which is taken for sRGB where no profile says otherwise: colours with other primaries get one.
  private func jpeg(
    file: String, quality: Int, metadata described: PictureMetadata, color: ColorDescription?,
    pixelAspectRatio: PixelAspectRatio? = nil,
    _ encode: (JPEGEncoder, JPEGMetadata) throws(JPEGError) -> [UInt8]
  ) throws(LivePhotoError) -> OutputPlan {
    let profile = color.flatMap { $0.primaries == 1 ? nil : ICCProfile.display($0) }
    var metadata = JPEGMetadata(exif: described.exif?.bytes, xmp: described.xmp, icc: described.icc ?? profile)
    if let pixel = pixelAspectRatio {
      // JFIF counts samples a unit, so a wide pixel has the smaller number across.
      metadata.density = JPEGDensity(
        unit: .aspectRatio, x: UInt16(clamping: pixel.verticalSpacing), y: UInt16(clamping: pixel.horizontalSpacing))
    }
    var encoder = JPEGEncoder(
      quality: quality, subsampling: subsampling.map { JPEGSubsampling($0) }, threads: threads)
    encoder.optimizesHuffmanTables = optimizesHuffmanTables
    do { return OutputPlan([.bytes(try encode(encoder, metadata))]) } catch {
      throw .codec(file: file, reason: error.description)
    }
  }
}

/// The planes that a picture of interleaved samples is coded as in HEIC.
struct RasterCoding {
  let bitDepth: Int
  let chroma: ChromaFormat
  let color: ColorDescription

  /// - Parameter color: what the samples stand for; sRGB where nothing says it.
  /// - Throws: ``LivePhotoError/codec(file:reason:)`` for a depth that would lose what may not be lost.
  init(
    _ channels: RasterImage.Channels, bitDepth: Int, color: ColorDescription?, isLossless: Bool, _ file: String
  ) throws(LivePhotoError) {
    self.bitDepth = [12, 10, 8].first { $0 <= bitDepth } ?? 8
    guard !isLossless || self.bitDepth == bitDepth else {
      throw .codec(file: file, reason: "without loss HEIC holds 8, 10 or 12 bits a sample; the picture has \(bitDepth)")
    }
    let planes = color?.forYCbCr ?? .jfif
    chroma = !channels.hasColor ? .yuv400 : isLossless ? .yuv444 : .yuv420
    self.color =
      chroma == .yuv444
      ? ColorDescription(primaries: planes.primaries, transfer: planes.transfer, matrix: 0, isFullRange: true) : planes
  }

  var format: PixelFormat { PixelFormat(chroma, bitDepth: bitDepth) }
}

/// A picture of interleaved samples in the form that its format codes.
enum StillContent {
  /// For JPEG: grey or RGB of 8 bits.
  case pixels(RasterImage)
  /// For HEIC: planes, and opacity where something shines through.
  case planes(PlanarImage, alpha: AlphaPlane?)
}

extension JPEGSubsampling {
  fileprivate init(_ sampling: ChromaSampling) {
    self =
      switch sampling {
      case .yuv444: .yuv444
      case .yuv422: .yuv422
      case .yuv420: .yuv420
      case .yuv411: .yuv411
      case .gray: .gray
      }
  }
}
