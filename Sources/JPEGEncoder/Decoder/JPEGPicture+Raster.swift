public import LivePhotoCore

extension JPEGPicture {
  /// The picture as RGB, or grey where it has one component.
  ///
  /// The pixels are those of libjpeg with its accurate transform and "fancy" interpolation of chroma. Of CMYK, the ink
  /// is taken for inverted, as in Adobe's files, and each colour is darkened by black; no profile is applied.
  ///
  /// - Throws: ``JPEGError/malformed(_:)`` where a component's size does not divide the picture's (sampling factors
  ///   such as 3 and 2), which libjpeg does not show either.
  public func raster() throws(JPEGError) -> RasterImage {
    let (maximum, width, height) = (maximumSampling, width, height)
    var upsamplings: [Upsampling] = []
    for component in components {
      guard let upsampling = Upsampling(component, of: maximum) else {
        let factors = "\(component.horizontal)x\(component.vertical) of \(maximum.horizontal)x\(maximum.vertical)"
        throw .malformed(.unsupported("sampling \(factors)", at: Place(offset: 0)))
      }
      upsamplings.append(upsampling)
    }
    let channels = components.count == 1 ? RasterImage.Channels.gray : .rgb
    var pixels = [UInt8](repeating: 0, count: width * height * channels.rawValue)
    // A row of a plane holds its last pixels whole, however few of them are in the picture.
    var rows = components.map { [UInt8](repeating: 0, count: $0.plane.width * maximum.horizontal) }
    let planes = components.map { component in
      if case .bytes(let bytes) = component.plane.samples { bytes } else { [UInt8]() }
    }
    for y in 0..<height {
      for index in components.indices {
        upsamplings[index].row(y, of: components[index].plane, planes[index], into: &rows[index])
      }
      convert(rows, &pixels, y * width * channels.rawValue)
    }
    return RasterImage(width: width, height: height, channels: channels, samples: .bytes(pixels))
  }

  private func convert(_ rows: [[UInt8]], _ output: inout [UInt8], _ start: Int) {
    switch coding {
    case .gray: output.replaceSubrange(start..<start + width, with: rows[0][..<width])
    case .yCbCr: PixelRows.yCbCr(rows[0], rows[1], rows[2], width, &output, start)
    case .rgb: PixelRows.rgb(rows[0], rows[1], rows[2], width, &output, start)
    case .cmyk:
      PixelRows.rgb(rows[0], rows[1], rows[2], width, &output, start)
      PixelRows.applyBlack(rows[3], width, &output, start)
    case .ycck:
      PixelRows.yCbCr(rows[0], rows[1], rows[2], width, &output, start)
      PixelRows.invert(width, &output, start)
      PixelRows.applyBlack(rows[3], width, &output, start)
    }
  }
}
