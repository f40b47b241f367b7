#if HEVC
  internal import LivePhotoCore

  /// The planes of a picture that several threads write at once, each its own part of them.
  @unsafe struct SharedAreas: @unchecked Sendable {
    private let areas: [Area]
    private let shift: (x: Int, y: Int)

    /// A plane's samples, rows following each other without a gap.
    @unsafe struct Area {
      var base: UnsafeMutableRawPointer
      var width: Int
      var height: Int
      var sampleSize: Int
    }

    init(_ areas: [Area], shift: (x: Int, y: Int)) {
      unsafe self.areas = areas
      unsafe self.shift = shift
    }

    /// Writes a picture of the same format from (`x`, `y`) on; what reaches beyond the planes is left out.
    ///
    /// The planes have to be alive, and no other thread may write that part of them.
    func place(_ image: PlanarImage, x: Int, y: Int) {
      for (index, plane) in image.planes.enumerated() {
        let area = unsafe areas[index]
        let x = unsafe index == 0 ? x : x >> shift.x, y = unsafe index == 0 ? y : y >> shift.y
        // SAFETY: `area` is alive, by the rule of this function.
        switch plane.samples {
        case .bytes(let samples): unsafe area.place(samples, of: plane, x: x, y: y)
        case .words(let samples): unsafe area.place(samples, of: plane, x: x, y: y)
        }
      }
    }
  }

  extension SharedAreas.Area {
    fileprivate func place<Sample>(_ samples: [Sample], of plane: Plane, x: Int, y: Int) {
      precondition(unsafe MemoryLayout<Sample>.size == sampleSize && x >= 0 && y >= 0, "samples of one width")
      let columns = unsafe min(plane.width, width - x), rows = unsafe min(plane.height, height - y)
      guard columns > 0, rows > 0 else { return }
      // SAFETY: a plane has `stride * (height - 1) + width` samples; columns and rows are those of both the plane and
      // the area.
      unsafe samples.withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        for row in 0..<rows {
          unsafe (base + ((y + row) * width + x) * sampleSize).copyMemory(
            from: start + row * plane.stride * sampleSize, byteCount: columns * sampleSize)
        }
      }
    }
  }

  extension PlanarImage {
    /// Calls `body` with the samples of all planes, which it may write; they last as long as the call.
    ///
    /// - Precondition: the rows of the planes follow each other without a gap.
    mutating func withAreas(_ body: (SharedAreas) -> Void) {
      unsafe withAreas([], body)
    }

    private mutating func withAreas(_ areas: [SharedAreas.Area], _ body: (SharedAreas) -> Void) {
      let index = unsafe areas.count
      guard index < planes.count else {
        return unsafe body(SharedAreas(areas, shift: format.chroma.chromaShift))
      }
      let (width, height) = (planes[index].width, planes[index].height)
      precondition(planes[index].stride == width, "rows without a gap")
      // Moved out, so that the array has one owner and is not copied.
      switch planes[index].samples {
      case .bytes(var samples):
        planes[index].samples = .bytes([])
        unsafe lend(&samples, width, height, areas, body)
        planes[index].samples = .bytes(samples)
      case .words(var samples):
        planes[index].samples = .words([])
        unsafe lend(&samples, width, height, areas, body)
        planes[index].samples = .words(samples)
      }
    }

    private mutating func lend<Sample>(
      _ samples: inout [Sample], _ width: Int, _ height: Int, _ areas: [SharedAreas.Area], _ body: (SharedAreas) -> Void
    ) {
      // SAFETY: the pointer is used inside the closure only.
      unsafe samples.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        let area = unsafe SharedAreas.Area(
          base: base, width: width, height: height, sampleSize: MemoryLayout<Sample>.size)
        unsafe withAreas(areas + [area], body)
      }
    }
  }
#endif
