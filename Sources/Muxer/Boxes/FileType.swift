public import LivePhotoCore

/// The brands of a file: its `ftyp` box (ISO/IEC 14496-12, 4.3).
public struct FileType: Equatable, Sendable {
  /// The specification that the file is best read by: `qt  ` for QuickTime, `mp42`, `isom` and so on.
  public var majorBrand: FourCC
  /// The version of the major brand; informative.
  public var minorVersion: UInt32
  /// All specifications that the file conforms to.
  public var compatibleBrands: [FourCC]

  /// What cameras write at the start of a QuickTime movie.
  public static let quickTime = FileType(majorBrand: "qt  ", minorVersion: 0, compatibleBrands: ["qt  "])

  /// Brands as given.
  public init(majorBrand: FourCC, minorVersion: UInt32, compatibleBrands: [FourCC]) {
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  /// Reads the payload of a `ftyp` box.
  ///
  /// - Throws: ``ParseError/truncated(needed:available:at:)``.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    majorBrand = try cursor.readFourCC()
    minorVersion = try cursor.readUInt32()
    compatibleBrands = []
    while cursor.remaining >= 4 { compatibleBrands.append(try cursor.readFourCC()) }
  }

  /// Writes the whole box.
  public func write(to writer: inout ByteWriter) {
    writer.box("ftyp") { writer in
      writer.writeFourCC(majorBrand)
      writer.writeUInt32(minorVersion)
      for brand in compatibleBrands { writer.writeFourCC(brand) }
    }
  }

  /// Whether the file says that it is a QuickTime movie first of all.
  public var isQuickTime: Bool { majorBrand == "qt  " }
}
