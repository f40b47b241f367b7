/// Converts rows of planes to interleaved RGB of full range, or grey, of the same depth (ITU-T H.273, 8.3).
///
/// Each chroma sample stands for all its pixels. The samples are those of ``YCbCrMatrix``, whose fixed point the vector
/// code keeps to the last bit.
package struct RGBConverter: Sendable {
  /// What the planes hold.
  package let format: PixelFormat
  let matrix: YCbCrMatrix
  private let kernel: RGBKernel

  /// A converter; nil where the matrix is not one that is known here, or is the identity with other chroma than 4:4:4.
  package init?(_ format: PixelFormat, color: ColorDescription) {
    guard let matrix = YCbCrMatrix(color, bitDepth: format.bitDepth) else { return nil }
    if matrix.isIdentity, format.chroma != .yuv444 { return nil }
    self.format = format
    self.matrix = matrix
    kernel = RGBKernel(matrix, format)
  }

  /// What a pixel becomes: grey where there is no chroma.
  package var channels: RasterImage.Channels { format.chroma == .yuv400 ? .gray : .rgb }

  /// Bytes of a pixel.
  package var pixelSize: Int { channels.rawValue * format.sampleSize }

  /// Converts the first `width` pixels of the first `height` rows, which begin `stride` bytes apart in `output`.
  ///
  /// The source has to be alive, of this format and at least of that size; nothing else of the output is touched.
  @unsafe package func convert(
    _ source: PlanarPointers, width: Int, height: Int, to output: UnsafeMutableRawPointer, stride: Int
  ) {
    precondition(
      unsafe source.format == format && width <= source.width && height <= source.height, "a picture of the format")
    let plain = PlainConverter(matrix: matrix, format: format)
    let shift = format.chroma.chromaShift.y
    unsafe withUnsafeTemporaryAllocation(byteCount: kernel.scratchSize(width: width) + 16, alignment: 16) { scratch in
      guard let scratch = scratch.baseAddress else { return }
      // SAFETY: the caller vouches for source and output, and rows and columns are those of both.
      for y in 0..<height {
        if y & ((1 << shift) - 1) == 0 { unsafe kernel.prepare(source, y: y, width: width, scratch) }
        let row = unsafe output + y * stride
        unsafe kernel.convert(source, y: y, width: width, scratch, to: row)
        unsafe plain.convert(source, y: y, columns: width & ~15..<width, to: row)
      }
    }
  }

  /// Converts as ``convert(_:width:height:to:stride:)`` does, one sample at a time: what the vector code is held against.
  @unsafe package func convertPlainly(
    _ source: PlanarPointers, width: Int, height: Int, to output: UnsafeMutableRawPointer, stride: Int
  ) {
    let plain = PlainConverter(matrix: matrix, format: format)
    // SAFETY: as above.
    for y in 0..<height { unsafe plain.convert(source, y: y, columns: 0..<width, to: output + y * stride) }
  }
}

extension PlanarImage {
  /// The picture as RGB (grey where there is no chroma), of the same depth.
  ///
  /// Chroma is not interpolated: each of its samples stands for all its pixels. An unspecified matrix is read as
  /// BT.601.
  ///
  /// - Returns: nil where the matrix is not one that is known here, such as YCgCo.
  public func raster() -> RasterImage? {
    guard let converter = RGBConverter(format, color: color) else { return nil }
    let count = width * height * converter.channels.rawValue
    return RasterImage(
      width: width, height: height, channels: converter.channels, bitDepth: format.bitDepth,
      samples: format.bitDepth > 8 ? .words(samples(count, converter)) : .bytes(samples(count, converter)))
  }

  private func samples<Sample: BitwiseCopyable>(_ count: Int, _ converter: RGBConverter) -> [Sample] {
    // SAFETY: the array has room for all rows, and all are written, unless there are none.
    unsafe [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      guard let output = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      unsafe withPointers {
        unsafe converter.convert($0, width: width, height: height, to: output, stride: width * converter.pixelSize)
      }
    }
  }
}
