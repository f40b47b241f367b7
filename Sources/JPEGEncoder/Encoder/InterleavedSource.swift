import LivePhotoJPEGKernels

/// Interleaved RGB pixels, converted row by row.
///
/// Sendable by hand: the pixels are only read, while their owner lends them.
@safe struct InterleavedSource: SampleSource, @unchecked Sendable {
  /// Pixels from row `firstRow` of the picture on.
  let pixels: UnsafePointer<UInt8>
  var firstRow: Int = 0
  let width: Int, height: Int, stride: Int
  let layout: PixelLayout
  let kernels: KernelSet

  func load(
    _ row: Int, from first: Int, _ frame: FrameLayout, to samples: UnsafeMutablePointer<UInt8>,
    scratch: UnsafeMutablePointer<UInt8>
  ) {
    let isTall = frame.maximumVertical == 2
    let lumaStride = frame.components[0].stride, last = frame.components.count - 1
    let blue = frame.components[min(1, last)], red = frame.components[last]
    for line in 0..<8 {
      let lumaLine = isTall ? line * 2 : line
      let above = row * frame.rowsPerMCU + lumaLine
      // Where a row is converted alone, the one below may not be there.
      let below = isTall ? above + 1 : above
      // SAFETY: `luma`, `blue` and `red` are rows of the buffers that the frame lays out.
      let luma = unsafe samples + lumaLine * lumaStride
      unsafe convert(
        (self.row(above), self.row(below)), from: first * 8 * frame.maximumHorizontal, frame.subsampling, scratch,
        (luma, luma + (isTall ? lumaStride : 0)),
        (samples + blue.sampleOffset + line * blue.stride, samples + red.sampleOffset + line * red.stride))
    }
  }

  /// Row `index`, or the last one below the picture.
  private func row(_ index: Int) -> UnsafePointer<UInt8> {
    // SAFETY: the index is that of a row of the picture.
    unsafe pixels + (min(index, height - 1) - firstRow) * stride
  }

  /// Converts one row, or two where chroma is of half height, from pixel `start` on, a multiple of 16.
  private func convert(
    _ rows: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), from start: Int,
    _ subsampling: JPEGSubsampling, _ scratch: UnsafeMutablePointer<UInt8>,
    _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
    _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
  ) {
    // The last 1 to 16 pixels are copied and continued, so that kernels read nothing behind them.
    let groups = (width - 1) / 16, size = layout.bytesPerPixel
    let tail = width - groups * 16
    // SAFETY: `scratch` holds two groups of 16 pixels of 4 bytes and more; kernels read one byte behind each.
    let copies = unsafe (first: scratch, second: scratch + 128)
    unsafe copyTail(rows.first + groups * 16 * size, tail, to: copies.first)
    unsafe copyTail(rows.second + groups * 16 * size, tail, to: copies.second)
    let (kernel, shift) = unsafe kernel(for: subsampling)
    unsafe kernel(
      (rows.first + start * size, rows.second + start * size), layout.rawValue, groups - start / 16,
      (luma.first + start, luma.second + start), (chroma.blue + start >> shift, chroma.red + start >> shift))
    unsafe kernel(
      (UnsafePointer(copies.first), UnsafePointer(copies.second)), layout.rawValue, 1,
      (luma.first + groups * 16, luma.second + groups * 16),
      (chroma.blue + groups * 16 >> shift, chroma.red + groups * 16 >> shift))
    if subsampling == .yuv411 {
      unsafe extendRow(chroma.blue, from: (groups + 1) * 4)
      unsafe extendRow(chroma.red, from: (groups + 1) * 4)
    }
  }

  private func kernel(for subsampling: JPEGSubsampling) -> (convert: ConvertRow, shift: Int) {
    switch subsampling {
    case .yuv444: unsafe (kernels.convert444, 0)
    case .yuv422: unsafe (kernels.convert422, 1)
    case .yuv420: unsafe (kernels.convert420, 1)
    case .yuv411: unsafe (kernels.convert411, 2)
    case .gray: unsafe (kernels.convertGray, 0)
    }
  }

  /// Copies the last `count` pixels of a row and repeats the very last up to 16.
  private func copyTail(_ pixels: UnsafePointer<UInt8>, _ count: Int, to copy: UnsafeMutablePointer<UInt8>) {
    let size = layout.bytesPerPixel
    // SAFETY: `count` pixels lie in the row, and the copy has room for 16.
    unsafe copy.update(from: pixels, count: count * size)
    for index in count * size..<16 * size { unsafe copy[index] = copy[index - size] }
  }
}
