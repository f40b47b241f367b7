import LivePhotoCore
import TestSupport
import Testing

@testable import LivePhotoMuxer

/// The columns of a sample table against plain lists of what they stand for.
@Suite("Columns of samples") struct ColumnTests {
  /// Entries that take more room one by one than as runs, and the other way round.
  @Test(arguments: [1, 2, 4, 5, 40], [0, 1, -3]) func compositionOffsets(longest: Int, missing: Int) {
    var generator = SplitMix64(seed: UInt64(longest))
    let entries = (0..<200).map { _ in
      (count: UInt32(generator.next() % UInt64(longest + 1)), offset: Int32(generator.next() % 4) * 20 - 20)
    }
    var expected = entries.flatMap { Array(repeating: Int64($0.offset), count: Int($0.count)) }
    let stated = expected.count
    var column = CompositionColumn(entries: entries.count)
    for entry in entries { column.append(count: entry.count, offset: entry.offset) }
    let count = max(0, stated + missing)
    expected = Array(expected.prefix(count)) + Array(repeating: 0, count: max(0, missing))
    #expect(column.fit(to: count) == (missing > 0 ? stated : nil))
    #expect((0..<count).map { column.offset(of: $0) } == expected)
    let again = CompositionColumn(column.runs)
    #expect((0..<count).map { again.offset(of: $0) } == expected)
    for column in [column, again] {
      var times = (0..<Int64(count)).map { 10 * $0 }
      column.add(to: &times)
      #expect(times == expected.enumerated().map { 10 * Int64($0) + $1 })
    }
  }

  @Test func offsetsOfZeroAreNone() {
    var column = CompositionColumn(entries: 2)
    column.append(count: 0, offset: 7)
    column.append(count: 5, offset: 0)
    #expect(column.fit(to: 9) == nil)
    #expect(column.isEmpty && column.runs.isEmpty && column.offset(of: 3) == 0)
  }

  @Test func sumsOfSizes() {
    var generator = SplitMix64(seed: 3)
    let values = (0..<100).map { _ in UInt32(truncatingIfNeeded: generator.next()) }
    let sizes = ListedSizes(values)
    for lower in [0, 1, 15, 16, 17, 31, 50, 99, 100] {
      for upper in lower...100 {
        #expect(sizes.sum(of: lower..<upper) == values[lower..<upper].reduce(0) { $0 + Int($1) })
      }
    }
    #expect(sizes.total == values.reduce(0) { $0 + Int($1) })
    #expect(ListedSizes([]).total == 0)
  }

  /// Frames that change places with near ones, with any, and that share times.
  @Test(arguments: [0, 3, 40, 5000]) func displayOrder(distance: Int) {
    var generator = SplitMix64(seed: UInt64(distance))
    let times = (0..<3000).map { Int64($0) + Int64(generator.next() % UInt64(distance + 1)) }
    let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    #expect(DisplayOrder.order(of: times).map(Int.init) == expected)
    #expect(DisplayOrder.order(of: []) == [])
  }
}
