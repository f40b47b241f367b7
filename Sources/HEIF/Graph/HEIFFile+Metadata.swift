public import LivePhotoCore

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
  /// - Throws: ``ParseError`` when the item's data cannot be read or is no Exif.
  public func exif(of id: HEIFItem.ID? = nil) throws(ParseError) -> ExifPayload? {
    guard let item = exifItem(of: id) else { return nil }
    let data = try data(of: item.id)
    do { return try ExifPayload(heifItem: data, limits: limits) } catch { throw error.inside("Exif item \(item.id)") }
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
