import LivePhotoJPEGKernels

/// Encodes a picture that comes row by row, and never is in memory as a whole: rows go in, bytes come out.
///
/// ```swift
/// var rows = try JPEGRowEncoder(JPEGEncoder(quality: 90), width: 20_000, height: 30_000, layout: .rgb)
/// while let strip = scanner.next() {
///   try rows.push(strip.pixels, into: &bytes)
///   try file.write(bytes.span)
///   bytes.removeAll(keepingCapacity: true)
/// }
/// try rows.finish(into: &bytes)
/// ```
///
/// The bytes are those of ``JPEGEncoder/encode(_:metadata:)``. Memory goes by the width alone. One thread works,
/// whatever the encoder says.
public struct JPEGRowEncoder: ~Copyable {
  /// Pixels a row.
  public let width: Int
  /// Rows of the picture.
  public let height: Int
  /// The order of the samples.
  public let layout: PixelLayout
  /// Rows pushed so far.
  public private(set) var rowCount = 0

  private let plan: EncodingPlan
  private let worker: BandWorker
  private let band = CodedBand()
  private let writer: ScanWriter
  /// Rows of an MCU row that is not complete yet.
  private var stage: [UInt8] = []

  /// Begins a picture of `width` × `height` pixels.
  ///
  /// - Throws: ``JPEGError`` when the quality, size or restart interval is out of range, the metadata does not fit, or
  ///   ``JPEGEncoder/optimizesHuffmanTables`` asks for what only a whole picture allows.
  public init(
    _ encoder: JPEGEncoder, width: Int, height: Int, layout: PixelLayout, metadata: JPEGMetadata = JPEGMetadata()
  ) throws(JPEGError) {
    guard !encoder.optimizesHuffmanTables else { throw .needsWholePicture }
    let kind = PictureKind(
      encoder: encoder, width: width, height: height,
      subsampling: layout == .gray ? .gray : encoder.subsampling ?? .yuv420, metadata: metadata)
    plan = try EncodingPlan(kind, kernels: .best)
    self.width = width
    self.height = height
    self.layout = layout
    worker = BandWorker(plan.frame)
    writer = ScanWriter(kernels: plan.kernels)
    stage.reserveCapacity(plan.frame.rowsPerMCU * width * layout.bytesPerPixel)
  }

  /// Takes the next rows, any number of them, and appends to `output` the bytes that they complete.
  ///
  /// - Throws: ``JPEGError/rowsDoNotMatch(_:)`` when the rows are of another width or layout, or more than are missing;
  ///   nothing is then taken.
  public mutating func push(_ rows: borrowing PixelView, into output: inout [UInt8]) throws(JPEGError) {
    guard rows.width == width, rows.layout == layout else {
      throw .rowsDoNotMatch("\(rows.width) pixels of \(rows.layout) in a picture of \(width) of \(layout)")
    }
    guard rows.height <= height - rowCount else {
      throw .rowsDoNotMatch("\(rows.height) rows where \(height - rowCount) of \(height) are missing")
    }
    let (count, stride) = (rows.height, rows.stride)
    // SAFETY: a view has `count` rows of `width` pixels, `stride` bytes apart.
    unsafe rows.bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress, count > 0 else { return }
      writer.write(to: &output) {
        if rowCount == 0 { writer.begin(plan, nil) }
        var taken = 0
        while taken < count {
          unsafe taken += take(start + taken * stride, count - taken, stride: stride)
        }
      }
    }
  }

  /// Ends the picture: appends the last bytes to `output`.
  ///
  /// - Throws: ``JPEGError/rowsDoNotMatch(_:)`` when rows are missing.
  public consuming func finish(into output: inout [UInt8]) throws(JPEGError) {
    guard rowCount == height else {
      throw .rowsDoNotMatch("\(rowCount) rows in a picture of \(height)")
    }
    writer.write(to: &output) { writer.finish() }
  }

  /// Takes some of `count` rows: a whole MCU row where it lies, or what completes the one that has begun.
  ///
  /// - Returns: how many were taken.
  private mutating func take(_ rows: UnsafePointer<UInt8>, _ count: Int, stride: Int) -> Int {
    let perMCU = plan.frame.rowsPerMCU
    let staged = rowCount % perMCU
    let missing = min(perMCU - staged, height - rowCount)
    if staged == 0, count >= missing {
      unsafe encode(rows, stride: stride)
      rowCount += missing
      return missing
    }
    let taken = min(missing, count), rowBytes = width * layout.bytesPerPixel
    for row in 0..<taken {
      // SAFETY: the row is one of those that are there.
      unsafe stage.append(contentsOf: UnsafeBufferPointer(start: rows + row * stride, count: rowBytes))
    }
    if taken == missing {
      unsafe stage.withUnsafeBufferPointer { staged in
        if let start = staged.baseAddress { unsafe encode(start, stride: rowBytes) }
      }
      stage.removeAll(keepingCapacity: true)
    }
    rowCount += taken
    return taken
  }

  /// Encodes the MCU row that the next row belongs to, all of whose rows are at `rows`.
  private func encode(_ rows: UnsafePointer<UInt8>, stride: Int) {
    let row = rowCount / plan.frame.rowsPerMCU, firstRow = row * plan.frame.rowsPerMCU
    band.begin(writer.takeTail())
    // SAFETY: the source reads the rows of this MCU row, which are there.
    if layout == .gray {
      let plane = unsafe PlanarSource.Plane(
        samples: rows, firstRow: firstRow, width: width, height: height, stride: stride)
      worker.code(row..<row + 1, of: PlanarSource(planes: InlineArray(repeating: plane)), plan, .standard, into: band)
    } else {
      let source = unsafe InterleavedSource(
        pixels: rows, firstRow: firstRow, width: width, height: height, stride: stride, layout: layout,
        kernels: plan.kernels)
      worker.code(row..<row + 1, of: source, plan, .standard, into: band)
    }
    writer.append(band)
  }
}
