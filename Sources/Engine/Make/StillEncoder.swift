import LivePhotoCore
import LivePhotoJPEG

/// Encodes stills: a frame of a movie, or a picture, with its Exif.
struct StillEncoder {
  let format: StillFormat
  let tiles: TileChoice
  let threads: Threads
  var subsampling: ChromaSampling?
  var optimizesHuffmanTables = false

  /// A frame as it is: turned and cropped by properties in HEIC, cropped and turned by Exif in JPEG.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(_ frame: MovieFrame, exif: ExifBlock, file: String) throws(LivePhotoError) -> OutputPlan {
    switch format {
    case .heic(let quality):
      return try heic(
        frame.image, quality: quality, orientation: frame.orientation, cleanAperture: frame.cleanAperture,
        pixelAspectRatio: frame.pixelAspectRatio, metadata: PictureMetadata(exif: exif), file: file)
    case .jpeg(let quality):
      let area = frame.area
      let cropped = frame.image.cropped(x: area.x, y: area.y, width: area.width, height: area.height)
      return try jpeg(
        file: file, quality: quality, metadata: PictureMetadata(exif: exif), color: frame.image.color,
        pixelAspectRatio: frame.pixelAspectRatio
      ) { (encoder, metadata) throws(JPEGError) in
        try encoder.encode(cropped, metadata: metadata)
      }
    }
  }

  /// Whether the format can say how a decoded picture is cropped and turned, so that its planes stay as they are.
  func keepsPlanes(of picture: StoredPicture) -> Bool {
    switch format {
    case .heic: picture.isCroppedBeforeTurned
    case .jpeg: picture.transforms.isEmpty
    }
  }

  /// A decoded picture whose planes the format keeps; others are encoded as they are shown.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(_ picture: StoredPicture, metadata: PictureMetadata, file: String) throws(LivePhotoError) -> OutputPlan {
    switch format {
    case .heic(let quality):
      return try heic(
        picture.image, quality: quality, orientation: picture.orientation, cleanAperture: picture.cleanAperture,
        metadata: metadata, file: file)
    case .jpeg(let quality):
      return try jpeg(file: file, quality: quality, metadata: metadata, color: picture.image.color) {
        (encoder, metadata) throws(JPEGError) in
        try encoder.encode(picture.image, metadata: metadata)
      }
    }
  }

  /// A picture of interleaved samples; alpha is laid over white.
  ///
  /// - Parameter color: what the samples stand for; sRGB where nothing says it.
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func encode(
    _ raster: RasterImage, metadata: PictureMetadata, color: ColorDescription? = nil, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    let flat = raster.flattened()
    switch format {
    case .heic(let quality):
      let chroma: ChromaFormat = flat.channels.hasColor ? .yuv420 : .yuv400
      let reduced = flat.bitDepth > 12 ? flat.reduced(to: 12) : flat
      guard let image = PlanarImage(reduced, chroma: chroma, color: color?.forYCbCr ?? .jfif) else {
        throw .codec(file: file, reason: "the picture cannot be converted to YCbCr")
      }
      return try heic(image, quality: quality, metadata: metadata, file: file)
    case .jpeg(let quality):
      if let color, color.isHDR {
        throw .codec(file: file, reason: JPEGError.highDynamicRange(transfer: color.transfer).description)
      }
      let bytes = flat.bitDepth > 8 ? flat.reduced(to: 8) : flat
      guard case .bytes(let samples) = bytes.samples else {
        throw .codec(file: file, reason: "the picture cannot be reduced to 8 bits")
      }
      return try jpeg(file: file, quality: quality, metadata: metadata, color: color) {
        (encoder, metadata) throws(JPEGError) in
        let layout: PixelLayout = bytes.channels.hasColor ? .rgb : .gray
        let view = PixelView(samples.span, width: bytes.width, height: bytes.height, layout: layout)
        return try encoder.encode(view, metadata: metadata)
      }
    }
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
