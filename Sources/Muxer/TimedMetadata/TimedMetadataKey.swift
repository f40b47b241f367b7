public import LivePhotoCore

/// One key of a boxed metadata track: an entry of `keys` in its `mebx` description (QuickTime File Format, "Timed
/// metadata media").
public struct TimedMetadataKey: Equatable, Sendable {
  /// The number by which samples name the key; 0 when it is not in use.
  public let localID: UInt32
  /// How ``name`` is to be understood: `mdta` for a reverse-DNS name.
  public let namespace: FourCC
  /// The key, such as `com.apple.quicktime.still-image-time`.
  public let name: String
  /// How values are coded.
  public let dataType: DataType
  /// The boxes behind `keyd` and `dtyp`, such as `setu`, as they stand in the file.
  public let extensions: [DescriptionExtension]

  /// The type of a key's values.
  public enum DataType: Equatable, Sendable {
    /// A well-known type, as of ``MetadataValue``.
    case wellKnown(UInt32)
    /// A type with a name of its own.
    case named(String)
    /// Another way of naming a type, as it stands in the file.
    case other(space: UInt32, [UInt8])
  }

  /// Far more keys than any camera declares; samples look each value's key up among them.
  private static let largestCount = 1024

  /// Reads the `keys` box of a `mebx` description; the cursor stands behind the data reference index.
  static func list(parsing cursor: inout ByteCursor) throws(ParseError) -> [TimedMetadataKey] {
    var keys: [TimedMetadataKey] = []
    try cursor.forEachBox { (header, list) throws(ParseError) in
      guard header.type == "keys" else { return }
      try list.forEachBox { (header, key) throws(ParseError) in
        guard keys.count < largestCount else {
          throw .beyondLimit("number of keys", found: keys.count + 1, limit: largestCount, at: key.place)
        }
        keys.append(try TimedMetadataKey(localID: header.type.rawValue, parsing: &key))
      }
    }
    return keys
  }

  private init(localID: UInt32, parsing cursor: inout ByteCursor) throws(ParseError) {
    self.localID = localID
    var declaration: (FourCC, String)?
    var dataType = DataType.wellKnown(0)
    var extensions: [DescriptionExtension] = []
    try cursor.forEachBox { (header, box) throws(ParseError) in
      switch header.type {
      case "keyd": declaration = (try box.readFourCC(), try box.readUTF8(box.remaining))
      case "dtyp":
        let space = try box.readUInt32()
        switch space {
        case 0: dataType = .wellKnown(try box.readUInt32())
        case 1: dataType = .named(try box.readUTF8(box.remaining))
        default: dataType = .other(space: space, box.readRemaining())
        }
      default: extensions.append(DescriptionExtension(type: header.type, payload: box.readRemaining()))
      }
    }
    (namespace, name) = declaration ?? ("mdta", "")
    self.dataType = dataType
    self.extensions = extensions
  }
}
