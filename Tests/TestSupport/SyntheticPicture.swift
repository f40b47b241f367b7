public import LivePhotoCore

extension PlanarImage {
  /// A made picture with what photographs have: slow gradients, edges, texture and a little noise, all colours.
  ///
  /// The same arguments give the same picture.
  public static func synthetic(
    width: Int, height: Int, format: PixelFormat, color: ColorDescription = .unspecified, seed: UInt64 = 1
  ) -> PlanarImage {
    var picture = PlanarImage(width: width, height: height, format: format, color: color)
    var generator = SplitMix64(seed: seed)
    let range = Double(format.maximum)
    for index in picture.planes.indices {
      let plane = picture.planes[index]
      let (shiftX, shiftY) = index == 0 ? (0, 0) : format.chroma.chromaShift
      var samples: [UInt16] = []
      samples.reserveCapacity(plane.width * plane.height)
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let noise = Double(generator.next() % 256) / 255 - 0.5
          let value = level(x << shiftX, y << shiftY, of: index) + noise * 0.01
          samples.append(UInt16(max(0, min(1, value)) * range))
        }
      }
      picture.planes[index] = Plane(
        width: plane.width, height: plane.height,
        samples: format.bitDepth > 8 ? .words(samples) : .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }))
    }
    return picture
  }

  /// The value of plane `index` at a luma position, 0 to 1.
  private static func level(_ x: Int, _ y: Int, of index: Int) -> Double {
    let slope = Double((x * (index + 1) + y * (3 - index)) % 512) / 512
    let disc = (x % 96 - 48) * (x % 96 - 48) + (y % 80 - 40) * (y % 80 - 40) < 900
    let texture = Double((x * 7 ^ y * 5) & 31) / 31 - 0.5
    return 0.15 + 0.55 * slope + (disc ? 0.2 : 0) + (index == 0 ? texture * 0.06 : 0)
  }
}
