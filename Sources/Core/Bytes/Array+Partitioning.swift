extension Array {
  /// The index of the first element for which `predicate` holds, if it holds for all that follow; the count if none.
  package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
