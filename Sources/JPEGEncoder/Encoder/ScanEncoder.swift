/// Codes a whole picture as one baseline scan, MCU row by MCU row.
struct ScanEncoder: ~Copyable {
  private let frame: FrameLayout
  private let kernels: KernelSet
  private let transform: BlockTransform
  private let samples: AlignedBuffer<UInt8>
  private let coefficients: AlignedBuffer<Int16>
  private let bitmaps: AlignedBuffer<UInt64>
  private let bits: AlignedBuffer<UInt8>
  private let stuffed: AlignedBuffer<UInt8>
  private let predictions = AlignedBuffer<Int>(count: 3)

  private static let scratchSize = 256

  init(_ frame: FrameLayout, _ transform: consuming BlockTransform, kernels: KernelSet) {
    self.frame = frame
    self.kernels = kernels
    self.transform = transform
    samples = AlignedBuffer(count: frame.bufferSamples + Self.scratchSize)
    coefficients = AlignedBuffer(count: frame.bufferBlocks * 64)
    bitmaps = AlignedBuffer(count: frame.bufferBlocks)
    bits = AlignedBuffer(count: frame.bufferBlocks * maximumBlockBytes + 16)
    stuffed = AlignedBuffer(count: 2 * bits.count + 16)
  }

  /// Appends the entropy-coded data of the picture to `output`, padded with ones to a whole byte.
  func encode(_ source: some SampleSource, to output: inout [UInt8]) {
    var pending: (bits: UInt64, count: Int) = (0, 0)
    for row in 0..<frame.mcuRows {
      // SAFETY: buffers are laid out for one MCU row of this frame; see `init`.
      unsafe source.load(row, frame, to: samples.start, scratch: samples.start + frame.bufferSamples)
      for component in frame.components.indices { transform(row, component, source) }
      let blocks = unsafe mcuBlocks()
      let end = unsafe blocks.withUnsafeBufferPointer {
        unsafe kernels.encodeMCUs(
          frame.mcusPerRow, $0, predictions.start, CodingTables.standard.entropy,
          (bits.start, pending.bits, pending.count))
      }
      append(unsafe end.out - bits.start, to: &output)
      pending = unsafe (end.bits, end.count)
    }
    guard pending.count > 0 else { return }
    let last = UInt8(truncatingIfNeeded: pending.bits >> 56) | 0xFF >> UInt8(pending.count)
    unsafe bits.start[0] = last
    append(1, to: &output)
  }

  /// Stuffs the first `count` bytes of `bits` and appends them to `output`.
  private func append(_ count: Int, to output: inout [UInt8]) {
    // SAFETY: `stuffed` has room for twice as many bytes as `bits`.
    let end = unsafe kernels.stuff(bits.start, count, stuffed.start)
    unsafe output.append(contentsOf: UnsafeBufferPointer(start: stuffed.start, count: end - stuffed.start))
  }

  /// Transforms the blocks of one component in MCU row `row`.
  private func transform(_ row: Int, _ index: Int, _ source: some SampleSource) {
    let component = frame.components[index]
    for line in 0..<component.vertical {
      let block = component.blockOffset + line * component.blocksPerRow
      let direct = unsafe source.direct(index, blockRow: row * component.vertical + line)
      // SAFETY: blocks and samples lie in the buffers as the frame lays them out.
      if let direct = unsafe direct {
        unsafe transform(
          direct.samples, stride: direct.stride, pairs: direct.pairs, table: component.table,
          to: coefficients.start + block * 64, bitmaps.start + block)
      }
      let done = unsafe direct?.pairs ?? 0
      let first = unsafe samples.start + component.sampleOffset + line * 8 * component.stride + done * 16
      unsafe transform(
        first, stride: component.stride, pairs: component.blocksPerRow / 2 - done, table: component.table,
        to: coefficients.start + (block + done * 2) * 64, bitmaps.start + block + done * 2)
      fillEdge(component, line, blockRow: row * component.vertical + line)
    }
  }

  /// Gives blocks of an MCU that lie wholly outside the picture the DC of the block coded before and no AC: the
  /// fewest bits.
  private func fillEdge(_ component: FrameLayout.Component, _ line: Int, blockRow: Int) {
    let isBelow = blockRow >= component.blocksHigh
    for column in (isBelow ? 0 : component.blocksWide)..<frame.mcusPerRow * component.horizontal {
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

  /// The blocks of the first MCU in the buffers, in the order of their coding.
  private func mcuBlocks() -> [MCUBlock] {
    var blocks: [MCUBlock] = unsafe []
    for (index, component) in frame.components.enumerated() {
      for line in 0..<component.vertical {
        for column in 0..<component.horizontal {
          let block = component.blockOffset + line * component.blocksPerRow + column
          // SAFETY: the block lies in the buffers.
          unsafe blocks.append(
            (
              UnsafePointer(coefficients.start + block * 64), UnsafePointer(bitmaps.start + block),
              component.horizontal, index, component.table
            ))
        }
      }
    }
    return unsafe blocks
  }
}
