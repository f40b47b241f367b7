import LivePhotoBitstream
import LivePhotoCore

extension Frame {
  /// The part of the frame that is shown, as a picture of its own.
  func image(_ format: VideoFormat) -> PlanarImage {
    if fields == 1 || fields == 2 { repeatField() }
    let area = format.area
    let planes = (0..<geometry.planes).map { plane in
      let shift = plane == 0 ? (x: 0, y: 0) : geometry.chroma.chromaShift
      let size = geometry.chroma.planeSize(plane, width: area.width, height: area.height)
      let samples = self.planes[plane].rows(
        from: (area.y >> shift.y) * stride(plane) + area.x >> shift.x, width: size.width, height: size.height,
        stride: stride(plane))
      return Plane(width: size.width, height: size.height, samples: Self.samples(samples))
    }
    return PlanarImage(
      width: area.width, height: area.height,
      format: PixelFormat(geometry.chroma, bitDepth: geometry.lumaDepth), color: format.color, planes: planes)
  }

  private static func samples(_ samples: [Sample]) -> Plane.Samples {
    if let bytes = samples as? [UInt8] { return .bytes(bytes) }
    return .words(samples as? [UInt16] ?? samples.map { UInt16(truncatingIfNeeded: $0) })
  }

  /// Puts the rows of the only field in the place of those of the other.
  private func repeatField() {
    let missing = fields == 1 ? 1 : 0
    for plane in 0..<geometry.planes {
      let row = stride(plane), rows = geometry.height * geometry.blockHeight(plane)
      for y in Swift.stride(from: 0, to: rows - 1, by: 2) {
        planes[plane].copyRow(from: (y + 1 - missing) * row, to: (y + missing) * row, count: row)
      }
    }
  }
}
