public import LivePhotoCore

/// How an `iovl` item is put together (ISO/IEC 23008-12, 6.6.2.2): pictures laid over a canvas one after the other.
public struct OverlayLayout: Hashable, Sendable {
  /// Width of the canvas in pixels.
  public var width: Int
  /// Height of the canvas in pixels.
  public var height: Int
  /// Red, green, blue and alpha of the bare canvas, 16 bits each, in sRGB.
  public var fill: [UInt16]
  /// Where the top left corner of each picture is laid; it may be outside the canvas.
  public var offsets: [Offset]

  /// A place on the canvas.
  public struct Offset: Hashable, Sendable {
    /// Pixels to the right.
    public var x: Int
    /// Pixels down.
    public var y: Int
  }

  /// Reads the payload of an `iovl` item that is made of `count` pictures.
  ///
  /// - Throws: ``ParseError`` when it is cut off, of another version than 0, or a side is 0.
  public init(parsing cursor: inout ByteCursor, count: Int) throws(ParseError) {
    let place = cursor.place
    let version = try cursor.readUInt8()
    guard version == 0 else { throw .unsupported("version \(version) of an overlay", at: place) }
    let isWide = try cursor.readUInt8() & 1 != 0
    fill = []
    for _ in 0..<4 { fill.append(try cursor.readUInt16()) }
    width = Int(truncatingIfNeeded: try cursor.readUInt(width: isWide ? 4 : 2))
    height = Int(truncatingIfNeeded: try cursor.readUInt(width: isWide ? 4 : 2))
    guard width > 0, height > 0 else {
      throw .invalid("size of an overlay", found: "\(width)x\(height)", expected: "sides above 0", at: place)
    }
    offsets = []
    for _ in 0..<count {
      let x = isWide ? Int(try cursor.readInt32()) : Int(try cursor.readInt16())
      let y = isWide ? Int(try cursor.readInt32()) : Int(try cursor.readInt16())
      offsets.append(Offset(x: x, y: y))
    }
  }
}

extension HEIFFile {
  /// The layout of an `iovl` item; nil when the item is of another type.
  ///
  /// - Throws: ``ParseError`` when its payload is damaged or has fewer offsets than there are pictures.
  public func overlayLayout(of id: HEIFItem.ID) throws(ParseError) -> OverlayLayout? {
    guard item(id)?.type == "iovl" else { return nil }
    let bytes = try data(of: id)
    var cursor = ByteCursor(bytes.span)
    do { return try OverlayLayout(parsing: &cursor, count: tiles(of: id).count) } catch {
      throw error.inside("overlay item \(id)")
    }
  }
}
