/// Colour conversion of 16 pixels at a time.
///
/// A pixel is one 32-bit lane: red and blue as its two halves, and green as one, so that a weighted sum is two
/// multiply-adds of neighbouring 16-bit lanes.
enum SIMDColor {
  /// Four pixels: red and blue as 16-bit halves, and green beside something to be ignored.
  private struct Quad {
    var redBlue: SIMD8<Int16>
    var green: SIMD8<Int16>
  }

  /// Sixteen pixels.
  private typealias Group = (a: Quad, b: Quad, c: Quad, d: Quad)

  /// The weights of one output, for the halves of a ``Quad``.
  private struct Weights {
    let redBlue: SIMD8<Int16>
    let green: SIMD8<Int16>

    @inline(__always)
    init(_ red: Int16, _ green: Int16, _ blue: Int16, isReversed: Bool) {
      let (x, y) = isReversed ? (blue, red) : (red, blue)
      redBlue = SIMD8(x, y, x, y, x, y, x, y)
      self.green = SIMD8(green, 0, green, 0, green, 0, green, 0)
    }
  }

  /// Which layout pixels have: a constant where functions are inlined.
  private struct Layout {
    let size: Int
    let isReversed: Bool

    @inline(__always) var luma: Weights {
      Weights(ColorWeights.lumaRed, ColorWeights.lumaGreen, ColorWeights.lumaBlue, isReversed: isReversed)
    }
    @inline(__always) var blue: Weights {
      Weights(ColorWeights.blueRed, ColorWeights.blueGreen, ColorWeights.blueBlue, isReversed: isReversed)
    }
    @inline(__always) var red: Weights {
      Weights(ColorWeights.redRed, ColorWeights.redGreen, ColorWeights.redBlue, isReversed: isReversed)
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
  private static func load(_ pixels: UnsafePointer<UInt8>, _ layout: Layout) -> Group {
    unsafe (
      quad(pixels, layout), quad(pixels + 4 * layout.size, layout), quad(pixels + 8 * layout.size, layout),
      quad(pixels + 12 * layout.size, layout)
    )
  }

  @inline(__always)
  private static func quad(_ pixels: UnsafePointer<UInt8>, _ layout: Layout) -> Quad {
    // SAFETY: four pixels and, of three bytes each, one byte more are readable.
    let raw = unsafe UnsafeRawPointer(pixels)
    let words: SIMD4<UInt32>
    if layout.size == 4 {
      words = unsafe raw.loadUnaligned(as: SIMD4<UInt32>.self)
    } else {
      words = unsafe SIMD4(
        raw.loadUnaligned(as: UInt32.self), raw.loadUnaligned(fromByteOffset: 3, as: UInt32.self),
        raw.loadUnaligned(fromByteOffset: 6, as: UInt32.self), raw.loadUnaligned(fromByteOffset: 9, as: UInt32.self))
    }
    // SAFETY: the types are 16 bytes of integers.
    let halves = unsafe unsafeBitCast(words, to: SIMD8<UInt16>.self)
    return unsafe Quad(
      redBlue: unsafeBitCast(words & 0x00FF_00FF, to: SIMD8<Int16>.self),
      green: unsafeBitCast(halves &>> 8, to: SIMD8<Int16>.self))
  }

  @inline(__always)
  private static func weigh(_ quad: Quad, _ weights: Weights, _ rounding: Int32, _ shift: Int32) -> SIMD4<Int32> {
    let redBlue = VectorOperations.multiplyAdd(quad.redBlue, weights.redBlue)
    let green = VectorOperations.multiplyAdd(quad.green, weights.green)
    return (redBlue &+ green &+ rounding) &>> shift
  }

  /// Sixteen values of 0 to 255 as bytes.
  @inline(__always)
  private static func bytes(
    _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
  ) -> SIMD16<UInt8> {
    // SAFETY: both types are 16 bytes of integers.
    unsafe unsafeBitCast(
      VectorOperations.narrowUnsigned(VectorOperations.narrow(a, b), VectorOperations.narrow(c, d)),
      to: SIMD16<UInt8>.self)
  }

  /// Stores sixteen samples of one output.
  @inline(__always)
  private static func store(
    _ group: Group, _ weights: Weights, _ rounding: Int32, _ out: UnsafeMutablePointer<UInt8>
  ) {
    let samples = bytes(
      weigh(group.a, weights, rounding, 15), weigh(group.b, weights, rounding, 15),
      weigh(group.c, weights, rounding, 15), weigh(group.d, weights, rounding, 15))
    // SAFETY: the caller's output has room for 16 samples.
    unsafe UnsafeMutableRawPointer(out).storeBytes(of: samples, as: SIMD16<UInt8>.self)
  }

  /// Stores eight samples of each chroma from the sums of 2^`shift` pixels.
  @inline(__always)
  private static func storeChroma(
    _ sums: (Quad, Quad), _ layout: Layout, shift: Int32,
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>), at index: Int
  ) {
    let rounding = ColorWeights.chromaRounding(shift), shift = 15 + shift
    let samples = bytes(
      weigh(sums.0, layout.blue, rounding, shift), weigh(sums.1, layout.blue, rounding, shift),
      weigh(sums.0, layout.red, rounding, shift), weigh(sums.1, layout.red, rounding, shift))
    // SAFETY: the caller's outputs have room for 8 samples.
    unsafe UnsafeMutableRawPointer(chroma.blue + index).storeBytes(of: samples.lowHalf, as: SIMD8<UInt8>.self)
    unsafe UnsafeMutableRawPointer(chroma.red + index).storeBytes(of: samples.highHalf, as: SIMD8<UInt8>.self)
  }

  /// The sums of neighbouring pixels of eight.
  @inline(__always)
  private static func pairSums(_ low: Quad, _ high: Quad) -> Quad {
    Quad(redBlue: pairSums(low.redBlue, high.redBlue), green: pairSums(low.green, high.green))
  }

  @inline(__always)
  private static func pairSums(_ low: SIMD8<Int16>, _ high: SIMD8<Int16>) -> SIMD8<Int16> {
    // SAFETY: the types are 16 bytes of integers.
    let a = unsafe unsafeBitCast(low, to: SIMD4<Int32>.self), b = unsafe unsafeBitCast(high, to: SIMD4<Int32>.self)
    let even = SIMD4(a[0], a[2], b[0], b[2]), odd = SIMD4(a[1], a[3], b[1], b[3])
    return unsafe unsafeBitCast(even, to: SIMD8<Int16>.self) &+ unsafeBitCast(odd, to: SIMD8<Int16>.self)
  }

  @inline(__always)
  private static func add(_ a: Quad, _ b: Quad) -> Quad {
    Quad(redBlue: a.redBlue &+ b.redBlue, green: a.green &+ b.green)
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
      for index in 0..<groups {
        // SAFETY: the caller passes `groups * 16` pixels and room for as many samples; so below.
        let group = unsafe load(pixels.first + index * 16 * layout.size, layout)
        unsafe store(group, layout.luma, ColorWeights.lumaRounding, luma.first + index * 16)
        unsafe store(group, layout.blue, ColorWeights.chromaRounding(0), chroma.blue + index * 16)
        unsafe store(group, layout.red, ColorWeights.chromaRounding(0), chroma.red + index * 16)
      }
    }
  }

  static func convert422(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      for index in 0..<groups {
        let group = unsafe load(pixels.first + index * 16 * layout.size, layout)
        unsafe store(group, layout.luma, ColorWeights.lumaRounding, luma.first + index * 16)
        let sums = (pairSums(group.a, group.b), pairSums(group.c, group.d))
        unsafe storeChroma(sums, layout, shift: 1, chroma, at: index * 8)
      }
    }
  }

  static func convert420(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      for index in 0..<groups {
        let above = unsafe load(pixels.first + index * 16 * layout.size, layout)
        unsafe store(above, layout.luma, ColorWeights.lumaRounding, luma.first + index * 16)
        let below = unsafe load(pixels.second + index * 16 * layout.size, layout)
        unsafe store(below, layout.luma, ColorWeights.lumaRounding, luma.second + index * 16)
        let sums = (
          pairSums(add(above.a, below.a), add(above.b, below.b)),
          pairSums(add(above.c, below.c), add(above.d, below.d))
        )
        unsafe storeChroma(sums, layout, shift: 2, chroma, at: index * 8)
      }
    }
  }

  static func convertGray(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    withLayout(layout) { layout in
      for index in 0..<groups {
        let group = unsafe load(pixels.first + index * 16 * layout.size, layout)
        unsafe store(group, layout.luma, ColorWeights.lumaRounding, luma.first + index * 16)
      }
    }
  }
}
