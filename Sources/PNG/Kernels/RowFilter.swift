/// Filters rows (PNG, 9.2) and keeps the filter whose differences are the smallest in sum, taken as signed (PNG, 12.7).
struct RowFilter {
  /// Zeros in front of a row: what is left of its first pixel.
  static let padding = 8
  /// What may be read behind a row.
  private static let slack = 16

  private let count: Int
  private let distance: Int
  /// The row, padding and slack around it.
  private var row: [UInt8]
  private var above: [UInt8]
  /// The row under each filter, slack behind it.
  private var candidates: [[UInt8]]

  /// For rows of `count` bytes, `distance` of them a pixel.
  init(count: Int, distance: Int) {
    self.count = count
    self.distance = distance
    let size = Self.padding + count + Self.slack
    row = [UInt8](repeating: 0, count: size)
    above = row
    candidates = PNGFilter.allCases.map { _ in [UInt8](repeating: 0, count: count + Self.slack) }
  }

  /// Appends the next row, which `fill` writes into a buffer from ``padding`` on, its filter in front of it.
  mutating func append(to output: inout [UInt8], _ fill: (inout [UInt8]) -> Void) {
    swap(&row, &above)
    fill(&row)
    var best = PNGFilter.none
    var least = Int.max
    for filter in PNGFilter.allCases {
      let sum = self.filter(filter)
      if sum < least { (best, least) = (filter, sum) }
    }
    output.append(best.rawValue)
    output += candidates[Int(best.rawValue)][..<count]
  }

  /// Fills a candidate and sums it up.
  private mutating func filter(_ filter: PNGFilter) -> Int {
    let (count, distance) = (count, distance)
    return unsafe row.withUnsafeBufferPointer { row in
      unsafe above.withUnsafeBufferPointer { above in
        unsafe candidates[Int(filter.rawValue)].withUnsafeMutableBufferPointer { goal in
          guard let row = row.baseAddress, let above = above.baseAddress, let goal = goal.baseAddress else { return 0 }
          // SAFETY: rows have padding before and slack behind, candidates slack behind their `count` bytes.
          let (x, b) = unsafe (UnsafeRawPointer(row + Self.padding), UnsafeRawPointer(above + Self.padding))
          let (a, c) = unsafe (x - distance, b - distance)
          let out = UnsafeMutableRawPointer(goal)
          switch filter {
          case .none: return unsafe Self.run(count, x, a, b, c, out) { x, _, _, _ in x }
          case .sub: return unsafe Self.run(count, x, a, b, c, out) { x, a, _, _ in x &- a }
          case .up: return unsafe Self.run(count, x, a, b, c, out) { x, _, b, _ in x &- b }
          case .average:
            return unsafe Self.run(count, x, a, b, c, out) { x, a, b, _ in x &- ((a & b) &+ ((a ^ b) & 0xFE) &>> 1) }
          case .paeth: return unsafe Self.run(count, x, a, b, c, out) { x, a, b, c in x &- Self.paeth(a, b, c) }
          }
        }
      }
    }
  }

  /// Writes what `difference` makes of each byte, the one to the left, the one above and the one left of that.
  @inline(__always)
  private static func run(
    _ count: Int, _ x: UnsafeRawPointer, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeRawPointer,
    _ goal: UnsafeMutableRawPointer,
    _ difference: (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>) -> SIMD16<UInt8>
  ) -> Int {
    var sum = 0
    var start = 0
    while start < count {
      // 256 sums of up to 128 fit in 16 bits.
      let end = min(count, start &+ 16 * 256)
      var sums = SIMD16<UInt16>.zero
      for at in stride(from: start, to: end, by: 16) {
        // SAFETY: the callers see to 16 bytes behind the last one used.
        var value = unsafe difference(
          (x + at).loadUnaligned(as: SIMD16<UInt8>.self), (a + at).loadUnaligned(as: SIMD16<UInt8>.self),
          (b + at).loadUnaligned(as: SIMD16<UInt8>.self), (c + at).loadUnaligned(as: SIMD16<UInt8>.self))
        unsafe (goal + at).storeBytes(of: value, as: SIMD16<UInt8>.self)
        if at &+ 16 > count { for lane in count &- at..<16 { value[lane] = 0 } }
        let signs = SIMD16<Int8>(truncatingIfNeeded: value) &>> 7
        let magnitude = SIMD16<UInt8>(truncatingIfNeeded: (SIMD16<Int8>(truncatingIfNeeded: value) ^ signs) &- signs)
        sums &+= SIMD16<UInt16>(truncatingIfNeeded: magnitude)
      }
      sum &+= Int(SIMD16<UInt32>(truncatingIfNeeded: sums).wrappedSum())
      start = end
    }
    return sum
  }

  @inline(__always)
  private static func paeth(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>) -> SIMD16<UInt8> {
    // SAFETY: a vector of 16 bytes is two words of eight.
    let (a, b, c) = unsafe (
      unsafeBitCast(a, to: SIMD2<UInt64>.self), unsafeBitCast(b, to: SIMD2<UInt64>.self),
      unsafeBitCast(c, to: SIMD2<UInt64>.self)
    )
    let low = PaethPredictor.of(WideSamples.of(a[0]), WideSamples.of(b[0]), WideSamples.of(c[0]))
    let high = PaethPredictor.of(WideSamples.of(a[1]), WideSamples.of(b[1]), WideSamples.of(c[1]))
    let bytes = SIMD2(WideSamples.bytes(low), WideSamples.bytes(high))
    return unsafe unsafeBitCast(bytes, to: SIMD16<UInt8>.self)
  }
}
