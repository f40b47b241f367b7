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
  /// The chroma of a JPEG; nil keeps that of planes, and is 4:2:0 for RGB.
  public var subsampling: ChromaSampling?
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
    let reader = PictureReader(limits: limits, threads: threads)
    let encoder = StillEncoder(
      format: format, tiles: tiles, threads: threads, subsampling: subsampling,
      optimizesHuffmanTables: optimizesHuffmanTables)
    let coded =
      file.kind.holdsRaster ? try encodeRaster(file, reader, encoder) : try encodePlanes(file, reader, encoder)
    try OutputFile.write(coded.plan, to: goal, overwrite: overwrite)
    return EncodedReport(
      file: goal, width: coded.width, height: coded.height, bytes: coded.plan.count, warnings: coded.warnings)
  }

  /// A picture that is ready to be written, and what is to be told about it.
  private typealias Coded = (plan: OutputPlan, width: Int, height: Int, warnings: [String])

  /// A picture of interleaved samples, encoded as it is shown.
  private func encodeRaster(_ file: OpenedFile, _ reader: PictureReader, _ encoder: StillEncoder)
    throws(LivePhotoError) -> Coded
  {
    let picture = try reader.raster(of: file), raster = picture.encodable
    var metadata = picture.metadata.describing(
      width: raster.width, height: raster.height, orientation: .up, isRedrawn: picture.orientation != .up)
    let losses = metadata.fit(encoder.format).map { "\(file.path): \($0)" }
    let plan = try encoder.encode(raster, metadata: metadata, color: picture.color, file: file.path)
    return (
      plan, raster.width, raster.height,
      picture.warnings + picture.losses(in: encoder.format, file: file.path) + losses
    )
  }

  /// A picture of planes: they stay where the format can say how they are shown, else the picture is drawn anew.
  private func encodePlanes(_ file: OpenedFile, _ reader: PictureReader, _ encoder: StillEncoder)
    throws(LivePhotoError) -> Coded
  {
    let picture = try reader.planes(of: file)
    var losses = picture.companions.map { "its \($0) was left out" }
    var shown: RasterImage?
    if picture.hasAlpha {
      let raster = try HEICPictureReader(limits: limits, threads: threads)
        .addingAlpha(of: file, to: try picture.pixels(file: file.path))
      if !raster.isOpaque {
        shown = picture.upright(raster)
        losses.append("its transparent parts were laid over white")
      }
    }
    if shown == nil, !encoder.keepsPlanes(of: picture) {
      shown = picture.upright(try picture.pixels(file: file.path))
    }
    let (width, height) = shown.map { ($0.width, $0.height) } ?? (picture.image.width, picture.image.height)
    var metadata = picture.metadata.describing(
      width: width, height: height, orientation: shown == nil ? picture.orientation : .up,
      isRedrawn: shown != nil && !picture.transforms.isEmpty)
    losses += metadata.fit(encoder.format)
    let plan =
      if let shown {
        try encoder.encode(shown, metadata: metadata, color: picture.image.color, file: file.path)
      } else {
        try encoder.encode(picture, metadata: metadata, file: file.path)
      }
    return (plan, width, height, picture.warnings + losses.map { "\(file.path): \($0)" })
  }
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
