import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEIF

/// Reads a picture of any kind that is known here as interleaved samples, as stored (not turned).
struct PictureReader {
  let limits: Limits
  var threads = Threads.count(1)

  /// The picture in a file.
  ///
  /// - Throws: ``LivePhotoError/wrongKind(file:found:expected:)``, ``LivePhotoError/notYet(file:_:)``,
  ///   ``LivePhotoError/damaged(file:_:)``, ``LivePhotoError/codec(file:reason:)``.
  func raster(of file: OpenedFile) throws(LivePhotoError) -> RasterImage {
    switch file.kind {
    case .netpbm:
      do { return try RasterImage(netpbm: file.source, limits: limits) } catch {
        throw .damaged(file: file.path, error)
      }
    case .y4m, .jpeg, .heif: return try Self.raster(try planes(of: file).image, file: file.path)
    case .png, .gif: throw .notYet(file: file.path, "reading \(file.kind.phrase)")
    case .movie, .unknown: throw .wrongKind(file: file.path, found: file.kind, expected: "a picture")
    }
  }

  /// The picture's planes, of a kind that stores planes.
  ///
  /// - Throws: as ``raster(of:)``.
  func planes(of file: OpenedFile, item: PictureItem = .primary) throws(LivePhotoError) -> StoredPicture {
    switch file.kind {
    case .y4m: return StoredPicture(image: try firstFrame(of: file))
    case .jpeg: throw .notYet(file: file.path, "decoding JPEG")
    case .heif: return try HEICPictureReader(limits: limits, threads: threads).picture(of: file, item: item)
    default: throw .wrongKind(file: file.path, found: file.kind, expected: "a picture")
    }
  }

  /// Planes as RGB or grey.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)`` for a matrix that cannot be converted.
  static func raster(_ image: PlanarImage, file: String) throws(LivePhotoError) -> RasterImage {
    guard let raster = image.raster() else {
      throw .codec(file: file, reason: "colour matrix \(image.color.matrix) cannot be converted to RGB")
    }
    return raster
  }

  private func firstFrame(of file: OpenedFile) throws(LivePhotoError) -> PlanarImage {
    do {
      var reader = try Y4MReader(parsing: file.source, limits: limits)
      if let frame = try reader.next() { return frame }
      throw ParseError.missing("frame", at: Place(offset: file.source.count))
    } catch let error as ParseError {
      throw .damaged(file: file.path, error)
    } catch {
      throw .codec(file: file.path, reason: "\(error)")
    }
  }
}

/// A decoded picture as stored, and what crops, turns and describes it.
struct StoredPicture {
  var image: PlanarImage
  var transforms: [PictureTransform] = []
  var icc: [UInt8]?
}

extension StoredPicture {
  /// How the whole picture is turned to be shown.
  var orientation: Orientation {
    transforms.reduce(.up) { orientation, transform in
      if case .orient(let next) = transform { orientation.followed(by: next) } else { orientation }
    }
  }

  /// The part that is shown, where the picture is cropped before it is turned, as MIAF asks.
  var cleanAperture: CleanAperture? {
    if case .crop(let aperture)? = transforms.first { aperture } else { nil }
  }

  /// The picture as it is shown: cropped and turned.
  ///
  /// Samples of planes cannot be turned where chroma is halved in one direction only, so it is the interleaved
  /// picture that is turned.
  func upright(_ raster: RasterImage) -> RasterImage {
    transforms.reduce(raster) { raster, transform in
      switch transform {
      case .orient(let orientation): return raster.turned(orientation)
      case .crop(let aperture):
        guard let area = aperture.rectangle(inWidth: raster.width, height: raster.height) else { return raster }
        return raster.cropped(columns: area.x..<area.x + area.width, rows: area.y..<area.y + area.height)
      }
    }
  }
}
