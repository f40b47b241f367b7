extension PlanarImage {
  /// The picture as RGB (grey where there is no chroma), of the same depth.
  ///
  /// Chroma is not interpolated: each of its samples stands for all its pixels. An unspecified matrix is read as
  /// BT.601.
  ///
  /// - Returns: nil where the matrix is not one that is known here, such as YCgCo.
  public func raster() -> RasterImage? {
    guard let matrix = YCbCrMatrix(color, bitDepth: format.bitDepth) else { return nil }
    if matrix.isIdentity, format.chroma != .yuv444 { return nil }
    let planes = planes.map(\.samples)
    let samples: Plane.Samples
    switch planes[0] {
    case .bytes:
      samples = .bytes(interleave(matrix, planes.map { if case .bytes(let bytes) = $0 { bytes } else { [] } }))
    case .words:
      samples = .words(interleave(matrix, planes.map { if case .words(let words) = $0 { words } else { [] } }))
    }
    return RasterImage(
      width: width, height: height, channels: planes.count == 1 ? .gray : .rgb, bitDepth: format.bitDepth,
      samples: samples)
  }

  private func interleave<T: FixedWidthInteger & BitwiseCopyable>(_ matrix: YCbCrMatrix, _ planes: [[T]]) -> [T] {
    planes.count == 1 ? gray(matrix, planes[0]) : rgb(matrix, planes[0], planes[1], planes[2])
  }

  private func gray<T: FixedWidthInteger & BitwiseCopyable>(_ matrix: YCbCrMatrix, _ luma: [T]) -> [T] {
    [T](capacity: width * height) { output in
      let luma = luma.span
      for y in 0..<height {
        for index in y * planes[0].stride..<y * planes[0].stride + width {
          output.append(T(truncatingIfNeeded: matrix.sample((Int(luma[index]) - matrix.lumaZero) * matrix.luma)))
        }
      }
    }
  }

  private func rgb<T: FixedWidthInteger & BitwiseCopyable>(
    _ matrix: YCbCrMatrix, _ first: [T], _ second: [T], _ third: [T]
  ) -> [T] {
    let shift = format.chroma.chromaShift
    return [T](capacity: width * height * 3) { output in
      let first = first.span, second = second.span, third = third.span
      for y in 0..<height {
        let row = y * planes[0].stride
        let secondRow = (y >> shift.y) * planes[1].stride, thirdRow = (y >> shift.y) * planes[2].stride
        for x in 0..<width {
          let at = x >> shift.x
          let pixel = matrix.rgb(Int(first[row + x]), Int(second[secondRow + at]), Int(third[thirdRow + at]))
          output.append(T(truncatingIfNeeded: pixel.red))
          output.append(T(truncatingIfNeeded: pixel.green))
          output.append(T(truncatingIfNeeded: pixel.blue))
        }
      }
    }
  }

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
