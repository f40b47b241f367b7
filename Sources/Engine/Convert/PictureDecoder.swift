public import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEIF
import LivePhotoMuxer
import LivePhotoPNG

/// Turns coded pictures and movies into uncompressed files.
public struct PictureDecoder: Sendable {
  /// What is accepted from the file.
  public var limits: Limits
  /// How many threads decode; the samples do not depend on it.
  public var threads: Threads
  /// Whether the picture is cropped and turned as it is meant to be shown, rather than left as coded; nil turns pixels and
  /// leaves planes (``DecodedFormat/y4m``).
  public var isUpright: Bool?
  /// Told which part of a movie's frames is decoded, 0 to 1.
  public var progress: (@Sendable (Double) -> Void)?

  /// A decoder.
  public init(threads: Threads = .count(1), isUpright: Bool? = nil, limits: Limits = .standard) {
    self.threads = threads
    self.isUpright = isUpright
    self.limits = limits
  }

  /// Decodes a picture, or every frame of a movie or of a video stream in display order (to ``DecodedFormat/y4m`` only),
  /// and writes it.
  ///
  /// - Parameters:
  ///   - item: which picture of a HEIF file.
  ///   - format: what is written.
  ///   - goal: the file to write.
  ///   - overwrite: whether an existing file may be replaced.
  /// - Returns: what was written, and what is wrong with the source where a picture came out all the same.
  /// - Throws: ``LivePhotoError``; nothing is then written.
  public func decode(
    _ path: String, item: PictureItem = .primary, as format: DecodedFormat, to goal: String, overwrite: Bool = false
  ) throws(LivePhotoError) -> DecodedReport {
    let file = try OpenedFile(path)
    try OutputFile.check(goal, inputs: [path], overwrite: overwrite)
    if let frames = try frames(of: file) {
      guard format == .y4m else {
        throw .codec(
          file: path, reason: "\(file.kind.phrase) is decoded to YUV4MPEG2; give an output that ends in .y4m")
      }
      return try decode(frames, of: file, to: goal, overwrite: overwrite)
    }
    #if HEVC
      if file.kind == .heif, format == .ppm || format == .pam,
        let report = try decodeBands(of: file, item: item, as: format, to: goal, overwrite: overwrite)
      {
        return report
      }
      if file.kind == .heif, format == .y4m, !turnsPlanes {
        return try decodePlanes(of: file, item: item, to: goal, overwrite: overwrite)
      }
    #endif
    let picture = try decodePicture(file, item: item, as: format)
    try OutputFile.write(OutputPlan(picture.parts.map { .bytes($0) }), to: goal, overwrite: overwrite)
    return DecodedReport(
      file: goal, width: picture.width, height: picture.height, frames: 1, warnings: picture.warnings)
  }

  var turnsPixels: Bool { isUpright ?? true }
  private var turnsPlanes: Bool { isUpright ?? false }

  private static func noTurnedChroma(path: String) -> LivePhotoError {
    .codec(file: path, reason: "4:2:2 chroma cannot be turned by a quarter; leave out --upright, or give .png or .ppm")
  }

  private func decodePicture(_ file: OpenedFile, item: PictureItem, as format: DecodedFormat) throws(LivePhotoError)
    -> (parts: [[UInt8]], width: Int, height: Int, warnings: [String])
  {
    let reader = PictureReader(limits: limits, threads: threads)
    if file.kind.holdsRaster {
      let picture = try reader.raster(of: file)
      let shown = turnsPixels ? picture.upright : picture.raster
      let parts = try write(shown, format, PNGMetadata(icc: picture.metadata.icc, colorOf: picture.color), of: file)
      return (parts, shown.width, shown.height, picture.warnings)
    }
    #if HEVC
      if file.kind == .heif { return try decodePixels(of: file, item: item, as: format) }
    #endif
    let picture = try reader.planes(of: file, item: item)
    if format == .y4m {
      guard let image = turnsPlanes ? picture.uprightPlanes : picture.image else {
        throw Self.noTurnedChroma(path: file.path)
      }
      let parts = try [y4m(Y4MHeader(for: image), [image], file: file.path)]
      return (parts, image.width, image.height, picture.warnings)
    }
    let pixels = try picture.pixels(file: file.path)
    let shown = turnsPixels ? picture.upright(pixels) : pixels
    let metadata = PNGMetadata(icc: picture.metadata.icc, colorOf: picture.image.color)
    return (try write(shown, format, metadata, of: file), shown.width, shown.height, picture.warnings)
  }

  /// A file of interleaved samples.
  func write(
    _ raster: RasterImage, _ format: DecodedFormat, _ metadata: PNGMetadata, of file: OpenedFile
  ) throws(LivePhotoError) -> [[UInt8]] {
    do {
      switch format {
      case .pam: return [try raster.netpbmHeader(.pam, height: raster.height), raster.netpbmSamples(.pam)]
      case .ppm:
        let kind = raster.channels.hasColor ? NetpbmFormat.ppm : .pgm
        return [try raster.netpbmHeader(kind, height: raster.height), raster.netpbmSamples(kind)]
      case .png: return [try PNGEncoder().encode(raster, metadata: metadata)]
      case .y4m:
        throw LivePhotoError.codec(
          file: file.path, reason: "\(file.kind.phrase) holds no planes; give .png, .ppm or .pam")
      }
    } catch {
      throw (error as? LivePhotoError) ?? .codec(file: file.path, reason: "\(error)")
    }
  }

  private func y4m(_ header: Y4MHeader, _ frames: [PlanarImage], file: String) throws(LivePhotoError) -> [UInt8] {
    do { return try header.bytes() + frames.flatMap { header.frame($0) } } catch {
      throw .codec(file: file, reason: "\(error)")
    }
  }

  /// The frames of a file that holds video; nil for pictures.
  private func frames(of file: OpenedFile) throws(LivePhotoError) -> (any FrameSequence)? {
    switch file.kind {
    case .movie:
      return try MovieFrames(of: file.movie(limits: limits), file: file.path, threads: threads, limits: limits)
    case .hevc, .h264:
      return try VideoStream(
        file.source, coding: file.kind == .hevc ? .hevc : .h264, file: file.path, threads: threads, limits: limits)
    default: return nil
    }
  }

  /// Each frame is written as it is decoded: a movie's planes are many times what it takes itself.
  private func decode(_ frames: any FrameSequence, of file: OpenedFile, to goal: String, overwrite: Bool)
    throws(LivePhotoError) -> DecodedReport
  {
    let rate = frames.rate
    var header: Y4MHeader?
    var count = 0
    try OutputFile.write(to: goal, overwrite: overwrite) { (sink) throws(LivePhotoError) in
      try frames.forEach { (coded, part) throws(LivePhotoError) in
        let turned = turnsPlanes ? coded.cropped(to: frames.cleanAperture).turned(frames.orientation) : coded
        guard let image = turned else { throw Self.noTurnedChroma(path: file.path) }
        var next = Y4MHeader(for: image, frameRate: rate)
        next.pixelAspectRatio = frames.pixelAspectRatio.map {
          turnsPlanes && frames.orientation.swapsAxes
            ? PixelAspectRatio(horizontalSpacing: $0.verticalSpacing, verticalSpacing: $0.horizontalSpacing) : $0
        }
        if let header, header != next {
          throw .codec(file: file.path, reason: "the frames change their size, format or colours")
        }
        do {
          if header == nil { try sink.append(try next.bytes()) }
          try sink.append(next.frame(image))
        } catch let error as FileError { throw .file(error) } catch {
          throw .codec(file: file.path, reason: "\(error)")
        }
        header = next
        count += 1
        progress?(part)
      }
      if header == nil { throw .noVideo(file: file.path) }
    }
    return DecodedReport(
      file: goal, width: header?.width ?? 0, height: header?.height ?? 0, frames: count, warnings: [])
  }
}

/// What ``PictureDecoder`` wrote.
public struct DecodedReport: Sendable, Codable, Equatable {
  /// The version of this shape.
  public var version = 1
  /// The file.
  public var file: String
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int
  /// Pictures in the file.
  public var frames: Int
  /// What is wrong with the source, where a picture came out all the same.
  public var warnings: [String]
}
