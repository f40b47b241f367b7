#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.sse2
#endif

/// Sixteen values of one channel.
typealias Channel16 = (SIMD8<Int32>, SIMD8<Int32>)

/// Samples as vector code loads and stores them.
protocol VectorSample: FixedWidthInteger, BitwiseCopyable {
  /// What loading takes away, so that any sample fits in 16 bits with a sign.
  static var bias: Int { get }
  /// Eight samples, less ``bias``.
  static func load(_ source: UnsafePointer<Self>) -> SIMD8<Int16>
  /// Stores sixteen pixels, each value clamped to 0...`maximum`.
  static func store(
    _ red: Channel16, _ green: Channel16, _ blue: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer)
  /// Stores sixteen grey pixels, each value clamped to 0...`maximum`.
  static func store(_ gray: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer)
}

extension UInt8: VectorSample {
  static var bias: Int { 0 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt8>) -> SIMD8<Int16> {
    // SAFETY: the caller has eight samples there.
    let a = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD8<UInt8>.self)
    return SIMD8(
      Int16(a[0]), Int16(a[1]), Int16(a[2]), Int16(a[3]), Int16(a[4]), Int16(a[5]), Int16(a[6]), Int16(a[7]))
  }

  @inline(__always)
  static func store(
    _ red: Channel16, _ green: Channel16, _ blue: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer
  ) {
    // SAFETY: the caller has room for 16 pixels of three bytes.
    unsafe Interleaving.store(bytes(red), bytes(green), bytes(blue), to: output)
  }

  @inline(__always)
  static func store(_ gray: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer) {
    // SAFETY: the caller has room for 16 bytes.
    unsafe output.storeBytes(of: bytes(gray), as: SIMD16<UInt8>.self)
  }

  /// The nearest bytes to values that 16 bits hold.
  @inline(__always)
  private static func bytes(_ values: Channel16) -> SIMD16<UInt8> {
    Narrowing.bytes(Narrowing.words(values.0), Narrowing.words(values.1))
  }
}

extension UInt16: VectorSample {
  static var bias: Int { 0x8000 }

  @inline(__always)
  static func load(_ source: UnsafePointer<UInt16>) -> SIMD8<Int16> {
    // SAFETY: the caller has eight samples there; the types are 16 bytes of integers.
    unsafe unsafeBitCast(
      UnsafeRawPointer(source).loadUnaligned(as: SIMD8<UInt16>.self) ^ 0x8000, to: SIMD8<Int16>.self)
  }

  @inline(__always)
  static func store(
    _ red: Channel16, _ green: Channel16, _ blue: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer
  ) {
    // SAFETY: the caller has room for 16 pixels of six bytes.
    unsafe Interleaving.store(words(red.0, maximum), words(green.0, maximum), words(blue.0, maximum), to: output)
    unsafe Interleaving.store(words(red.1, maximum), words(green.1, maximum), words(blue.1, maximum), to: output + 48)
  }

  @inline(__always)
  static func store(_ gray: Channel16, maximum: Int32, to output: UnsafeMutableRawPointer) {
    // SAFETY: the caller has room for 16 words.
    unsafe output.storeBytes(of: words(gray.0, maximum), as: SIMD8<UInt16>.self)
    unsafe output.storeBytes(of: words(gray.1, maximum), toByteOffset: 16, as: SIMD8<UInt16>.self)
  }

  @inline(__always)
  private static func words(_ a: SIMD8<Int32>, _ maximum: Int32) -> SIMD8<UInt16> {
    let limit = SIMD8<Int32>(repeating: maximum)
    let a = a.replacing(with: SIMD8<Int32>(), where: a .< SIMD8<Int32>()).replacing(with: limit, where: a .> limit)
    return SIMD8(
      UInt16(truncatingIfNeeded: a[0]), UInt16(truncatingIfNeeded: a[1]), UInt16(truncatingIfNeeded: a[2]),
      UInt16(truncatingIfNeeded: a[3]), UInt16(truncatingIfNeeded: a[4]), UInt16(truncatingIfNeeded: a[5]),
      UInt16(truncatingIfNeeded: a[6]), UInt16(truncatingIfNeeded: a[7]))
  }
}

/// Integers as narrower ones.
enum Narrowing {
  /// The low halves of `a`'s values.
  @inline(__always)
  static func words(_ a: SIMD8<Int32>) -> SIMD8<Int16> {
    SIMD8(
      Int16(truncatingIfNeeded: a[0]), Int16(truncatingIfNeeded: a[1]), Int16(truncatingIfNeeded: a[2]),
      Int16(truncatingIfNeeded: a[3]), Int16(truncatingIfNeeded: a[4]), Int16(truncatingIfNeeded: a[5]),
      Int16(truncatingIfNeeded: a[6]), Int16(truncatingIfNeeded: a[7]))
  }

  /// The bytes nearest to `a`'s values, then `b`'s.
  @inline(__always)
  static func bytes(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
    #if arch(x86_64)
      // SAFETY: the types are 16 bytes of integers.
      return unsafe unsafeBitCast(
        _mm_packus_epi16(unsafeBitCast(a, to: SIMD2<Int64>.self), unsafeBitCast(b, to: SIMD2<Int64>.self)),
        to: SIMD16<UInt8>.self)
    #else
      var bytes = SIMD16<UInt8>()
      for lane in 0..<8 {
        bytes[lane] = UInt8(truncatingIfNeeded: max(0, min(255, a[lane])))
        bytes[lane + 8] = UInt8(truncatingIfNeeded: max(0, min(255, b[lane])))
      }
      return bytes
    #endif
  }
}

/// Three channels as one: each step of a transposition changes the type, without which the compiler takes lanes one by
/// one.
enum Interleaving {
  /// Stores sixteen pixels of three bytes.
  @inline(__always)
  static func store(
    _ r: SIMD16<UInt8>, _ g: SIMD16<UInt8>, _ b: SIMD16<UInt8>, to output: UnsafeMutableRawPointer
  ) {
    let (z, zero) = (UInt8(0), SIMD2<UInt64>(repeating: 0x0000_FFFF_FF00_0000))
    let low = SIMD16(
      r[0], g[0], r[1], g[1], r[2], g[2], r[3], g[3], r[4], g[4], r[5], g[5], r[6], g[6], r[7], g[7])
    let high = SIMD16(
      r[8], g[8], r[9], g[9], r[10], g[10], r[11], g[11], r[12], g[12], r[13], g[13], r[14], g[14], r[15], g[15])
    let lowBlue = SIMD16(b[0], z, b[1], z, b[2], z, b[3], z, b[4], z, b[5], z, b[6], z, b[7], z)
    let highBlue = SIMD16(b[8], z, b[9], z, b[10], z, b[11], z, b[12], z, b[13], z, b[14], z, b[15], z)
    // Two pixels of four bytes each, pushed together.
    @inline(__always) func close(_ a: SIMD2<UInt64>) -> SIMD2<UInt64> { a & 0x00FF_FFFF | (a &>> 8) & zero }
    // SAFETY: the types are 16 bytes of integers; the caller has room for 48 bytes.
    let (one, two) = unsafe pairs(
      unsafeBitCast(low, to: SIMD8<UInt16>.self), unsafeBitCast(lowBlue, to: SIMD8<UInt16>.self))
    let (three, four) = unsafe pairs(
      unsafeBitCast(high, to: SIMD8<UInt16>.self), unsafeBitCast(highBlue, to: SIMD8<UInt16>.self))
    unsafe store(close(one), close(two), close(three), close(four), to: output)
  }

  /// Lanes of 16 bits taken in turns.
  @inline(__always)
  private static func pairs(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> (SIMD2<UInt64>, SIMD2<UInt64>) {
    // SAFETY: the types are 16 bytes of integers.
    unsafe (
      unsafeBitCast(SIMD8(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), to: SIMD2<UInt64>.self),
      unsafeBitCast(SIMD8(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7]), to: SIMD2<UInt64>.self)
    )
  }

  /// Stores eight pixels of three words.
  @inline(__always)
  static func store(_ r: SIMD8<UInt16>, _ g: SIMD8<UInt16>, _ b: SIMD8<UInt16>, to output: UnsafeMutableRawPointer) {
    let z = UInt16(0)
    let low = SIMD8(r[0], g[0], r[1], g[1], r[2], g[2], r[3], g[3])
    let high = SIMD8(r[4], g[4], r[5], g[5], r[6], g[6], r[7], g[7])
    let lowBlue = SIMD8(b[0], z, b[1], z, b[2], z, b[3], z), highBlue = SIMD8(b[4], z, b[5], z, b[6], z, b[7], z)
    // SAFETY: the types are 16 bytes of integers; the caller has room for 48 bytes.
    let (one, two) = unsafe pairs(
      unsafeBitCast(low, to: SIMD4<UInt32>.self), unsafeBitCast(lowBlue, to: SIMD4<UInt32>.self))
    let (three, four) = unsafe pairs(
      unsafeBitCast(high, to: SIMD4<UInt32>.self), unsafeBitCast(highBlue, to: SIMD4<UInt32>.self))
    unsafe store(one, two, three, four, to: output)
  }

  /// Lanes of 32 bits taken in turns.
  @inline(__always)
  private static func pairs(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> (SIMD2<UInt64>, SIMD2<UInt64>) {
    // SAFETY: the types are 16 bytes of integers.
    unsafe (
      unsafeBitCast(SIMD4(a[0], b[0], a[1], b[1]), to: SIMD2<UInt64>.self),
      unsafeBitCast(SIMD4(a[2], b[2], a[3], b[3]), to: SIMD2<UInt64>.self)
    )
  }

  /// Stores the low six bytes of each lane, one behind the other.
  @inline(__always)
  private static func store(
    _ a: SIMD2<UInt64>, _ b: SIMD2<UInt64>, _ c: SIMD2<UInt64>, _ d: SIMD2<UInt64>,
    to output: UnsafeMutableRawPointer
  ) {
    // SAFETY: the caller has room for 48 bytes; the two that each lane has too many are written over by the next.
    unsafe output.storeBytes(of: a[0].littleEndian, as: UInt64.self)
    unsafe output.storeBytes(of: a[1].littleEndian, toByteOffset: 6, as: UInt64.self)
    unsafe output.storeBytes(of: b[0].littleEndian, toByteOffset: 12, as: UInt64.self)
    unsafe output.storeBytes(of: b[1].littleEndian, toByteOffset: 18, as: UInt64.self)
    unsafe output.storeBytes(of: c[0].littleEndian, toByteOffset: 24, as: UInt64.self)
    unsafe output.storeBytes(of: c[1].littleEndian, toByteOffset: 30, as: UInt64.self)
    unsafe output.storeBytes(of: d[0].littleEndian, toByteOffset: 36, as: UInt64.self)
    unsafe output.storeBytes(of: UInt32(truncatingIfNeeded: d[1]), toByteOffset: 42, as: UInt32.self)
    unsafe output.storeBytes(of: UInt16(truncatingIfNeeded: d[1] &>> 32), toByteOffset: 46, as: UInt16.self)
  }
}
