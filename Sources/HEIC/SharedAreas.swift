#if HEVC
  internal import LivePhotoCore

  /// The planes of a picture that several threads write at once, each its own part of them.
  @unsafe struct SharedAreas: @unchecked Sendable {
    private let areas: [Area]
    private let format: PixelFormat

    /// A plane's samples, rows following each other without a gap.
    @unsafe fileprivate struct Area {
      var base: UnsafeMutableRawPointer
      var width: Int
      var height: Int
    }

    fileprivate init(_ areas: [Area], _ format: PixelFormat) {
      unsafe self.areas = areas
      unsafe self.format = format
    }

    /// Writes a picture from (`x`, `y`) on; what reaches beyond the planes is left out.
    ///
    /// Both have to be alive, and no other thread may write that part of the planes.
    func place(_ tile: PlanarPointers, x: Int, y: Int) {
      precondition(unsafe tile.format == format && x >= 0 && y >= 0, "samples of one kind")
      let (shift, sampleSize) = unsafe (format.chroma.chromaShift, format.sampleSize)
      for unsafe(index, rows) in unsafe tile.planes.enumerated() {
        let area = unsafe areas[index]
        let size = unsafe format.chroma.planeSize(index, width: tile.width, height: tile.height)
        let x = index == 0 ? x : x >> shift.x, y = index == 0 ? y : y >> shift.y
        let columns = unsafe min(size.width, area.width - x)
        guard columns > 0 else { continue }
        // SAFETY: both are alive, by the rule of this function; columns and rows are those of both.
        for row in 0..<max(0, unsafe min(size.height, area.height - y)) {
          unsafe (area.base + ((y + row) * area.width + x) * sampleSize).copyMemory(
            from: rows.base + row * rows.stride, byteCount: columns * sampleSize)
        }
      }
    }
  }

  extension PlanarImage {
    /// A picture whose samples, all of them, `body` writes; they last as long as the call.
    init(
      width: Int, height: Int, format: PixelFormat, color: ColorDescription, filledBy body: (SharedAreas) -> Void
    ) {
      var planes: [Plane] = []
      unsafe Self.allocate(width, height, format, areas: [], &planes, body)
      self.init(width: width, height: height, format: format, color: color, planes: planes.reversed())
    }

    /// Makes the planes behind those of `areas`, last one first.
    private static func allocate(
      _ width: Int, _ height: Int, _ format: PixelFormat, areas: [SharedAreas.Area], _ planes: inout [Plane],
      _ body: (SharedAreas) -> Void
    ) {
      let index = unsafe areas.count
      guard index < format.chroma.planeCount else { return unsafe body(SharedAreas(areas, format)) }
      let size = format.chroma.planeSize(index, width: width, height: height)
      func samples<Sample>() -> [Sample] {
        // SAFETY: the array has room for all samples, which `body` writes; the pointer is used inside the closure only.
        unsafe [Sample](unsafeUninitializedCapacity: size.width * size.height) { buffer, count in
          count = size.width * size.height
          guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
          let area = unsafe SharedAreas.Area(base: base, width: size.width, height: size.height)
          unsafe allocate(width, height, format, areas: areas + [area], &planes, body)
        }
      }
      let plane = Plane(
        width: size.width, height: size.height,
        samples: format.bitDepth > 8 ? .words(samples()) : .bytes(samples()))
      planes.append(plane)
    }
  }

  /// The pixels of a picture that several threads write at once, each its own part of them.
  @unsafe struct SharedPixels: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let width: Int
    private let height: Int
    private let converter: RGBConverter

    fileprivate init(_ base: UnsafeMutableRawPointer, _ width: Int, _ height: Int, _ converter: RGBConverter) {
      unsafe self.base = unsafe base
      unsafe self.width = width
      unsafe self.height = height
      unsafe self.converter = converter
    }

    /// Converts a picture to the pixels from (`x`, `y`) on; what reaches beyond them is left out.
    ///
    /// Both have to be alive, and no other thread may write these pixels.
    func place(_ tile: PlanarPointers, x: Int, y: Int) {
      precondition(x >= 0 && y >= 0, "a place in the picture")
      let columns = unsafe min(tile.width, width - x), rows = unsafe min(tile.height, height - y)
      guard columns > 0, rows > 0 else { return }
      // SAFETY: both are alive, by the rule of this function; columns and rows are those of both.
      let stride = unsafe width * converter.pixelSize
      unsafe converter.convert(
        tile, width: columns, height: rows, to: base + y * stride + x * converter.pixelSize, stride: stride)
    }
  }

  extension RasterImage {
    /// A picture whose pixels, all of them, `body` makes of planes; they last as long as the call.
    init(width: Int, height: Int, converter: RGBConverter, filledBy body: (SharedPixels) -> Void) {
      func samples<Sample>() -> [Sample] {
        let count = width * height * converter.channels.rawValue
        // SAFETY: the array has room for all samples, which `body` writes; the pointer is used inside the closure only.
        return unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
          initialized = count
          guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
          unsafe body(SharedPixels(base, width, height, converter))
        }
      }
      self.init(
        width: width, height: height, channels: converter.channels, bitDepth: converter.format.bitDepth,
        samples: converter.format.bitDepth > 8 ? .words(samples()) : .bytes(samples()))
    }
  }
#endif
