public import LivePhotoCore

/// One item of a HEIF file: a coded picture, a picture derived from others, Exif, XMP or anything else
/// (ISO/IEC 14496-12, 8.11.6).
public struct HEIFItem: Identifiable, Hashable, Sendable {
  /// The number by which the boxes of a file name an item; not 0.
  public typealias ID = UInt32

  /// The number of the item, unique in its file.
  public let id: ID
  /// What the item is, such as `hvc1`, `grid`, `tmap`, `Exif`, `mime` or `uri `.
  public var type: FourCC
  /// The name, often empty.
  public var name: String
  /// Whether the item is not to be shown by itself, as the tiles of a grid are not.
  public var isHidden: Bool
  /// The MIME type of a `mime` item, such as `application/rdf+xml` of XMP.
  public var contentType: String?
  /// How the content of a `mime` item is encoded; nil or empty when it is not.
  public var contentEncoding: String?
  /// The URI that says what a `uri ` item is.
  public var uriType: String?
  /// The entry of the protection box by which the item is protected, counted from 1; 0 when it is not.
  public var protectionIndex: UInt16 = 0
  /// The item's properties in the order in which they apply.
  public var associations: [PropertyAssociation] = []

  /// The use of one of the file's shared properties by an item (ISO/IEC 23008-12, 9.3).
  public struct PropertyAssociation: Hashable, Sendable {
    /// The property's position in ``HEIFFile/properties``.
    public var index: Int
    /// Whether a reader that does not know the property must not show the item.
    public var isEssential: Bool

    /// The use of the property at `index`.
    public init(index: Int, isEssential: Bool) {
      self.index = index
      self.isEssential = isEssential
    }
  }

  /// An item without properties.
  public init(id: ID, type: FourCC, name: String = "", isHidden: Bool = false) {
    self.id = id
    self.type = type
    self.name = name
    self.isHidden = isHidden
  }

  /// Whether the item is an XMP packet.
  public var isXMP: Bool { type == "mime" && contentType == Self.xmpContentType }

  /// Whether the item describes others rather than being a picture.
  public var isMetadata: Bool { type == "Exif" || type == "mime" || type == "uri " }

  /// Whether the item is a picture made from others, such as a grid (ISO/IEC 23008-12, 6.6.2).
  public var isDerived: Bool { ["grid", "iovl", "iden", "tmap"].contains(type) }

  /// The content type of XMP.
  public static let xmpContentType = "application/rdf+xml"
}

/// What one item says of others: `from` is a thumbnail of, describes, is derived from … `to`
/// (ISO/IEC 14496-12, 8.11.12).
public struct ItemReference: Hashable, Sendable {
  /// The kind, such as `dimg` (derived from), `thmb` (thumbnail of), `auxl` (auxiliary to) or `cdsc` (describes).
  public var type: FourCC
  /// The item that refers.
  public var from: HEIFItem.ID
  /// The items it refers to, in an order that matters for `dimg`.
  public var to: [HEIFItem.ID]

  /// A reference.
  public init(_ type: FourCC, from: HEIFItem.ID, to: [HEIFItem.ID]) {
    self.type = type
    self.from = from
    self.to = to
  }
}

/// Items that belong together, such as alternatives of which a reader shows one (`altr`)
/// (ISO/IEC 14496-12, 8.18.3).
public struct EntityGroup: Hashable, Sendable {
  /// The kind, such as `altr` or `ster`.
  public var type: FourCC
  /// The number of the group, from the same numbers as the items'.
  public var id: UInt32
  /// The items (or tracks) in order of preference.
  public var members: [HEIFItem.ID]

  /// A group.
  public init(_ type: FourCC, id: UInt32, members: [HEIFItem.ID]) {
    self.type = type
    self.id = id
    self.members = members
  }
}
