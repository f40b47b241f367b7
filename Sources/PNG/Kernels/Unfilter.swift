/// Takes the filter from a row (PNG, 9.2), from the first byte to the last: what is written stays behind what is read.
enum Unfilter {
  /// Takes the filter from `count` bytes at `start` and puts them to `goal`, there or further to the front; their row
  /// above, without its filter, begins at `above`, nil where there is none.
  ///
  /// - Precondition: all rows lie in `bytes`, `above` does not reach into the others, and `count` is a multiple of
  ///   `distance`: 1, 2, 3, 4, 6 or 8.
  static func row(
    _ filter: PNGFilter, in bytes: inout [UInt8], at start: Int, movedTo goal: Int, above: Int?, count: Int,
    distance: Int
  ) {
    precondition(count >= 0 && goal >= 0 && goal <= start && start <= bytes.count - count)
    precondition((above ?? 0) >= 0 && (above ?? 0) <= bytes.count - count)
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      // SAFETY: all rows lie in the buffer, as was checked.
      let source = unsafe UnsafePointer(base + start)
      unsafe apply(filter, source, above.map { unsafe UnsafePointer(base + $0) }, base + goal, count, distance)
    }
  }

  private static func apply(
    _ filter: PNGFilter, _ source: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>?,
    _ goal: UnsafeMutablePointer<UInt8>, _ count: Int, _ distance: Int
  ) {
    guard let above = unsafe above else {
      // Above the first row all is 0, and the predictor of Paeth is the pixel to the left.
      switch filter {
      case .none, .up: unsafe copy(source, goal, count)
      case .sub, .paeth: unsafe sub(source, goal, count, distance)
      case .average:
        let zeros = [UInt8](repeating: 0, count: count)
        unsafe zeros.withUnsafeBufferPointer { zeros in
          if let zeros = zeros.baseAddress { unsafe average(source, zeros, goal, count, distance) }
        }
      }
      return
    }
    switch filter {
    case .none: unsafe copy(source, goal, count)
    case .sub: unsafe sub(source, goal, count, distance)
    case .up: unsafe up(source, above, goal, count)
    case .average: unsafe average(source, above, goal, count, distance)
    case .paeth: unsafe paeth(source, above, goal, count, distance)
    }
  }

  private static func copy(_ source: UnsafePointer<UInt8>, _ goal: UnsafeMutablePointer<UInt8>, _ count: Int) {
    // SAFETY: the rows have `count` bytes; they may overlap.
    if unsafe UnsafePointer(goal) != source { unsafe goal.update(from: source, count: count) }
  }

  private static func up(
    _ source: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ goal: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    var index = 0
    // SAFETY: the rows have `count` bytes, and none of `goal` that is written lies behind what was read of `source`.
    while index &+ 16 <= count {
      let sum =
        unsafe UnsafeRawPointer(source + index).loadUnaligned(as: SIMD16<UInt8>.self)
        &+ UnsafeRawPointer(above + index).loadUnaligned(as: SIMD16<UInt8>.self)
      unsafe UnsafeMutableRawPointer(goal + index).storeBytes(of: sum, as: SIMD16<UInt8>.self)
      index &+= 16
    }
    while index < count {
      unsafe goal[index] = source[index] &+ above[index]
      index &+= 1
    }
  }

  private static func sub(
    _ source: UnsafePointer<UInt8>, _ goal: UnsafeMutablePointer<UInt8>, _ count: Int, _ distance: Int
  ) {
    @inline(__always)
    func run(_ size: Int) {
      var left = SIMD8<UInt8>.zero
      for at in stride(from: 0, to: count, by: size) {
        // SAFETY: the rows have `count` bytes, a multiple of a pixel's.
        unsafe left &+= unsafeBitCast(load(source + at, size), to: SIMD8<UInt8>.self)
        unsafe store(unsafeBitCast(left, to: UInt64.self), goal + at, size)
      }
    }
    specialized(distance, run)
  }

  private static func average(
    _ source: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ goal: UnsafeMutablePointer<UInt8>, _ count: Int,
    _ distance: Int
  ) {
    @inline(__always)
    func run(_ size: Int) {
      var left = SIMD8<Int16>.zero
      for at in stride(from: 0, to: count, by: size) {
        // SAFETY: the rows have `count` bytes, a multiple of a pixel's.
        let up = unsafe WideSamples.of(load(above + at, size))
        left = (unsafe WideSamples.of(load(source + at, size)) &+ (left &+ up) &>> 1) & 0xFF
        unsafe store(WideSamples.bytes(left), goal + at, size)
      }
    }
    specialized(distance, run)
  }

  private static func paeth(
    _ source: UnsafePointer<UInt8>, _ above: UnsafePointer<UInt8>, _ goal: UnsafeMutablePointer<UInt8>, _ count: Int,
    _ distance: Int
  ) {
    @inline(__always)
    func run(_ size: Int) {
      var left = SIMD8<Int16>.zero, corner = SIMD8<Int16>.zero
      for at in stride(from: 0, to: count, by: size) {
        // SAFETY: the rows have `count` bytes, a multiple of a pixel's.
        let up = unsafe WideSamples.of(load(above + at, size))
        left = (unsafe WideSamples.of(load(source + at, size)) &+ PaethPredictor.of(left, up, corner)) & 0xFF
        corner = up
        unsafe store(WideSamples.bytes(left), goal + at, size)
      }
    }
    specialized(distance, run)
  }

  /// Calls `body` with the distance as a constant of each case.
  @inline(__always)
  private static func specialized(_ distance: Int, _ body: (Int) -> Void) {
    switch distance {
    case 1: body(1)
    case 2: body(2)
    case 3: body(3)
    case 4: body(4)
    case 6: body(6)
    default: body(8)
    }
  }

  /// The bytes of a pixel, the first one lowest.
  @inline(__always)
  private static func load(_ pixel: UnsafePointer<UInt8>, _ size: Int) -> UInt64 {
    let raw = unsafe UnsafeRawPointer(pixel)
    // SAFETY: the callers' pixels have `size` bytes; no more are read.
    switch size {
    case 1: return unsafe UInt64(pixel.pointee)
    case 2: return unsafe UInt64(raw.loadUnaligned(as: UInt16.self).littleEndian)
    case 3: return unsafe UInt64(raw.loadUnaligned(as: UInt16.self).littleEndian) | UInt64(pixel[2]) &<< 16
    case 4: return unsafe UInt64(raw.loadUnaligned(as: UInt32.self).littleEndian)
    case 6:
      let first = unsafe UInt64(raw.loadUnaligned(as: UInt32.self).littleEndian)
      return unsafe first | UInt64((raw + 4).loadUnaligned(as: UInt16.self).littleEndian) &<< 32
    default: return unsafe raw.loadUnaligned(as: UInt64.self).littleEndian
    }
  }

  @inline(__always)
  private static func store(_ value: UInt64, _ pixel: UnsafeMutablePointer<UInt8>, _ size: Int) {
    let raw = UnsafeMutableRawPointer(pixel)
    // SAFETY: the callers' pixels have `size` bytes; no more are written.
    switch size {
    case 1: unsafe pixel.pointee = UInt8(truncatingIfNeeded: value)
    case 2: unsafe raw.storeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian, as: UInt16.self)
    case 3:
      unsafe raw.storeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian, as: UInt16.self)
      unsafe pixel[2] = UInt8(truncatingIfNeeded: value &>> 16)
    case 4: unsafe raw.storeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian, as: UInt32.self)
    case 6:
      unsafe raw.storeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian, as: UInt32.self)
      unsafe (raw + 4).storeBytes(of: UInt16(truncatingIfNeeded: value &>> 32).littleEndian, as: UInt16.self)
    default: unsafe raw.storeBytes(of: value.littleEndian, as: UInt64.self)
    }
  }
}

/// Paeth's predictor (PNG, 9.4): of left, up and corner the one nearest to left + up - corner.
enum PaethPredictor {
  /// The predictor of eight samples, each of 8 bits.
  @inline(__always)
  static func of(_ left: SIMD8<Int16>, _ up: SIMD8<Int16>, _ corner: SIMD8<Int16>) -> SIMD8<Int16> {
    let fromUp = up &- corner, fromLeft = left &- corner
    let a = magnitude(fromUp), b = magnitude(fromLeft), c = magnitude(fromUp &+ fromLeft)
    let notLeft = (b &- a | c &- a) &>> 15, notUp = (c &- b) &>> 15
    let other = (up & ~notUp) | (corner & notUp)
    return (left & ~notLeft) | (other & notLeft)
  }

  @inline(__always)
  private static func magnitude(_ value: SIMD8<Int16>) -> SIMD8<Int16> {
    let sign = value &>> 15
    return (value ^ sign) &- sign
  }
}
