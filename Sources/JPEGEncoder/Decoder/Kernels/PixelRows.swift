/// Rows of components as rows of RGB pixels, with libjpeg's 16-bit fractions.
enum PixelRows {
  /// YCbCr (ITU-T T.871, 7).
  static func yCbCr(
    _ y: [UInt8], _ cb: [UInt8], _ cr: [UInt8], _ width: Int, _ output: inout [UInt8],
    _ start: Int
  ) {
    let y = y.span, cb = cb.span, cr = cr.span
    var output = output.mutableSpan
    for x in 0..<width {
      let pixel = rgb(y[x], cb[x], cr[x])
      let at = start &+ x &* 3
      output[at] = pixel.red
      output[at &+ 1] = pixel.green
      output[at &+ 2] = pixel.blue
    }
  }

  /// RGB.
  static func rgb(
    _ red: [UInt8], _ green: [UInt8], _ blue: [UInt8], _ width: Int, _ output: inout [UInt8],
    _ start: Int
  ) {
    let red = red.span, green = green.span, blue = blue.span
    var output = output.mutableSpan
    for x in 0..<width {
      let at = start &+ x &* 3
      output[at] = red[x]
      output[at &+ 1] = green[x]
      output[at &+ 2] = blue[x]
    }
  }

  /// CMYK with inverted ink: each colour is darkened by what black leaves.
  ///
  /// `output` holds the row of C, M and Y as it were R, G and B.
  static func applyBlack(_ black: [UInt8], _ width: Int, _ output: inout [UInt8], _ start: Int) {
    let black = black.span
    var output = output.mutableSpan
    for x in 0..<width {
      for at in start &+ x &* 3..<start &+ x &* 3 &+ 3 {
        output[at] = UInt8(truncatingIfNeeded: (2 &* Int(output[at]) &* Int(black[x]) &+ 255) / 510)
      }
    }
  }

  /// Turns RGB into CMY: YCCK is the YCbCr form of the inverse of its CMY.
  static func invert(_ width: Int, _ output: inout [UInt8], _ start: Int) {
    var output = output.mutableSpan
    for at in start..<start &+ width &* 3 { output[at] = 255 &- output[at] }
  }

  @inline(__always)
  private static func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let y = Int32(y), cb = Int32(cb) &- 128, cr = Int32(cr) &- 128
    return (
      clamp(y &+ (91881 &* cr &+ 32768) &>> 16), clamp(y &+ (32768 &- 22554 &* cb &- 46802 &* cr) &>> 16),
      clamp(y &+ (116130 &* cb &+ 32768) &>> 16)
    )
  }

  @inline(__always)
  private static func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: max(0, min(255, value))) }
}
