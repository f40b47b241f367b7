/// The order in which samples are shown.
enum DisplayOrder {
  /// How many places a frame is moved on average before all are sorted at once.
  private static let distance = 16

  /// The indices of all samples by their composition times; those of one time stay in decoding order.
  ///
  /// - Complexity: O(n) where frames change places with near ones, as video has it; else O(n log n).
  static func order(of times: [Int64]) -> [UInt32] {
    var order = Array(0..<UInt32(times.count))
    var moves = 0
    for index in order.indices.dropFirst() {
      let time = times[index]
      var place = index
      while place > 0, times[Int(order[place - 1])] > time {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = UInt32(index)
      moves += index - place
      if moves > distance * times.count { return sorted(times) }
    }
    return order
  }

  private static func sorted(_ times: [Int64]) -> [UInt32] {
    (0..<UInt32(times.count)).sorted { (times[Int($0)], $0) < (times[Int($1)], $1) }
  }
}

extension SampleTable {
  /// The composition times of all samples, in decoding order.
  var compositionTimes: [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(count)
    for (index, run) in timeRuns.enumerated() {
      let end = index + 1 < timeRuns.count ? timeRuns[index + 1].firstSample : count
      for sample in run.firstSample..<end {
        times.append(run.start + Int64(sample - run.firstSample) * run.delta)
      }
    }
    composition.add(to: &times)
    return times
  }
}
