import LivePhotoCore

/// Which segment of an edit list is the first to show each sample, by the samples' places in display order.
struct FirstShowings: Sendable {
  /// Places that one segment shows first: sorted, and apart.
  private(set) var stretches: [(ranks: Range<Int>, segment: Int)] = []

  /// Of no segment.
  init() {}

  /// Of segments that show these places each, in the order of the edit list.
  ///
  /// - Complexity: O(e log e) for e segments.
  init(_ shown: [Range<Int>?]) {
    let bounds = Set(shown.compactMap(\.self).flatMap { [$0.lowerBound, $0.upperBound] }).sorted()
    // Of each stretch between two bounds, the first behind it that has no segment yet.
    var next = Array(bounds.indices)
    func free(from place: Int) -> Int {
      var place = place
      while next[place] != place {
        next[place] = next[next[place]]
        place = next[place]
      }
      return place
    }
    var owners = [Int?](repeating: nil, count: bounds.count)
    for (segment, ranks) in shown.enumerated() {
      guard let ranks else { continue }
      var place = free(from: bounds.partitioningIndex { $0 >= ranks.lowerBound })
      while bounds[place] < ranks.upperBound {
        owners[place] = segment
        next[place] = place + 1
        place = free(from: place + 1)
      }
    }
    for (place, owner) in owners.enumerated() {
      guard let owner else { continue }
      stretches.append((bounds[place]..<bounds[place + 1], owner))
    }
  }

  /// The first segment that shows a place; nil where none does.
  func segment(ofRank rank: Int) -> Int? {
    let next = stretches.partitioningIndex { $0.ranks.lowerBound > rank }
    guard next > 0, stretches[next - 1].ranks.contains(rank) else { return nil }
    return stretches[next - 1].segment
  }
}
