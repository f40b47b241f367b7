import LivePhotoCore
import LivePhotoHEIF
import LivePhotoJPEG
import LivePhotoMuxer

/// A still of the caller's, JPEG or HEIF: read, and edited without touching a pixel.
struct StillPhoto {
  let file: OpenedFile
  private let content: Content
  /// The Exif of the picture; nil where there is none or it cannot be read.
  let exif: ExifBlock?
  /// Why Exif that is there cannot be read; nil where it can.
  let exifDamage: ParseError?

  private enum Content {
    case jpeg(JPEGFile)
    case heif(HEIFFile)
  }

  /// Reads the structure of a JPEG or HEIF file.
  ///
  /// - Throws: ``LivePhotoError/wrongKind(file:found:expected:)``, ``LivePhotoError/damaged(file:_:)``.
  init(_ file: OpenedFile, limits: Limits) throws(LivePhotoError) {
    try self.init(file, kind: file.kind, source: file.source, limits: limits)
  }

  /// Reads a picture that was made from a file's, from bytes that are not the file's.
  private init(_ file: OpenedFile, kind: MediaKind, source: any ByteSource, limits: Limits) throws(LivePhotoError) {
    self.file = file
    let payload: ExifPayload?
    do throws(ParseError) {
      switch kind {
      case .jpeg:
        let jpeg = try JPEGFile(parsing: source, limits: limits)
        content = .jpeg(jpeg)
        (payload, exifDamage) = Self.tolerant { () throws(ParseError) in
          try jpeg.exif()
        }
      case .heif:
        let heif = try HEIFFile(parsing: source, limits: limits)
        guard heif.primaryItem != nil else {
          throw .missing("primary item", at: Place(offset: 0, path: ["meta", "pitm"]))
        }
        content = .heif(heif)
        (payload, exifDamage) = Self.tolerant { () throws(ParseError) in
          guard let item = heif.exifItem() else { return nil }
          return try ExifPayload(heifItem: heif.data(of: item.id), limits: limits)
        }
      default:
        throw .unsupported(kind.phrase, at: Place(offset: 0))
      }
    } catch {
      if case .unsupported = error, !file.kind.isPhoto {
        throw .wrongKind(file: file.path, found: file.kind, expected: "a JPEG or HEIC picture")
      }
      throw .damaged(file: file.path, error)
    }
    exif = payload?.block
  }

  private static func tolerant(_ read: () throws(ParseError) -> ExifPayload?) -> (ExifPayload?, ParseError?) {
    do throws(ParseError) { return (try read(), nil) } catch { return (nil, error) }
  }

  /// The items, where the file is HEIF.
  var heif: HEIFFile? { if case .heif(let file) = content { file } else { nil } }

  /// Whether an XMP packet describes the picture.
  var hasXMP: Bool {
    switch content {
    case .jpeg(let jpeg): jpeg.first(.xmp) != nil
    case .heif(let heif): heif.xmpItem() != nil
    }
  }

  /// The coding of a HEIF file's primary item, or of what it is made from; nil for JPEG.
  var coding: FourCC? {
    guard let heif, let primary = heif.primaryItem else { return nil }
    return (heif.tiles(of: primary.id).first.flatMap { heif.item($0) } ?? primary).type
  }

  /// The picture's size as stored, before it is cropped and turned.
  var codedSize: DisplaySize? {
    switch content {
    case .jpeg(let jpeg): DisplaySize(width: jpeg.frame.width, height: jpeg.frame.height)
    case .heif(let heif):
      heif.primaryItem.flatMap { heif.codedSize(of: $0.id) }.map { DisplaySize(width: $0.width, height: $0.height) }
    }
  }

  /// The picture's size as shown: a JPEG's is turned by Exif, a HEIF item's by its own properties.
  var displaySize: DisplaySize? {
    switch content {
    case .jpeg:
      guard let size = codedSize else { return nil }
      return exif?.orientation?.swapsAxes ?? false ? DisplaySize(width: size.height, height: size.width) : size
    case .heif(let heif):
      return heif.primaryItem.flatMap { heif.displaySize(of: $0.id) }
        .map { DisplaySize(width: $0.width, height: $0.height) }
    }
  }
}

// MARK: Motion photos

extension StillPhoto {
  /// Where the movie of a motion photo is in the file; nil where there is none.
  func movieRange(limits: Limits) throws(ParseError) -> Range<Int>? {
    let start: Int?
    switch content {
    case .jpeg(let jpeg): start = jpeg.trailer.isEmpty ? nil : jpeg.trailer.lowerBound
    case .heif(let heif): start = heif.videoStart
    }
    guard let start else { return nil }
    return try EmbeddedMovie.range(in: file.source, from: start, limits: limits)
  }
}

// MARK: Editing

extension StillPhoto {
  /// The photo without metadata of some kind, its pixels as they are, and what is to be told of it.
  ///
  /// - Throws: ``LivePhotoError/metadata(file:reason:remedy:)`` where it holds what cannot be taken out.
  func stripping(_ what: MetadataStripping?, limits: Limits) throws(LivePhotoError)
    -> (photo: StillPhoto, warnings: [String])
  {
    guard let what else { return (self, []) }
    let (source, warnings) = try stripped(what)
    return (try StillPhoto(file, kind: file.kind, source: source, limits: limits), warnings)
  }

  /// A picture that was coded here, without metadata of some kind.
  ///
  /// - Parameter file: what it was made from, for messages.
  static func stripping(
    _ what: MetadataStripping, of plan: OutputPlan, kind: MediaKind, file: OpenedFile, limits: Limits
  ) throws(LivePhotoError) -> (plan: OutputPlan, warnings: [String]) {
    let bytes: [UInt8]
    do { bytes = try plan.materialized() } catch { throw .damaged(file: file.path, .source(error)) }
    let photo = try StillPhoto(file, kind: kind, source: MemorySource(bytes), limits: limits)
    let (source, warnings) = try photo.stripped(what)
    return (OutputPlan([.copy(0..<source.count, from: source)]), warnings)
  }

  private func stripped(_ what: MetadataStripping) throws(LivePhotoError)
    -> (source: any ByteSource, warnings: [String])
  {
    do {
      switch content {
      case .jpeg(let jpeg):
        let stripped = try jpeg.stripping(what)
        return (MemorySource(try stripped.plan.materialized()), stripped.removed.map { "\(file.path): \($0)" })
      case .heif(let heif):
        let stripped = try heif.stripping(what)
        return (stripped.file.source, stripped.removed.map { "\(file.path): \($0)" })
      }
    } catch {
      throw .metadata(file: file.path, reason: "\(error)", remedy: "without --strip it is left as it is")
    }
  }

  /// The file with another content identifier, everything else as it is.
  ///
  /// - Returns: the plan of the new file, and what happened to the MakerNote.
  /// - Throws: ``LivePhotoError/metadata(file:reason:remedy:)`` when another maker's note is to be kept, when Exif is
  ///   there and cannot be read, or does not fit.
  func plan(identifier: ContentIdentifier, otherMakerNote: OtherMakerNotePolicy) throws(LivePhotoError)
    -> (plan: OutputPlan, edit: ContentIdentifierEdit)
  {
    if let exifDamage {
      throw .metadata(
        file: file.path, reason: "its Exif is damaged (\(exifDamage))",
        remedy: "repair or remove the Exif first; it would be lost")
    }
    var block = exif ?? newExif
    let edit: ContentIdentifierEdit
    if !block.has(.exif) { addRequiredFields(to: &block) }
    do { edit = try block.setContentIdentifier(identifier, otherMakerNote: otherMakerNote) } catch {
      let remedy =
        if case .otherMakerNote = error { "without --keep-makernote it is replaced" } else {
          "remove some of its Exif first"
        }
      throw .metadata(file: file.path, reason: error.description, remedy: remedy)
    }
    switch content {
    case .jpeg(let jpeg):
      do { return (try jpeg.applying(JPEGEdits(exif: .replace(block.bytes))), edit) } catch {
        throw .codec(file: file.path, reason: "\(error)")
      }
    case .heif(let heif):
      do { return (try heif.settingExif(block), edit) } catch { throw .damaged(file: file.path, error) }
    }
  }

  /// The fields that an Exif directory has to have (CIPA DC-008, 4.6.5), for a block that gets one.
  private func addRequiredFields(to block: inout ExifBlock) {
    let draft = newExif
    // A block without room for them has none for the identifier either, and that is then said.
    try? block.set(draft.fields(in: .exif), in: .exif)
  }

  /// Exif for a picture that has none.
  private var newExif: ExifBlock {
    let size = codedSize ?? DisplaySize(width: 0, height: 0)
    return ExifDraft(width: size.width, height: size.height).makeBlock()
  }
}
