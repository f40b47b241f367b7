public import LivePhotoCore

/// The items of one `meta` box: QuickTime's keys (`mdta`) or iTunes' codes (`mdir`).
///
/// ```swift
/// let date = movie.metadata["com.apple.quicktime.creationdate"]?.text
/// ```
public struct MovieMetadata: Sendable {
  /// The handler of the box: `mdta` for keys with names, `mdir` for four-character codes.
  public let handler: FourCC
  /// The items in the order of `ilst`.
  public let items: [MetadataItem]
  /// Whether the box begins with a version and flags, as in MP4; QuickTime's does not.
  public let isFullBox: Bool
  /// The boxes directly inside, in order.
  public let childTypes: [FourCC]

  /// No metadata at all.
  static let none = MovieMetadata(handler: "mdta", items: [], isFullBox: false, childTypes: [])

  private init(handler: FourCC, items: [MetadataItem], isFullBox: Bool, childTypes: [FourCC]) {
    self.handler = handler
    self.items = items
    self.isFullBox = isFullBox
    self.childTypes = childTypes
  }

  /// The value of the first item with a key, such as `com.apple.quicktime.creationdate` or `©nam`.
  public subscript(key: String) -> MetadataValue? { items.first { $0.key == key }?.value }

  /// The text of a key in QuickTime's own namespace.
  func text(ofKey name: String) -> String? {
    items.first { $0.namespace == "mdta" && $0.key == name }?.value.text
  }

  /// Reads the payload of a `meta` box, of either kind.
  ///
  /// - Throws: ``ParseError`` when a box inside is damaged.
  init(parsing cursor: inout ByteCursor) throws(ParseError) {
    isFullBox = try cursor.skipMetaVersion()
    var handler: FourCC = "mdir"
    var keys: [(namespace: FourCC, name: String)] = []
    var list: [(FourCC, [MetadataItem.Value], String?)] = []
    var types: [FourCC] = []
    try cursor.forEachBox { (header, box) throws(ParseError) in
      types.append(header.type)
      switch header.type {
      case "hdlr": handler = try Handler(parsing: &box).type
      case "keys": keys = try MetadataKeys.parse(&box)
      case "ilst": list = try MetadataItem.parseList(&box)
      default: break
      }
    }
    self.handler = handler
    childTypes = types
    items = list.flatMap { type, values, name -> [MetadataItem] in
      let index = Int(type.rawValue)
      if handler == "mdta", index >= 1, index <= keys.count {
        return values.map { MetadataItem(namespace: keys[index - 1].namespace, key: keys[index - 1].name, $0) }
      }
      return values.map { MetadataItem(namespace: handler, key: name ?? type.description, $0) }
    }
  }
}

/// One value of one key.
public struct MetadataItem: Equatable, Sendable {
  /// How ``key`` is to be understood: `mdta` for a reverse-DNS name, `mdir` for iTunes' codes.
  public let namespace: FourCC
  /// The key: a name, a code such as `©nam`, or `----:domain:name` for iTunes' free-form items.
  public let key: String
  /// The value.
  public let value: MetadataValue
  /// The type of the value as it stands in the file, as of ``MetadataValue``.
  public let type: UInt32
  /// The country that the value is meant for: two letters in ASCII, or 0 for all.
  public let country: UInt16
  /// The language that the value is meant for: three packed letters, or 0 for all.
  public let language: UInt16

  /// A `data` box.
  struct Value {
    var type: UInt32
    var country: UInt16
    var language: UInt16
    var bytes: [UInt8]
  }

  fileprivate init(namespace: FourCC, key: String, _ value: Value) {
    self.namespace = namespace
    self.key = key
    self.value = MetadataValue(type: value.type, bytes: value.bytes)
    type = value.type
    country = value.country
    language = value.language
  }

  /// The key of one of iTunes' items: its code or, of a free-form one, its name.
  static func key(ofItem type: FourCC, _ cursor: inout ByteCursor) throws(ParseError) -> String {
    guard type == "----" else { return type.description }
    return try parse(type, &cursor).name ?? type.description
  }

  /// The items of `ilst`: their types, their values and, for free-form items, their names.
  fileprivate static func parseList(_ cursor: inout ByteCursor) throws(ParseError) -> [(FourCC, [Value], String?)] {
    var list: [(FourCC, [Value], String?)] = []
    try cursor.forEachBox { (header, item) throws(ParseError) in
      let (values, name) = try parse(header.type, &item)
      list.append((header.type, values, name))
    }
    return list
  }

  /// The values of an item and, where it is free-form, its name.
  private static func parse(_ type: FourCC, _ item: inout ByteCursor) throws(ParseError)
    -> (values: [Value], name: String?)
  {
    var values: [Value] = []
    var domain = "", name = ""
    try item.forEachBox { (header, box) throws(ParseError) in
      switch header.type {
      case "data":
        values.append(
          Value(
            type: try box.readUInt32() & 0xFF_FFFF, country: try box.readUInt16(), language: try box.readUInt16(),
            bytes: box.readRemaining()))
      case "mean" where box.remaining >= 4:
        try box.skip(4)
        domain = try box.readUTF8(box.remaining)
      case "name" where box.remaining >= 4:
        try box.skip(4)
        name = try box.readUTF8(box.remaining)
      default: break
      }
    }
    return (values, type == "----" ? "----:\(domain):\(name)" : nil)
  }
}

/// The `keys` box of QuickTime metadata (QuickTime File Format, "Metadata item keys atom").
enum MetadataKeys {
  static func parse(_ cursor: inout ByteCursor) throws(ParseError) -> [(namespace: FourCC, name: String)] {
    _ = try cursor.readVersionAndFlags()
    let count = Int(try cursor.readUInt32())
    var keys: [(namespace: FourCC, name: String)] = []
    while keys.count < count, cursor.remaining >= 8 {
      let size = Int(try cursor.readUInt32())
      guard size >= 8 else {
        throw .invalid("size of a key", found: "\(size)", expected: "at least 8", at: cursor.place)
      }
      keys.append((try cursor.readFourCC(), try cursor.readUTF8(size - 8)))
    }
    return keys
  }
}

extension ByteCursor {
  /// Steps over the version and flags of a `meta` box of MP4's kind and says whether there were any.
  ///
  /// QuickTime's `meta` has none, and MP4 files with either exist: the place of `hdlr` tells.
  mutating func skipMetaVersion() throws(ParseError) -> Bool {
    guard peekFourCC(ahead: 4) != "hdlr", peekFourCC(ahead: 8) == "hdlr" || peekFourCC()?.rawValue == 0 else {
      return false
    }
    try skip(4)
    return true
  }
}
