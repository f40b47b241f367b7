extension PlanarImage {
  /// Runs pieces of work that do not depend on each other: calls its second argument with each number below its first.
  package typealias Runner = (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void

  /// The planes of a picture without alpha, in bands of rows that `run` may have several threads convert.
  init?(
    opaque raster: RasterImage, chroma: ChromaFormat, color: ColorDescription, bands: Int, run: Runner
  ) {
    guard let converter = YCbCrConverter(raster, chroma: chroma, color: color) else { return nil }
    let (width, height, format) = (raster.width, raster.height, converter.format)
    guard width > 0, height > 0 else {
      self.init(width: width, height: height, format: format, color: color)
      return
    }
    // Bands begin where a chroma sample does.
    let wanted = max(1, min(bands, height)), band = ((height + wanted - 1) / wanted + 1) & ~1
    func convert(_ source: UnsafeRawBufferPointer, _ planes: [UnsafeMutableRawPointer]) {
      guard let base = source.baseAddress else { return }
      let memory = unsafe RasterMemory(source: base, planes: planes)
      run((height + band - 1) / band) { index in
        let rows = index * band..<min((index + 1) * band, height)
        // SAFETY: both are alive as long as this function runs, and bands share no sample of a plane.
        unsafe converter.convert(rows, of: memory.source, to: memory.planes)
      }
    }
    let sizes = (0..<chroma.planeCount).map { chroma.planeSize($0, width: width, height: height) }
    let samples: [Plane.Samples] =
      switch raster.samples {
      case .bytes(let bytes):
        // SAFETY: the samples are used inside the closure only, which writes all planes.
        unsafe bytes.withUnsafeBytes { source in
          unsafe Self.filled(sizes[...], []) { unsafe convert(source, $0) }.map { .bytes($0) }
        }
      case .words(let words):
        // SAFETY: as above.
        unsafe words.withUnsafeBytes { source in
          unsafe Self.filled(sizes[...], []) { unsafe convert(source, $0) }.map { .words($0) }
        }
      }
    self.init(
      width: width, height: height, format: format, color: color,
      planes: zip(sizes, samples).map { Plane(width: $0.width, height: $0.height, samples: $1) })
  }

  /// Samples of planes, none of them empty, that `body` writes; the pointers last as long as its call.
  private static func filled<Sample>(
    _ sizes: ArraySlice<(width: Int, height: Int)>, _ planes: [UnsafeMutableRawPointer],
    _ body: ([UnsafeMutableRawPointer]) -> Void
  ) -> [[Sample]] {
    guard let size = sizes.first else {
      // SAFETY: `body` vouches for what it writes.
      unsafe body(planes)
      return []
    }
    var others: [[Sample]] = []
    // SAFETY: the array has room for all samples, which `body` writes.
    let first = unsafe [Sample](unsafeUninitializedCapacity: size.width * size.height) { buffer, initialized in
      guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      others = unsafe filled(sizes.dropFirst(), planes + [base], body)
      initialized = size.width * size.height
    }
    return [first] + others
  }
}

/// A picture that several threads convert, each its own rows.
@unsafe private struct RasterMemory: @unchecked Sendable {
  let source: UnsafeRawPointer
  let planes: [UnsafeMutableRawPointer]
}
