/// Colour conversion of 16 pixels at a time.
///
/// A pixel is one 32-bit lane: red and blue as its two halves, and green as one, so that a weighted sum is two
/// `pmaddwd`.
enum SIMDColor {
  /// Red and blue of eight pixels as 16-bit halves, and green beside something to be ignored.
  private struct Pixels {
    var redBlue: SIMD16<Int16>
    var green: SIMD16<Int16>
  }

  /// The weights of one output: of the two halves of ``Pixels/redBlue``, and of green.
  private struct Weights {
    let first: Int32, second: Int32, green: Int32
  }

  /// Which layout pixels have: a constant where functions are inlined.
  private struct Layout {
    let size: Int
    let isReversed: Bool

    @inline(__always)
    func weights(_ red: Int16, _ green: Int16, _ blue: Int16) -> Weights {
      Weights(first: Int32(isReversed ? blue : red), second: Int32(isReversed ? red : blue), green: Int32(green))
    }
    @inline(__always) var luma: Weights {
      weights(ColorWeights.lumaRed, ColorWeights.lumaGreen, ColorWeights.lumaBlue)
    }
    @inline(__always) var blue: Weights {
      weights(ColorWeights.blueRed, ColorWeights.blueGreen, ColorWeights.blueBlue)
    }
    @inline(__always) var red: Weights {
      weights(ColorWeights.redRed, ColorWeights.redGreen, ColorWeights.redBlue)
    }
  }

  /// Calls `body` with the layout as a constant.
  @inline(__always)
  private static func withLayout(_ layout: Int, _ body: (Layout) -> Void) {
    switch layout {
    case 0: body(Layout(size: 3, isReversed: false))
    case 1: body(Layout(size: 3, isReversed: true))
    case 2: body(Layout(size: 4, isReversed: false))
    default: body(Layout(size: 4, isReversed: true))
    }
  }

  @inline(__always)
  private static func load(_ pixels: UnsafePointer<UInt8>, _ layout: Layout) -> Pixels {
    // SAFETY: eight pixels and, of three bytes each, one byte more are readable.
    let raw = unsafe UnsafeRawPointer(pixels)
    let words: SIMD8<UInt32>
    if layout.size == 4 {
      words = unsafe raw.loadUnaligned(as: SIMD8<UInt32>.self)
    } else {
      @inline(__always) func word(_ index: Int) -> UInt32 {
        unsafe raw.loadUnaligned(fromByteOffset: index * 3, as: UInt32.self)
      }
      words = SIMD8(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
    }
    let redBlue = words & 0x00FF_00FF
    // SAFETY: the types are 32 bytes of integers.
    let halves = unsafe unsafeBitCast(words, to: SIMD16<UInt16>.self)
    return unsafe Pixels(
      redBlue: unsafeBitCast(redBlue, to: SIMD16<Int16>.self),
      green: unsafeBitCast(halves &>> 8, to: SIMD16<Int16>.self))
  }

  @inline(__always)
  private static func weigh(_ pixels: Pixels, _ weights: Weights, _ rounding: Int32, _ shift: Int32) -> SIMD8<Int32> {
    var sum = SIMD8<Int32>()
    for lane in 0..<8 {
      sum[lane] =
        Int32(pixels.redBlue[lane * 2]) &* weights.first &+ Int32(pixels.redBlue[lane * 2 + 1]) &* weights.second
    }
    var green = SIMD8<Int32>()
    for lane in 0..<8 { green[lane] = Int32(pixels.green[lane * 2]) &* weights.green }
    return (sum &+ green &+ rounding) &>> shift
  }

  @inline(__always)
  private static func store(_ low: SIMD8<Int32>, _ high: SIMD8<Int32>, _ out: UnsafeMutablePointer<UInt8>) {
    var bytes = SIMD16<UInt8>()
    for lane in 0..<8 {
      bytes[lane] = UInt8(truncatingIfNeeded: low[lane])
      bytes[lane + 8] = UInt8(truncatingIfNeeded: high[lane])
    }
    // SAFETY: the caller's output has room for 16 samples.
    unsafe UnsafeMutableRawPointer(out).storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  private static func store(_ values: SIMD8<Int32>, _ out: UnsafeMutablePointer<UInt8>) {
    var bytes = SIMD8<UInt8>()
    for lane in 0..<8 { bytes[lane] = UInt8(truncatingIfNeeded: values[lane]) }
    // SAFETY: the caller's output has room for 8 samples.
    unsafe UnsafeMutableRawPointer(out).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
  }

  /// The sums of neighbouring pixels.
  @inline(__always)
  private static func pairSums(_ low: Pixels, _ high: Pixels) -> Pixels {
    Pixels(redBlue: pairSums(low.redBlue, high.redBlue), green: pairSums(low.green, high.green))
  }

  @inline(__always)
  private static func pairSums(_ low: SIMD16<Int16>, _ high: SIMD16<Int16>) -> SIMD16<Int16> {
    // SAFETY: the types are 32 bytes of integers.
    let a = unsafe unsafeBitCast(low, to: SIMD8<Int32>.self), b = unsafe unsafeBitCast(high, to: SIMD8<Int32>.self)
    let even = SIMD8(a[0], a[2], a[4], a[6], b[0], b[2], b[4], b[6])
    let odd = SIMD8(a[1], a[3], a[5], a[7], b[1], b[3], b[5], b[7])
    return unsafe unsafeBitCast(even, to: SIMD16<Int16>.self) &+ unsafeBitCast(odd, to: SIMD16<Int16>.self)
  }

  @inline(__always)
  private static func add(_ a: Pixels, _ b: Pixels) -> Pixels {
    Pixels(redBlue: a.redBlue &+ b.redBlue, green: a.green &+ b.green)
  }

  @inline(__always)
  private static func luma(_ low: Pixels, _ high: Pixels, _ layout: Layout, _ out: UnsafeMutablePointer<UInt8>) {
    unsafe store(
      weigh(low, layout.luma, ColorWeights.lumaRounding, 15), weigh(high, layout.luma, ColorWeights.lumaRounding, 15),
      out)
  }
}

// MARK: Kernels

extension SIMDColor {
  static func convert444(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      let rounding = ColorWeights.chromaRounding(0)
      for group in 0..<groups {
        // SAFETY: the caller passes `groups * 16` pixels and room for as many samples; so below.
        let start = unsafe pixels.first + group * 16 * layout.size
        let (low, high) = unsafe (load(start, layout), load(start + 8 * layout.size, layout))
        unsafe Self.luma(low, high, layout, luma.first + group * 16)
        unsafe store(
          weigh(low, layout.blue, rounding, 15), weigh(high, layout.blue, rounding, 15), chroma.blue + group * 16)
        unsafe store(
          weigh(low, layout.red, rounding, 15), weigh(high, layout.red, rounding, 15), chroma.red + group * 16)
      }
    }
  }

  static func convert422(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      let rounding = ColorWeights.chromaRounding(1)
      for group in 0..<groups {
        let start = unsafe pixels.first + group * 16 * layout.size
        let (low, high) = unsafe (load(start, layout), load(start + 8 * layout.size, layout))
        unsafe Self.luma(low, high, layout, luma.first + group * 16)
        let sums = pairSums(low, high)
        unsafe store(weigh(sums, layout.blue, rounding, 16), chroma.blue + group * 8)
        unsafe store(weigh(sums, layout.red, rounding, 16), chroma.red + group * 8)
      }
    }
  }

  static func convert420(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      let rounding = ColorWeights.chromaRounding(2)
      for group in 0..<groups {
        let start = unsafe (
          first: pixels.first + group * 16 * layout.size, second: pixels.second + group * 16 * layout.size
        )
        let above = unsafe (low: load(start.first, layout), high: load(start.first + 8 * layout.size, layout))
        unsafe Self.luma(above.low, above.high, layout, luma.first + group * 16)
        let below = unsafe (low: load(start.second, layout), high: load(start.second + 8 * layout.size, layout))
        unsafe Self.luma(below.low, below.high, layout, luma.second + group * 16)
        let sums = pairSums(add(above.low, below.low), add(above.high, below.high))
        unsafe store(weigh(sums, layout.blue, rounding, 17), chroma.blue + group * 8)
        unsafe store(weigh(sums, layout.red, rounding, 17), chroma.red + group * 8)
      }
    }
  }

  static func convertGray(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      for group in 0..<groups {
        let start = unsafe pixels.first + group * 16 * layout.size
        let (low, high) = unsafe (load(start, layout), load(start + 8 * layout.size, layout))
        unsafe Self.luma(low, high, layout, luma.first + group * 16)
      }
    }
  }
}
