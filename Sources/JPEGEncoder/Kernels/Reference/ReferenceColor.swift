/// Colour conversion in plain scalar code, for any number of pixels that share a chroma sample.
enum ReferenceColor {
  /// Converts rows whose chroma is shared by 2^`x` pixels of a row and 2^`y` rows.
  @inline(__always)
  static func convert(
    _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>), x: Int, y: Int
  ) {
    // SAFETY: the caller passes rows of `groups * 16` pixels and room for as many samples.
    for column in 0..<groups * 16 >> x {
      var sum = (red: Int32(0), green: Int32(0), blue: Int32(0))
      for index in column << x..<(column + 1) << x {
        for row in 0..<1 << y {
          let pixel = unsafe color(row == 0 ? pixels.first : pixels.second, layout, index)
          unsafe (row == 0 ? luma.first : luma.second)[index] = Self.luma(pixel)
          sum = (sum.red + pixel.red, sum.green + pixel.green, sum.blue + pixel.blue)
        }
      }
      let shift = Int32(x + y)
      let blue =
        Int32(ColorWeights.blueRed) * sum.red + Int32(ColorWeights.blueGreen) * sum.green
        + Int32(ColorWeights.blueBlue) * sum.blue
      let red =
        Int32(ColorWeights.redRed) * sum.red + Int32(ColorWeights.redGreen) * sum.green
        + Int32(ColorWeights.redBlue) * sum.blue
      unsafe chroma.blue[column] = UInt8((blue + ColorWeights.chromaRounding(shift)) >> (15 + shift))
      unsafe chroma.red[column] = UInt8((red + ColorWeights.chromaRounding(shift)) >> (15 + shift))
    }
  }

  /// Converts a row to luma alone.
  static func convertGray(
    _ pixels: UnsafePointer<UInt8>, _ layout: Int, _ count: Int, _ out: UnsafeMutablePointer<UInt8>
  ) {
    for index in 0..<count { unsafe out[index] = luma(color(pixels, layout, index)) }
  }

  private typealias Color = (red: Int32, green: Int32, blue: Int32)

  private static func luma(_ pixel: Color) -> UInt8 {
    let sum =
      Int32(ColorWeights.lumaRed) * pixel.red + Int32(ColorWeights.lumaGreen) * pixel.green
      + Int32(ColorWeights.lumaBlue) * pixel.blue
    return UInt8((sum + ColorWeights.lumaRounding) >> 15)
  }

  private static func color(_ row: UnsafePointer<UInt8>, _ layout: Int, _ index: Int) -> Color {
    let at = index * (layout < 2 ? 3 : 4)
    let (first, second, third) = unsafe (Int32(row[at]), Int32(row[at + 1]), Int32(row[at + 2]))
    return layout & 1 == 0 ? (first, second, third) : (third, second, first)
  }
}
