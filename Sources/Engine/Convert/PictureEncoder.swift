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
    let plan: OutputPlan, width: Int, height: Int
    var warnings: [String] = []
    if file.kind.holdsRaster {
      let picture = try reader.raster(of: file), raster = picture.encodable
      (width, height) = (raster.width, raster.height)
      warnings = picture.warnings + picture.losses(in: format, file: path)
      plan = try encoder.encode(raster, exif: nil, icc: picture.icc, color: picture.color, file: path)
    } else {
      let picture = try reader.planes(of: file)
      warnings = picture.warnings
      if picture.hasExif {
        warnings.append("\(path): its Exif was left out, as encoding carries pixels and colours only")
      }
      if encoder.keepsPlanes(of: picture) {
        (width, height) = (picture.image.width, picture.image.height)
        plan = try encoder.encode(picture, file: path)
      } else {
        let shown = picture.upright(try picture.pixels(file: path))
        (width, height) = (shown.width, shown.height)
        plan = try encoder.encode(shown, exif: nil, icc: picture.icc, file: path)
      }
    }
    try OutputFile.write(plan, to: goal, overwrite: overwrite)
    return EncodedReport(file: goal, width: width, height: height, bytes: plan.count, warnings: warnings)
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
