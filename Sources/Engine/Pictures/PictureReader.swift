import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEIF
import LivePhotoJPEG
import LivePhotoPNG

/// Reads a picture of any kind that is known here, as stored (not turned).
struct PictureReader {
  let limits: Limits
  var threads = Threads.count(1)

  /// The picture in a file as interleaved samples.
  ///
  /// - Throws: ``LivePhotoError/wrongKind(file:found:expected:)``, ``LivePhotoError/notYet(file:_:remedy:)``,
  ///   ``LivePhotoError/damaged(file:_:)``, ``LivePhotoError/codec(file:reason:)``.
  func raster(of file: OpenedFile) throws(LivePhotoError) -> RasterPicture {
    switch file.kind {
    case .netpbm:
      do { return RasterPicture(raster: try RasterImage(netpbm: file.source, limits: limits)) } catch {
        throw .damaged(file: file.path, error)
      }
    case .png:
      do { return try RasterPicture(png: file, limits: limits) } catch { throw LivePhotoError(error, file: file.path) }
    case .y4m, .jpeg, .heif:
      let picture = try planes(of: file)
      return RasterPicture(
        raster: try picture.pixels(file: file.path), metadata: picture.metadata, warnings: picture.warnings)
    case .gif: throw .notYet(file: file.path, "reading \(file.kind.phrase)")
    case .movie, .hevc, .h264, .unknown: throw .wrongKind(file: file.path, found: file.kind, expected: "a picture")
    }
  }

  /// The picture's planes, of a kind that stores planes.
  ///
  /// - Throws: as ``raster(of:)``.
  func planes(of file: OpenedFile, item: PictureItem = .primary) throws(LivePhotoError) -> StoredPicture {
    switch file.kind {
    case .y4m: return StoredPicture(image: try firstFrame(of: file))
    case .jpeg: return try jpeg(file)
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

  /// A JPEG picture; colours and samplings that planes cannot state are made full-size YCbCr.
  private func jpeg(_ file: OpenedFile) throws(LivePhotoError) -> StoredPicture {
    do throws(JPEGError) {
      let picture = try JPEGDecoder(limits: limits).decode(file.source)
      let planes = picture.planarImage()
      let converted =
        if planes == nil { PlanarImage(try picture.raster(), chroma: .yuv444, color: .jfif) } else { planes }
      guard let image = converted else { throw .unsupportedMatrix(ColorDescription.jfif.matrix) }
      let description = JPEGPictureDescription(picture.file)
      return StoredPicture(
        image: image, isConverted: planes == nil, jpeg: picture, transforms: description.transforms,
        metadata: description.metadata, companions: description.companions,
        warnings: (picture.warnings.map(\.description) + description.remarks).map { "\(file.path): \($0)" })
    } catch { throw LivePhotoError(error, file: file.path) }
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

/// What a JPEG file says of its picture beside the samples.
struct JPEGPictureDescription {
  /// What describes the picture as stored.
  let metadata: PictureMetadata
  /// How it is turned to be shown.
  let transforms: [PictureTransform]
  /// What accompanies it in its file.
  let companions: Companions
  /// What cannot be kept.
  let remarks: [String]

  init(_ file: JPEGFile) {
    // Metadata that cannot be read does not keep a picture from being shown.
    metadata = PictureMetadata(
      exif: (try? file.exif())?.block, xmp: try? file.xmp(), icc: try? file.iccProfile())
    let orientation = metadata.exif?.orientation ?? .up
    transforms = orientation == .up ? [] : [.orient(orientation)]
    companions =
      file.trailer.isEmpty
      ? Companions() : Companions(names: ["trailer, such as a gain map or a video,"])
    remarks =
      file.first(.exif) != nil && metadata.exif == nil ? ["its Exif cannot be read and was left out"] : []
  }
}

/// A decoded picture as stored, and what crops, turns and describes it.
struct StoredPicture {
  var image: PlanarImage
  /// Whether the planes were made from pixels, which alone are what the file holds.
  var isConverted = false
  /// The JPEG picture that the planes are of, as JPEG says how chroma is interpolated; others are converted as they are.
  var jpeg: JPEGPicture?
  var transforms: [PictureTransform] = []
  /// What describes it, of the picture as stored.
  var metadata = PictureMetadata()
  /// Whether the file has an alpha plane for it.
  var hasAlpha = false
  /// What accompanies it in its file.
  var companions = Companions()
  /// What is wrong with the coded data, where a picture came out all the same.
  var warnings: [String] = []
}

extension StoredPicture {
  /// The pixels as RGB or grey.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)`` for a matrix that cannot be converted.
  func pixels(file: String) throws(LivePhotoError) -> RasterImage {
    guard let jpeg else { return try PictureReader.raster(image, file: file) }
    do { return try jpeg.raster() } catch { throw .codec(file: file, reason: error.description) }
  }

  /// How the whole picture is turned to be shown.
  var orientation: Orientation {
    transforms.reduce(.up) { orientation, transform in
      if case .orient(let next) = transform { orientation.followed(by: next) } else { orientation }
    }
  }

  /// Whether the picture is cropped at most once, and before it is turned, as MIAF asks.
  var isCroppedBeforeTurned: Bool {
    transforms.dropFirst().allSatisfy { if case .orient = $0 { true } else { false } }
  }

  /// The part that is shown, where the picture is cropped before it is turned.
  var cleanAperture: CleanAperture? {
    if case .crop(let aperture)? = transforms.first { aperture } else { nil }
  }

  /// The planes as they are shown: cropped and turned; nil where chroma has no form for that.
  var uprightPlanes: PlanarImage? {
    transforms.reduce(image) { image, transform in
      guard let image else { return nil }
      switch transform {
      case .orient(let orientation): return image.turned(orientation)
      case .crop(let aperture): return image.cropped(to: aperture)
      }
    }
  }

  /// The picture as it is shown: cropped and turned.
  func upright(_ raster: RasterImage) -> RasterImage { transforms.reduce(raster) { $1.applied(to: $0) } }
}

extension LivePhotoError {
  /// Why a PNG picture could not be read.
  init(_ error: PNGError, file: String) {
    self =
      if case .malformed(let cause) = error { .damaged(file: file, cause) } else {
        .codec(file: file, reason: error.description)
      }
  }

  /// Why a JPEG picture could not be read.
  init(_ error: JPEGError, file: String) {
    self =
      if case .malformed(let cause) = error { .damaged(file: file, cause) } else {
        .codec(file: file, reason: error.description)
      }
  }
}
