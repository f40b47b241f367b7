extension [Range<Int>] {
  /// The first of these ranges, which are sorted and apart, that ends behind `position`.
  func first(reaching position: Int) -> Range<Int>? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low < count ? self[low] : nil
  }

  /// Whether one of these ranges, which are sorted and apart, shares a byte with `range`.
  func overlaps(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty, let candidate = first(reaching: range.lowerBound) else { return false }
    return candidate.lowerBound < range.upperBound
  }

  /// Whether one of these ranges, which are sorted and apart, holds all of `range`.
  func contain(_ range: Range<Int>) -> Bool {
    guard let candidate = first(reaching: range.lowerBound) else { return false }
    return candidate.lowerBound <= range.lowerBound && range.upperBound <= candidate.upperBound
  }

  /// The bytes of all these ranges, sorted and apart.
  var joined: [Range<Int>] {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      guard !range.isEmpty else { return }
      if let last = joined.last, last.upperBound >= range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }

  /// The bytes of these ranges that are in none of `others`; both are sorted and apart, and so is the result.
  func subtracting(_ others: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var next = 0
    for range in self {
      var start = range.lowerBound
      while next < others.count, others[next].upperBound <= start { next += 1 }
      var other = next
      while other < others.count, others[other].lowerBound < range.upperBound {
        if others[other].lowerBound > start { result.append(start..<others[other].lowerBound) }
        start = Swift.max(start, others[other].upperBound)
        other += 1
      }
      if start < range.upperBound { result.append(start..<range.upperBound) }
      // The last one may reach into the next range.
      next = Swift.max(next, other - 1)
    }
    return result
  }
}
