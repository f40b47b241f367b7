import LivePhotoCore

/// A file that is planned and not written: its bytes, and where those come from.
struct PlannedFile: ByteSource {
  private let plan: OutputPlan
  /// Where each piece begins.
  private let starts: [Int]

  init(_ plan: OutputPlan) {
    self.plan = plan
    var starts: [Int] = []
    var position = 0
    for piece in plan.pieces {
      starts.append(position)
      switch piece {
      case .bytes(let bytes): position += bytes.count
      case .copy(let range, _): position += range.count
      }
    }
    self.starts = starts
  }

  var count: Int { plan.count }

  func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .outOfBounds(range, count: count) }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = pieceIndex(at: range.lowerBound)
    while result.count < range.count, index < plan.pieces.count {
      let from = range.lowerBound + result.count - starts[index]
      let wanted = range.count - result.count
      switch plan.pieces[index] {
      case .bytes(let bytes): result += bytes[from..<min(bytes.count, from + wanted)]
      case .copy(let source, let file):
        result += try file.read(
          source.lowerBound + from..<min(source.upperBound, source.lowerBound + from + wanted))
      }
      index += 1
    }
    return result
  }

  /// Where a byte is copied from; nil for one that is made anew.
  func origin(of position: Int) -> Int? {
    guard position >= 0, position < count, case .copy(let source, _) = plan.pieces[pieceIndex(at: position)] else {
      return nil
    }
    return source.lowerBound + position - starts[pieceIndex(at: position)]
  }

  private func pieceIndex(at position: Int) -> Int { max(0, starts.partitioningIndex { $0 > position } - 1) }
}
