internal import LivePhotoCore

/// Which items go when some are removed.
///
/// Each reference is looked at a fixed number of times, however the items of a hostile file refer to each other.
struct ItemRemoval {
  /// The items that go.
  private(set) var items: Set<HEIFItem.ID> = []
  private let file: HEIFFile
  private let primary: HEIFItem.ID?
  /// What is made from an item and stays, so far; and what an item that describes others still describes.
  private var makers, described: [HEIFItem.ID: Set<HEIFItem.ID>]
  private var open: [HEIFItem.ID] = []

  /// References by which an item needs another's data (ISO/IEC 23008-12, 6.4; ISO/IEC 14496-12, 8.11.3).
  static let derivations: Set<FourCC> = ["dimg", "pred", "base", "exbl", "iloc", "tbas", "dpnd"]
  /// References by which an item says something of others.
  static let descriptions: Set<FourCC> = ["cdsc", "thmb", "auxl"]

  /// - Parameter primary: the item that the file shows afterwards.
  /// - Throws: ``ParseError`` when an item does not exist or has to stay.
  init(_ ids: [HEIFItem.ID], of file: HEIFFile, primary: HEIFItem.ID?) throws(ParseError) {
    self.file = file
    self.primary = primary
    makers = [:]
    described = [:]
    for reference in file.references {
      if Self.derivations.contains(reference.type) {
        for target in reference.to { makers[target, default: []].insert(reference.from) }
      } else if Self.descriptions.contains(reference.type) {
        described[reference.from, default: []].formUnion(reference.to)
      }
    }
    for id in ids {
      guard file.item(id) != nil else { throw .missing("item \(id)", at: file.place) }
      add(id)
    }
    while let id = open.popLast() { follow(id) }
    for id in items.sorted() { try check(id) }
  }

  private mutating func add(_ id: HEIFItem.ID) {
    if items.insert(id).inserted { open.append(id) }
  }

  /// Adds what goes with an item.
  private mutating func follow(_ id: HEIFItem.ID) {
    for target in file.targets(ofAny: Self.derivations, from: id) {
      makers[target]?.remove(id)
      addIfUnused(target)
    }
    for source in file.sources(ofAny: Self.descriptions, to: id) {
      described[source]?.remove(id)
      if described[source]?.isEmpty ?? false, source != primary { addIfMadeFromNothing(source) }
    }
  }

  /// Adds a picture that only items which go were made from.
  private mutating func addIfUnused(_ id: HEIFItem.ID) {
    guard file.item(id)?.isHidden ?? false, described[id]?.isEmpty ?? true, id != primary else { return }
    addIfMadeFromNothing(id)
  }

  private mutating func addIfMadeFromNothing(_ id: HEIFItem.ID) {
    if makers[id]?.isEmpty ?? true, file.item(id) != nil { add(id) }
  }

  private func check(_ id: HEIFItem.ID) throws(ParseError) {
    let place = Place(offset: file.place.offset, path: ["meta", "iref"])
    guard id != primary else {
      throw .unsupported("removing item \(id), which is the primary one,", at: place)
    }
    if let maker = (makers[id] ?? []).subtracting(items).min() {
      let type = file.item(maker)?.type.description ?? "none"
      throw .unsupported("removing item \(id), which item \(maker) ('\(type)') is made from,", at: place)
    }
  }
}

extension HEIFFile {
  /// The items that `id` refers to by references of some types, each once.
  fileprivate func targets(ofAny types: Set<FourCC>, from id: HEIFItem.ID) -> Set<HEIFItem.ID> {
    Set(types.flatMap { targets(of: $0, from: id) })
  }

  /// The items that refer to `id` by references of some types, each once.
  fileprivate func sources(ofAny types: Set<FourCC>, to id: HEIFItem.ID) -> Set<HEIFItem.ID> {
    Set(types.flatMap { sources(of: $0, to: id) })
  }
}
