/// How much a reader accepts from a file before it allocates or loops; beyond it throws
/// ``ParseError/beyondLimit(_:found:limit:at:)``.
///
/// The standard limits hold every file a camera or phone writes, with room to spare. A server that reads strangers'
/// files may lower them; a tool for very large pictures may raise them.
public struct Limits: Sendable, Equatable {
  /// Boxes directly inside one container, or at the top level of a file.
  public var boxesPerContainer = 100_000
  /// Containers inside containers.
  public var boxDepth = 32
  /// Bytes of a `moov` or `meta` box, which is read whole.
  public var metadataBytes = 256 << 20
  /// Tracks of a movie.
  public var tracks = 1024
  /// Samples of one track.
  public var samplesPerTrack = 50_000_000
  /// Items of a HEIF file.
  public var items = 20_000
  /// Extents of all items of a HEIF file together.
  public var extents = 100_000
  /// References of all items of a HEIF file together.
  public var references = 200_000
  /// Property associations of all items of a HEIF file together.
  public var associations = 1_000_000
  /// Segments of a track's edit list.
  public var edits = 10_000
  /// Derivations inside derivations (a grid of overlays of grids).
  public var derivationDepth = 8
  /// Pictures of a HEIF file that one is predicted from.
  public var predictionSources = 64
  /// Pixels of one picture.
  public var pixels = 400_000_000
  /// Pixels of one picture that a video decoder decodes at once: a frame, a tile, a still that is not divided.
  ///
  /// The decoder allocates them on the word of a parameter set, up to sixteen times for a video.
  public var codedPixels = 1 << 27
  /// Width or height of a picture.
  public var pictureSide = 65_535
  /// Bytes of one item or segment that is read whole: Exif, XMP, an ICC profile, a coded tile.
  public var blobBytes = 128 << 20
  /// Entries of one TIFF directory.
  public var directoryEntries = 10_000
  /// Directories of one Exif block.
  public var directories = 64
  /// Segments of a JPEG file; chunks of a PNG file other than image data.
  public var segments = 100_000
  /// Scans of a JPEG picture.
  public var scans = 500
  /// Bytes that a decoder written here holds for one picture: samples, coefficients, interleaved pixels.
  public var decodedBytes = 4 << 30

  /// The limits that readers use unless told otherwise.
  public static let standard = Limits()

  /// The standard limits, to be changed one by one.
  public init() {}
}
