import LivePhotoCore

extension PlanarImage {
  /// The picture turned; nil where its chroma has no form for that: 4:2:2 would become half as high instead of wide.
  ///
  /// Where chroma is halved along an odd side that is mirrored, chroma moves by half a sample of its own.
  func turned(_ orientation: Orientation) -> PlanarImage? {
    guard orientation != .up else { return self }
    let shift = format.chroma.chromaShift
    guard !orientation.swapsAxes || shift.x == shift.y else { return nil }
    let (width, height) = orientation.swapsAxes ? (height, width) : (width, height)
    return PlanarImage(
      width: width, height: height, format: format, color: color,
      planes: planes.map { $0.turned(orientation, bitDepth: format.bitDepth) })
  }
}

extension PlanarImage {
  /// The part that a clean aperture shows; all where it says nothing that can be done.
  func cropped(to aperture: CleanAperture?) -> PlanarImage {
    guard let area = aperture?.rectangle(inWidth: width, height: height) else { return self }
    return cropped(x: area.x, y: area.y, width: area.width, height: area.height)
  }
}

extension Plane {
  fileprivate func turned(_ orientation: Orientation, bitDepth: Int) -> Plane {
    func packed<T>(_ samples: [T]) -> [T] {
      if stride == width { return Array(samples.prefix(width * height)) }
      return (0..<height).flatMap { samples[$0 * stride..<$0 * stride + width] }
    }
    let samples: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(packed(bytes))
      case .words(let words): .words(packed(words))
      }
    let turned = RasterImage(width: width, height: height, channels: .gray, bitDepth: bitDepth, samples: samples)
      .turned(orientation)
    return Plane(width: turned.width, height: turned.height, samples: turned.samples)
  }
}
