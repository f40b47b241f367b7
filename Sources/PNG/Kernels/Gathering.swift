extension [UInt8] {
  /// Moves the bytes of `ranges` to the front, in place of all others, and drops what is left.
  ///
  /// - Precondition: the ranges lie in the array, each behind the one before.
  mutating func gather(_ ranges: [Range<Int>]) {
    precondition(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "ranges in their order")
    precondition((ranges.first?.lowerBound ?? 0) >= 0 && (ranges.last?.upperBound ?? 0) <= count, "ranges of the array")
    var end = 0
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for range in ranges {
        // SAFETY: both lie in the array, the goal not behind the source.
        unsafe (base + end).update(from: base + range.lowerBound, count: range.count)
        end += range.count
      }
    }
    removeLast(count - end)
  }
}
