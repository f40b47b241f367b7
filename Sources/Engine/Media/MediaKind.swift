public import LivePhotoCore

/// What a file holds, told by its first bytes; its name is never trusted.
public enum MediaKind: String, Sendable, Codable {
  /// A JPEG picture.
  case jpeg
  /// A HEIF picture: HEIC, or another coding in the same container.
  case heif
  /// A QuickTime or MP4 movie.
  case movie
  /// A PNG picture.
  case png
  /// A GIF picture.
  case gif
  /// A Netpbm picture: PGM, PPM or PAM.
  case netpbm
  /// An uncompressed YUV4MPEG2 video.
  case y4m
  /// A byte stream of HEVC (ITU-T H.265, annex B), without a container.
  case hevc
  /// A byte stream of H.264 (ITU-T H.264, annex B), without a container.
  case h264
  /// Nothing of these.
  case unknown

  /// How a message calls it, with its article.
  public var phrase: String {
    switch self {
    case .jpeg: "a JPEG picture"
    case .heif: "a HEIF picture"
    case .movie: "a movie"
    case .png: "a PNG picture"
    case .gif: "a GIF picture"
    case .netpbm: "a Netpbm picture"
    case .y4m: "a YUV4MPEG2 video"
    case .hevc: "a HEVC stream without a container"
    case .h264: "a H.264 stream without a container"
    case .unknown: "neither a picture nor a movie that is known here"
    }
  }

  /// Whether it can be the still half of a Live Photo as it is.
  public var isPhoto: Bool { self == .jpeg || self == .heif }

  /// Whether it holds one picture of interleaved samples, which a Live Photo's still is encoded from.
  var holdsRaster: Bool { self == .netpbm || self == .png }

  /// The extensions that belong to it, lower-case, the usual one first.
  public var extensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe"]
    case .heif: ["heic", "heif", "hif", "heics", "heifs", "avif"]
    case .movie: ["mov", "qt", "mp4", "m4v", "3gp"]
    case .png: ["png"]
    case .gif: ["gif"]
    case .netpbm: ["ppm", "pgm", "pam", "pnm"]
    case .y4m: ["y4m"]
    case .hevc: ["hevc", "h265", "265"]
    case .h264: ["h264", "264", "avc"]
    case .unknown: []
    }
  }
}

extension MediaKind {
  /// Reads the first bytes of `source`.
  ///
  /// - Throws: ``LivePhotoCore/SourceError`` when they cannot be read.
  public init(of source: any ByteSource) throws(SourceError) {
    let head = try source.read(0..<min(source.count, 4096))
    self.init(head: head)
  }

  /// Tells the kind from the first bytes of a file; 4096 are more than enough.
  public init(head: [UInt8]) {
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if head.starts(with: "GIF8".utf8) {
      self = .gif
    } else if head.starts(with: "YUV4MPEG2".utf8) {
      self = .y4m
    } else if head.count > 2, head[0] == UInt8(ascii: "P"), (0x31...0x37).contains(head[1]), head[2] <= 0x20 {
      self = .netpbm
    } else if let coding = VideoCoding(streamHead: head) {
      self =
        switch coding {
        case .hevc: .hevc
        case .h264: .h264
        }
    } else {
      self = Self.boxed(head)
    }
  }

  /// Files made of boxes: HEIF by its brands, movies by their brands or, without `ftyp`, by their first box.
  private static func boxed(_ head: [UInt8]) -> MediaKind {
    var cursor = ByteCursor(head.span)
    guard let size = try? cursor.readUInt32(), let type = try? cursor.readFourCC() else { return .unknown }
    switch type {
    case "ftyp":
      let end = min(Int(size), head.count)
      var brands: [FourCC] = []
      while cursor.position + 4 <= end, let brand = try? cursor.readFourCC() { brands.append(brand) }
      if brands.count > 1 { brands.remove(at: 1) }  // the minor version
      return isPicture(brands) ? .heif : .movie
    case "wide", "mdat", "moov", "free", "skip", "pnot", "moof", "styp", "sidx":
      return .movie
    case "meta":
      return .heif
    default:
      return .unknown
    }
  }

  /// The major brand decides where it is known; otherwise any brand of pictures makes a picture.
  private static func isPicture(_ brands: [FourCC]) -> Bool {
    let pictures: Set<FourCC> = [
      "mif1", "mif2", "mif3", "heic", "heix", "heim", "heis", "avif", "miaf", "MiHB", "MiHE", "1pic",
    ]
    let movies: Set<FourCC> = [
      "qt  ", "mp41", "mp42", "isom", "iso2", "iso4", "iso5", "iso6", "avc1", "M4V ", "3gp4", "3gp5",
    ]
    guard let major = brands.first else { return false }
    if pictures.contains(major) { return true }
    if movies.contains(major) { return false }
    return brands.contains(where: pictures.contains)
  }
}
