public import LivePhotoCore

/// A property that items share (ISO/IEC 23008-12, 6.5): typed where this engine uses it, else its bytes.
///
/// A property of a known type that cannot be read is kept as ``other(_:payload:)``.
public enum ItemProperty: Hashable, Sendable {
  /// `ispe`: the size in pixels before any transform.
  case spatialExtents(width: UInt32, height: UInt32)
  /// `pixi`: bits of each channel.
  case pixelInformation([UInt8])
  /// `hvcC`: an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3).
  case hevcConfiguration([UInt8])
  /// `colr` with code points.
  case colorDescription(ColorDescription)
  /// `colr` with an ICC profile; `isRestricted` is the type `rICC` rather than `prof`.
  case iccProfile([UInt8], isRestricted: Bool)
  /// `irot`: a turn by so many times 90° counter-clockwise, 0 to 3.
  case rotation(UInt8)
  /// `imir`: mirroring about an axis.
  case mirror(HEIFTransform.MirrorAxis)
  /// `clap`: the area that is shown.
  case cleanAperture(CleanAperture)
  /// `pasp`: the shape of a pixel.
  case pixelAspectRatio(PixelAspectRatio)
  /// `auxC`: what an auxiliary picture is, as a URN, and further bytes whose meaning hangs on it.
  case auxiliaryType(String, subtype: [UInt8])
  /// Anything else, with what follows the box's type.
  case other(FourCC, payload: [UInt8])

  /// The type of the property's box.
  public var type: FourCC {
    switch self {
    case .spatialExtents: "ispe"
    case .pixelInformation: "pixi"
    case .hevcConfiguration: "hvcC"
    case .colorDescription, .iccProfile: "colr"
    case .rotation: "irot"
    case .mirror: "imir"
    case .cleanAperture: "clap"
    case .pixelAspectRatio: "pasp"
    case .auxiliaryType: "auxC"
    case .other(let type, _): type
    }
  }

  /// Whether the property changes the picture, so that a reader that does not know it must not show the item
  /// (ISO/IEC 23008-12, 6.5: transformative properties; decoder configurations are marked so too).
  public var isNormallyEssential: Bool {
    switch self {
    case .hevcConfiguration, .rotation, .mirror, .cleanAperture: true
    default: false
    }
  }
}

extension ItemProperty {
  /// Reads the payload of a property's box.
  init(parsing cursor: inout ByteCursor, header: BoxHeader) {
    let start = cursor.position
    do {
      self = try Self.known(header.type, &cursor)
    } catch {
      // Seeking back to where the cursor was cannot fail.
      try? cursor.seek(to: start)
      self = .other(header.type, payload: (header.userType ?? []) + cursor.readRemaining())
    }
  }

  private static func known(_ type: FourCC, _ cursor: inout ByteCursor) throws(ParseError) -> ItemProperty {
    switch type {
    case "ispe":
      _ = try cursor.readVersionAndFlags()
      return .spatialExtents(width: try cursor.readUInt32(), height: try cursor.readUInt32())
    case "pixi":
      _ = try cursor.readVersionAndFlags()
      return .pixelInformation(try cursor.readBytes(Int(try cursor.readUInt8())))
    case "hvcC": return .hevcConfiguration(cursor.readRemaining())
    case "colr": return try color(&cursor)
    case "irot": return .rotation(try cursor.readUInt8() & 3)
    case "imir": return .mirror(try cursor.readUInt8() & 1 == 0 ? .horizontal : .vertical)
    case "clap": return .cleanAperture(try CleanAperture(parsing: &cursor))
    case "pasp": return .pixelAspectRatio(try PixelAspectRatio(parsing: &cursor))
    case "auxC":
      _ = try cursor.readVersionAndFlags()
      return .auxiliaryType(cursor.readTerminatedUTF8(), subtype: cursor.readRemaining())
    default: throw .unsupported("property '\(type)'", at: cursor.place)
    }
  }

  private static func color(_ cursor: inout ByteCursor) throws(ParseError) -> ItemProperty {
    let place = cursor.place
    let kind = try cursor.readFourCC()
    switch kind {
    case "nclx":
      let (primaries, transfer) = (try cursor.readUInt16(), try cursor.readUInt16())
      let matrix = try cursor.readUInt16()
      return .colorDescription(
        ColorDescription(
          primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: try cursor.readUInt8() & 0x80 != 0))
    case "prof", "rICC": return .iccProfile(cursor.readRemaining(), isRestricted: kind == "rICC")
    default: throw .unsupported("colour information '\(kind)'", at: place)
    }
  }

  /// Writes the property as a box.
  func write(to writer: inout ByteWriter) {
    writer.box(type) { writer in
      switch self {
      case .spatialExtents(let width, let height):
        writer.writeUInt32(0)
        writer.writeUInt32(width)
        writer.writeUInt32(height)
      case .pixelInformation(let bits):
        writer.writeUInt32(0)
        writer.writeUInt8(UInt8(truncatingIfNeeded: bits.count))
        writer.write(bits.prefix(255))
      case .hevcConfiguration(let record): writer.write(record)
      case .colorDescription(let color):
        writer.writeFourCC("nclx")
        for value in [color.primaries, color.transfer, color.matrix] { writer.writeUInt16(value) }
        writer.writeUInt8(color.isFullRange ? 0x80 : 0)
      case .iccProfile(let profile, let isRestricted):
        writer.writeFourCC(isRestricted ? "rICC" : "prof")
        writer.write(profile)
      case .rotation(let turns): writer.writeUInt8(turns & 3)
      case .mirror(let axis): writer.writeUInt8(axis.rawValue)
      case .cleanAperture(let aperture): aperture.write(to: &writer)
      case .pixelAspectRatio(let ratio): ratio.write(to: &writer)
      case .auxiliaryType(let urn, let subtype):
        writer.writeUInt32(0)
        writer.writeTerminatedUTF8(urn)
        writer.write(subtype)
      case .other(_, let payload): writer.write(payload)
      }
    }
  }
}
