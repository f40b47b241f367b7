extension PlanarImage {
  /// The planes of an RGB or grey picture, of the same depth; alpha is laid over white.
  ///
  /// A chroma sample is the mean of its pixels. Grey pictures have neutral chroma, RGB ones without chroma are made
  /// grey.
  ///
  /// - Returns: nil where `color` has a matrix that is not known here, or the identity with other chroma than 4:4:4.
  public init?(_ raster: RasterImage, chroma: ChromaFormat, color: ColorDescription) {
    guard let matrix = YCbCrMatrix(color, bitDepth: raster.bitDepth) else { return nil }
    if matrix.isIdentity, chroma != .yuv444 { return nil }
    let raster = raster.flattened()
    let planes = (0..<chroma.planeCount).map { index in
      let size = chroma.planeSize(index, width: raster.width, height: raster.height)
      let shift = index == 0 ? (x: 0, y: 0) : chroma.chromaShift
      let samples: Plane.Samples =
        switch raster.samples {
        case .bytes(let bytes): .bytes(Self.plane(index, of: raster, bytes, matrix, size, shift))
        case .words(let words): .words(Self.plane(index, of: raster, words, matrix, size, shift))
        }
      return Plane(width: size.width, height: size.height, samples: samples)
    }
    self.init(
      width: raster.width, height: raster.height, format: PixelFormat(chroma, bitDepth: raster.bitDepth), color: color,
      planes: planes)
  }

  private static func plane<T: FixedWidthInteger & BitwiseCopyable>(
    _ index: Int, of raster: RasterImage, _ samples: [T], _ matrix: YCbCrMatrix, _ size: (width: Int, height: Int),
    _ shift: (x: Int, y: Int)
  ) -> [T] {
    let channels = raster.channels.rawValue, hasColor = raster.channels.hasColor
    return [T](capacity: size.width * size.height) { output in
      let samples = samples.span
      for y in 0..<size.height {
        for x in 0..<size.width {
          var red = 0, green = 0, blue = 0
          for dy in 0..<1 << shift.y {
            // At an odd edge the last column or row counts twice.
            let row = min(y << shift.y + dy, raster.height - 1) * raster.width
            for dx in 0..<1 << shift.x {
              let at = (row + min(x << shift.x + dx, raster.width - 1)) * channels
              red += Int(samples[at])
              green += Int(samples[hasColor ? at + 1 : at])
              blue += Int(samples[hasColor ? at + 2 : at])
            }
          }
          let value = matrix.plane(index, red, green, blue, shift: shift.x + shift.y)
          output.append(T(truncatingIfNeeded: value))
        }
      }
    }
  }
}
