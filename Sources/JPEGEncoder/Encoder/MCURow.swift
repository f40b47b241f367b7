import LivePhotoJPEGKernels

/// The samples and the quantised coefficients of one MCU row, in memory that serves one row after the other.
@safe struct MCURow: ~Copyable {
  private let samples: AlignedBuffer<UInt8>
  private let coefficients: AlignedBuffer<Int16>
  private let bitmaps: AlignedBuffer<UInt64>
  private let blocks = unsafe AlignedBuffer<MCUBlock>(count: FrameLayout.maximumBlocksPerMCU)

  private static let scratchSize = 256

  /// Memory for the rows of `frame`.
  init(_ frame: FrameLayout) {
    samples = AlignedBuffer(count: frame.bufferSamples + Self.scratchSize)
    coefficients = AlignedBuffer(count: frame.bufferBlocks * 64)
    bitmaps = AlignedBuffer(count: frame.bufferBlocks)
  }

  /// Whether the rows of `frame` fit.
  func holds(_ frame: FrameLayout) -> Bool {
    samples.count >= frame.bufferSamples + Self.scratchSize && bitmaps.count >= frame.bufferBlocks
  }

  /// Reads and transforms MCU row `row` of the picture, from MCU `first` on, an even number.
  func transform(_ row: Int, from first: Int = 0, _ source: some SampleSource, _ plan: EncodingPlan) {
    let frame = plan.frame
    // SAFETY: the buffers are laid out for one MCU row of this frame; see `init`.
    unsafe source.load(row, from: first, frame, to: samples.start, scratch: samples.start + frame.bufferSamples)
    for index in frame.components.indices { transform(row, from: first, index, source, plan) }
  }

  /// Transforms the blocks of one component in MCU row `row`.
  private func transform(
    _ row: Int, from first: Int, _ index: Int, _ source: some SampleSource, _ plan: EncodingPlan
  ) {
    let component = plan.frame.components[index]
    for line in 0..<component.vertical {
      let blockRow = row * component.vertical + line
      let block = component.blockOffset + line * component.blocksPerRow
      var pair = first * component.horizontal / 2
      let direct = unsafe source.direct(index, blockRow: blockRow)
      // SAFETY: blocks and samples lie in the buffers as the frame lays them out.
      if let direct = unsafe direct, unsafe direct.pairs > pair {
        unsafe plan.transform(
          direct.samples + pair * 16, stride: direct.stride, pairs: direct.pairs - pair, table: component.table,
          to: coefficients.start + (block + pair * 2) * 64, bitmaps.start + block + pair * 2)
        unsafe pair = direct.pairs
      }
      let samples = unsafe samples.start + component.sampleOffset + line * 8 * component.stride + pair * 16
      unsafe plan.transform(
        samples, stride: component.stride, pairs: component.blocksPerRow / 2 - pair, table: component.table,
        to: coefficients.start + (block + pair * 2) * 64, bitmaps.start + block + pair * 2)
      fillEdge(plan.frame, component, line, blockRow: blockRow, from: first)
    }
  }

  /// Gives blocks of an MCU that lie wholly outside the picture the DC of the block coded before and no AC: the
  /// fewest bits.
  private func fillEdge(
    _ frame: FrameLayout, _ component: FrameLayout.Component, _ line: Int, blockRow: Int, from first: Int
  ) {
    let isBelow = blockRow >= component.blocksHigh
    let outside = isBelow ? first * component.horizontal : component.blocksWide
    for column in outside..<frame.mcusPerRow * component.horizontal {
      let block = component.blockOffset + line * component.blocksPerRow + column
      // The first block of an MCU is never outside: what stands before another is in its line or the one above.
      let isFirst = column % component.horizontal == 0
      let previous = isFirst ? block - component.blocksPerRow + component.horizontal - 1 : block - 1
      // SAFETY: both blocks lie in the buffers.
      unsafe (coefficients.start + block * 64).update(repeating: 0, count: 64)
      unsafe coefficients.start[block * 64] = coefficients.start[previous * 64]
      unsafe bitmaps.start[block] = 0
    }
  }

  /// The blocks of MCU `mcu` of the row in the order of their coding, as kernels take them; valid until the next call.
  func blocks(of mcu: Int, _ frame: FrameLayout) -> UnsafeBufferPointer<MCUBlock> {
    var count = 0
    for index in frame.components.indices {
      let component = frame.components[index]
      for line in 0..<component.vertical {
        for column in 0..<component.horizontal {
          let block =
            component.blockOffset + line * component.blocksPerRow + mcu * component.horizontal + column
          // SAFETY: the block lies in the buffers; an MCU has no more blocks than there is room for.
          unsafe blocks.start[count] = (
            UnsafePointer(coefficients.start + block * 64), UnsafePointer(bitmaps.start + block),
            component.horizontal, index, component.table
          )
          count += 1
        }
      }
    }
    return unsafe UnsafeBufferPointer(start: blocks.start, count: count)
  }

  /// Stores the DC of the last block of each component, which those of the next row are predicted from.
  func predict(_ predictions: UnsafeMutablePointer<Int>, _ frame: FrameLayout) {
    for index in frame.components.indices {
      let component = frame.components[index]
      let line = component.blockOffset + (component.vertical - 1) * component.blocksPerRow
      // SAFETY: the block lies in the buffers; there is a prediction for each component.
      unsafe predictions[index] = Int(coefficients.start[(line + frame.mcusPerRow * component.horizontal - 1) * 64])
    }
  }
}
