/// The eight rows (or columns) of one block, or of two: one in each half of the vectors.
struct BlockRows {
  var r0: Words, r1: Words, r2: Words, r3: Words, r4: Words, r5: Words, r6: Words, r7: Words
}

extension BlockRows {
  /// The samples of the blocks at `samples`, as unsigned numbers.
  @inline(__always)
  init(loading samples: UnsafePointer<UInt8>, _ stride: Int) {
    @inline(__always)
    func row(_ index: Int) -> Words {
      // SAFETY: the caller's samples are eight rows of as many as the vector has lanes.
      #if KERNELS_V3
        let bytes = unsafe UnsafeRawPointer(samples + index &* stride).loadUnaligned(as: SIMD16<UInt8>.self)
      #else
        let bytes = unsafe UnsafeRawPointer(samples + index &* stride).loadUnaligned(as: SIMD8<UInt8>.self)
      #endif
      var wide = Words()
      for lane in 0..<Words.scalarCount { wide[lane] = Int16(bytes[lane]) }
      return wide
    }
    (r0, r1, r2, r3) = (row(0), row(1), row(2), row(3))
    (r4, r5, r6, r7) = (row(4), row(5), row(6), row(7))
  }

  /// Transposes each block.
  ///
  /// Each stage interleaves elements twice as wide, as vectors of another type: of one type, the compiler takes the
  /// whole apart into single lanes.
  @inline(__always)
  mutating func transpose() {
    let (a0, a1) = Self.interleave16(r0, r1), (a2, a3) = Self.interleave16(r2, r3)
    let (a4, a5) = Self.interleave16(r4, r5), (a6, a7) = Self.interleave16(r6, r7)
    let (b0, b1) = Self.interleave32(a0, a2), (b2, b3) = Self.interleave32(a1, a3)
    let (b4, b5) = Self.interleave32(a4, a6), (b6, b7) = Self.interleave32(a5, a7)
    (r0, r1) = Self.interleave64(b0, b4)
    (r2, r3) = Self.interleave64(b1, b5)
    (r4, r5) = Self.interleave64(b2, b6)
    (r6, r7) = Self.interleave64(b3, b7)
  }

  /// Neighbouring lanes of `a` and `b`: those of the first four, then of the last four of each half.
  @inline(__always)
  static func interleave(_ a: Words, _ b: Words) -> (low: Words, high: Words) {
    #if KERNELS_V3
      (
        Words(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3], a[8], b[8], a[9], b[9], a[10], b[10], a[11], b[11]),
        Words(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7], a[12], b[12], a[13], b[13], a[14], b[14], a[15], b[15])
      )
    #else
      (
        Words(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3]), Words(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
      )
    #endif
  }

  @inline(__always)
  private static func interleave16(_ a: Words, _ b: Words) -> (Longs, Longs) {
    let (low, high) = interleave(a, b)
    // SAFETY: vectors of one size are as many bytes of integers; so below.
    return unsafe (unsafeBitCast(low, to: Longs.self), unsafeBitCast(high, to: Longs.self))
  }

  @inline(__always)
  private static func interleave32(_ a: Longs, _ b: Longs) -> (Quads, Quads) {
    #if KERNELS_V3
      let low = Longs(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5])
      let high = Longs(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7])
    #else
      let low = Longs(a[0], b[0], a[1], b[1]), high = Longs(a[2], b[2], a[3], b[3])
    #endif
    return unsafe (unsafeBitCast(low, to: Quads.self), unsafeBitCast(high, to: Quads.self))
  }

  @inline(__always)
  private static func interleave64(_ a: Quads, _ b: Quads) -> (Words, Words) {
    #if KERNELS_V3
      let low = Quads(a[0], b[0], a[2], b[2]), high = Quads(a[1], b[1], a[3], b[3])
    #else
      let low = Quads(a[0], b[0]), high = Quads(a[1], b[1])
    #endif
    return unsafe (unsafeBitCast(low, to: Words.self), unsafeBitCast(high, to: Words.self))
  }
}

extension BlockRows {
  /// Stores quantised coefficients, one block after the other, and the bitmap of each; see ``TransformFast``.
  @inline(__always)
  func store(
    _ coefficients: UnsafeMutablePointer<Int16>, _ bitmaps: UnsafeMutablePointer<UInt64>,
    _ zigzag: UnsafePointer<UInt64>
  ) {
    // SAFETY: the caller has room for the blocks and their bitmaps; so below.
    unsafe storeRows(coefficients)
    // In each half of 16 bytes: rows 0 and 1 of a block, and so on.
    let (v0, v1) = (VectorOperations.narrow(r0, r1), VectorOperations.narrow(r2, r3))
    let (v2, v3) = (VectorOperations.narrow(r4, r5), VectorOperations.narrow(r6, r7))
    let (m0, m1) = (Self.nonzero(v0), Self.nonzero(v1)), (m2, m3) = (Self.nonzero(v2), Self.nonzero(v3))
    // The first coefficient is none of those that are looked at.
    let large = VectorOperations.topBits(
      Self.shifted(v0) & Self.eachBlock(~0xFF, ~0) | Self.shifted(v1) | (Self.shifted(v2) | Self.shifted(v3)))
    unsafe bitmaps[0] = Self.bitmap(m0, m1, m2, m3, 0, large & 0xFFFF, zigzag)
    #if KERNELS_V3
      unsafe bitmaps[1] = Self.bitmap(m0, m1, m2, m3, 16, large &>> 16, zigzag)
    #endif
  }

  @inline(__always)
  private func storeRows(_ coefficients: UnsafeMutablePointer<Int16>) {
    @inline(__always)
    func row(_ u: Int, _ values: Words) {
      #if KERNELS_V3
        unsafe UnsafeMutableRawPointer(coefficients + u * 8).storeBytes(of: values.lowHalf, as: SIMD8<Int16>.self)
        unsafe UnsafeMutableRawPointer(coefficients + 64 + u * 8).storeBytes(
          of: values.highHalf, as: SIMD8<Int16>.self)
      #else
        unsafe UnsafeMutableRawPointer(coefficients + u * 8).storeBytes(of: values, as: Words.self)
      #endif
    }
    row(0, r0)
    row(1, r1)
    row(2, r2)
    row(3, r3)
    row(4, r4)
    row(5, r5)
    row(6, r6)
    row(7, r7)
  }

  /// A bit for each byte that is not 0.
  @inline(__always)
  private static func nonzero(_ values: Quads) -> UInt32 {
    ~VectorOperations.topBits(VectorOperations.zeros(values))
  }

  /// Bytes that are negative where those of `values` are not -64 to 63.
  @inline(__always)
  private static func shifted(_ values: Quads) -> Quads {
    let each: Int64 = 0x4040_4040_4040_4040
    return VectorOperations.addBytes(values, eachBlock(each, each))
  }

  /// The same 16 bytes for each block.
  @inline(__always)
  private static func eachBlock(_ low: Int64, _ high: Int64) -> Quads {
    #if KERNELS_V3
      Quads(low, high, low, high)
    #else
      Quads(low, high)
    #endif
  }

  /// The bitmap in zigzag order, of bits from `shift` on for rows 0 and 1, 2 and 3, and so on; bit 0 says
  /// whether there are `large` values.
  @inline(__always)
  private static func bitmap(
    _ m0: UInt32, _ m1: UInt32, _ m2: UInt32, _ m3: UInt32, _ shift: UInt32, _ large: UInt32,
    _ zigzag: UnsafePointer<UInt64>
  ) -> UInt64 {
    @inline(__always)
    func row(_ u: Int, _ bits: UInt32, _ shift: UInt32) -> UInt64 {
      // SAFETY: the table has 256 entries for each of the eight rows.
      unsafe zigzag[u << 8 | Int(bits &>> shift & 255)]
    }
    let low = row(0, m0, shift) | row(1, m0, shift &+ 8) | row(2, m1, shift) | row(3, m1, shift &+ 8)
    let high = row(4, m2, shift) | row(5, m2, shift &+ 8) | row(6, m3, shift) | row(7, m3, shift &+ 8)
    return (low | high) & ~1 | (large == 0 ? 0 : 1)
  }
}
