public import LivePhotoCore

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
    guard (cb.width, cb.height) == (cr.width, cr.height) else {
      throw .planesDoNotMatch("Cb is \(cb.width)x\(cb.height), Cr \(cr.width)x\(cr.height)")
    }
    let format = PixelFormat(try chromaFormat(width: y.width, height: y.height, chroma: (cb.width, cb.height)))
    let job = try planarJob(y.width, y.height, format, color, metadata, kernels)
    // SAFETY: each view holds the samples that its size and stride ask for; the planes are used in here only.
    return y.withPlane { y in
      cb.withPlane { cb in
        cr.withPlane { cr in job.run([y, cb, cr]) }
      }
    }
  }

  /// Encodes a picture of planes, 8 to 16 bits deep.
  ///
  /// Colour is treated as for borrowed planes, grey (4:0:0) is written grey, planes of G, B, R (matrix 0) are converted
  /// like RGB.
  ///
  /// - Throws: ``JPEGError`` when the quality or size is out of range, the colour cannot be converted or the metadata
  ///   does not fit.
  public func encode(_ image: PlanarImage, metadata: JPEGMetadata = JPEGMetadata()) throws(JPEGError) -> [UInt8] {
    try encode(image, metadata: metadata, kernels: .best)
  }

  package func encode(
    _ image: PlanarImage, metadata: JPEGMetadata, kernels: KernelSet
  ) throws(JPEGError) -> [UInt8] {
    let job = try planarJob(image.width, image.height, image.format, image.color, metadata, kernels)
    return collect(image.planes[...], []) { planes in job.run(planes) }
  }

  /// Borrows all of `planes`, one by one, and hands them to `body`.
  private func collect(
    _ planes: ArraySlice<Plane>, _ borrowed: [PlanePointer], _ body: ([PlanePointer]) -> [UInt8]
  ) -> [UInt8] {
    guard let plane = planes.first else { return body(borrowed) }
    // SAFETY: a plane holds the samples that its size and stride ask for.
    return plane.withPlane { collect(planes.dropFirst(), borrowed + [$0], body) }
  }

  private func planarJob(
    _ width: Int, _ height: Int, _ format: PixelFormat, _ color: ColorDescription, _ metadata: JPEGMetadata,
    _ kernels: KernelSet
  ) throws(JPEGError) -> PlanarJob {
    if color.isHDR, highDynamicRange == .refused { throw .highDynamicRange(transfer: color.transfer) }
    if color.matrix == 0, format.chroma != .yuv444 {
      throw .planesDoNotMatch("G, B, R planes are all of the picture's size")
    }
    let sampling = format.chroma == .yuv400 ? .gray : subsampling ?? JPEGSubsampling(format.chroma)
    let job = try EncodingJob(self, width: width, height: height, sampling, metadata, kernels)
    return PlanarJob(job: job, format: format, conversion: try ColorConversion(color, format))
  }

  private func chromaFormat(width: Int, height: Int, chroma: (Int, Int)) throws(JPEGError) -> ChromaFormat {
    // A picture one pixel wide or high can be several formats at once; the one that is asked for needs no resampling.
    let wanted = [ChromaFormat.yuv444, .yuv422, .yuv420].sorted { first, _ in subsampling == JPEGSubsampling(first) }
    for format in wanted where format.planeSize(1, width: width, height: height) == chroma { return format }
    throw .planesDoNotMatch("chroma is \(chroma.0)x\(chroma.1) beside luma of \(width)x\(height)")
  }
}

/// A picture of planes, checked and with its colour conversion.
private struct PlanarJob {
  let job: EncodingJob
  let format: PixelFormat
  let conversion: ColorConversion?

  func run(_ planes: [PlanePointer]) -> [UInt8] {
    let used = job.frame.subsampling == .gray && conversion?.isRGB != true ? Array(planes.prefix(1)) : planes
    let isDirect = job.frame.subsampling == .gray || JPEGSubsampling(format.chroma) == job.frame.subsampling
    if isDirect, conversion == nil, let source = PlanarSource(used) { return job.run(source) }
    let conversion = conversion ?? .identity
    return job.run(ConvertingSource(planes: used, format: format, conversion: conversion))
  }
}

/// A borrowed plane of samples of one byte or two.
@safe struct PlanePointer {
  @safe enum Samples {
    case bytes(UnsafePointer<UInt8>)
    case words(UnsafePointer<UInt16>)
  }

  let samples: Samples
  let width: Int, height: Int, stride: Int

  /// The sample in column `x` of row `y`, which lies in the plane.
  @inline(__always)
  func sample(_ x: Int, _ y: Int) -> Int {
    // SAFETY: the caller's column and row are inside the plane.
    switch samples {
    case .bytes(let bytes): unsafe Int(bytes[y * stride + x])
    case .words(let words): unsafe Int(words[y * stride + x])
    }
  }
}

extension PlanarSource {
  /// The planes as they are; nil when they have samples of two bytes.
  init?(_ planes: [PlanePointer]) {
    self.planes = planes.compactMap { plane in
      guard case .bytes(let bytes) = plane.samples else { return nil }
      return unsafe Plane(samples: bytes, width: plane.width, height: plane.height, stride: plane.stride)
    }
    guard self.planes.count == planes.count else { return nil }
  }
}

extension PlaneView {
  fileprivate borrowing func withPlane(_ body: (PlanePointer) -> [UInt8]) -> [UInt8] {
    let (width, height, stride) = (width, height, stride)
    return unsafe samples.withUnsafeBufferPointer { samples in
      // An empty plane was refused before.
      guard let start = samples.baseAddress else { return [] }
      return unsafe body(PlanePointer(samples: .bytes(start), width: width, height: height, stride: stride))
    }
  }
}

extension Plane {
  fileprivate func withPlane(_ body: (PlanePointer) -> [UInt8]) -> [UInt8] {
    switch samples {
    case .bytes(let bytes):
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return [] }
        return unsafe body(PlanePointer(samples: .bytes(start), width: width, height: height, stride: stride))
      }
    case .words(let words):
      unsafe words.withUnsafeBufferPointer { words in
        guard let start = words.baseAddress else { return [] }
        return unsafe body(PlanePointer(samples: .words(start), width: width, height: height, stride: stride))
      }
    }
  }
}
