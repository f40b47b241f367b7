/// The planes of a picture that somebody else owns: luma, and two of chroma unless it is grey.
///
/// Whoever hands it out says how long the samples live.
@unsafe package struct PlanarPointers {
  /// One plane's samples.
  @unsafe package struct Rows {
    /// The first sample of the first row.
    package let base: UnsafeRawPointer
    /// Bytes from the start of one row to the start of the next.
    package let stride: Int

    /// Rows of samples, `stride` bytes apart.
    package init(_ base: UnsafeRawPointer, stride: Int) {
      unsafe self.base = unsafe base
      unsafe self.stride = stride
    }
  }

  /// Width and height in luma samples.
  package let width: Int, height: Int
  /// Chroma sampling and bits a sample: bytes at 8 bits, else words.
  package let format: PixelFormat
  /// What the sample values mean.
  package let color: ColorDescription
  /// The planes, each of the size that ``ChromaFormat/planeSize(_:width:height:)`` tells.
  package let planes: [Rows]

  /// Planes of a picture.
  ///
  /// - Precondition: there are as many planes as the format has.
  package init(width: Int, height: Int, format: PixelFormat, color: ColorDescription, planes: [Rows]) {
    precondition(unsafe planes.count == format.chroma.planeCount, "a format has so many planes")
    unsafe self.width = width
    unsafe self.height = height
    unsafe self.format = format
    unsafe self.color = color
    unsafe self.planes = unsafe planes
  }

  /// Some rows of the picture.
  ///
  /// - Precondition: they are in it, and begin on a chroma sample where chroma is halved.
  package func rows(_ range: Range<Int>) -> PlanarPointers {
    let shift = unsafe format.chroma.chromaShift.y
    precondition(
      unsafe range.lowerBound >= 0 && range.upperBound <= height && range.lowerBound & ((1 << shift) - 1) == 0,
      "rows of the picture")
    let parts = unsafe planes.enumerated().map { index, rows in
      let y = index == 0 ? range.lowerBound : range.lowerBound >> shift
      // SAFETY: the row is one of the picture.
      return unsafe Rows(rows.base + y * rows.stride, stride: rows.stride)
    }
    return unsafe PlanarPointers(width: width, height: range.count, format: format, color: color, planes: parts)
  }
}

extension PixelFormat {
  /// Bytes of a sample.
  package var sampleSize: Int { bitDepth > 8 ? 2 : 1 }
}

extension PlanarImage {
  /// A copy of a picture that somebody else owns.
  ///
  /// Its samples have to be alive.
  @unsafe package init(copying source: PlanarPointers) {
    let format = unsafe source.format
    let planes = unsafe source.planes.enumerated().map { index, rows in
      let size = unsafe format.chroma.planeSize(index, width: source.width, height: source.height)
      let samples: Plane.Samples =
        unsafe format.bitDepth > 8
        ? .words(Self.copy(rows, size, of: UInt16.self)) : .bytes(Self.copy(rows, size, of: UInt8.self))
      return Plane(width: size.width, height: size.height, samples: samples)
    }
    unsafe self.init(
      width: source.width, height: source.height, format: format, color: source.color, planes: planes)
  }

  private static func copy<Sample: BitwiseCopyable>(
    _ rows: PlanarPointers.Rows, _ size: (width: Int, height: Int), of type: Sample.Type
  ) -> [Sample] {
    // SAFETY: the caller vouches for the rows; the array has room for all of them, and all is written.
    unsafe [Sample](unsafeUninitializedCapacity: size.width * size.height) { buffer, count in
      let rowBytes = size.width * MemoryLayout<Sample>.size
      if let target = UnsafeMutableRawPointer(buffer.baseAddress) {
        for y in 0..<size.height {
          unsafe (target + y * rowBytes).copyMemory(from: rows.base + y * rows.stride, byteCount: rowBytes)
        }
      }
      count = size.width * size.height
    }
  }

  /// Calls `body` with the picture's own samples, which last as long as the call; nil where a plane is empty.
  @unsafe package func withPointers<Result>(_ body: (PlanarPointers) -> Result) -> Result? {
    unsafe withPointers([], body)
  }

  private func withPointers<Result>(_ rows: [PlanarPointers.Rows], _ body: (PlanarPointers) -> Result) -> Result? {
    guard unsafe rows.count < planes.count else {
      return unsafe body(PlanarPointers(width: width, height: height, format: format, color: color, planes: rows))
    }
    let plane = unsafe planes[rows.count]
    func lend(_ bytes: UnsafeRawBufferPointer) -> Result? {
      guard plane.width > 0, plane.height > 0, let base = bytes.baseAddress else { return nil }
      let next = unsafe PlanarPointers.Rows(base, stride: plane.stride * format.sampleSize)
      return unsafe withPointers(rows + [next], body)
    }
    // SAFETY: the pointers are used inside the closures only.
    return switch plane.samples {
    case .bytes(let samples): unsafe samples.withUnsafeBytes { unsafe lend($0) }
    case .words(let samples): unsafe samples.withUnsafeBytes { unsafe lend($0) }
    }
  }
}
