/// A picture that owns its samples: luma, and two chroma planes unless it is grey.
///
/// The planes hold Y, Cb, Cr, or G, B, R where ``color``'s matrix is the identity.
public struct PlanarImage: Sendable, Equatable {
  /// Width in luma samples.
  public let width: Int
  /// Height in luma samples.
  public let height: Int
  /// Chroma sampling and bits a sample.
  public let format: PixelFormat
  /// What the sample values mean.
  public var color: ColorDescription
  /// One plane, or three.
  public var planes: [Plane]

  /// A picture over given planes.
  ///
  /// - Precondition: the planes have the number, sizes and sample width that `format` asks for.
  public init(width: Int, height: Int, format: PixelFormat, color: ColorDescription, planes: [Plane]) {
    precondition(planes.count == format.chroma.planeCount, "\(format.chroma) has \(format.chroma.planeCount) planes")
    for (index, plane) in planes.enumerated() {
      let size = format.chroma.planeSize(index, width: width, height: height)
      precondition((plane.width, plane.height) == size, "plane \(index) has the wrong size")
      let isWide = if case .words = plane.samples { true } else { false }
      precondition(isWide == (format.bitDepth > 8), "plane \(index) has samples of the wrong width")
    }
    self.width = width
    self.height = height
    self.format = format
    self.color = color
    self.planes = planes
  }

  /// A picture of one value in each plane: `fill`, else luma 0 and neutral chroma.
  public init(
    width: Int, height: Int, format: PixelFormat, color: ColorDescription = .unspecified, fill: [UInt16]? = nil
  ) {
    let neutral = UInt16(1 << (format.bitDepth - 1))
    let planes = (0..<format.chroma.planeCount).map { index in
      let size = format.chroma.planeSize(index, width: width, height: height)
      return Plane(
        width: size.width, height: size.height, bitDepth: format.bitDepth,
        fill: fill?[index] ?? (index == 0 ? 0 : neutral))
    }
    self.init(width: width, height: height, format: format, color: color, planes: planes)
  }
}
