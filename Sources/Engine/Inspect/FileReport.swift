public import LivePhotoCore

/// What ``FileInspector`` finds in a file.
public struct FileReport: Sendable, Codable, Equatable {
  /// The path as given.
  public var file: String
  /// The file's size.
  public var bytes: Int
  /// What the file holds.
  public var kind: MediaKind
  /// The content identifier, where there is one.
  public var identifier: String?
  /// The picture, where the file is one.
  public var photo: PhotoReport?
  /// The movie, where the file is one.
  public var movie: MovieReport?
  /// The boxes, where they were asked for and the file has some.
  public var boxes: [BoxNode]?
  /// What is odd, one line each.
  public var warnings: [String]
}

/// A picture: JPEG, HEIF or PNG.
public struct PhotoReport: Sendable, Codable, Equatable {
  /// How it is coded: `JPEG`, `PNG`, or the coding of the primary item and of its tiles.
  public var coding: String
  /// The size as stored.
  public var codedSize: DisplaySize?
  /// The size as shown.
  public var displaySize: DisplaySize?
  /// How the stored picture is turned to be shown: 1 to 8, as Exif counts.
  public var orientation: Int
  /// The rows, columns and tile size of a grid.
  public var grid: GridReport?
  /// The brands of a HEIF file, the major one first.
  public var brands: [String]?
  /// How many items a HEIF file has.
  public var items: Int?
  /// Other pictures in the file by their meaning, such as `thumbnail`, `gain map`, `depth`.
  public var auxiliary: [String]
  /// The pictures of a HEIF file, the primary one first.
  public var pictures: [PictureReport]?
  /// The groups of a HEIF file's items.
  public var groups: [GroupReport]?
  /// The items of a HEIF file that describe others.
  public var metadata: [MetadataItemReport]?
  /// What a HEIF file holds beside its items: `image sequence`, `video` of a motion photo.
  public var attachments: [String]?
  /// The movie of a motion photo.
  public var video: EmbeddedMovieReport?
  /// Whether there is an XMP packet.
  public var hasXMP: Bool
  /// What Exif says.
  public var exif: ExifReport?
  /// What a PNG file says beside that.
  public var png: PNGReport?
}

/// A movie that stands inside the file of a picture.
public struct EmbeddedMovieReport: Sendable, Codable, Equatable {
  /// Where it begins in the file.
  public var offset: Int
  /// Its size.
  public var bytes: Int
  /// The movie; nil where it cannot be read, which a warning then says why.
  public var movie: MovieReport?
}

/// The tiles of a grid.
public struct GridReport: Sendable, Codable, Equatable {
  /// Rows of tiles.
  public var rows: Int
  /// Columns of tiles.
  public var columns: Int
  /// The size of a tile.
  public var tile: DisplaySize?
}

/// What the Exif of a picture says.
public struct ExifReport: Sendable, Codable, Equatable {
  /// The camera's maker.
  public var make: String?
  /// The camera.
  public var model: String?
  /// When the picture was taken, as Exif writes it.
  public var dateTimeOriginal: String?
  /// The offset of that time from UTC.
  public var offsetTimeOriginal: String?
  /// Exif's orientation, which rules in JPEG and only informs in HEIF.
  public var orientation: Int?
  /// Whose MakerNote there is.
  public var makerNote: String?
  /// Whether there is a position.
  public var hasPosition: Bool
}

/// A movie.
public struct MovieReport: Sendable, Codable, Equatable {
  /// The brands, the major one first; empty without `ftyp`.
  public var brands: [String]
  /// The boxes of the top level, in order.
  public var layout: [String]
  /// Ticks a second of the movie header.
  public var timescale: Int
  /// Seconds.
  public var duration: Double
  /// The moment of the still, where the movie marks one.
  public var stillTime: TimeReport?
  /// The video's size as shown.
  public var displaySize: DisplaySize?
  /// How the video is turned to be shown, 1 to 8 as Exif counts; nil for a matrix that is none of these.
  public var orientation: Int?
  /// The tracks, in order.
  public var tracks: [TrackReport]
  /// The time code of the movie's start, from a time code track.
  public var timecode: String?
  /// The chapters.
  public var chapters: [ChapterReport]?
  /// The movie's metadata: keys and values as text.
  public var metadata: [MetadataReport]
}

/// A time, exact and in seconds.
public struct TimeReport: Sendable, Codable, Equatable {
  /// Seconds, rounded to a double.
  public var seconds: Double
  /// The exact value as `value/timescale`.
  public var rational: String

  /// The report of a time.
  public init(_ time: RationalTime) {
    seconds = time.seconds
    rational = time.description
  }
}

/// A part of a movie with a name.
public struct ChapterReport: Sendable, Codable, Equatable {
  /// When it begins.
  public var start: TimeReport
  /// What it is called.
  public var title: String
}

/// An item of metadata.
public struct MetadataReport: Sendable, Codable, Equatable {
  /// The key.
  public var key: String
  /// The value as text; binary values as their size.
  public var value: String
}
