import LivePhotoCore
import LivePhotoHEIC
import LivePhotoHEIF

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
      guard let id = heif.item(item) else {
        throw .damaged(file: file.path, .missing(item.phrase, at: Place(offset: 0, path: ["meta"])))
      }
      do {
        let picture = try HEICDecoder(threads: threads, limits: limits).decode(heif, item: id)
        let exif = (try? heif.exif(of: id))?.block
        let xmp = heif.xmpItem(of: id).flatMap { try? heif.data(of: $0.id) }
        let kinds = heif.auxiliaryImages(of: id).map(\.kind)
        return StoredPicture(
          image: picture.image, transforms: picture.transforms,
          metadata: PictureMetadata(exif: exif, xmp: xmp, icc: picture.icc), hasAlpha: kinds.contains(.alpha),
          companions: Set(kinds.compactMap(\.phrase)).sorted(),
          warnings: heif.exifItem(of: id) != nil && exif == nil
            ? ["\(file.path): its Exif cannot be read and was left out"] : [])
      } catch {
        if case .structure(let cause) = error { throw .damaged(file: file.path, cause) }
        throw .codec(file: file.path, reason: error.description)
      }
    #else
      throw .needsHEVC("decoding \(file.path)")
    #endif
  }

  /// A picture's samples with the alpha of the file's primary picture; as they are where it has none of their size.
  ///
  /// - Throws: as ``picture(of:item:)``.
  func addingAlpha(of file: OpenedFile, to raster: RasterImage) throws(LivePhotoError) -> RasterImage {
    let heif = try file.heif(limits: limits)
    guard let primary = heif.primaryItem?.id, let alpha = heif.item(.alpha) else { return raster }
    let image = try picture(of: file, item: .alpha).image
    // Alpha is the samples of the first plane, whatever the range that is said of them.
    return raster.withAlpha(
      image.planes[0], bitDepth: image.format.bitDepth,
      isPremultiplied: heif.targets(of: "prem", from: primary).contains(alpha)) ?? raster
  }
}

extension StillEncoder {
  /// A HEIC file of one picture.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, ``LivePhotoError/needsHEVC(_:)``.
  func heic(
    _ image: PlanarImage, quality: Int, orientation: Orientation = .up, cleanAperture: CleanAperture? = nil,
    pixelAspectRatio: PixelAspectRatio? = nil, metadata: PictureMetadata, file: String
  ) throws(LivePhotoError) -> OutputPlan {
    #if HEVC
      let tiles: HEICTiles =
        switch tiles {
        case .standard: .standard
        case .side(let side): .side(side)
        case .none: .none
        }
      do {
        return try HEICEncoder(quality: quality, tiles: tiles, threads: threads).encode(
          image, orientation: orientation, cleanAperture: cleanAperture, pixelAspectRatio: pixelAspectRatio,
          exif: metadata.exif, xmp: metadata.xmp, icc: metadata.icc)
      } catch { throw .codec(file: file, reason: error.description) }
    #else
      throw .needsHEVC("a HEIC still of \(file)")
    #endif
  }
}

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

extension AuxiliaryImage.Kind {
  /// How a message calls pictures of a kind that encoding leaves out; nil for alpha, which is used.
  fileprivate var phrase: String? {
    switch self {
    case .alpha: nil
    case .depth: "depth map"
    case .gainMap: "gain map"
    case .matte: "mattes"
    case .other: "auxiliary pictures"
    }
  }
}
