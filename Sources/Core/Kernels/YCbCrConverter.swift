/// Converts rows of interleaved RGB of full range, or grey, to planes of the same depth (ITU-T H.273, 8.3).
///
/// A chroma sample is the mean of its pixels. The samples are those of ``YCbCrMatrix``, whose fixed point the vector
/// code keeps to the last bit.
package struct YCbCrConverter: Sendable {
  let width: Int, height: Int
  let channels: RasterImage.Channels
  let format: PixelFormat
  let matrix: YCbCrMatrix
  private let kernel: YCbCrKernel?

  /// A converter for pictures like `raster`; nil where it has alpha, the matrix is not one that is known here, or it is
  /// the identity with other chroma than 4:4:4.
  package init?(_ raster: RasterImage, chroma: ChromaFormat, color: ColorDescription) {
    guard let matrix = YCbCrMatrix(color, bitDepth: raster.bitDepth), !raster.channels.hasAlpha else { return nil }
    if matrix.isIdentity, chroma != .yuv444 { return nil }
    (width, height, channels) = (raster.width, raster.height, raster.channels)
    format = PixelFormat(chroma, bitDepth: raster.bitDepth)
    self.matrix = matrix
    kernel = YCbCrKernel(matrix, format)
  }

  /// Converts rows of a picture to planes that are as wide as they have samples.
  ///
  /// `source` and `planes` are those of a whole picture of that size and format; only the samples of the rows are
  /// written. The rows begin on a chroma sample where chroma is halved, and end on one or at the end of the picture.
  /// No sample is above the largest of its depth.
  @unsafe package func convert(
    _ rows: Range<Int>, of source: UnsafeRawPointer, to planes: [UnsafeMutableRawPointer], plainly: Bool = false
  ) {
    let kernel = plainly ? nil : kernel
    // SAFETY: the caller vouches for the source and the planes.
    switch (format.bitDepth > 8, channels.hasColor) {
    case (false, true): unsafe convert(rows, source, planes, kernel, of: ColorBytes.self)
    case (false, false): unsafe convert(rows, source, planes, kernel, of: GrayBytes.self)
    case (true, true): unsafe convert(rows, source, planes, kernel, of: ColorWords.self)
    case (true, false): unsafe convert(rows, source, planes, kernel, of: GrayWords.self)
    }
  }

  private func convert<Pixels: VectorPixels>(
    _ rows: Range<Int>, _ source: UnsafeRawPointer, _ planes: [UnsafeMutableRawPointer], _ kernel: YCbCrKernel?,
    of type: Pixels.Type
  ) {
    let shift = format.chroma.chromaShift
    precondition(
      rows.lowerBound >= 0 && rows.upperBound <= height && rows.lowerBound & ((1 << shift.y) - 1) == 0,
      "rows of the picture")
    precondition(unsafe planes.count == format.chroma.planeCount, "a format has so many planes")
    let stride = width * channels.rawValue, chromaWidth = format.chroma.planeSize(1, width: width, height: height).width
    let source = unsafe source.assumingMemoryBound(to: Pixels.Sample.self)
    let targets = unsafe planes.map { unsafe $0.assumingMemoryBound(to: Pixels.Sample.self) }
    // The last pixel of a row is not the kernel's, which reads a little beyond its own.
    let groups = kernel == nil ? 0 : max(0, width - 1) / 16
    for y in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: 1 << shift.y) {
      // Below an odd last row stands the same once more.
      let below = min(y + (1 << shift.y) - 1, height - 1), chroma = (y >> shift.y) * chromaWidth
      // SAFETY: `y` and `below` are rows of the picture, and `chroma` begins a row of its chroma.
      let band = unsafe RowBand(
        top: source + y * stride, bottom: source + below * stride, topLuma: targets[0] + y * width,
        bottomLuma: targets[0] + below * width,
        chroma: targets.count > 1 ? (targets[1] + chroma, targets[2] + chroma) : nil)
      if groups > 0, let kernel { unsafe kernel.convert(band, groups, of: type) }
      unsafe plain(band, columns: groups * 16..<width)
    }
  }

  /// Converts some columns, which begin on a chroma sample, one sample at a time: what is too short for vectors, and
  /// what these are held against.
  private func plain<Sample: FixedWidthInteger>(_ band: RowBand<Sample>, columns: Range<Int>) {
    let shift = format.chroma.chromaShift, last = width - 1
    // SAFETY: the caller vouches for the rows; columns are clamped to them.
    for x in columns {
      let top = unsafe pixel(band.top, x), bottom = unsafe pixel(band.bottom, x)
      unsafe band.topLuma[x] = Sample(
        truncatingIfNeeded: matrix.plane(0, top.red, top.green, top.blue, shift: 0))
      unsafe band.bottomLuma[x] = Sample(
        truncatingIfNeeded: matrix.plane(0, bottom.red, bottom.green, bottom.blue, shift: 0))
    }
    guard let chroma = unsafe band.chroma else { return }
    for x in stride(from: columns.lowerBound, to: columns.upperBound, by: 1 << shift.x) {
      var (red, green, blue) = (0, 0, 0)
      for dy in 0..<1 << shift.y {
        for dx in 0..<1 << shift.x {
          // At an odd edge the last column counts twice.
          let pixel = unsafe pixel(dy == 0 ? band.top : band.bottom, min(x + dx, last))
          (red, green, blue) = (red + pixel.red, green + pixel.green, blue + pixel.blue)
        }
      }
      let sum = shift.x + shift.y
      unsafe chroma.0[x >> shift.x] = Sample(truncatingIfNeeded: matrix.plane(1, red, green, blue, shift: sum))
      unsafe chroma.1[x >> shift.x] = Sample(truncatingIfNeeded: matrix.plane(2, red, green, blue, shift: sum))
    }
  }

  @inline(__always)
  private func pixel<Sample: FixedWidthInteger>(
    _ row: UnsafePointer<Sample>, _ x: Int
  ) -> (red: Int, green: Int, blue: Int) {
    // SAFETY: `x` is a column of the row.
    guard channels.hasColor else {
      let gray = unsafe Int(row[x])
      return (gray, gray, gray)
    }
    return unsafe (Int(row[3 * x]), Int(row[3 * x + 1]), Int(row[3 * x + 2]))
  }
}

/// The rows of a picture that share a row of chroma, and that row: two rows of pixels, or twice the same.
@unsafe struct RowBand<Sample> {
  let top: UnsafePointer<Sample>, bottom: UnsafePointer<Sample>
  let topLuma: UnsafeMutablePointer<Sample>, bottomLuma: UnsafeMutablePointer<Sample>
  let chroma: (UnsafeMutablePointer<Sample>, UnsafeMutablePointer<Sample>)?
}
