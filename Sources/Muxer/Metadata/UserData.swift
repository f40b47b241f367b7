public import LivePhotoCore

/// The content of a `udta` box: QuickTime's classic items, 3GPP's, and the metadata that iTunes puts there.
public struct UserData: Sendable {
  /// The items in order, `meta` not among them.
  public let items: [UserDataItem]
  /// The items of a `meta` box inside.
  public let metadata: MovieMetadata

  /// No user data.
  static let none = UserData(items: [], metadata: .none)

  private init(items: [UserDataItem], metadata: MovieMetadata) {
    self.items = items
    self.metadata = metadata
  }

  /// The first item of a type: `userData["©xyz"]`.
  public subscript(type: FourCC) -> UserDataItem? { items.first { $0.type == type } }

  /// Reads the payload of a `udta` box as far as it is well-formed, which it often is not to the end.
  init(parsing cursor: inout ByteCursor, warn: (String) -> Void) {
    var items: [UserDataItem] = []
    var metadata = MovieMetadata.none
    do throws(ParseError) {
      try cursor.forEachBox { (header, box) throws(ParseError) in
        if header.type == "meta" {
          metadata = try MovieMetadata(parsing: &box)
        } else {
          items.append(UserDataItem(type: header.type, bytes: box.readRemaining()))
        }
      }
    } catch { warn("user data is damaged: \(error)") }
    self.items = items
    self.metadata = metadata
  }
}

/// One item of user data (QuickTime File Format, "User data atoms").
public struct UserDataItem: Equatable, Sendable {
  /// The type: `©xyz`, `©day`, `name` and so on.
  public let type: FourCC
  /// What follows the header.
  public let bytes: [UInt8]

  /// An item as given.
  public init(type: FourCC, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// The text of an item whose type begins with `©`: the first of its strings; nil for other items.
  public var text: String? { texts.first }

  /// All texts of an item whose type begins with `©`, one for each language.
  var texts: [String] {
    guard type.rawValue >> 24 == 0xA9 else { return [] }
    var cursor = ByteCursor(bytes.span)
    var texts: [String] = []
    while let size = try? cursor.readUInt16(), (try? cursor.skip(2)) != nil {
      texts.append((try? cursor.readUTF8(min(Int(size), cursor.remaining))) ?? "")
    }
    return texts
  }
}
