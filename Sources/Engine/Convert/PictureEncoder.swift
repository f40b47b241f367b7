public import LivePhotoCore
import LivePhotoFiles

/// Encodes pictures to HEIC or JPEG.
public struct PictureEncoder: Sendable {
  /// What is accepted from the file.
  public var limits: Limits
  /// How many threads encode; the bytes do not depend on it.
  public var threads: Threads
  /// How a HEIC picture is divided.
  public var tiles: TileChoice
  /// How much work goes into a HEIC picture.
  public var preset = StillPreset.veryfast
  /// Whether a HEIC picture holds every sample as it was, whatever its quality; JPEG cannot.
  ///
  /// Planes stay as they are; RGB becomes 4:4:4 planes G, B and R.
  public var isLossless = false
  /// The chroma of a JPEG; nil keeps that of planes, and is 4:2:0 for RGB.
  public var subsampling: ChromaSampling?
  /// Which metadata is left out of the new file; nil for none.
  public var strips: MetadataStripping?
  /// Whether a JPEG's Huffman tables are made for the picture: a smaller file, in about twice the time.
  public var optimizesHuffmanTables = false

  /// An encoder.
  public init(threads: Threads = .count(1), tiles: TileChoice = .standard, limits: Limits = .standard) {
    self.threads = threads
    self.tiles = tiles
    self.limits = limits
  }

  /// Encodes a picture and writes it.
  ///
  /// Planes (HEIC, YUV4MPEG2) are encoded as they are where the format takes them; the first frame of several is used.
  /// HEIC keeps alpha; for JPEG it is laid over white.
  ///
  /// - Parameters:
  ///   - path: a PNG, PGM, PPM, PAM, YUV4MPEG2, HEIC or JPEG file.
  ///   - format: how the picture is coded.
  ///   - goal: the file to write.
  ///   - overwrite: whether an existing file may be replaced.
  /// - Returns: what was written.
  /// - Throws: ``LivePhotoError``; nothing is then written.
  public func encode(_ path: String, as format: StillFormat, to goal: String, overwrite: Bool = false)
    throws(LivePhotoError) -> EncodedReport
  {
    let file = try OpenedFile(path)
    try OutputFile.check(goal, inputs: [path], overwrite: overwrite)
    if isLossless, case .jpeg = format {
      throw .codec(file: path, reason: "JPEG cannot hold a picture without loss; HEIC can")
    }
    let reader = PictureReader(limits: limits, threads: threads)
    let encoder = StillEncoder(
      format: format, tiles: tiles, threads: threads, preset: preset, isLossless: isLossless, subsampling: subsampling,
      optimizesHuffmanTables: optimizesHuffmanTables)
    var coded =
      if let coded = try encodeInBands(file, encoder) {
        coded
      } else if file.kind.holdsRaster {
        try encodeRaster(file, reader, encoder)
      } else {
        try encodePlanes(file, reader, encoder)
      }
    if let strips {
      let stripped = try StillPhoto.stripping(strips, of: coded.plan, kind: format.kind, file: file, limits: limits)
      coded.plan = stripped.plan
      coded.warnings += stripped.warnings
    }
    try OutputFile.write(coded.plan, to: goal, overwrite: overwrite)
    return EncodedReport(
      file: goal, width: coded.width, height: coded.height, bytes: coded.plan.count, warnings: coded.warnings)
  }

  /// A picture that is ready to be written, and what is to be told about it.
  typealias Coded = (plan: OutputPlan, width: Int, height: Int, warnings: [String])

  /// A picture of interleaved samples, encoded as it is shown.
  private func encodeRaster(_ file: OpenedFile, _ reader: PictureReader, _ encoder: StillEncoder)
    throws(LivePhotoError) -> Coded
  {
    let prepared = try prepare(file, reader, encoder)
    let plan = try encoder.encode(
      prepared.content, metadata: prepared.metadata, color: prepared.color, file: file.path)
    return (plan, prepared.width, prepared.height, prepared.warnings)
  }

  /// Reads a picture of interleaved samples and makes of it what is coded.
  ///
  /// The samples, the largest thing there is in a conversion, are let go of before the picture is coded.
  private func prepare(_ file: OpenedFile, _ reader: PictureReader, _ encoder: StillEncoder) throws(LivePhotoError)
    -> PreparedPicture
  {
    let picture = try reader.raster(of: file), raster = picture.encodable
    var metadata = picture.metadata.describing(
      width: raster.width, height: raster.height, orientation: .up, isRedrawn: picture.orientation != .up)
    let losses = metadata.fit(encoder.format).map { "\(file.path): \($0)" }
    return PreparedPicture(
      content: try encoder.content(of: raster, color: picture.color, file: file.path), metadata: metadata,
      color: picture.color, width: raster.width, height: raster.height,
      warnings: picture.warnings
        + picture.losses(in: encoder.format, keepsAlpha: encoder.keepsAlpha, file: file.path) + losses)
  }

  /// A picture of planes: they stay where the format can say how they are shown, else the picture is drawn anew.
  private func encodePlanes(_ file: OpenedFile, _ reader: PictureReader, _ encoder: StillEncoder)
    throws(LivePhotoError) -> Coded
  {
    let picture = try reader.planes(of: file)
    var losses: [String] = []
    var shown: RasterImage?
    let carries = encoder.keepsCompanions && encoder.keepsPlanes(of: picture)
    var alpha =
      picture.hasAlpha && !(carries && picture.companions.carriesAlpha)
      ? try HEICPictureReader(limits: limits, threads: threads).alpha(of: file) : nil
    if let plane = alpha, !(encoder.keepsPlanes(of: picture) && encoder.keepsAlpha && plane.fits(picture)) {
      alpha = nil
      if let raster = try picture.pixels(file: file.path).withAlpha(plane) {
        if !raster.isOpaque { shown = picture.upright(raster) }
        if shown != nil, !encoder.keepsAlpha { losses.append(RasterPicture.flatteningLoss) }
      } else {
        losses.append("its alpha was left out: it is of another size")
      }
    }
    if shown == nil, !encoder.keepsPlanes(of: picture) {
      shown = picture.upright(try picture.pixels(file: file.path))
    }
    if shown != nil, encoder.isLossless, !picture.isConverted {
      losses.append("its planes were converted to RGB, as it is turned before it is cropped")
    }
    if case .jpeg = encoder.format, let remark = picture.image.color.toneMappingRemark { losses.append(remark) }
    let companions = picture.companions
    losses += Companions.losses(carries && shown == nil ? companions.lost : companions.names)
    let (width, height) = shown.map { ($0.width, $0.height) } ?? (picture.image.width, picture.image.height)
    var metadata = picture.metadata.describing(
      width: width, height: height, orientation: shown == nil ? picture.orientation : .up,
      isRedrawn: shown != nil && !picture.transforms.isEmpty)
    losses += metadata.fit(encoder.format)
    let plan =
      if let shown {
        try encoder.encode(shown, metadata: metadata, color: picture.image.color, file: file.path)
      } else {
        try encoder.encode(picture, alpha: alpha, metadata: metadata, file: file.path)
      }
    return (plan, width, height, picture.warnings + losses.map { "\(file.path): \($0)" })
  }
}

/// A picture that is ready to be coded.
private struct PreparedPicture {
  var content: StillContent
  var metadata: PictureMetadata
  var color: ColorDescription?
  var width: Int
  var height: Int
  var warnings: [String]
}

/// What ``PictureEncoder`` wrote.
public struct EncodedReport: Sendable, Codable, Equatable {
  /// The version of this shape.
  public var version = 1
  /// The file.
  public var file: String
  /// Pixels across, as stored.
  public var width: Int
  /// Pixels down, as stored.
  public var height: Int
  /// The size of the file.
  public var bytes: Int
  /// What is wrong with the source, where a picture came out all the same.
  public var warnings: [String]
}
