/// Estimates the lowest coefficients that a progressive picture has not brought (yet) from the means of the blocks
/// around, as libjpeg-turbo does.
///
/// ITU-T T.81, K.8, describes the idea for 3 × 3 blocks; 5 × 5 are used here.
struct BlockSmoothing {
  /// The coefficients that are estimated, by their natural indices, in zigzag order.
  static let natural = [0, 1, 8, 16, 9, 2, 3, 10, 17, 24]

  private let lastGoodRow: Int
  private let frameRows: Int
  private let isFirstScan: Bool

  /// - Parameters:
  ///   - lastGoodRow: the last row of MCUs that the last scan had data for.
  ///   - isFirstScan: whether that was the only one.
  /// - Returns: nil where there is nothing to estimate, or nothing to estimate from.
  init?(_ components: [DecodedComponent], lastGoodRow: Int, isFirstScan: Bool) {
    for component in components {
      guard component.missingBits[0] >= 0, !component.quantizer.isEmpty,
        Self.natural.allSatisfy({ component.quantizer[$0] != 0 })
      else { return nil }
    }
    guard components.contains(where: { $0.missingBits[1...9].contains { $0 != 0 } }) else { return nil }
    self.lastGoodRow = lastGoodRow
    self.isFirstScan = isFirstScan
    frameRows = components.first.map { $0.geometry.paddedDown / $0.geometry.vertical } ?? 0
  }

  /// What is to be estimated in one component.
  func estimates(for component: DecodedComponent) -> Estimates {
    Estimates(component, lastGoodRow: lastGoodRow, frameRows: frameRows, isFirstScan: isFirstScan)
  }

  /// The estimates of one component.
  struct Estimates {
    private let vertical: Int
    private let blocksDown: Int
    private let lastGoodRow: Int, frameRows: Int
    private let divisors: [Int]
    /// Of rows with and without data in the last scan.
    private let good: [Weighted], other: [Weighted]

    /// A coefficient to be estimated: its number in zigzag order, the bits it lacks, and the weights of the means.
    private struct Weighted {
      let index: Int
      let missingBits: Int
      let weights: [Int]
    }

    fileprivate init(_ component: DecodedComponent, lastGoodRow: Int, frameRows: Int, isFirstScan: Bool) {
      vertical = component.geometry.vertical
      blocksDown = component.geometry.blocksDown
      self.lastGoodRow = lastGoodRow
      self.frameRows = frameRows
      divisors = BlockSmoothing.natural.map { Int(component.quantizer[$0]) }
      good = Self.choose(component.missingBits)
      other = Self.choose(isFirstScan ? Array(repeating: -1, count: 64) : component.formerMissingBits)
    }

    /// Where no AC coefficient is known, more of them are estimated, and the mean is smoothed as well.
    private static func choose(_ missingBits: [Int]) -> [Weighted] {
      let isDCOnly = missingBits[1...9].allSatisfy { $0 == -1 }
      let kernels = isDCOnly ? SmoothingKernels.wide : SmoothingKernels.narrow
      var chosen = (1..<kernels.count).compactMap { index in
        missingBits[index] == 0
          ? nil : Weighted(index: index, missingBits: missingBits[index], weights: kernels[index])
      }
      if isDCOnly { chosen.append(Weighted(index: 0, missingBits: 0, weights: kernels[0])) }
      return chosen
    }

    /// Fills in the coefficients of a block that are zero.
    func fill(_ block: inout CoefficientBlock, from component: DecodedComponent, across: Int, down: Int) {
      let chosen = down / vertical > lastGoodRow ? other : good
      guard !chosen.isEmpty else { return }
      let means = means(around: across, down, of: component)
      for estimate in chosen {
        let natural = BlockSmoothing.natural[estimate.index]
        guard estimate.index == 0 || block[natural] == 0 else { continue }
        var sum = 0
        for (mean, weight) in zip(means, estimate.weights) { sum += mean * weight }
        sum *= divisors[0]
        let divisor = divisors[estimate.index]
        var magnitude = (divisor << 7 + abs(sum)) / (divisor << 8)
        if estimate.missingBits > 0 { magnitude = min(magnitude, 1 << estimate.missingBits - 1) }
        block[natural] = Int16(truncatingIfNeeded: sum < 0 ? -magnitude : magnitude)
      }
    }

    /// The DC coefficients of 5 × 5 blocks; at the edges, those inside stand for those outside.
    private func means(around across: Int, _ down: Int, of component: DecodedComponent) -> [Int] {
      let last = component.geometry.blocksAcross - 1
      let rows = rows(around: down)
      return rows.flatMap { row in
        (across - 2...across + 2).map { column in
          // libjpeg-turbo takes the first column for what is right of the second and last one.
          let column = column > last ? (last == 1 ? 0 : last) : max(0, column)
          return Int(component.coefficients[(row * component.geometry.paddedAcross + column) * 64])
        }
      }
    }

    /// The rows of blocks above and below; the second ones only where libjpeg-turbo is sure that they are there.
    private func rows(around down: Int) -> [Int] {
      let frameRow = down / vertical, row = down % vertical
      let rowsHere = frameRow < frameRows - 1 ? vertical : blocksDown - frameRow * vertical
      let above = max(0, down - 1)
      let below = row < rowsHere - 1 || frameRow < frameRows - 1 ? down + 1 : down
      return [
        row > 1 || frameRow > 1 ? down - 2 : above, above, down, below,
        row < rowsHere - 2 || frameRow + 1 < frameRows - 1 ? down + 2 : below,
      ]
    }
  }
}
