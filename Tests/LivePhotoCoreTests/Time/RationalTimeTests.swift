import LivePhotoCore
import TestSupport
import Testing

@Suite struct RationalTimeTests {
  typealias Time = RationalTime

  @Test func equalTimesInDifferentScales() {
    #expect(Time(1, 2) == Time(300, 600))
    #expect(Time(1, 2).hashValue == Time(300, 600).hashValue)
    #expect(Time(0, 1) == Time(0, 90_000))
    #expect(Time(-1, 3) < Time(-333, 1000))
    #expect(Time(.max, 1) > Time(.max, 2))
    #expect(Time(.min, .max) < Time(-1, 1))
    #expect(Set([Time(2, 4), Time(1, 2), Time(3, 6), Time(2, 3)]).count == 2)
    #expect(Time(exactly: 1, timescale: 0) == nil && Time(exactly: 1, timescale: -5) == nil)
    #expect(Time(780, 600).description == "780/600" && Time(780, 600).seconds == 1.3)
  }

  @Test func roundingIsNamed() {
    // 5/2 and -5/2 in whole ticks: halves go upwards.
    #expect(Time(5, 2).ticks(in: 1, rounding: .down) == 2)
    #expect(Time(5, 2).ticks(in: 1, rounding: .up) == 3)
    #expect(Time(5, 2).ticks(in: 1, rounding: .nearest) == 3)
    #expect(Time(-5, 2).ticks(in: 1, rounding: .down) == -3)
    #expect(Time(-5, 2).ticks(in: 1, rounding: .up) == -2)
    #expect(Time(-5, 2).ticks(in: 1, rounding: .nearest) == -2)
    #expect(Time(1001, 30_000).ticks(in: 1000, rounding: .up) == 34)
    #expect(Time(1, 1).ticks(in: 0, rounding: .up) == nil)
    #expect(Time(1, 3).rescaled(to: 600, rounding: .down)?.description == "200/600")
  }

  /// Values at and around the edges of 64 bits, and ordinary ones.
  private static func extremes(count: Int) -> [(a: Time, b: Time)] {
    var generator = SplitMix64(seed: 7)
    let edges: [Int64] = [.min, .min + 1, -3, -2, -1, 0, 1, 2, 3, 599, 600, 1 << 31, 1 << 62, .max - 1, .max]
    func value() -> Int64 {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: edges.randomElement(using: &generator) ?? 0
      case 1: Int64.random(in: -100_000...100_000, using: &generator)
      default: Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<63, using: &generator)
      }
    }
    func time() -> Time {
      let scale = value()
      return Time(value(), max(1, scale == .min ? .max : abs(scale)))
    }
    return (0..<count).map { _ in (time(), time()) }
  }

  @Test(.judged(by: .python)) func everythingIsExact() throws {
    // Python's fractions have no limits; None stands for what does not fit in 64 bits.
    let program = """
      import sys
      from fractions import Fraction as F
      from math import floor, ceil
      fits = lambda n: n if -2**63 <= n < 2**63 else None
      def frac(f): return f if fits(f.numerator) is not None and f.denominator < 2**63 else None
      for line in sys.stdin:
          a, b, c, d = map(int, line.split())
          x, y = F(a, b), F(c, d)
          def same(v): return F(v, b) if fits(v) is not None else None
          s = same(a + c) if b == d else frac(x + y)
          t = same(a - c) if b == d else frac(x - y)
          k = a if b == d else None
          print((x > y) - (x < y), *[n if k is None else k for n in (fits(floor(x * d)), fits(ceil(x * d)), fits(floor(x * d + F(1, 2))))], s, t)
      """
    let cases = Self.extremes(count: 3000)
    let input = cases.map { "\($0.a.value) \($0.a.timescale) \($0.b.value) \($0.b.timescale)" }.joined(separator: "\n")
    let expected = try python(program, input: Array(input.utf8)).lines
    func text(_ time: Time?) -> String {
      guard let time else { return "None" }
      var a = time.value.magnitude, b = time.timescale.magnitude
      while b != 0 { (a, b) = (b, a % b) }
      let value = Int128(time.value) / Int128(a), scale = Int128(time.timescale) / Int128(a)
      return scale == 1 ? "\(value)" : "\(value)/\(scale)"
    }
    try #require(expected.count == cases.count)
    var unlike: [String] = []
    for ((a, b), line) in zip(cases, expected) {
      let order = a < b ? -1 : a == b ? 0 : 1
      let ticks = [TimeRounding.down, .up, .nearest].map { a.ticks(in: b.timescale, rounding: $0) }
      let parts =
        ["\(order)"] + ticks.map { $0.map { "\($0)" } ?? "None" } + [text(a.adding(b)), text(a.subtracting(b))]
      if parts.joined(separator: " ") != line { unlike.append("\(a) \(b): \(parts) instead of \(line)") }
    }
    #expect(unlike.isEmpty)
  }
}
