/// Planes from RGB or grey, sixteen pixels at a time.
struct YCbCrKernel: Sendable {
  private let maximum: Int16
  private let chroma: ChromaFormat
  private let first: PlaneWeights, second: PlaneWeights, third: PlaneWeights

  /// A kernel; nil for 4:2:2, and for samples of which 15 bits do not hold the sum of four.
  init?(_ matrix: YCbCrMatrix, _ format: PixelFormat) {
    guard format.bitDepth <= 13, format.chroma != .yuv422 else { return nil }
    maximum = Int16(matrix.maximum)
    chroma = format.chroma
    let shift = chroma.chromaShift.x + chroma.chromaShift.y
    let zero = matrix.isIdentity ? matrix.lumaZero : matrix.chromaZero
    first = PlaneWeights(matrix.toFirst, zero: matrix.lumaZero, shift: 0)
    second = PlaneWeights(matrix.toSecond, zero: zero, shift: shift)
    third = PlaneWeights(matrix.toThird, zero: zero, shift: shift)
  }

  /// Converts the first `groups` × 16 pixels of the rows, behind which there is at least one more.
  @unsafe func convert<Pixels: VectorPixels>(_ band: RowBand<Pixels.Sample>, _ groups: Int, of type: Pixels.Type) {
    // SAFETY: the caller vouches for the rows.
    switch (unsafe band.chroma, chroma) {
    case (let (cb, cr)?, .yuv420): unsafe halved(band, cb, cr, groups, type)
    case (let (cb, cr)?, _): unsafe full(band, cb, cr, groups, type)
    case (nil, _): unsafe luma(band, groups, type)
    }
  }

  private func luma<Pixels: VectorPixels>(_ band: RowBand<Pixels.Sample>, _ groups: Int, _ type: Pixels.Type) {
    for at in stride(from: 0, to: groups * 16, by: 8) {
      // SAFETY: the caller vouches for the pixels and the samples; so below.
      let pixels = unsafe EightPixels(band.top, at, type)
      unsafe type.store(pixels.samples(first, shift: 0), maximum: maximum, to: band.topLuma + at)
    }
  }

  private func full<Pixels: VectorPixels>(
    _ band: RowBand<Pixels.Sample>, _ cb: UnsafeMutablePointer<Pixels.Sample>,
    _ cr: UnsafeMutablePointer<Pixels.Sample>, _ groups: Int, _ type: Pixels.Type
  ) {
    for at in stride(from: 0, to: groups * 16, by: 8) {
      let pixels = unsafe EightPixels(band.top, at, type)
      unsafe type.store(pixels.samples(first, shift: 0), maximum: maximum, to: band.topLuma + at)
      unsafe type.store(pixels.samples(second, shift: 0), maximum: maximum, to: cb + at)
      unsafe type.store(pixels.samples(third, shift: 0), maximum: maximum, to: cr + at)
    }
  }

  private func halved<Pixels: VectorPixels>(
    _ band: RowBand<Pixels.Sample>, _ cb: UnsafeMutablePointer<Pixels.Sample>,
    _ cr: UnsafeMutablePointer<Pixels.Sample>, _ groups: Int, _ type: Pixels.Type
  ) {
    for at in stride(from: 0, to: groups * 16, by: 16) {
      let sums = unsafe EightPixels(
        low: sums(band, at, type), high: sums(band, at + 8, type))
      unsafe type.store(sums.samples(second, shift: 2), maximum: maximum, to: cb + at / 2)
      unsafe type.store(sums.samples(third, shift: 2), maximum: maximum, to: cr + at / 2)
    }
  }

  /// Stores the luma of eight columns, and gives the sums of their pixels.
  @inline(__always)
  private func sums<Pixels: VectorPixels>(
    _ band: RowBand<Pixels.Sample>, _ at: Int, _ type: Pixels.Type
  ) -> PixelQuad {
    let top = unsafe EightPixels(band.top, at, type), bottom = unsafe EightPixels(band.bottom, at, type)
    unsafe type.store(top.samples(first, shift: 0), maximum: maximum, to: band.topLuma + at)
    unsafe type.store(bottom.samples(first, shift: 0), maximum: maximum, to: band.bottomLuma + at)
    return .pairs(top.low + bottom.low, top.high + bottom.high)
  }
}

/// Pixels, or sums of pixels, for eight samples of a plane.
private struct EightPixels {
  let low: PixelQuad, high: PixelQuad

  @inline(__always)
  init(low: PixelQuad, high: PixelQuad) { (self.low, self.high) = (low, high) }

  @inline(__always)
  init<Pixels: VectorPixels>(_ row: UnsafePointer<Pixels.Sample>, _ at: Int, _ type: Pixels.Type) {
    // SAFETY: the caller has eight pixels there, and one more.
    low = unsafe type.load(row + at * type.channels)
    high = unsafe type.load(row + (at + 4) * type.channels)
  }

  /// The samples, not yet clamped, of sums of 2^`shift` pixels.
  @inline(__always)
  func samples(_ weights: PlaneWeights, shift: Int32) -> SIMD8<Int16> {
    WordPairs.narrowed(weights.values(low, shift: shift), weights.values(high, shift: shift))
  }
}

/// What R, G and B add to the samples of a plane, as ``SplitFactor``s: sums of high parts stay below 2^28, those of low
/// parts below 2^29.
private struct PlaneWeights: Sendable {
  private let highRedBlue: SIMD4<UInt32>, highGreen: SIMD4<UInt32>
  private let lowRedBlue: SIMD4<UInt32>, lowGreen: SIMD4<UInt32>
  /// The value of nothing and rounding; it has no low part.
  private let offset: SIMD4<Int32>

  init(_ factors: YCbCrMatrix.Factors, zero: Int, shift: Int) {
    let red = SplitFactor(factors.red), green = SplitFactor(factors.green), blue = SplitFactor(factors.blue)
    func pair(_ low: Int16, _ high: Int16) -> SIMD4<UInt32> {
      SIMD4(repeating: UInt32(UInt16(bitPattern: low)) | UInt32(UInt16(bitPattern: high)) << 16)
    }
    highRedBlue = pair(red.high, blue.high)
    highGreen = pair(green.high, 0)
    lowRedBlue = pair(red.low, blue.low)
    lowGreen = pair(green.low, 0)
    let fraction = YCbCrMatrix.fraction
    offset = SIMD4(repeating: Int32(((zero << fraction + 1 << (fraction - 1)) << shift) >> 12))
  }

  /// Four samples, not yet clamped, of sums of 2^`shift` pixels: the nearest to their means.
  @inline(__always)
  func values(_ pixels: PixelQuad, shift: Int32) -> SIMD4<Int32> {
    let high = WordPairs.products(pixels.redBlue, highRedBlue) &+ WordPairs.products(pixels.green, highGreen) &+ offset
    let low = WordPairs.products(pixels.redBlue, lowRedBlue) &+ WordPairs.products(pixels.green, lowGreen)
    return (high &+ (low &>> 12)) &>> (12 + shift)
  }
}
