import LivePhotoCore

/// How rows of a component become rows of the picture: libjpeg's "fancy" interpolation where sizes are doubled, else
/// each sample stands for all its pixels.
enum Upsampling {
  /// As stored.
  case none
  /// Twice the width, interpolated.
  case wide
  /// Twice the height, interpolated.
  case tall
  /// Twice both, interpolated.
  case both
  /// Whole multiples.
  case repeated(across: Int, down: Int)

  /// - Returns: nil where a component's size does not divide the picture's.
  init?(_ component: JPEGPicture.Component, of maximum: (horizontal: Int, vertical: Int)) {
    guard maximum.horizontal.isMultiple(of: component.horizontal), maximum.vertical.isMultiple(of: component.vertical)
    else { return nil }
    let (across, down) = (maximum.horizontal / component.horizontal, maximum.vertical / component.vertical)
    // Two columns are too few to interpolate between, for libjpeg.
    let isNarrow = component.plane.width <= 2
    self =
      switch (across, down) {
      case (1, 1): .none
      case (2, 1) where !isNarrow: .wide
      case (1, 2): .tall
      case (2, 2) where !isNarrow: .both
      default: .repeated(across: across, down: down)
      }
  }

  /// Writes row `y` of the picture, `output` having room for a multiple of the plane's width.
  func row(_ y: Int, of plane: Plane, _ samples: [UInt8], into output: inout [UInt8]) {
    let samples = samples.span
    var output = output.mutableSpan
    let width = plane.width
    let far = y / 2 + (y & 1) * 2 - 1
    switch self {
    case .none:
      let near = Self.row(y, of: plane, samples)
      for x in 0..<width { output[x] = near[x] }
    case .wide: Self.widen(Self.row(y, of: plane, samples), width, &output)
    case .tall:
      let near = Self.row(y / 2, of: plane, samples), far = Self.row(far, of: plane, samples)
      let bias = 1 + y & 1
      for x in 0..<width { output[x] = UInt8(truncatingIfNeeded: (Int(near[x]) &* 3 &+ Int(far[x]) &+ bias) &>> 2) }
    case .both:
      Self.widen(Self.row(y / 2, of: plane, samples), Self.row(far, of: plane, samples), width, &output)
    case .repeated(let across, let down):
      let near = Self.row(y / down, of: plane, samples)
      for x in 0..<width {
        for copy in 0..<across { output[x &* across &+ copy] = near[x] }
      }
    }
  }

  /// A row of the plane; the first and the last one stand for those outside.
  @_lifetime(copy samples)
  private static func row(_ y: Int, of plane: Plane, _ samples: Span<UInt8>) -> Span<UInt8> {
    let start = max(0, min(y, plane.height - 1)) * plane.stride
    return samples.extracting(start..<start + plane.width)
  }

  private static func widen(_ row: Span<UInt8>, _ width: Int, _ output: inout MutableSpan<UInt8>) {
    output[0] = row[0]
    for x in 1..<width {
      let left = Int(row[x &- 1]), right = Int(row[x])
      output[2 &* x &- 1] = UInt8(truncatingIfNeeded: (left &* 3 &+ right &+ 2) &>> 2)
      output[2 &* x] = UInt8(truncatingIfNeeded: (right &* 3 &+ left &+ 1) &>> 2)
    }
    output[2 &* width &- 1] = row[width &- 1]
  }

  private static func widen(
    _ near: Span<UInt8>, _ far: Span<UInt8>, _ width: Int, _ output: inout MutableSpan<UInt8>
  ) {
    var left = Int(near[0]) &* 3 &+ Int(far[0])
    output[0] = UInt8(truncatingIfNeeded: (left &* 4 &+ 8) &>> 4)
    for x in 1..<width {
      let right = Int(near[x]) &* 3 &+ Int(far[x])
      output[2 &* x &- 1] = UInt8(truncatingIfNeeded: (left &* 3 &+ right &+ 7) &>> 4)
      output[2 &* x] = UInt8(truncatingIfNeeded: (right &* 3 &+ left &+ 8) &>> 4)
      left = right
    }
    output[2 &* width &- 1] = UInt8(truncatingIfNeeded: (left &* 4 &+ 7) &>> 4)
  }
}
