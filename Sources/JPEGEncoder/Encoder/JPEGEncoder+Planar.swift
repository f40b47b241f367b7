public import LivePhotoCore
package import LivePhotoJPEGKernels

extension JPEGEncoder {
  /// Encodes planes of 8-bit samples that somebody else owns.
  ///
  /// The chroma planes have the size of luma, half its width, or half its width and height (odd sizes rounded up).
  /// Samples of the full range and BT.601's matrix (or none stated) are coded as they are; others are converted, each
  /// result rounded once. Chroma is averaged or repeated where ``subsampling`` differs from the planes'.
  ///
  /// - Throws: ``JPEGError`` when the quality or a size is out of range, the planes do not fit each other, the colour
  ///   cannot be converted or the metadata does not fit.
  public func encode(
    y: borrowing PlaneView, cb: borrowing PlaneView, cr: borrowing PlaneView, color: ColorDescription = .jfif,
    metadata: JPEGMetadata = JPEGMetadata()
  ) throws(JPEGError) -> [UInt8] {
    try encode(y: y, cb: cb, cr: cr, color: color, metadata: metadata, kernels: .best)
  }

  package func encode(
    y: borrowing PlaneView, cb: borrowing PlaneView, cr: borrowing PlaneView, color: ColorDescription,
    metadata: JPEGMetadata, kernels: KernelSet
  ) throws(JPEGError) -> [UInt8] {
    var workspace = Workspace(kernels: kernels), output: [UInt8] = []
    try encode(y: y, cb: cb, cr: cr, color: color, metadata: metadata, into: &output, reusing: &workspace)
    return output
  }

  /// Encodes planes of 8-bit samples into `output`, whose content is replaced and whose capacity is kept; see
  /// ``Workspace``.
  ///
  /// - Throws: ``JPEGError`` as the call that returns the bytes does; `output` is then unchanged.
  public func encode(
    y: borrowing PlaneView, cb: borrowing PlaneView, cr: borrowing PlaneView, color: ColorDescription = .jfif,
    metadata: JPEGMetadata = JPEGMetadata(), into output: inout [UInt8], reusing workspace: inout Workspace
  ) throws(JPEGError) {
    guard (cb.width, cb.height) == (cr.width, cr.height) else {
      throw .planesDoNotMatch("Cb is \(cb.width)x\(cb.height), Cr \(cr.width)x\(cr.height)")
    }
    let format = PixelFormat(try chromaFormat(width: y.width, height: y.height, chroma: (cb.width, cb.height)))
    let kind = try kind(width: y.width, height: y.height, format, color, metadata)
    let plan = try workspace.plan(for: kind)
    // SAFETY: each view holds the samples that its size and stride ask for; the planes are used in here only.
    y.withPlane { y in
      cb.withPlane { cb in
        cr.withPlane { cr in workspace.scan.encode([y, cb, cr], plan, to: &output) }
      }
    }
  }

  /// Encodes a picture of planes, 8 to 16 bits deep.
  ///
  /// Colour is treated as for borrowed planes, grey (4:0:0) is written grey, planes of G, B, R (matrix 0) are converted
  /// like RGB.
  ///
  /// - Throws: ``JPEGError`` when the quality, a size or the restart interval is out of range, the colour cannot be
  ///   converted or the metadata does not fit.
  public func encode(_ image: PlanarImage, metadata: JPEGMetadata = JPEGMetadata()) throws(JPEGError) -> [UInt8] {
    var workspace = Workspace(), output: [UInt8] = []
    try encode(image, metadata: metadata, into: &output, reusing: &workspace)
    return output
  }

  /// Encodes a picture of planes into `output`, whose content is replaced and whose capacity is kept; see
  /// ``Workspace``.
  ///
  /// - Throws: ``JPEGError`` as the call that returns the bytes does; `output` is then unchanged.
  public func encode(
    _ image: PlanarImage, metadata: JPEGMetadata = JPEGMetadata(), into output: inout [UInt8],
    reusing workspace: inout Workspace
  ) throws(JPEGError) {
    let kind = try kind(width: image.width, height: image.height, image.format, image.color, metadata)
    let plan = try workspace.plan(for: kind)
    // SAFETY: a plane holds the samples that its size and stride ask for; the planes are used in here only.
    image.planes[0].withPlane { y in
      guard image.planes.count == 3 else { return workspace.scan.encode([y, y, y], plan, to: &output) }
      image.planes[1].withPlane { cb in
        image.planes[2].withPlane { cr in workspace.scan.encode([y, cb, cr], plan, to: &output) }
      }
    }
  }

  private func kind(
    width: Int, height: Int, _ format: PixelFormat, _ color: ColorDescription, _ metadata: JPEGMetadata
  ) throws(JPEGError) -> PictureKind {
    if color.isHDR, highDynamicRange == .refused { throw .highDynamicRange(transfer: color.transfer) }
    if color.matrix == 0, format.chroma != .yuv444 {
      throw .planesDoNotMatch("G, B, R planes are all of the picture's size")
    }
    return PictureKind(
      encoder: self, width: width, height: height,
      subsampling: format.chroma == .yuv400 ? .gray : subsampling ?? JPEGSubsampling(format.chroma),
      metadata: metadata, planes: .init(format: format, color: color))
  }

  /// The format that chroma planes of this size belong to.
  private func chromaFormat(width: Int, height: Int, chroma: (Int, Int)) throws(JPEGError) -> ChromaFormat {
    func fits(_ format: ChromaFormat) -> Bool { format.planeSize(1, width: width, height: height) == chroma }
    // A picture one pixel wide or high can be several formats at once; the one that is asked for needs no resampling.
    switch subsampling {
    case .yuv422 where fits(.yuv422): return .yuv422
    case .yuv420 where fits(.yuv420): return .yuv420
    default: break
    }
    if fits(.yuv444) { return .yuv444 }
    if fits(.yuv422) { return .yuv422 }
    if fits(.yuv420) { return .yuv420 }
    throw .planesDoNotMatch("chroma is \(chroma.0)x\(chroma.1) beside luma of \(width)x\(height)")
  }
}

extension ScanEncoder {
  /// Encodes borrowed planes, of which a grey picture has one.
  fileprivate func encode(_ planes: [3 of PlanePointer], _ plan: EncodingPlan, to output: inout [UInt8]) {
    guard let kind = plan.kind.planes else { return }
    let sampling = plan.frame.subsampling
    if plan.conversion == nil, sampling == .gray || sampling == JPEGSubsampling(kind.format.chroma),
      let source = PlanarSource(planes)
    {
      return encode(source, plan, to: &output)
    }
    let count = kind.format.chroma == .yuv400 || (sampling == .gray && plan.conversion?.isRGB != true) ? 1 : 3
    let source = ConvertingSource(
      planes: planes, count: count, format: kind.format, conversion: plan.conversion ?? .identity)
    encode(source, plan, to: &output)
  }
}

/// A borrowed plane of samples of one byte or two.
///
/// Sendable by hand: the samples are only read, while their owner lends them.
@safe struct PlanePointer: @unchecked Sendable {
  @safe enum Samples {
    case bytes(UnsafePointer<UInt8>)
    case words(UnsafePointer<UInt16>)
  }

  let samples: Samples
  let width: Int, height: Int, stride: Int

  /// The samples of row `y`, which are of `type`.
  @inline(__always)
  func row<Sample>(_ y: Int, of type: Sample.Type) -> UnsafePointer<Sample> {
    // SAFETY: the caller's row is inside the plane, and its type that of the plane's samples.
    switch samples {
    case .bytes(let bytes): unsafe UnsafeRawPointer(bytes + y * stride).assumingMemoryBound(to: type)
    case .words(let words): unsafe UnsafeRawPointer(words + y * stride).assumingMemoryBound(to: type)
    }
  }
}

extension PlanarSource {
  /// The planes as they are; nil when they have samples of two bytes.
  init?(_ planes: [3 of PlanePointer]) {
    guard let y = Plane(planes[0]), let cb = Plane(planes[1]), let cr = Plane(planes[2]) else { return nil }
    self.planes = [y, cb, cr]
  }
}

extension PlanarSource.Plane {
  fileprivate init?(_ plane: PlanePointer) {
    guard case .bytes(let bytes) = plane.samples else { return nil }
    unsafe self.init(samples: bytes, width: plane.width, height: plane.height, stride: plane.stride)
  }
}

extension PlaneView {
  fileprivate borrowing func withPlane(_ body: (PlanePointer) -> Void) {
    let (width, height, stride) = (width, height, stride)
    unsafe samples.withUnsafeBufferPointer { samples in
      // An empty plane was refused before.
      guard let start = samples.baseAddress else { return }
      unsafe body(PlanePointer(samples: .bytes(start), width: width, height: height, stride: stride))
    }
  }
}

extension Plane {
  fileprivate func withPlane(_ body: (PlanePointer) -> Void) {
    switch samples {
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        unsafe body(PlanePointer(samples: .bytes(start), width: width, height: height, stride: stride))
      }
    case .words(let words):
      unsafe words.withUnsafeBufferPointer { words in
        guard let start = words.baseAddress else { return }
        unsafe body(PlanePointer(samples: .words(start), width: width, height: height, stride: stride))
      }
    }
  }
}
