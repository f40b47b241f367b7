public import LivePhotoCore

/// The data of an `Exif` item: what stands before the TIFF structure, and the structure (ISO/IEC 23008-12, A.2.1).
public struct ExifItemData: Hashable, Sendable {
  /// Everything before the TIFF header: a 32-bit distance to it, and what lies between, mostly `Exif\0\0`.
  public var header: [UInt8]
  /// The TIFF structure, from `MM` or `II` on.
  public var tiff: [UInt8]

  /// The data as cameras write it: the distance 6 and `Exif\0\0` before the TIFF structure.
  public init(tiff: [UInt8]) {
    header = [0, 0, 0, 6] + "Exif\0\0".utf8
    self.tiff = tiff
  }

  /// Splits the data of an item.
  ///
  /// Three errors of writers are tolerated: no distance before the TIFF structure, none before `Exif\0\0`, and a
  /// distance of 0 before `Exif\0\0`; see ``isWellFormed``.
  ///
  /// - Throws: ``ParseError`` when the TIFF structure is not where the data says.
  public init(parsing data: [UInt8]) throws(ParseError) {
    let mark = Array("Exif\0\0".utf8)
    var cursor = ByteCursor(data.span)
    if data.starts(with: mark) {
      try cursor.skip(mark.count)
    } else if !data.starts(with: [0x4D, 0x4D, 0, 0x2A]), !data.starts(with: [0x49, 0x49, 0x2A, 0]) {
      let distance = Int(try cursor.readUInt32())
      try cursor.skip(distance == 0 && data.dropFirst(4).starts(with: mark) ? mark.count : distance)
    }
    header = Array(data[..<cursor.position])
    tiff = cursor.readRemaining()
  }

  /// Whether the header is a distance that leads to the TIFF structure, as it should be.
  public var isWellFormed: Bool {
    header.count >= 4 && header[..<4].reduce(0) { $0 << 8 | Int($1) } == header.count - 4
  }

  /// The bytes of the item.
  public var bytes: [UInt8] { header + tiff }
}

extension HEIFFile {
  /// The `Exif` item that describes an item, the primary one unless told otherwise.
  ///
  /// Looked for in this order: one that describes the item itself; one that describes an alternative of it, such as
  /// a `tmap`; the only one of the file, when it describes nothing.
  public func exifItem(of id: HEIFItem.ID? = nil) -> HEIFItem? {
    metadata(of: id) { $0.type == "Exif" }
  }

  /// The XMP item that describes an item, the primary one unless told otherwise; looked for as ``exifItem(of:)`` does.
  public func xmpItem(of id: HEIFItem.ID? = nil) -> HEIFItem? {
    metadata(of: id) { $0.isXMP }
  }

  /// The Exif of an item, the primary one unless told otherwise; nil when it has none.
  ///
  /// - Throws: ``ParseError`` when the item's data cannot be read or does not hold what it says.
  public func exif(of id: HEIFItem.ID? = nil) throws(ParseError) -> ExifItemData? {
    guard let item = exifItem(of: id) else { return nil }
    let data = try data(of: item.id)
    do { return try ExifItemData(parsing: data) } catch { throw error.inside("Exif item \(item.id)") }
  }

  private func metadata(of id: HEIFItem.ID?, where matches: (HEIFItem) -> Bool) -> HEIFItem? {
    guard let id = id ?? primaryItem?.id else { return nil }
    for target in [id] + alternatives(of: id) {
      if let item = sources(of: "cdsc", to: target).lazy.compactMap({ item($0) }).first(where: matches) { return item }
    }
    let all = items.filter(matches)
    guard let only = all.first, all.count == 1, targets(of: "cdsc", from: only.id).isEmpty else { return nil }
    return only
  }

  /// The items that a reader may show in place of `id`: the other members of its `altr` groups, and its tone-mapped
  /// forms.
  public func alternatives(of id: HEIFItem.ID) -> [HEIFItem.ID] {
    let grouped = groups.filter { $0.type == "altr" && $0.members.contains(id) }.flatMap(\.members)
    let all = grouped + toneMappedImages(of: id).map(\.id)
    var seen: Set<HEIFItem.ID> = [id]
    return all.filter { seen.insert($0).inserted }
  }
}
