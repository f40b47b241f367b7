import LivePhotoCore

/// A linear map from the samples of up to three planes to full-range 8-bit BT.601 Y, Cb and Cr (ITU-T T.871).
///
/// Each output is a sum of one table entry a plane, so the only rounding is the last one.
///
/// Sendable by hand: the tables are written in `init` and only read from then on.
final class ColorConversion: @unchecked Sendable {
  /// Fractional bits of the entries.
  static let fraction = 20

  /// Whether the planes hold G, B, R.
  let isRGB: Bool
  /// Whether Y is a sum of more planes than the first.
  let mixesLuma: Bool
  /// For each output three tables, one a plane, of an entry a sample value; zeros where the plane has no part in it.
  private let entries: AlignedBuffer<Int32>
  private let size: Int

  /// Samples of 8 bits as they are.
  static let identity: ColorConversion = {
    let entries = (0..<256).map { Int32($0 << fraction) }
    return ColorConversion(
      tables: [[entries, [], []], [[], entries, []], [[], [], entries]], size: 256, isRGB: false)
  }()

  /// `tables[output][plane]` of `size` entries, or empty where the plane has no part in the output.
  private init(tables: [[[Int32]]], size: Int, isRGB: Bool) {
    self.isRGB = isRGB
    self.size = size
    mixesLuma = tables[0].dropFirst().contains { !$0.isEmpty }
    let zeros = [Int32](repeating: 0, count: size)
    entries = AlignedBuffer(tables.joined().flatMap { $0.isEmpty ? zeros : $0 })
  }

  /// The entries of a plane's sample values for an output.
  func table(_ output: Int, _ plane: Int) -> UnsafePointer<Int32> {
    // SAFETY: there are three tables for each of three outputs.
    unsafe UnsafePointer(entries.start + (output * 3 + plane) * size)
  }

  /// The map from `color`; nil where the samples are already what JPEG holds.
  ///
  /// Only matrices of the form `Y = kr·R + (1 - kr - kb)·G + kb·B` and the identity are linear in this way.
  convenience init?(_ color: ColorDescription, _ format: PixelFormat) throws(JPEGError) {
    let isRGB = color.matrix == 0
    let coefficients: [[Double]]
    if isRGB {
      let green = [ColorConversion.target.luma(0, 1, 0), ColorConversion.target.blue(0, 1, 0)]
      let blue = [ColorConversion.target.luma(0, 0, 1), ColorConversion.target.blue(0, 0, 1)]
      let red = [ColorConversion.target.luma(1, 0, 0), ColorConversion.target.blue(1, 0, 0)]
      coefficients = [
        [green[0], blue[0], red[0]], [green[1], blue[1], red[1]],
        [
          ColorConversion.target.red(0, 1, 0), ColorConversion.target.red(0, 0, 1), ColorConversion.target.red(1, 0, 0),
        ],
      ]
    } else {
      // Constant luminance (10) is not linear, whatever its weights.
      guard color.matrix != 10, let weights = color.lumaWeights else { throw .unsupportedMatrix(color.matrix) }
      let source = Weights(red: weights.red, blue: weights.blue)
      if source == ColorConversion.target, color.isFullRange, format.bitDepth == 8 { return nil }
      coefficients = source.conversion(to: ColorConversion.target)
    }
    let tables = coefficients.enumerated().map { output, row in
      row.enumerated().map { plane, coefficient in
        guard coefficient != 0 else { return [Int32]() }
        let isChroma = plane > 0 && !isRGB
        // The one term that every sum has also brings in the middle of chroma.
        let offset = output > 0 && plane == (isRGB ? 0 : output) ? 128.0 : 0
        return Self.entries(format, color, isChroma: isChroma, coefficient, offset)
      }
    }
    self.init(tables: tables, size: format.maximum + 1, isRGB: isRGB)
  }

  private static let target = Weights(red: 0.299, blue: 0.114)

  /// An entry for each sample value: its full-range level (chroma around 0) times `coefficient`, plus `offset`.
  private static func entries(
    _ format: PixelFormat, _ color: ColorDescription, isChroma: Bool, _ coefficient: Double, _ offset: Double
  ) -> [Int32] {
    // H.273, 8.3: limited luma is 16 to 235, chroma 16 to 240 around 128, at each depth shifted up.
    let unit = Double(1 << (format.bitDepth - 8))
    let zero = isChroma ? 128 * unit : color.isFullRange ? 0 : 16 * unit
    let range = color.isFullRange ? Double(format.maximum) : (isChroma ? 224 : 219) * unit
    return (0...format.maximum).map { value in
      let level = (Double(value) - zero) / range * 255
      return Int32(((coefficient * level + offset) * Double(1 << fraction)).rounded())
    }
  }
}

/// The luma weights of red and blue, and the colour differences that follow from them.
private struct Weights: Equatable {
  let red: Double, blue: Double

  var green: Double { 1 - red - blue }

  func luma(_ r: Double, _ g: Double, _ b: Double) -> Double { red * r + green * g + blue * b }
  func blue(_ r: Double, _ g: Double, _ b: Double) -> Double { (b - luma(r, g, b)) / (2 * (1 - blue)) }
  func red(_ r: Double, _ g: Double, _ b: Double) -> Double { (r - luma(r, g, b)) / (2 * (1 - red)) }

  /// The rows of Y, Cb and Cr of `target` as sums of this one's Y, Cb and Cr.
  ///
  /// Grey has no chroma in either, so luma has no part in the chroma of the target.
  func conversion(to target: Weights) -> [[Double]] {
    guard self != target else { return [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }
    // R, G and B of one unit of Cb, and of Cr, at Y = 0.
    let cb = (r: 0.0, g: -2 * blue * (1 - blue) / green, b: 2 * (1 - blue))
    let cr = (r: 2 * (1 - red), g: -2 * red * (1 - red) / green, b: 0.0)
    return [
      [1, target.luma(cb.r, cb.g, cb.b), target.luma(cr.r, cr.g, cr.b)],
      [0, target.blue(cb.r, cb.g, cb.b), target.blue(cr.r, cr.g, cr.b)],
      [0, target.red(cb.r, cb.g, cb.b), target.red(cr.r, cr.g, cr.b)],
    ]
  }
}
