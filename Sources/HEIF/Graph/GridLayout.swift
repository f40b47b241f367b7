public import LivePhotoCore

/// How a `grid` item is put together from tiles (ISO/IEC 23008-12, 6.6.2.3): rows of equally large pictures, from the
/// top left, the last of which may reach beyond the picture.
public struct GridLayout: Hashable, Sendable {
  /// Rows of tiles, 1 to 256.
  public var rows: Int
  /// Tiles a row, 1 to 256.
  public var columns: Int
  /// Width of the whole picture in pixels.
  public var width: Int
  /// Height of the whole picture in pixels.
  public var height: Int

  /// A layout.
  ///
  /// - Precondition: rows and columns are 1 to 256, sides are 1 to 2^32 - 1.
  public init(rows: Int, columns: Int, width: Int, height: Int) {
    precondition((1...256).contains(rows) && (1...256).contains(columns), "a grid has 1 to 256 rows and columns")
    precondition(
      (1...Int(UInt32.max)).contains(width) && (1...Int(UInt32.max)).contains(height), "sides fit in 32 bits")
    (self.rows, self.columns, self.width, self.height) = (rows, columns, width, height)
  }

  /// The layout that covers a picture with tiles of the given size.
  ///
  /// - Returns: nil when the picture is empty or needs more than 256 rows or columns.
  public init?(covering width: Int, _ height: Int, tileWidth: Int, tileHeight: Int) {
    guard width > 0, height > 0, tileWidth > 0, tileHeight > 0 else { return nil }
    let (rows, columns) = ((height - 1) / tileHeight + 1, (width - 1) / tileWidth + 1)
    guard rows <= 256, columns <= 256, width <= UInt32.max, height <= UInt32.max else { return nil }
    self.init(rows: rows, columns: columns, width: width, height: height)
  }

  /// Reads the payload of a `grid` item.
  ///
  /// - Throws: ``ParseError`` when it is cut off, of another version than 0, or a side is 0.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let place = cursor.place
    let version = try cursor.readUInt8()
    guard version == 0 else { throw .unsupported("version \(version) of a grid", at: place) }
    let sideWidth = try cursor.readUInt8() & 1 == 0 ? 2 : 4
    rows = Int(try cursor.readUInt8()) + 1
    columns = Int(try cursor.readUInt8()) + 1
    width = Int(truncatingIfNeeded: try cursor.readUInt(width: sideWidth))
    height = Int(truncatingIfNeeded: try cursor.readUInt(width: sideWidth))
    guard width > 0, height > 0 else {
      throw .invalid("size of a grid", found: "\(width)x\(height)", expected: "sides above 0", at: place)
    }
  }

  /// The number of tiles.
  public var tileCount: Int { rows * columns }

  /// The payload of a `grid` item: 8 bytes, or 12 where a side is above 65535.
  public var payload: [UInt8] {
    let isWide = max(width, height) > UInt16.max
    var writer = ByteWriter()
    writer.writeUInt8(0)
    writer.writeUInt8(isWide ? 1 : 0)
    writer.writeUInt8(UInt8(truncatingIfNeeded: rows - 1))
    writer.writeUInt8(UInt8(truncatingIfNeeded: columns - 1))
    writer.writeUInt(UInt64(width), width: isWide ? 4 : 2)
    writer.writeUInt(UInt64(height), width: isWide ? 4 : 2)
    return writer.bytes
  }
}
