/// An Exif block: TIFF with the directories that cameras write (CIPA DC-008, TIFF 6.0), read and edited without
/// moving what is there.
///
/// ``bytes`` is the block at any time: parsed and not edited, it is what was read, to the byte. An edit overwrites
/// values in place where they fit and appends what does not, so that the unknown (makers' notes whose offsets
/// count from the TIFF header, private directories) stays where it is.
///
/// ```swift
/// var exif = try ExifPayload(jpegSegment: segment).block
/// let model = exif.field(.model, in: .image)?.text
/// ```
public struct ExifBlock: Sendable, Equatable {
  /// The block, from its TIFF header on.
  public internal(set) var bytes: [UInt8]

  /// The order of the bytes of each integer: "MM" big, "II" little.
  public let byteOrder: ByteOrder

  /// What could not be read and was passed over: entries and directories that are cut off or point outside.
  public internal(set) var damages: [ParseError] = []

  var directories: [ExifDirectory: TIFFDirectory] = [:]
  let limits: Limits

  /// Reads a block that begins with a TIFF header.
  ///
  /// Damage beyond IFD0's own place is passed over and listed in ``damages``.
  ///
  /// - Throws: ``ParseError`` when the header or IFD0 cannot be read, or the block is larger than `limits` allows.
  public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(ParseError) {
    guard bytes.count <= limits.blobBytes else {
      throw .beyondLimit("size of the Exif block", found: bytes.count, limit: limits.blobBytes, at: Place(offset: 0))
    }
    guard let byteOrder = Self.byteOrder(ofHeader: bytes[...]) else {
      throw .invalid(
        "TIFF header", found: "\(bytes.prefix(4))", expected: "MM\\0* or II*\\0", at: Place(offset: 0))
    }
    self.bytes = bytes
    self.byteOrder = byteOrder
    self.limits = limits
    readDirectories()
    if directories[.image] == nil {
      throw damages.first ?? .missing("IFD0", at: Place(offset: 4))
    }
  }

  /// A header with no directory yet, to be filled at once.
  init(empty byteOrder: ByteOrder) {
    self.byteOrder = byteOrder
    limits = .standard
    bytes = byteOrder == .big ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 0] : [0x49, 0x49, 42, 0, 0, 0, 0, 0]
  }

  /// The byte order that a TIFF header states; nil when `bytes` does not begin with one.
  package static func byteOrder(ofHeader bytes: ArraySlice<UInt8>) -> ByteOrder? {
    switch Array(bytes.prefix(4)) {
    case [0x4D, 0x4D, 0, 42]: .big
    case [0x49, 0x49, 42, 0]: .little
    default: nil
    }
  }
}

/// The directories of an Exif block.
public enum ExifDirectory: String, Sendable, CaseIterable {
  /// IFD0: the picture itself.
  case image = "IFD0"
  /// The Exif directory: how the picture was taken.
  case exif = "Exif"
  /// The GPS directory.
  case gps = "GPS"
  /// The Interoperability directory.
  case interoperability = "Interop"
  /// IFD1: the thumbnail.
  case thumbnail = "IFD1"

  /// The field that points at the directory; nil for those that the header or IFD0 chains.
  var pointer: (parent: ExifDirectory, tag: TIFFTag)? {
    switch self {
    case .image, .thumbnail: nil
    case .exif: (.image, .exifDirectory)
    case .gps: (.image, .gpsDirectory)
    case .interoperability: (.exif, .interoperabilityDirectory)
    }
  }
}

// MARK: Reading

extension ExifBlock {
  /// Whether the block has a directory.
  public func has(_ directory: ExifDirectory) -> Bool { directories[directory] != nil }

  /// The first field of a tag; nil when there is none or its values cannot be read.
  public func field(_ tag: TIFFTag, in directory: ExifDirectory) -> TIFFField? {
    directories[directory]?.first(tag)?.field(in: bytes, byteOrder: byteOrder)
  }

  /// The fields of a directory in the order of the file, those left out whose values cannot be read.
  public func fields(in directory: ExifDirectory) -> [TIFFField] {
    directories[directory]?.entries.compactMap { $0.field(in: bytes, byteOrder: byteOrder) } ?? []
  }

  /// The orientation in IFD0; nil when there is none or it is not 1 to 8.
  public var orientation: Orientation? {
    field(.orientation, in: .image)?.unsignedIntegers?.first.flatMap { UInt16(exactly: $0) }
      .flatMap { Orientation(rawValue: $0) }
  }

  /// The thumbnail's JPEG bytes.
  public var thumbnail: [UInt8]? { thumbnailRange.map { Array(bytes[$0]) } }

  var thumbnailRange: Range<Int>? {
    guard let start = field(.thumbnailOffset, in: .thumbnail)?.unsignedIntegers?.first,
      let length = field(.thumbnailLength, in: .thumbnail)?.unsignedIntegers?.first,
      let start = Int(exactly: start), let length = Int(exactly: length),
      start <= bytes.count, length <= bytes.count - start
    else { return nil }
    return start..<start + length
  }

  /// Finds the directories anew, after the bytes changed.
  mutating func readDirectories() {
    var damages: [ParseError] = []
    directories = [:]
    for directory in ExifDirectory.allCases {
      guard let slot = pointerSlot(of: directory) else { continue }
      let position = Int(readUInt32(at: slot))
      guard position != 0 else { continue }
      do throws(ParseError) {
        let found = try TIFFDirectory(
          reading: bytes.span, at: position, byteOrder: byteOrder, limits: limits, damages: &damages)
        // A loop, or damage: editing one of two directories that share bytes would change the other.
        let taken = [0..<8] + directories.values.map(\.table)
        guard !taken.contains(where: found.table.overlaps) else {
          throw .invalid(
            "place of a directory", found: "\(found.table)", expected: "bytes that no other directory uses",
            at: Place(offset: position))
        }
        directories[directory] = found
      } catch {
        damages.append(error.inside(directory.rawValue))
      }
    }
    self.damages = damages
  }

  /// Where the offset of a directory stands, if there is a place for it.
  func pointerSlot(of directory: ExifDirectory) -> Int? {
    if directory == .image { return bytes.count >= 8 ? 4 : nil }
    if directory == .thumbnail { return directories[.image]?.nextSlot }
    guard let (parent, tag) = directory.pointer, let entry = directories[parent]?.first(tag),
      entry.value?.count == 4, entry.isInline
    else { return nil }
    return entry.slot
  }

  func readUInt32(at position: Int) -> UInt32 {
    let ordered = byteOrder == .big ? Array(bytes[position..<position + 4]) : bytes[position..<position + 4].reversed()
    return ordered.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
