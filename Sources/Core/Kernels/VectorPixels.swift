#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// Four pixels, or four sums of them, one a lane: halves of 16 bits, none above 2^15 - 1.
struct PixelQuad {
  /// Red in the lower half, blue in the upper.
  var redBlue: SIMD4<UInt32>
  /// Green in the lower half.
  var green: SIMD4<UInt32>

  @inline(__always)
  static func + (a: PixelQuad, b: PixelQuad) -> PixelQuad {
    PixelQuad(redBlue: a.redBlue &+ b.redBlue, green: a.green &+ b.green)
  }

  /// The sums of neighbours, `a`'s two before `b`'s.
  @inline(__always)
  static func pairs(_ a: PixelQuad, _ b: PixelQuad) -> PixelQuad {
    PixelQuad(redBlue: pairs(a.redBlue, b.redBlue), green: pairs(a.green, b.green))
  }

  @inline(__always)
  private static func pairs(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> SIMD4<UInt32> {
    SIMD4(a[0], a[2], b[0], b[2]) &+ SIMD4(a[1], a[3], b[1], b[3])
  }
}

/// Interleaved pixels as vector code loads them, and the samples of planes as it stores them.
protocol VectorPixels {
  associatedtype Sample: FixedWidthInteger & BitwiseCopyable
  /// Samples of a pixel.
  static var channels: Int { get }
  /// Four pixels; less than one pixel beyond them is read too.
  static func load(_ source: UnsafePointer<Sample>) -> PixelQuad
  /// Stores eight samples, each value clamped to 0...`maximum`.
  static func store(_ values: SIMD8<Int16>, maximum: Int16, to output: UnsafeMutablePointer<Sample>)
}

extension VectorPixels where Sample == UInt8 {
  @inline(__always)
  static func store(_ values: SIMD8<Int16>, maximum: Int16, to output: UnsafeMutablePointer<UInt8>) {
    let bytes = Narrowing.bytes(values, values)
    // SAFETY: the caller has room for eight bytes.
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: bytes.lowHalf, as: SIMD8<UInt8>.self)
  }
}

extension VectorPixels where Sample == UInt16 {
  @inline(__always)
  static func store(_ values: SIMD8<Int16>, maximum: Int16, to output: UnsafeMutablePointer<UInt16>) {
    let zero = SIMD8<Int16>(), limit = SIMD8<Int16>(repeating: maximum)
    let clamped = values.replacing(with: zero, where: values .< zero).replacing(with: limit, where: values .> limit)
    // SAFETY: the caller has room for eight words.
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: clamped, as: SIMD8<Int16>.self)
  }
}

/// Red, green and blue of 8 bits.
enum ColorBytes: VectorPixels {
  static var channels: Int { 3 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt8>) -> PixelQuad {
    let base = unsafe UnsafeRawPointer(source)
    @inline(__always) func pixel(_ index: Int) -> UInt32 {
      // SAFETY: the caller has four pixels there, and a byte behind them.
      unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: 3 * index, as: UInt32.self))
    }
    let pixels = SIMD4(pixel(0), pixel(1), pixel(2), pixel(3))
    return PixelQuad(redBlue: pixels & 0x00FF_00FF, green: (pixels &>> 8) & 0xFF)
  }
}

/// Red, green and blue of 9 to 13 bits.
enum ColorWords: VectorPixels {
  static var channels: Int { 3 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt16>) -> PixelQuad {
    let base = unsafe UnsafeRawPointer(source)
    @inline(__always) func pixel(_ index: Int) -> UInt64 {
      // SAFETY: the caller has four pixels there, and a word behind them.
      unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: 6 * index, as: UInt64.self))
    }
    @inline(__always) func redBlue(_ pixel: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: pixel & 0xFFFF | (pixel &>> 16) & 0xFFFF_0000)
    }
    @inline(__always) func green(_ pixel: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (pixel &>> 16) & 0xFFFF) }
    let (a, b, c, d) = (pixel(0), pixel(1), pixel(2), pixel(3))
    return PixelQuad(
      redBlue: SIMD4(redBlue(a), redBlue(b), redBlue(c), redBlue(d)),
      green: SIMD4(green(a), green(b), green(c), green(d)))
  }
}

/// Grey of 8 bits.
enum GrayBytes: VectorPixels {
  static var channels: Int { 1 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt8>) -> PixelQuad {
    // SAFETY: the caller has four pixels there.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt8>.self)
    return PixelQuad(gray: SIMD4(UInt32(a[0]), UInt32(a[1]), UInt32(a[2]), UInt32(a[3])))
  }
}

/// Grey of 9 to 13 bits.
enum GrayWords: VectorPixels {
  static var channels: Int { 1 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt16>) -> PixelQuad {
    // SAFETY: the caller has four pixels there.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD4<UInt16>.self)
    return PixelQuad(gray: SIMD4(UInt32(a[0]), UInt32(a[1]), UInt32(a[2]), UInt32(a[3])))
  }
}

extension PixelQuad {
  @inline(__always)
  init(gray: SIMD4<UInt32>) { self.init(redBlue: gray | gray &<< 16, green: gray) }
}

/// What vector code does with the halves of 32 bits.
enum WordPairs {
  /// The sums of the products of the lower halves and of the upper halves, with a sign.
  @inline(__always)
  static func products(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> SIMD4<Int32> {
    #if arch(x86_64)
      // SAFETY: the types are 16 bytes of integers.
      return unsafe unsafeBitCast(
        _mm_madd_epi16(unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)),
        to: SIMD4<Int32>.self)
    #else
      // SAFETY: as above.
      let (a, b) = unsafe (unsafeBitCast(a, to: SIMD4<Int32>.self), unsafeBitCast(b, to: SIMD4<Int32>.self))
      return (a &<< 16 &>> 16) &* (b &<< 16 &>> 16) &+ (a &>> 16) &* (b &>> 16)
    #endif
  }

  /// The values, `a`'s first, that 16 bits hold.
  @inline(__always)
  static func narrowed(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD8<Int16> {
    #if arch(x86_64)
      // SAFETY: the types are 16 bytes of integers.
      return unsafe unsafeBitCast(
        _mm_packs_epi32(unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)),
        to: SIMD8<Int16>.self)
    #else
      return SIMD8(
        Int16(truncatingIfNeeded: a[0]), Int16(truncatingIfNeeded: a[1]), Int16(truncatingIfNeeded: a[2]),
        Int16(truncatingIfNeeded: a[3]), Int16(truncatingIfNeeded: b[0]), Int16(truncatingIfNeeded: b[1]),
        Int16(truncatingIfNeeded: b[2]), Int16(truncatingIfNeeded: b[3]))
    #endif
  }
}
