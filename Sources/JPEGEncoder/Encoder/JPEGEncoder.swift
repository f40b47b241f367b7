/// A baseline JPEG encoder: a value that is configured once and used for any number of pictures, from any thread.
///
/// ```swift
/// let bytes = try JPEGEncoder(quality: 90, subsampling: .yuv420).encode(image)
/// ```
///
/// Output is sequential baseline JPEG (ITU-T T.81, SOF0) with the standard Huffman tables, full-range BT.601 YCbCr
/// (ITU-T T.871). A call blocks until the picture is encoded; it reads the pixels in place.
public struct JPEGEncoder: Sendable, Hashable {
  /// The largest width and height, in pixels: what common decoders accept.
  public static let maximumSide = 65_500

  /// 1 to 100, on the scale of the Independent JPEG Group's software: 50 is the standard's example tables.
  public var quality: Int
  /// The sampling of chroma in the file; nil keeps that of planes, and is 4:2:0 for RGB.
  ///
  /// Grey pictures are always written grey.
  public var subsampling: JPEGSubsampling?
  /// What is done with planes whose transfer is PQ or HLG.
  public var highDynamicRange = HighDynamicRange.refused

  /// What is done with pictures whose transfer is PQ or HLG, which an 8-bit JPEG does not show as they are meant.
  public enum HighDynamicRange: Sendable, Hashable {
    /// They are refused, with ``JPEGError/highDynamicRange(transfer:)``.
    case refused
    /// Their samples are written as they are, as if the curve were SDR.
    case asCoded
  }

  /// An encoder of the given quality and chroma sampling.
  public init(quality: Int = 90, subsampling: JPEGSubsampling? = nil) {
    self.quality = quality
    self.subsampling = subsampling
  }

  /// Encodes interleaved pixels.
  ///
  /// - Throws: ``JPEGError`` when the quality or size is out of range or the metadata does not fit.
  public func encode(_ image: borrowing PixelView, metadata: JPEGMetadata = JPEGMetadata()) throws(JPEGError) -> [UInt8]
  {
    try encode(image, metadata: metadata, kernels: .best)
  }

  package func encode(
    _ image: borrowing PixelView, metadata: JPEGMetadata, kernels: KernelSet
  ) throws(JPEGError) -> [UInt8] {
    let isGray = image.layout == .gray
    let job = try EncodingJob(
      self, width: image.width, height: image.height, isGray ? .gray : subsampling ?? .yuv420, metadata, kernels)
    let (width, height, stride, layout) = (image.width, image.height, image.stride, image.layout)
    // SAFETY: a view has `height` rows of `width` pixels, `stride` bytes apart, and the source is used in here only.
    return unsafe image.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return [] }
      guard isGray else {
        return unsafe job.run(
          InterleavedSource(
            pixels: start, width: width, height: height, stride: stride, layout: layout, kernels: kernels))
      }
      return unsafe job.run(
        PlanarSource(planes: [.init(samples: start, width: width, height: height, stride: stride)]))
    }
  }
}

/// One picture to be encoded: everything that is checked and built before the first sample is read.
struct EncodingJob {
  let frame: FrameLayout
  private let quantization: [QuantizationTable]
  private let quality: Int
  private let header: [UInt8]
  private let kernels: KernelSet

  init(
    _ encoder: JPEGEncoder, width: Int, height: Int, _ subsampling: JPEGSubsampling, _ metadata: JPEGMetadata,
    _ kernels: KernelSet
  ) throws(JPEGError) {
    guard (1...100).contains(encoder.quality) else { throw .qualityOutOfRange(encoder.quality) }
    let sides = 1...JPEGEncoder.maximumSide
    guard sides.contains(width), sides.contains(height) else {
      throw .sizeOutOfRange(width: width, height: height)
    }
    frame = FrameLayout(width: width, height: height, subsampling: subsampling)
    quality = encoder.quality
    quantization = [
      .standard(.luma, quality: encoder.quality), .standard(.chroma, quality: encoder.quality),
    ]
    header = try FileHeader(frame: frame, quantization: quantization).bytes(metadata)
    self.kernels = kernels
  }

  /// The whole file.
  func run(_ source: some SampleSource) -> [UInt8] {
    var output = header
    output.reserveCapacity(header.count + 1024 + frame.width * frame.height / 4)
    let transform = BlockTransform(quantization, quality: quality, kernels: kernels)
    ScanEncoder(frame, transform, kernels: kernels).encode(source, to: &output)
    output += [0xFF, 0xD9]
    return output
  }
}
