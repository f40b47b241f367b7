extension PlanarImage {
  /// The part of the picture that begins at (`x`, `y`), clamped to the picture.
  ///
  /// Where chroma is halved and the part begins between two chroma samples, chroma is that of the sample before:
  /// luma is exact, chroma is off by half of its own distance.
  public func cropped(x: Int, y: Int, width: Int, height: Int) -> PlanarImage {
    let x = min(max(x, 0), self.width), y = min(max(y, 0), self.height)
    let width = min(max(width, 0), self.width - x), height = min(max(height, 0), self.height - y)
    guard (width, height) != (self.width, self.height) else { return self }
    let shift = format.chroma.chromaShift
    let parts = planes.enumerated().map { index, plane in
      let size = format.chroma.planeSize(index, width: width, height: height)
      return index == 0
        ? plane.cropped(x: x, y: y, width: size.width, height: size.height)
        : plane.cropped(x: x >> shift.x, y: y >> shift.y, width: size.width, height: size.height)
    }
    return PlanarImage(width: width, height: height, format: format, color: color, planes: parts)
  }
}

extension Plane {
  fileprivate func cropped(x: Int, y: Int, width: Int, height: Int) -> Plane {
    func rows<T>(_ samples: [T]) -> [T] {
      var part: [T] = []
      part.reserveCapacity(width * height)
      for row in y..<y + height { part += samples[row * stride + x..<row * stride + x + width] }
      return part
    }
    let part: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(rows(bytes))
      case .words(let words): .words(rows(words))
      }
    return Plane(width: width, height: height, samples: part)
  }
}

extension PlanarImage {
  /// A part of `width` × `height` that begins at (`x`, `y`) and may reach beyond the picture, whose last column and row
  /// are then repeated: what encoders are fed at the edges.
  ///
  /// - Precondition: (`x`, `y`) lies in the picture, on a chroma sample where chroma is halved.
  public func padded(x: Int, y: Int, width: Int, height: Int) -> PlanarImage {
    precondition((0..<self.width).contains(x) && (0..<self.height).contains(y), "a place inside the picture")
    if (x, y) == (0, 0), (width, height) == (self.width, self.height) { return self }
    let shift = format.chroma.chromaShift
    let parts = planes.enumerated().map { index, plane in
      let size = format.chroma.planeSize(index, width: width, height: height)
      let (x, y) = index == 0 ? (x, y) : (x >> shift.x, y >> shift.y)
      return plane.padded(x: x, y: y, width: size.width, height: size.height)
    }
    return PlanarImage(width: width, height: height, format: format, color: color, planes: parts)
  }
}

extension Plane {
  fileprivate func padded(x: Int, y: Int, width: Int, height: Int) -> Plane {
    func rows<T>(_ samples: [T]) -> [T] {
      var part: [T] = []
      part.reserveCapacity(width * height)
      let inside = min(width, self.width - x)
      for row in y..<y + height {
        let start = min(row, self.height - 1) * stride + x
        part += samples[start..<start + inside]
        part += repeatElement(samples[start + inside - 1], count: width - inside)
      }
      return part
    }
    let part: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(rows(bytes))
      case .words(let words): .words(rows(words))
      }
    return Plane(width: width, height: height, samples: part)
  }
}
