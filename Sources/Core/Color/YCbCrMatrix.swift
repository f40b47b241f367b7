/// The linear map between full-range R, G, B and the planes of a picture (ITU-T H.273, 8.3), in fixed point.
struct YCbCrMatrix {
  /// Fractional bits of the factors.
  static let fraction = 24

  /// Whether the planes hold G, B, R instead of Y, Cb, Cr.
  let isIdentity: Bool
  /// The largest sample value.
  let maximum: Int
  /// The value of black, and of no colour.
  let lumaZero: Int, chromaZero: Int
  /// From planes: what one unit of luma adds to all three, of Cr to red, and so on.
  let luma: Int, redFromCr: Int, greenFromCb: Int, greenFromCr: Int, blueFromCb: Int
  /// To planes: what one unit of R, G and B adds to each.
  let toFirst: Factors, toSecond: Factors, toThird: Factors

  /// Three factors.
  struct Factors {
    let red: Int, green: Int, blue: Int
  }

  /// The map for a description; nil where its matrix is neither the identity nor of the linear form with luma weights.
  init?(_ color: ColorDescription, bitDepth: Int) {
    isIdentity = color.matrix == 0
    // Constant luminance (10) is not linear, whatever its weights; the identity uses only the scale of luma.
    guard color.matrix != 10, let weights = isIdentity ? (0.299, 0.114) : color.lumaWeights else { return nil }
    maximum = (1 << bitDepth) - 1
    lumaZero = color.isFullRange ? 0 : 16 << (bitDepth - 8)
    chromaZero = 1 << (bitDepth - 1)
    let (red, blue) = weights, green = 1 - red - blue
    let unit = Double(1 << (bitDepth - 8)) / Double(maximum)
    let lumaScale = color.isFullRange ? 1 : 219 * unit
    let chromaScale = color.isFullRange ? 1 : 224 * unit
    func fixed(_ value: Double) -> Int { Int((value * Double(1 << Self.fraction)).rounded()) }
    let cbRange = 2 * (1 - blue), crRange = 2 * (1 - red)
    luma = fixed(1 / lumaScale)
    redFromCr = fixed(crRange / chromaScale)
    blueFromCb = fixed(cbRange / chromaScale)
    greenFromCb = fixed(-cbRange * blue / green / chromaScale)
    greenFromCr = fixed(-crRange * red / green / chromaScale)
    if isIdentity {
      let scale = fixed(lumaScale)
      toFirst = Factors(red: 0, green: scale, blue: 0)
      toSecond = Factors(red: 0, green: 0, blue: scale)
      toThird = Factors(red: scale, green: 0, blue: 0)
    } else {
      let cb = chromaScale / cbRange, cr = chromaScale / crRange
      toFirst = Factors(red: fixed(lumaScale * red), green: fixed(lumaScale * green), blue: fixed(lumaScale * blue))
      toSecond = Factors(red: fixed(-red * cb), green: fixed(-green * cb), blue: fixed((1 - blue) * cb))
      toThird = Factors(red: fixed((1 - red) * cr), green: fixed(-green * cr), blue: fixed(-blue * cr))
    }
  }

  /// A fixed-point value as the nearest sample.
  @inline(__always)
  func sample(_ value: Int) -> Int { min(max((value + 1 << (Self.fraction - 1)) >> Self.fraction, 0), maximum) }

  /// R, G and B of a pixel's three samples.
  @inline(__always)
  func rgb(_ first: Int, _ second: Int, _ third: Int) -> (red: Int, green: Int, blue: Int) {
    let level = (first - lumaZero) * luma
    if isIdentity { return (sample((third - lumaZero) * luma), sample(level), sample((second - lumaZero) * luma)) }
    let cb = second - chromaZero, cr = third - chromaZero
    return (
      sample(level + cr * redFromCr), sample(level + cb * greenFromCb + cr * greenFromCr),
      sample(level + cb * blueFromCb)
    )
  }

  /// One plane's sample from sums of R, G and B over 2^`shift` pixels.
  @inline(__always)
  func plane(_ index: Int, _ red: Int, _ green: Int, _ blue: Int, shift: Int) -> Int {
    let factors = index == 0 ? toFirst : index == 1 ? toSecond : toThird
    let zero = index == 0 || isIdentity ? lumaZero : chromaZero
    let sum = red * factors.red + green * factors.green + blue * factors.blue
    return sample(sum >> shift + zero << Self.fraction)
  }
}
