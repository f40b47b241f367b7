public import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEIF
import LivePhotoMuxer
import LivePhotoPNG

/// Says what is in a file.
public struct FileInspector: Sendable {
  /// What is accepted from the file.
  public var limits: Limits

  /// An inspector.
  public init(limits: Limits = .standard) { self.limits = limits }

  /// Looks at a photo or movie.
  ///
  /// - Parameter boxes: whether the boxes of a HEIF file or movie are listed too.
  /// - Throws: ``LivePhotoError`` when the file cannot be read, is damaged, or is of a kind that is not looked into.
  public func inspect(_ path: String, boxes: Bool = false) throws(LivePhotoError) -> FileReport {
    let file = try OpenedFile(path)
    var report = FileReport(
      file: path, bytes: file.source.count, kind: file.kind, identifier: nil, photo: nil, movie: nil, boxes: nil,
      warnings: [])
    switch file.kind {
    case .jpeg, .heif: try describe(try StillPhoto(file, limits: limits), in: &report)
    case .png: try describe(png: file, in: &report)
    case .movie: describe(try file.movie(limits: limits), in: &report)
    default:
      throw .wrongKind(file: path, found: file.kind, expected: "a photo (JPEG, HEIC or PNG) or a movie")
    }
    if boxes, file.kind == .heif || file.kind == .movie {
      do { report.boxes = try BoxTree(limits: limits).nodes(of: file.source) } catch {
        throw .damaged(file: path, error)
      }
    }
    return report
  }

  private func describe(_ still: StillPhoto, in report: inout FileReport) throws(LivePhotoError) {
    report.identifier = still.exif?.contentIdentifier?.text
    report.photo = still.report
    if let damage = still.exifDamage { report.warnings.append("Exif cannot be read: \(damage)") }
    do throws(ParseError) {
      guard let range = try still.movieRange(limits: limits) else { return }
      report.photo?.video = EmbeddedMovieReport(offset: range.lowerBound, bytes: range.count, movie: nil)
      let movie = try Movie(parsing: Self.part(range, of: still.file.source), limits: limits)
      report.photo?.video?.movie = MovieReport(movie)
      report.warnings += movie.warnings.map { "the video behind the picture: \($0)" }
    } catch { report.warnings.append("the video behind the picture cannot be read: \(error)") }
  }

  private static func part(_ range: Range<Int>, of source: any ByteSource) throws(ParseError) -> SubSource {
    do { return try SubSource(source, range: range) } catch { throw .source(error) }
  }

  private func describe(png file: OpenedFile, in report: inout FileReport) throws(LivePhotoError) {
    let png: PNGDescription
    do { png = try PNGDecoder(limits: limits).describe(file.source) } catch {
      if case .malformed(let cause) = error { throw .damaged(file: file.path, cause) }
      throw .codec(file: file.path, reason: error.description)
    }
    var exif: ExifBlock?
    if let bytes = png.metadata.exif {
      do { exif = try ExifBlock(parsing: bytes, limits: limits) } catch {
        report.warnings.append("Exif cannot be read: \(error)")
      }
    }
    report.photo = PhotoReport(png, exif: exif)
    report.identifier = exif?.contentIdentifier?.text
    report.warnings += png.warnings.map(\.description)
  }

  private func describe(_ movie: Movie, in report: inout FileReport) {
    report.identifier = movie.contentIdentifier?.text
    report.movie = MovieReport(movie)
    report.warnings += movie.warnings
  }
}

// MARK: Photos

extension StillPhoto {
  var report: PhotoReport {
    var report = PhotoReport(
      coding: "JPEG", codedSize: codedSize, displaySize: displaySize,
      orientation: Int((exif?.orientation ?? .up).rawValue), grid: nil, brands: nil, items: nil, auxiliary: [],
      hasXMP: hasXMP, exif: exif.map(ExifReport.init))
    if let heif, let primary = heif.primaryItem { report.add(heif, primary) }
    return report
  }
}

extension PhotoReport {
  fileprivate mutating func add(_ heif: HEIFFile, _ primary: HEIFItem) {
    orientation = Int(heif.orientation(of: primary.id).rawValue)
    brands = heif.brands.map { ([$0.major] + $0.compatible).map(\.description) }
    items = heif.items.count
    let pictures = heif.pictureReports
    self.pictures = pictures
    grid = pictures.first?.grid
    coding = pictures.first?.coding ?? primary.type.description
    auxiliary = pictures.dropFirst().map(\.role)
    groups = heif.groupReports
    metadata = heif.metadataReports
    attachments = (heif.hasSequence ? ["image sequence"] : []) + (heif.hasVideo ? ["video"] : [])
  }
}

extension ExifReport {
  init(_ exif: ExifBlock) {
    let text = { (tag: TIFFTag, directory: ExifDirectory) in exif.field(tag, in: directory)?.text }
    var owner: String?
    switch exif.makerNote {
    case .apple: owner = "Apple"
    case .other(let name): owner = name
    case nil: break
    }
    self.init(
      make: text(.make, .image), model: text(.model, .image), dateTimeOriginal: text(.dateTimeOriginal, .exif),
      offsetTimeOriginal: text(.offsetTimeOriginal, .exif), orientation: exif.orientation.map { Int($0.rawValue) },
      makerNote: owner, hasPosition: exif.position != nil)
  }
}

// MARK: Movies

extension MovieReport {
  init(_ movie: Movie) {
    let video = movie.videoTrack
    self.init(
      brands: movie.fileType.map { ([$0.majorBrand] + $0.compatibleBrands).map(\.description) } ?? [],
      layout: movie.topLevel.boxes.map(\.type.description), timescale: Int(movie.header.timescale),
      duration: movie.duration.seconds, stillTime: movie.stillImageTime.map(TimeReport.init),
      displaySize: video.flatMap { DisplaySize(of: $0, in: movie) },
      orientation: video.flatMap { Orientation.shown(of: $0, in: movie) }.map { Int($0.rawValue) },
      tracks: movie.tracks.map { track in
        var report = TrackReport(track)
        report.livePhotoInfo = LivePhotoInfoReport(track, in: movie)
        return report
      },
      timecode: (try? movie.startTimecode()) ?? nil,
      chapters: (try? movie.chapters()).flatMap { $0.isEmpty ? nil : $0.map(ChapterReport.init) },
      metadata: movie.metadata.items.map { MetadataReport(key: $0.key, value: $0.value.description) })
  }
}

extension ChapterReport {
  fileprivate init(_ chapter: Chapter) { self.init(start: TimeReport(chapter.start), title: chapter.title) }
}
