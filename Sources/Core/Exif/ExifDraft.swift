/// What a new Exif block says about a still: the fields that a reader asks for (CIPA DC-008, 4.6.8) and those that are known.
///
/// ```swift
/// var draft = ExifDraft(width: 1440, height: 1920)
/// draft.model = "iPhone 15"
/// draft.makerNote = AppleMakerNote(contentIdentifier: .random())
/// let block = draft.makeBlock()
/// ```
public struct ExifDraft: Sendable, Equatable {
  /// Width and height of the stored picture in pixels, before ``orientation``.
  public var width: Int, height: Int
  /// How the stored picture is turned to be shown.
  public var orientation = Orientation.up
  /// The maker of the camera.
  public var make: String?
  /// The camera.
  public var model: String?
  /// The camera's software, or what wrote the file.
  public var software: String?
  /// When the picture was taken; also written as the time of the digitisation and of the file.
  public var time: ExifTime?
  /// Where it was taken.
  public var position: GPSPosition?
  /// Whether the picture's colours are sRGB; otherwise a profile says what they are.
  public var isSRGB = true
  /// Apple's note, which holds the identifier.
  public var makerNote: AppleMakerNote?

  /// A draft that says nothing but the size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A local time as Exif writes it, in three texts.
public struct ExifTime: Sendable, Equatable {
  /// The local time as `YYYY:MM:DD HH:MM:SS`.
  public var dateTime: String
  /// The offset from UTC, `±HH:MM`, where known.
  public var offset: String?
  /// The digits behind the decimal point of the seconds, where known.
  public var subSeconds: String?

  /// A time from its texts, which are written as they are.
  public init(dateTime: String, offset: String? = nil, subSeconds: String? = nil) {
    self.dateTime = dateTime
    self.offset = offset
    self.subSeconds = subSeconds
  }
}

extension ExifDraft {
  /// The block, big-endian as phones write it.
  public func makeBlock() -> ExifBlock {
    var block = ExifBlock(empty: .big)
    block.lay(imageFields, in: .image)
    block.lay(exifFields, in: .exif)
    if let position { block.lay(position.fields, in: .gps) }
    return block
  }

  private var imageFields: [TIFFField] {
    var fields: [TIFFField] = [
      .short(.orientation, orientation.rawValue),
      .rationals(.xResolution, [(72, 1)]),
      .rationals(.yResolution, [(72, 1)]),
      .short(.resolutionUnit, 2),
      .short(.yCbCrPositioning, 1),
      .long(.exifDirectory, 0),
    ]
    fields.append(.make, make)
    fields.append(.model, model)
    fields.append(.software, software)
    fields.append(.dateTime, time?.dateTime)
    if position != nil { fields.append(.long(.gpsDirectory, 0)) }
    return fields
  }

  private var exifFields: [TIFFField] {
    var fields: [TIFFField] = [
      .undefined(.exifVersion, Array("0232".utf8)),
      .undefined(.componentsConfiguration, [1, 2, 3, 0]),
      .undefined(.flashpixVersion, Array("0100".utf8)),
      .short(.colorSpace, isSRGB ? 1 : 0xFFFF),
      .long(.pixelXDimension, UInt32(clamping: width)),
      .long(.pixelYDimension, UInt32(clamping: height)),
    ]
    for tag in [TIFFTag.dateTimeOriginal, .dateTimeDigitized] { fields.append(tag, time?.dateTime) }
    for tag in [TIFFTag.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized] { fields.append(tag, time?.offset) }
    for tag in [TIFFTag.subSecTime, .subSecTimeOriginal, .subSecTimeDigitized] { fields.append(tag, time?.subSeconds) }
    if let makerNote { fields.append(.undefined(.makerNote, makerNote.bytes)) }
    return fields
  }
}

extension [TIFFField] {
  fileprivate mutating func append(_ tag: TIFFTag, _ text: String?) {
    if let text, !text.isEmpty { append(.ascii(tag, text)) }
  }
}
