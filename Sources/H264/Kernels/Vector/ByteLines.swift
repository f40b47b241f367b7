/// Eight lines of bytes as columns, and columns as lines.
enum ByteLines {
  // SAFETY: the caller has eight lines of as many samples as are loaded and stored; so in all of this.

  /// The columns of eight lines of eight samples, two in each vector.
  @inline(__always)
  static func columns(_ first: UnsafePointer<UInt8>, _ stride: Int) -> (Quads, Quads, Quads, Quads) {
    @inline(__always) func line(_ index: Int) -> Quads { unsafe ByteKind8.loadPacked(first + index &* stride) }
    let (a, b) = (Registers.interleave(line(0), line(1)), Registers.interleave(line(2), line(3)))
    let (c, d) = (Registers.interleave(line(4), line(5)), Registers.interleave(line(6), line(7)))
    let (e, f) = (Transposition.words(a, b), Transposition.words(c, d))
    let (g, h) = (Transposition.longs(e.low, f.low), Transposition.longs(e.high, f.high))
    return (g.low, g.high, h.low, h.high)
  }

  /// Stores eight lines of eight samples, each vector two neighbouring ones of every line.
  @inline(__always)
  static func store(
    _ a: Quads, _ b: Quads, _ c: Quads, _ d: Quads, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int
  ) {
    let left = Transposition.words(a, b), right = Transposition.words(c, d)
    let low = Transposition.longs(left.low, right.low), high = Transposition.longs(left.high, right.high)
    @inline(__always)
    func store(_ lines: Quads, _ index: Int) {
      let line = unsafe UnsafeMutableRawPointer(first + index &* stride)
      unsafe line.storeBytes(of: lines[0], as: Int64.self)
      unsafe (line + stride).storeBytes(of: lines[1], as: Int64.self)
    }
    store(low.low, 0)
    store(low.high, 2)
    store(high.low, 4)
    store(high.high, 6)
  }

  /// Stores eight lines of four samples, each vector two neighbouring ones of every line.
  @inline(__always)
  static func store(_ a: Quads, _ b: Quads, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    let lines = Transposition.words(a, b)
    @inline(__always)
    func store(_ lines: Quads, _ index: Int) {
      let lines = Registers.longs(lines)
      for line in 0..<4 {
        unsafe UnsafeMutableRawPointer(first + (index &+ line) &* stride).storeBytes(of: lines[line], as: Int32.self)
      }
    }
    store(lines.low, 0)
    store(lines.high, 4)
  }
}
