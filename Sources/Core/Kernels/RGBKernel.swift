/// RGB from planes, sixteen pixels at a time.
struct RGBKernel: Sendable {
  private let format: PixelFormat
  private let maximum: Int32
  private let isIdentity: Bool
  private let luma: SplitFactor, redFromCr: SplitFactor, greenFromCb: SplitFactor, greenFromCr: SplitFactor
  private let blueFromCb: SplitFactor
  /// What luma of 0 adds, rounding included, and what chroma does to each output; ``VectorSample/bias`` is in all.
  private let lumaOffset: Int, redOffset: Int, greenOffset: Int, blueOffset: Int
  /// Whether a level of luma is one of the outputs, so that chroma can be rounded by itself.
  private let isWhole: Bool

  init(_ matrix: YCbCrMatrix, _ format: PixelFormat) {
    self.format = format
    maximum = Int32(matrix.maximum)
    isIdentity = matrix.isIdentity
    luma = SplitFactor(matrix.luma)
    redFromCr = SplitFactor(matrix.redFromCr)
    greenFromCb = SplitFactor(matrix.greenFromCb)
    greenFromCr = SplitFactor(matrix.greenFromCr)
    blueFromCb = SplitFactor(matrix.blueFromCb)
    isWhole = format.bitDepth == 8 && matrix.lumaZero == 0 && matrix.luma == 1 << YCbCrMatrix.fraction
    let bias = format.bitDepth > 8 ? UInt16.bias : UInt8.bias
    lumaOffset = (bias - matrix.lumaZero) * matrix.luma + 1 << (YCbCrMatrix.fraction - 1)
    let chroma = bias - matrix.chromaZero
    redOffset = chroma * matrix.redFromCr
    greenOffset = chroma * (matrix.greenFromCb + matrix.greenFromCr)
    blueOffset = chroma * matrix.blueFromCb
  }

  /// Bytes of scratch memory for rows of `width` pixels, aligned to 16.
  func scratchSize(width: Int) -> Int {
    guard format.chroma != .yuv400, !isIdentity else { return 0 }
    return (width / 16) * (format.chroma == .yuv444 ? 2 : 1)
      * (isWhole ? MemoryLayout<Shifts>.stride : MemoryLayout<Terms>.stride)
  }

  /// Prepares the chroma of row `y` for as many whole groups of sixteen pixels as `width` has.
  @unsafe func prepare(_ source: PlanarPointers, y: Int, width: Int, _ scratch: UnsafeMutableRawPointer) {
    guard format.chroma != .yuv400, !isIdentity else { return }
    let row = y >> format.chroma.chromaShift.y, count = width / 16 * (format.chroma == .yuv444 ? 2 : 1)
    // SAFETY: the caller vouches for the row and for the scratch memory; so below.
    if format.bitDepth > 8 {
      unsafe prepare(
        source.planes[1].row(row, of: UInt16.self), source.planes[2].row(row, of: UInt16.self), count, scratch)
    } else if isWhole {
      unsafe prepareShifts(
        source.planes[1].row(row, of: UInt8.self), source.planes[2].row(row, of: UInt8.self), count, scratch)
    } else {
      unsafe prepare(
        source.planes[1].row(row, of: UInt8.self), source.planes[2].row(row, of: UInt8.self), count, scratch)
    }
  }

  /// Converts as many whole groups of sixteen pixels of row `y` as `width` has.
  @unsafe func convert(
    _ source: PlanarPointers, y: Int, width: Int, _ scratch: UnsafeMutableRawPointer,
    to output: UnsafeMutableRawPointer
  ) {
    let groups = width / 16
    // SAFETY: the caller vouches for the rows, the scratch memory, and room for the pixels; so below.
    if format.bitDepth > 8 {
      unsafe convert(source, UInt16.self, y, groups, scratch, output)
    } else if isWhole, format.chroma != .yuv400, !isIdentity {
      unsafe shift(source.planes[0].row(y, of: UInt8.self), groups, scratch, output)
    } else {
      unsafe convert(source, UInt8.self, y, groups, scratch, output)
    }
  }

  @inline(__always)
  private func convert<Sample: VectorSample>(
    _ source: PlanarPointers, _ type: Sample.Type, _ y: Int, _ groups: Int, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer
  ) {
    let first = unsafe source.planes[0].row(y, of: type)
    if format.chroma == .yuv400 {
      unsafe level(first, groups, output)
    } else if isIdentity {
      unsafe level(first, source.planes[1].row(y, of: type), source.planes[2].row(y, of: type), groups, output)
    } else if format.chroma == .yuv444 {
      unsafe add(first, groups, scratch, output, isSpread: false)
    } else {
      unsafe add(first, groups, scratch, output, isSpread: true)
    }
  }
}

// MARK: Any range and depth

extension RGBKernel {
  /// What eight chroma samples add to red, green and blue.
  private struct Terms {
    var red: SplitSums, green: SplitSums, blue: SplitSums

    @inline(__always)
    func spread(_ part: Int) -> Terms {
      Terms(red: red.spread(part), green: green.spread(part), blue: blue.spread(part))
    }
  }

  @inline(__always)
  private func terms<Sample: VectorSample>(_ second: UnsafePointer<Sample>, _ third: UnsafePointer<Sample>) -> Terms {
    let cb = unsafe Sample.load(second), cr = unsafe Sample.load(third)
    return Terms(
      red: SplitSums(cr, redFromCr) + SplitSums(redOffset),
      green: SplitSums(cb, greenFromCb) + SplitSums(cr, greenFromCr) + SplitSums(greenOffset),
      blue: SplitSums(cb, blueFromCb) + SplitSums(blueOffset))
  }

  private func prepare<Sample: VectorSample>(
    _ second: UnsafePointer<Sample>, _ third: UnsafePointer<Sample>, _ count: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    let target = unsafe scratch.assumingMemoryBound(to: Terms.self)
    for index in 0..<count { unsafe target[index] = unsafe terms(second + index * 8, third + index * 8) }
  }

  /// What eight samples of luma add to all three.
  @inline(__always)
  private func levels<Sample: VectorSample>(_ samples: UnsafePointer<Sample>) -> SplitSums {
    unsafe SplitSums(Sample.load(samples), luma) + SplitSums(lumaOffset)
  }

  @inline(__always)
  private func add<Sample: VectorSample>(
    _ first: UnsafePointer<Sample>, _ groups: Int, _ scratch: UnsafeMutableRawPointer,
    _ output: UnsafeMutableRawPointer, isSpread: Bool
  ) {
    let chroma = unsafe scratch.assumingMemoryBound(to: Terms.self)
    for group in 0..<groups {
      let low = unsafe isSpread ? chroma[group].spread(0) : chroma[2 * group]
      let high = unsafe isSpread ? chroma[group].spread(1) : chroma[2 * group + 1]
      let lowLuma = unsafe levels(first + group * 16), highLuma = unsafe levels(first + group * 16 + 8)
      unsafe Sample.store(
        ((lowLuma + low.red).floors, (highLuma + high.red).floors),
        ((lowLuma + low.green).floors, (highLuma + high.green).floors),
        ((lowLuma + low.blue).floors, (highLuma + high.blue).floors),
        maximum: maximum, to: output + group * 48 * MemoryLayout<Sample>.size)
    }
  }

  @inline(__always)
  private func channel<Sample: VectorSample>(_ samples: UnsafePointer<Sample>) -> Channel16 {
    unsafe (levels(samples).floors, levels(samples + 8).floors)
  }

  private func level<Sample: VectorSample>(
    _ samples: UnsafePointer<Sample>, _ groups: Int, _ output: UnsafeMutableRawPointer
  ) {
    for group in 0..<groups {
      unsafe Sample.store(
        channel(samples + group * 16), maximum: maximum, to: output + group * 16 * MemoryLayout<Sample>.size)
    }
  }

  /// Planes of green, blue and red.
  private func level<Sample: VectorSample>(
    _ first: UnsafePointer<Sample>, _ second: UnsafePointer<Sample>, _ third: UnsafePointer<Sample>, _ groups: Int,
    _ output: UnsafeMutableRawPointer
  ) {
    for group in 0..<groups {
      unsafe Sample.store(
        channel(third + group * 16), channel(first + group * 16), channel(second + group * 16), maximum: maximum,
        to: output + group * 48 * MemoryLayout<Sample>.size)
    }
  }
}

// MARK: Full range, 8 bits

extension RGBKernel {
  /// By how much eight chroma samples shift red, green and blue from luma.
  private struct Shifts {
    var red: SIMD8<Int16>, green: SIMD8<Int16>, blue: SIMD8<Int16>
  }

  private func prepareShifts(
    _ second: UnsafePointer<UInt8>, _ third: UnsafePointer<UInt8>, _ count: Int, _ scratch: UnsafeMutableRawPointer
  ) {
    let target = unsafe scratch.assumingMemoryBound(to: Shifts.self)
    let rounding = SplitSums(lumaOffset)
    for index in 0..<count {
      let terms = unsafe terms(second + index * 8, third + index * 8)
      unsafe target[index] = Shifts(
        red: Narrowing.words((terms.red + rounding).floors), green: Narrowing.words((terms.green + rounding).floors),
        blue: Narrowing.words((terms.blue + rounding).floors))
    }
  }

  private func shift(
    _ first: UnsafePointer<UInt8>, _ groups: Int, _ scratch: UnsafeMutableRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let chroma = unsafe scratch.assumingMemoryBound(to: Shifts.self)
    if format.chroma == .yuv444 {
      for group in 0..<groups {
        let (low, high) = unsafe (chroma[2 * group], chroma[2 * group + 1])
        unsafe shift(first + group * 16, low, high, output + group * 48)
      }
    } else {
      for group in 0..<groups {
        let both = unsafe chroma[group]
        let low = Shifts(
          red: Self.lowTwice(both.red), green: Self.lowTwice(both.green), blue: Self.lowTwice(both.blue))
        let high = Shifts(
          red: Self.highTwice(both.red), green: Self.highTwice(both.green), blue: Self.highTwice(both.blue))
        unsafe shift(first + group * 16, low, high, output + group * 48)
      }
    }
  }

  @inline(__always)
  private func shift(
    _ first: UnsafePointer<UInt8>, _ low: Shifts, _ high: Shifts, _ output: UnsafeMutableRawPointer
  ) {
    let lowLuma = unsafe UInt8.load(first), highLuma = unsafe UInt8.load(first + 8)
    unsafe Interleaving.store(
      Narrowing.bytes(lowLuma &+ low.red, highLuma &+ high.red),
      Narrowing.bytes(lowLuma &+ low.green, highLuma &+ high.green),
      Narrowing.bytes(lowLuma &+ low.blue, highLuma &+ high.blue), to: output)
  }

  @inline(__always)
  private static func lowTwice(_ a: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[0], a[0], a[1], a[1], a[2], a[2], a[3], a[3])
  }

  @inline(__always)
  private static func highTwice(_ a: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(a[4], a[4], a[5], a[5], a[6], a[6], a[7], a[7])
  }
}
