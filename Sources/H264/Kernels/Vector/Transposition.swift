/// Lanes of two vectors taken in turns.
///
/// Each stage of a transposition is one of another type: of one type, the compiler takes the whole apart into single
/// lanes.
enum Transposition {
  typealias Halves = (low: Quads, high: Quads)
  typealias Rows8 = (Quads, Quads, Quads, Quads, Quads, Quads, Quads, Quads)

  @inline(__always)
  static func words(_ a: Quads, _ b: Quads) -> Halves {
    let (a, b) = (Registers.words(a), Registers.words(b))
    return (
      Registers.quads(SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])),
      Registers.quads(SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]))
    )
  }

  @inline(__always)
  static func longs(_ a: Quads, _ b: Quads) -> Halves {
    let (a, b) = (Registers.longs(a), Registers.longs(b))
    return (Registers.quads(SIMD4(a[0], b[0], a[1], b[1])), Registers.quads(SIMD4(a[2], b[2], a[3], b[3])))
  }

  @inline(__always)
  static func quads(_ a: Quads, _ b: Quads) -> Halves { (Quads(a[0], b[0]), Quads(a[1], b[1])) }

  /// Transposes eight rows of eight words.
  @inline(__always)
  static func transpose(
    _ r0: Quads, _ r1: Quads, _ r2: Quads, _ r3: Quads, _ r4: Quads, _ r5: Quads, _ r6: Quads, _ r7: Quads
  ) -> Rows8 {
    let (a, b, c, d) = (words(r0, r1), words(r2, r3), words(r4, r5), words(r6, r7))
    let (e, f, g, h) = (longs(a.low, b.low), longs(a.high, b.high), longs(c.low, d.low), longs(c.high, d.high))
    let (i, j, k, l) = (quads(e.low, g.low), quads(e.high, g.high), quads(f.low, h.low), quads(f.high, h.high))
    return (i.low, i.high, j.low, j.high, k.low, k.high, l.low, l.high)
  }
}
