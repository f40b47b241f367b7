import LivePhotoJPEGKernels

/// What one thread needs to encode MCU rows; used again for one band after the other.
///
/// Sendable by hand: a call gives each of its threads one of its own.
final class BandWorker: @unchecked Sendable {
  private var row: MCURow
  private let predictions = AlignedBuffer<Int>(count: 3)
  /// The row that the predictions are for.
  private var nextRow = 0
  /// What ``count(_:of:_:)`` has counted of this picture.
  let counts = SymbolCounts()

  init(_ frame: FrameLayout) { row = MCURow(frame) }

  /// Begins a picture.
  func begin(_ frame: FrameLayout) {
    if !row.holds(frame) { row = MCURow(frame) }
    nextRow = 0
    counts.clear()
  }

  /// Codes the MCU rows `rows` of `source`; the band is complete then.
  func code(
    _ rows: Range<Int>, of source: some SampleSource, _ plan: EncodingPlan, _ tables: CodingTables,
    into band: CodedBand
  ) {
    let blocksPerMCU = plan.frame.blocksPerMCU
    unsafe walk(rows, source, plan, restart: { band.endPiece() }) { count, blocks in
      unsafe band.append(blocks: count * blocksPerMCU) { position in
        // SAFETY: the blocks are `count` MCUs of the row, the band has room for them, and `tables` outlives the call.
        unsafe plan.kernels.encodeMCUs(count, blocks, predictions.start, tables.entropy, position)
      }
    }
    band.endPiece()
  }

  /// Counts the symbols of the MCU rows `rows` of `source`.
  func count(_ rows: Range<Int>, of source: some SampleSource, _ plan: EncodingPlan) {
    unsafe walk(rows, source, plan, restart: {}) { count, blocks in
      // SAFETY: as above.
      unsafe counts.add(count, blocks, predictions.start)
    }
  }

  /// Transforms row by row and calls `body` with each run of MCUs between restarts.
  private func walk(
    _ rows: Range<Int>, _ source: some SampleSource, _ plan: EncodingPlan, restart: () -> Void,
    _ body: (_ count: Int, _ blocks: UnsafeBufferPointer<MCUBlock>) -> Void
  ) {
    let perRow = plan.frame.mcusPerRow
    predict(rows.lowerBound, source, plan)
    for index in rows {
      row.transform(index, source, plan)
      var mcu = 0
      while mcu < perRow {
        let number = index * perRow + mcu
        if plan.isRestart(number) {
          clearPredictions()
          restart()
        }
        let count = min(perRow - mcu, plan.untilRestart(number))
        unsafe body(count, row.blocks(of: mcu, plan.frame))
        mcu += count
      }
    }
    nextRow = rows.upperBound
  }

  /// Makes the predictions those for the first MCU of `index`: from the last MCU of the row above, unless they are
  /// there already.
  private func predict(_ index: Int, _ source: some SampleSource, _ plan: EncodingPlan) {
    if index == 0 { return clearPredictions() }
    guard index != nextRow, !plan.isRestart(index * plan.frame.mcusPerRow) else { return }
    row.transform(index - 1, from: plan.frame.lastPair, source, plan)
    unsafe row.predict(predictions.start, plan.frame)
  }

  private func clearPredictions() {
    // SAFETY: there are as many.
    unsafe predictions.start.update(repeating: 0, count: predictions.count)
  }
}
