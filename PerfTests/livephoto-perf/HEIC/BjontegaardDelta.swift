import Foundation

/// The mean difference in bytes of two encoders over the qualities that both reach (Bjøntegaard, VCEG-M33), by piecewise
/// cubic interpolation that keeps monotone curves monotone (Fritsch, Butland 1984), as JVET's common test conditions use.
enum BjontegaardDelta {
  /// A point of a curve: the quality that so many bytes buy.
  typealias Point = (quality: Double, bytes: Double)

  /// How many per cent more bytes `curve` takes than `reference` at equal quality.
  ///
  /// - Returns: nil of fewer than two points, of points out of order, and of curves that share no quality.
  static func percent(of curve: [Point], over reference: [Point]) -> Double? {
    guard let first = Curve(curve), let second = Curve(reference) else { return nil }
    let low = max(first.x[0], second.x[0])
    let high = min(first.x[first.x.count - 1], second.x[second.x.count - 1])
    guard low < high else { return nil }
    let difference = (first.integral(low, high) - second.integral(low, high)) / (high - low)
    return (pow(10, difference) - 1) * 100
  }

  /// The decimal logarithm of bytes over quality.
  private struct Curve {
    let x: [Double]
    let y: [Double]
    private let slopes: [Double]

    init?(_ points: [Point]) {
      let points = points.sorted { $0.quality < $1.quality }
      guard points.count >= 2, zip(points, points.dropFirst()).allSatisfy({ $0.quality < $1.quality }) else {
        return nil
      }
      x = points.map(\.quality)
      y = points.map { log10($0.bytes) }
      slopes = Self.slopes(x, y)
    }

    /// The derivatives at the points.
    private static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
      let steps = zip(x, x.dropFirst()).map { $1 - $0 }
      let rises = zip(zip(y, y.dropFirst()).map { $1 - $0 }, steps).map { $0 / $1 }
      guard rises.count > 1 else { return [rises[0], rises[0]] }
      let inner = (1..<rises.count).map { (index) -> Double in
        let (before, after) = (rises[index - 1], rises[index])
        if before * after <= 0 { return 0.0 }
        let weights = (2 * steps[index] + steps[index - 1], steps[index] + 2 * steps[index - 1])
        return (weights.0 + weights.1) / (weights.0 / before + weights.1 / after)
      }
      let last = rises.count - 1
      return [end(steps[0], steps[1], rises[0], rises[1])] + inner
        + [end(steps[last], steps[last - 1], rises[last], rises[last - 1])]
    }

    /// The derivative at an end: of the parabola through three points, unless that turns the curve.
    private static func end(_ step: Double, _ next: Double, _ rise: Double, _ nextRise: Double) -> Double {
      let slope = ((2 * step + next) * rise - step * nextRise) / (step + next)
      if slope * rise <= 0 { return 0 }
      return rise * nextRise <= 0 && abs(slope) > 3 * abs(rise) ? 3 * rise : slope
    }

    /// The integral between two qualities of the curve.
    func integral(_ low: Double, _ high: Double) -> Double {
      (0..<x.count - 1).reduce(0) { sum, index in
        let (from, to) = (max(low, x[index]), min(high, x[index + 1]))
        return from < to ? sum + primitive(index, to) - primitive(index, from) : sum
      }
    }

    /// The primitive of one piece, a cubic in Hermite's form, from its start to `position`.
    private func primitive(_ index: Int, _ position: Double) -> Double {
      let step = x[index + 1] - x[index]
      let t = (position - x[index]) / step
      let (t2, t3, t4) = (t * t, t * t * t, t * t * t * t)
      let start = y[index] * (t4 / 2 - t3 + t) + slopes[index] * step * (t4 / 4 - 2 * t3 / 3 + t2 / 2)
      let end = y[index + 1] * (t3 - t4 / 2) + slopes[index + 1] * step * (t4 / 4 - t3 / 3)
      return step * (start + end)
    }
  }
}
