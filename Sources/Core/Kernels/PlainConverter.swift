/// RGB from planes one sample at a time: for what is too short for vectors, and what these are held against.
struct PlainConverter {
  let matrix: YCbCrMatrix
  let format: PixelFormat

  /// Converts some columns of row `y`, which begins at `output`.
  @unsafe func convert(_ source: PlanarPointers, y: Int, columns: Range<Int>, to output: UnsafeMutableRawPointer) {
    switch (format.chroma == .yuv400, format.bitDepth > 8) {
    case (true, false): unsafe gray(source, y, columns, output.assumingMemoryBound(to: UInt8.self))
    case (true, true): unsafe gray(source, y, columns, output.assumingMemoryBound(to: UInt16.self))
    case (false, false): unsafe rgb(source, y, columns, output.assumingMemoryBound(to: UInt8.self))
    case (false, true): unsafe rgb(source, y, columns, output.assumingMemoryBound(to: UInt16.self))
    }
  }

  private func gray<Sample: FixedWidthInteger>(
    _ source: PlanarPointers, _ y: Int, _ columns: Range<Int>, _ output: UnsafeMutablePointer<Sample>
  ) {
    // SAFETY: the caller of `convert` vouches for the row and for room in the output; so below.
    let luma = unsafe source.planes[0].row(y, of: Sample.self)
    for x in columns {
      let value = unsafe matrix.sample((Int(luma[x]) - matrix.lumaZero) * matrix.luma)
      unsafe output[x] = Sample(truncatingIfNeeded: value)
    }
  }

  private func rgb<Sample: FixedWidthInteger>(
    _ source: PlanarPointers, _ y: Int, _ columns: Range<Int>, _ output: UnsafeMutablePointer<Sample>
  ) {
    let shift = format.chroma.chromaShift
    let first = unsafe source.planes[0].row(y, of: Sample.self)
    let second = unsafe source.planes[1].row(y >> shift.y, of: Sample.self)
    let third = unsafe source.planes[2].row(y >> shift.y, of: Sample.self)
    for x in columns {
      let at = x >> shift.x
      let pixel = unsafe matrix.rgb(Int(first[x]), Int(second[at]), Int(third[at]))
      unsafe output[3 * x] = Sample(truncatingIfNeeded: pixel.red)
      unsafe output[3 * x + 1] = Sample(truncatingIfNeeded: pixel.green)
      unsafe output[3 * x + 2] = Sample(truncatingIfNeeded: pixel.blue)
    }
  }
}

extension PlanarPointers.Rows {
  /// The samples of a row.
  @inline(__always)
  func row<Sample>(_ y: Int, of type: Sample.Type) -> UnsafePointer<Sample> {
    // SAFETY: the owner vouches for the rows, whose samples are of that type.
    unsafe (base + y * stride).assumingMemoryBound(to: Sample.self)
  }
}
