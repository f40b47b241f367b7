internal import LivePhotoCore

/// Changes to the properties of items: which of the shared ones an item uses, and what is added to them.
struct PropertyEdit {
  typealias Use = HEIFItem.PropertyAssociation

  /// What items use now, where that is not what they used before.
  private(set) var uses: [HEIFItem.ID: [Use]] = [:]
  /// Properties that only one item uses and that change where they stand, by their positions.
  private(set) var replaced: [Int: ItemProperty] = [:]
  /// Properties behind the old ones.
  private(set) var added: [ItemProperty] = []
  private let old: ItemPropertiesBox
  /// How many uses there are of each property, new ones included.
  private var counts: [Int]

  init(_ old: ItemPropertiesBox) {
    self.old = old
    counts = Array(repeating: 0, count: old.properties.count)
    for use in old.associations.values.joined() { counts[use.index] += 1 }
  }

  var isEmpty: Bool { uses.isEmpty }

  /// Old and new ones.
  var numberOfProperties: Int { counts.count }

  /// The old properties that something used and nothing uses any more.
  var freed: Set<Int> {
    guard !isEmpty else { return [] }
    let used = Set(uses.keys.flatMap { old.associations[$0] ?? [] }.map(\.index))
    return used.filter { counts[$0] == 0 }
  }

  /// Takes all properties from an item.
  mutating func remove(_ id: HEIFItem.ID) {
    if old.associations[id] != nil { setUses([], of: id) }
  }

  mutating func apply(_ change: HEIFEdit.PropertyChange, to id: HEIFItem.ID) {
    var list = uses[id] ?? old.associations[id] ?? []
    switch change {
    case .remove(let type): list.removeAll { property(at: $0.index).type == type }
    case .add(let property, let isEssential):
      let end = list.count
      let place = property.transforms ? end : list.firstIndex { self.property(at: $0.index).transforms } ?? end
      list.insert(
        Use(index: index(of: property, inPlaceOf: nil), isEssential: isEssential ?? property.isNormallyEssential),
        at: place)
    case .set(let property, let isEssential):
      let same = list.indices.filter { self.property(at: list[$0].index).kind == property.kind }
      guard let first = same.first else { return apply(.add(property, isEssential: isEssential), to: id) }
      list[first] = Use(
        index: index(of: property, inPlaceOf: list[first].index),
        isEssential: isEssential ?? property.isNormallyEssential)
      for position in same.dropFirst().reversed() { list.remove(at: position) }
    }
    setUses(list, of: id)
  }

  private mutating func setUses(_ list: [Use], of id: HEIFItem.ID) {
    for use in uses[id] ?? old.associations[id] ?? [] { counts[use.index] -= 1 }
    for use in list { counts[use.index] += 1 }
    uses[id] = list
  }

  private func property(at index: Int) -> ItemProperty {
    index < old.properties.count ? replaced[index] ?? old.properties[index] : added[index - old.properties.count]
  }

  /// Where a property stands: at an equal one, in place of `index` when that is used once, else behind all others.
  private mutating func index(of property: ItemProperty, inPlaceOf index: Int?) -> Int {
    if let equal = counts.indices.first(where: { self.property(at: $0) == property }) { return equal }
    if let index, counts[index] == 1 {
      if index < old.properties.count {
        replaced[index] = property
      } else {
        added[index - old.properties.count] = property
      }
      return index
    }
    added.append(property)
    counts.append(0)
    return counts.count - 1
  }
}

extension ItemProperty {
  /// What only one property of an item can say: its type, and which of the two forms of `colr`.
  fileprivate var kind: [FourCC] {
    switch self {
    case .colorDescription: ["colr", "nclx"]
    case .iccProfile: ["colr", "prof"]
    default: [type]
    }
  }
}
