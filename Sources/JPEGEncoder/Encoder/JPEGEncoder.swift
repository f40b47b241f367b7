public import LivePhotoCore
package import LivePhotoJPEGKernels

/// A baseline JPEG encoder: a value that is configured once and used for any number of pictures, from any thread.
///
/// ```swift
/// let bytes = try JPEGEncoder(quality: 90, subsampling: .yuv420).encode(image)
/// ```
///
/// Output is sequential baseline JPEG (ITU-T T.81, SOF0) in one scan, full-range BT.601 YCbCr (ITU-T T.871). A call
/// blocks until the picture is encoded; it reads the pixels in place. Many pictures in a row are encoded without
/// allocating through a ``Workspace``; pictures too large for memory through ``JPEGRowEncoder``.
public struct JPEGEncoder: Sendable, Hashable {
  /// The largest width and height, in pixels: what common decoders accept.
  public static let maximumSide = 65_500

  /// 1 to 100, on the scale of the Independent JPEG Group's software: 50 is the standard's example tables.
  public var quality: Int
  /// The sampling of chroma in the file; nil keeps that of planes, and is 4:2:0 for RGB.
  ///
  /// Grey pictures are always written grey.
  public var subsampling: JPEGSubsampling?
  /// How many threads encode one picture; the bytes do not depend on it.
  public var threads: Threads
  /// The quantisation tables; nil for the standard's, scaled to ``quality``.
  public var quantization: JPEGQuantizationTables?
  /// Where restart markers stand; nil for none.
  public var restartInterval: JPEGRestartInterval?
  /// Whether the Huffman tables are the shortest for the picture (ITU-T T.81, K.2) instead of the standard's.
  ///
  /// The file is 2 to 10 % smaller, and encoding takes about twice as long: the picture is transformed once more, to
  /// count.
  public var optimizesHuffmanTables = false
  /// What is done with planes whose transfer is PQ or HLG.
  public var highDynamicRange = HighDynamicRange.refused

  /// What is done with pictures whose transfer is PQ or HLG, which an 8-bit JPEG does not show as they are meant.
  public enum HighDynamicRange: Sendable, Hashable {
    /// They are refused, with ``JPEGError/highDynamicRange(transfer:)``.
    case refused
    /// Their samples are written as they are, as if the curve were SDR.
    case asCoded
  }

  /// An encoder of the given quality and chroma sampling, on one thread unless told otherwise.
  public init(quality: Int = 90, subsampling: JPEGSubsampling? = nil, threads: Threads = .count(1)) {
    self.quality = quality
    self.subsampling = subsampling
    self.threads = threads
  }

  /// Encodes interleaved pixels.
  ///
  /// - Throws: ``JPEGError`` when the quality, size or restart interval is out of range or the metadata does not fit.
  public func encode(_ image: borrowing PixelView, metadata: JPEGMetadata = JPEGMetadata()) throws(JPEGError) -> [UInt8]
  {
    try encode(image, metadata: metadata, kernels: .best)
  }

  package func encode(
    _ image: borrowing PixelView, metadata: JPEGMetadata, kernels: KernelSet
  ) throws(JPEGError) -> [UInt8] {
    var workspace = Workspace(kernels: kernels), output: [UInt8] = []
    try encode(image, metadata: metadata, into: &output, reusing: &workspace)
    return output
  }

  /// Encodes interleaved pixels into `output`, whose content is replaced and whose capacity is kept; see
  /// ``Workspace``.
  ///
  /// - Throws: ``JPEGError`` as the call that returns the bytes does; `output` is then unchanged.
  public func encode(
    _ image: borrowing PixelView, metadata: JPEGMetadata = JPEGMetadata(), into output: inout [UInt8],
    reusing workspace: inout Workspace
  ) throws(JPEGError) {
    let plan = try workspace.plan(for: kind(of: image, metadata))
    let (width, height, stride, layout) = (image.width, image.height, image.stride, image.layout)
    // SAFETY: a view has `height` rows of `width` pixels, `stride` bytes apart, and the source is used in here only.
    unsafe image.bytes.withUnsafeBufferPointer { bytes in
      // A picture without pixels was refused before.
      guard let start = bytes.baseAddress else { return }
      if layout == .gray {
        let plane = unsafe PlanarSource.Plane(samples: start, width: width, height: height, stride: stride)
        workspace.scan.encode(PlanarSource(planes: InlineArray(repeating: plane)), plan, to: &output)
      } else {
        let source = unsafe InterleavedSource(
          pixels: start, width: width, height: height, stride: stride, layout: layout, kernels: plan.kernels)
        workspace.scan.encode(source, plan, to: &output)
      }
    }
  }

  private func kind(of image: borrowing PixelView, _ metadata: JPEGMetadata) -> PictureKind {
    PictureKind(
      encoder: self, width: image.width, height: image.height,
      subsampling: image.layout == .gray ? .gray : subsampling ?? .yuv420, metadata: metadata)
  }
}
