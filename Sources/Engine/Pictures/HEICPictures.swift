import LivePhotoCore
import LivePhotoHEIC
import LivePhotoHEIF
import LivePhotoHEVC

/// Reads the pictures of a HEIF file.
struct HEICPictureReader {
  let limits: Limits
  let threads: Threads

  /// One of the file's pictures, as coded.
  ///
  /// - Throws: ``LivePhotoError/damaged(file:_:)``, ``LivePhotoError/codec(file:reason:)``,
  ///   ``LivePhotoError/needsHEVC(_:)``.
  func picture(of file: OpenedFile, item: PictureItem) throws(LivePhotoError) -> StoredPicture {
    #if HEVC
      let heif = try file.heif(limits: limits)
      let id = try id(of: item, in: heif, file)
      let picture = try decoding(file) { (decoder) throws(HEICError) in try decoder.decode(heif, item: id) }
      let exif = (try? heif.exif(of: id))?.block
      let xmp = heif.xmpItem(of: id).flatMap { try? heif.data(of: $0.id) }
      let kinds = heif.auxiliaryImages(of: id).map(\.kind)
      return StoredPicture(
        image: picture.image, transforms: picture.transforms,
        metadata: PictureMetadata(exif: exif, xmp: xmp, icc: picture.icc), hasAlpha: kinds.contains(.alpha),
        companions: Companions(of: id, in: heif), warnings: warnings(of: id, in: heif, file))
    #else
      throw .needsHEVC("decoding \(file.path)")
    #endif
  }

  /// The alpha of the file's primary picture; nil where it has none.
  ///
  /// - Throws: as ``picture(of:item:)``.
  func alpha(of file: OpenedFile) throws(LivePhotoError) -> AlphaPlane? {
    let heif = try file.heif(limits: limits)
    guard let primary = heif.primaryItem?.id, let item = heif.item(.alpha) else { return nil }
    let picture = try picture(of: file, item: .alpha)
    var alpha = AlphaPlane(picture.image.planes[0], bitDepth: picture.image.format.bitDepth)
    alpha.isPremultiplied = heif.targets(of: "prem", from: primary).contains(item)
    alpha.transforms = picture.transforms
    return alpha
  }

  #if HEVC
    /// One of the file's pictures, to be decoded from top to bottom.
    ///
    /// - Throws: as ``picture(of:item:)``.
    func bands(of file: OpenedFile, item: PictureItem) throws(LivePhotoError) -> HEICBands {
      let heif = try file.heif(limits: limits)
      let id = try id(of: item, in: heif, file)
      return try decoding(file) { (decoder) throws(HEICError) in try decoder.bands(of: heif, item: id) }
    }

    /// One of the file's pictures as pixels, as coded.
    ///
    /// - Throws: as ``picture(of:item:)``.
    func raster(of file: OpenedFile, item: PictureItem) throws(LivePhotoError) -> HEICRaster {
      let heif = try file.heif(limits: limits)
      let id = try id(of: item, in: heif, file)
      return try decoding(file) { (decoder) throws(HEICError) in try decoder.decodeRaster(heif, item: id) }
    }

    /// What is wrong with the file, where the picture comes out all the same.
    ///
    /// - Throws: as ``picture(of:item:)``.
    func warnings(of file: OpenedFile, item: PictureItem) throws(LivePhotoError) -> [String] {
      let heif = try file.heif(limits: limits)
      return warnings(of: try id(of: item, in: heif, file), in: heif, file)
    }

    private func id(of item: PictureItem, in heif: HEIFFile, _ file: OpenedFile) throws(LivePhotoError) -> HEIFItem.ID {
      if let id = heif.item(item) { return id }
      throw .damaged(file: file.path, .missing(item.phrase, at: Place(offset: 0, path: ["meta"])))
    }

    private func warnings(of id: HEIFItem.ID, in heif: HEIFFile, _ file: OpenedFile) -> [String] {
      guard heif.exifItem(of: id) != nil, (try? heif.exif(of: id))?.block == nil else { return [] }
      return ["\(file.path): its Exif cannot be read and was left out"]
    }

    private func decoding<Result: ~Copyable>(
      _ file: OpenedFile, _ body: (HEICDecoder) throws(HEICError) -> Result
    ) throws(LivePhotoError) -> Result {
      do { return try body(HEICDecoder(threads: threads, limits: limits)) } catch {
        throw LivePhotoError(error, file: file.path)
      }
    }
  #endif

  /// A picture's samples with the alpha of the file's primary picture; as they are where it has none of their size.
  ///
  /// - Throws: as ``picture(of:item:)``.
  func addingAlpha(of file: OpenedFile, to raster: RasterImage) throws(LivePhotoError) -> RasterImage {
    try alpha(of: file).flatMap { raster.withAlpha($0) } ?? raster
  }
}

/// Opacity of a picture, as stored.
struct AlphaPlane {
  /// One plane; its samples are of full range, whatever the file says of them.
  var image: PlanarImage
  /// Whether the picture's colours are multiplied by it already.
  var isPremultiplied = false
  /// What crops and turns it.
  var transforms: [PictureTransform] = []

  init(_ plane: Plane, bitDepth: Int) {
    image = PlanarImage(
      width: plane.width, height: plane.height, format: PixelFormat(.yuv400, bitDepth: bitDepth),
      color: ColorDescription(isFullRange: true), planes: [plane])
  }

  /// Whether it belongs to the samples of `picture` as they are stored.
  func fits(_ picture: StoredPicture) -> Bool {
    (image.width, image.height) == (picture.image.width, picture.image.height) && transforms == picture.transforms
  }
}

extension RasterImage {
  /// The picture with `alpha`; nil where that is of another size.
  func withAlpha(_ alpha: AlphaPlane) -> RasterImage? {
    withAlpha(alpha.image.planes[0], bitDepth: alpha.image.format.bitDepth, isPremultiplied: alpha.isPremultiplied)
  }
}

extension StillEncoder {
  /// A HEIC file of one picture.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func heic(
    _ image: PlanarImage, alpha: AlphaPlane? = nil, quality: Int, orientation: Orientation = .up,
    cleanAperture: CleanAperture? = nil, pixelAspectRatio: PixelAspectRatio? = nil, metadata: PictureMetadata,
    carrying carried: PictureCompanions? = nil, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    #if HEVC
      let encoder = heicEncoder(quality: quality)
      let companions = alpha.map { [HEICCompanion.alpha($0.image, isPremultiplied: $0.isPremultiplied)] } ?? []
      do {
        return try encoder.encode(
          image, orientation: orientation, cleanAperture: cleanAperture, pixelAspectRatio: pixelAspectRatio,
          exif: metadata.exif, xmp: metadata.xmp, icc: metadata.icc, companions: companions, carrying: carried)
      } catch { throw .codec(file: file, reason: error.description) }
    #else
      throw .needsHEVC("a HEIC still of \(file)")
    #endif
  }
}

#if HEVC
  extension StillEncoder {
    /// The encoder of HEIC pictures.
    func heicEncoder(quality: Int) -> HEICEncoder {
      HEICEncoder(
        quality: quality, isLossless: isLossless, preset: HEVCPreset(preset), tiles: HEICTiles(tiles), threads: threads)
    }
  }

  extension HEICTiles {
    fileprivate init(_ choice: TileChoice) {
      self =
        switch choice {
        case .standard: .standard
        case .side(let side): .side(side)
        case .none: .none
        }
    }
  }

  extension HEVCPreset {
    fileprivate init(_ preset: StillPreset) {
      self =
        switch preset {
        case .ultrafast: .ultrafast
        case .veryfast: .veryfast
        case .medium: .medium
        case .slow: .slow
        }
    }
  }

  extension LivePhotoError {
    /// Why a picture of a HEIF file could not be decoded.
    init(_ error: HEICError, file: String) {
      if case .structure(let cause) = error {
        self = .damaged(file: file, cause)
      } else {
        self = .codec(file: file, reason: error.description)
      }
    }
  }
#endif

extension HEIFFile {
  /// The item that a caller means.
  fileprivate func item(_ item: PictureItem) -> HEIFItem.ID? {
    guard let primary = primaryItem?.id else { return nil }
    func auxiliary(_ kind: AuxiliaryImage.Kind) -> HEIFItem.ID? {
      auxiliaryImages(of: primary).first { $0.kind == kind }?.item.id
    }
    return switch item {
    case .primary: primary
    case .thumbnail: thumbnails(of: primary).first?.id
    case .alpha: auxiliary(.alpha)
    case .depth: auxiliary(.depth)
    case .gainMap: auxiliary(.gainMap)
    case .id(let id): self.item(id)?.id
    }
  }
}

extension PictureItem {
  /// How a message calls it.
  fileprivate var phrase: String {
    switch self {
    case .primary: "primary item"
    case .thumbnail: "thumbnail"
    case .alpha: "alpha plane"
    case .depth: "depth map"
    case .gainMap: "gain map"
    case .id(let id): "item \(id)"
    }
  }
}
