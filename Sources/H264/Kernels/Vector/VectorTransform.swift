/// The inverse transforms; sums wrap around as the reference's do.
enum VectorTransform {
  typealias Rows4 = (SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>, SIMD4<Int32>)

  /// The differences of a 4x4 block (ITU-T H.264, 8.5.12.2), read and set to zero.
  @inline(__always)
  static func take4x4(_ coefficients: UnsafeMutablePointer<Int32>) -> Rows4 {
    // SAFETY: the caller has 16 coefficients.
    let memory = UnsafeMutableRawPointer(coefficients)
    @inline(__always)
    func row(_ index: Int) -> SIMD4<Int32> {
      let row = unsafe memory.loadUnaligned(fromByteOffset: index &* 16, as: SIMD4<Int32>.self)
      unsafe memory.storeBytes(of: SIMD4(), toByteOffset: index &* 16, as: SIMD4<Int32>.self)
      return row
    }
    var rows = transform(transposed((row(0), row(1), row(2), row(3))))
    rows = transposed(rows)
    // One half, which goes through to all values.
    rows.0 &+= 32
    let (a, b, c, d) = transform(rows)
    return (a &>> 6, b &>> 6, c &>> 6, d &>> 6)
  }

  @inline(__always)
  private static func transform(_ v: Rows4) -> Rows4 {
    let e0 = v.0 &+ v.2, e1 = v.0 &- v.2, e2 = (v.1 &>> 1) &- v.3, e3 = v.1 &+ (v.3 &>> 1)
    return (e0 &+ e3, e1 &+ e2, e1 &- e2, e0 &- e3)
  }

  /// Through vectors of another type, without which the compiler takes lanes one by one.
  @inline(__always)
  private static func transposed(_ v: Rows4) -> Rows4 {
    typealias Pair = SIMD2<Int64>
    @inline(__always)
    func low(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Pair { Registers.quads(SIMD4(a[0], b[0], a[1], b[1])) }
    @inline(__always)
    func high(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Pair { Registers.quads(SIMD4(a[2], b[2], a[3], b[3])) }
    let (a, b, c, d) = (low(v.0, v.1), low(v.2, v.3), high(v.0, v.1), high(v.2, v.3))
    return (
      Registers.longs(Pair(a[0], b[0])), Registers.longs(Pair(a[1], b[1])), Registers.longs(Pair(c[0], d[0])),
      Registers.longs(Pair(c[1], d[1]))
    )
  }
}

/// The eight rows or columns of a block.
struct Rows8 {
  typealias Row = SIMD8<Int32>

  var r0: Row, r1: Row, r2: Row, r3: Row, r4: Row, r5: Row, r6: Row, r7: Row
}

extension Rows8 {
  /// The differences of an 8x8 block (ITU-T H.264, 8.5.13), read and set to zero.
  @inline(__always)
  init(taking coefficients: UnsafeMutablePointer<Int32>) {
    // SAFETY: the caller has 64 coefficients.
    let memory = UnsafeMutableRawPointer(coefficients)
    @inline(__always)
    func row(_ index: Int) -> Row {
      let row = unsafe memory.loadUnaligned(fromByteOffset: index &* 32, as: Row.self)
      unsafe memory.storeBytes(of: Row(), toByteOffset: index &* 32, as: Row.self)
      return row
    }
    (r0, r1, r2, r3, r4, r5, r6, r7) = (row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
    transpose()
    transform()
    transpose()
    // One half, which goes through to all values.
    r0 &+= 32
    transform()
    (r0, r1, r2, r3) = (r0 &>> 6, r1 &>> 6, r2 &>> 6, r3 &>> 6)
    (r4, r5, r6, r7) = (r4 &>> 6, r5 &>> 6, r6 &>> 6, r7 &>> 6)
  }

  @inline(__always)
  private mutating func transform() {
    let e0 = r0 &+ r4, e2 = r0 &- r4, e4 = (r2 &>> 1) &- r6, e6 = r2 &+ (r6 &>> 1)
    let e1 = r5 &- r3 &- r7 &- (r7 &>> 1), e3 = r1 &+ r7 &- r3 &- (r3 &>> 1)
    let e5 = r7 &- r1 &+ r5 &+ (r5 &>> 1), e7 = r3 &+ r5 &+ r1 &+ (r1 &>> 1)
    let f0 = e0 &+ e6, f2 = e2 &+ e4, f4 = e2 &- e4, f6 = e0 &- e6
    let f1 = e1 &+ (e7 &>> 2), f3 = e3 &+ (e5 &>> 2), f5 = (e3 &>> 2) &- e5, f7 = e7 &- (e1 &>> 2)
    (r0, r1, r2, r3) = (f0 &+ f7, f2 &+ f5, f4 &+ f3, f6 &+ f1)
    (r4, r5, r6, r7) = (f6 &- f1, f4 &- f3, f2 &- f5, f0 &- f7)
  }

  /// Interleaves lanes, pairs and halves, each as vectors of another type.
  @inline(__always)
  private mutating func transpose() {
    let (a0, a1) = Self.interleave(r0, r1), (a2, a3) = Self.interleave(r2, r3)
    let (a4, a5) = Self.interleave(r4, r5), (a6, a7) = Self.interleave(r6, r7)
    let (b0, b1) = Self.interleave(a0, a2), (b2, b3) = Self.interleave(a1, a3)
    let (b4, b5) = Self.interleave(a4, a6), (b6, b7) = Self.interleave(a5, a7)
    (r0, r4) = Self.exchange(b0, b4)
    (r1, r5) = Self.exchange(b1, b5)
    (r2, r6) = Self.exchange(b2, b6)
    (r3, r7) = Self.exchange(b3, b7)
  }

  @inline(__always)
  private static func interleave(_ a: Row, _ b: Row) -> (SIMD4<Int64>, SIMD4<Int64>) {
    let low = Row(a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5])
    let high = Row(a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7])
    // SAFETY: vectors of one size are as many bytes of integers; so below.
    return unsafe (unsafeBitCast(low, to: SIMD4<Int64>.self), unsafeBitCast(high, to: SIMD4<Int64>.self))
  }

  @inline(__always)
  private static func interleave(_ a: SIMD4<Int64>, _ b: SIMD4<Int64>) -> (Row, Row) {
    let low = SIMD4(a[0], b[0], a[2], b[2]), high = SIMD4(a[1], b[1], a[3], b[3])
    return unsafe (unsafeBitCast(low, to: Row.self), unsafeBitCast(high, to: Row.self))
  }

  @inline(__always)
  private static func exchange(_ a: Row, _ b: Row) -> (Row, Row) {
    (Row(lowHalf: a.lowHalf, highHalf: b.lowHalf), Row(lowHalf: a.highHalf, highHalf: b.highHalf))
  }
}

/// Samples to which differences are added, clipped to 0...`maximum`.
protocol AddableSample {
  /// Adds to the rows `y` and `y + 1` of four samples.
  static func add(
    _ upper: SIMD4<Int32>, _ lower: SIMD4<Int32>, to block: UnsafeMutablePointer<Self>, _ stride: Int, _ maximum: Int)
  /// Adds to eight samples.
  static func add(_ values: SIMD8<Int32>, to row: UnsafeMutablePointer<Self>, _ maximum: Int)
}

extension VectorTransform {
  /// See ``AddTransform``.
  @inline(__always)
  static func add4x4<Sample: AddableSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    // SAFETY: the caller's block has as many rows and columns; so below.
    let rows = unsafe take4x4(coefficients)
    unsafe Sample.add(rows.0, rows.1, to: block, stride, maximum)
    unsafe Sample.add(rows.2, rows.3, to: block + 2 &* stride, stride, maximum)
  }

  /// See ``AddTransform``.
  @inline(__always)
  static func add8x8<Sample: AddableSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    let rows = unsafe Rows8(taking: coefficients)
    unsafe Sample.add(rows.r0, to: block, maximum)
    unsafe Sample.add(rows.r1, to: block + stride, maximum)
    unsafe Sample.add(rows.r2, to: block + 2 &* stride, maximum)
    unsafe Sample.add(rows.r3, to: block + 3 &* stride, maximum)
    unsafe Sample.add(rows.r4, to: block + 4 &* stride, maximum)
    unsafe Sample.add(rows.r5, to: block + 5 &* stride, maximum)
    unsafe Sample.add(rows.r6, to: block + 6 &* stride, maximum)
    unsafe Sample.add(rows.r7, to: block + 7 &* stride, maximum)
  }

  /// See ``AddDC``.
  @inline(__always)
  static func addDC4x4<Sample: AddableSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ dc: Int32, _ maximum: Int
  ) {
    let difference = SIMD4(repeating: (dc &+ 32) &>> 6)
    unsafe Sample.add(difference, difference, to: block, stride, maximum)
    unsafe Sample.add(difference, difference, to: block + 2 &* stride, stride, maximum)
  }

  /// See ``AddDC``.
  @inline(__always)
  static func addDC8x8<Sample: AddableSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ dc: Int32, _ maximum: Int
  ) {
    let difference = SIMD8(repeating: (dc &+ 32) &>> 6)
    for y in 0..<8 { unsafe Sample.add(difference, to: block + y &* stride, maximum) }
  }
}

extension UInt8: AddableSample {
  @inline(__always)
  static func add(
    _ upper: SIMD4<Int32>, _ lower: SIMD4<Int32>, to block: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Int
  ) {
    // SAFETY: the caller has as many samples there; so below.
    let (first, second) = unsafe (
      UnsafeRawPointer(block).loadUnaligned(as: Int32.self),
      UnsafeRawPointer(block + stride).loadUnaligned(as: Int32.self)
    )
    let samples = Registers.widenLow(Registers.quads(SIMD4(first, second, 0, 0)))
    let sum = Registers.addSaturated(samples, Registers.narrow(upper, lower))
    let bytes = Registers.longs(Registers.narrow(sum, sum))
    unsafe UnsafeMutableRawPointer(block).storeBytes(of: bytes[0], as: Int32.self)
    unsafe UnsafeMutableRawPointer(block + stride).storeBytes(of: bytes[1], as: Int32.self)
  }

  @inline(__always)
  static func add(_ values: SIMD8<Int32>, to row: UnsafeMutablePointer<UInt8>, _ maximum: Int) {
    let samples = unsafe ByteKind8.load(row)
    let sum = Registers.addSaturated(samples, Registers.narrow(values.lowHalf, values.highHalf))
    unsafe ByteKind8.store(Registers.narrow(sum, sum), row)
  }
}

extension UInt16: AddableSample {
  @inline(__always)
  static func add(
    _ upper: SIMD4<Int32>, _ lower: SIMD4<Int32>, to block: UnsafeMutablePointer<UInt16>, _ stride: Int, _ maximum: Int
  ) {
    // SAFETY: the caller has as many samples there; so below.
    unsafe add(upper, to: block, maximum)
    unsafe add(lower, to: block + stride, maximum)
  }

  @inline(__always)
  private static func add(_ values: SIMD4<Int32>, to row: UnsafeMutablePointer<UInt16>, _ maximum: Int) {
    let sum = unsafe DeepKind4.load(row) &+ values
    unsafe DeepKind4.store(DeepKind4.pack(sum, DeepKind4.fill(maximum)), row)
  }

  @inline(__always)
  static func add(_ values: SIMD8<Int32>, to row: UnsafeMutablePointer<UInt16>, _ maximum: Int) {
    let sum = unsafe DeepKind8.load(row) &+ values
    unsafe DeepKind8.store(DeepKind8.pack(sum, DeepKind8.fill(maximum)), row)
  }
}
