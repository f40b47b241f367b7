import Dispatch
import LivePhotoCore
import LivePhotoJPEGKernels
import Synchronization

/// Codes whole pictures as one baseline scan, on one thread or on several; keeps its memory from one to the next.
final class ScanEncoder {
  private let kernels: KernelSet
  private let writer: ScanWriter
  private let band = CodedBand()
  private var spare: [CodedBand] = []
  private var workers: [BandWorker] = []

  init(kernels: KernelSet) {
    self.kernels = kernels
    writer = ScanWriter(kernels: kernels)
  }

  /// Replaces the content of `output` by the whole file.
  func encode(_ source: some SampleSource, _ plan: EncodingPlan, to output: inout [UInt8]) {
    let frame = plan.frame
    let bands = BandLayout(frame)
    let threads = min(plan.kind.encoder.threads.number, bands.count)
    while workers.count < threads { workers.append(BandWorker(frame)) }
    output.removeAll(keepingCapacity: true)
    output.reserveCapacity(1024 + frame.width * frame.height / 4)

    let tables = plan.kind.encoder.optimizesHuffmanTables ? shortestTables(source, plan, bands, threads) : nil
    let coding = tables.map { CodingTables($0) } ?? .standard
    for index in 0..<threads { workers[index].begin(frame) }
    writer.write(to: &output) {
      writer.begin(plan, tables)
      if threads == 1 {
        code(source, plan, coding)
      } else {
        code(source, plan, coding, bands, threads)
      }
      writer.finish()
    }
  }

  /// Codes row by row on the calling thread: each begins where the last one ended, so nothing is shifted.
  private func code(_ source: some SampleSource, _ plan: EncodingPlan, _ tables: CodingTables) {
    for row in 0..<plan.frame.mcuRows {
      band.begin(writer.takeTail())
      workers[0].code(row..<row + 1, of: source, plan, tables, into: band)
      writer.append(band)
    }
  }

  /// Codes bands of rows on `threads` threads; whoever finishes the one that is due writes it.
  private func code(
    _ source: some SampleSource, _ plan: EncodingPlan, _ tables: CodingTables, _ bands: BandLayout, _ threads: Int
  ) {
    let queue = BandQueue(count: bands.count, threads: threads, writer: writer, spare: spare)
    DispatchQueue.concurrentPerform(iterations: threads) { [workers] thread in
      while let band = queue.next() {
        band.begin(BitTail())
        workers[thread].code(bands.rows(of: band.index), of: source, plan, tables, into: band)
        queue.finish(band)
      }
    }
    spare = queue.takeSpare()
  }

  /// Transforms the picture to count its symbols; doing so twice costs no more than keeping the coefficients would,
  /// and no memory.
  private func shortestTables(
    _ source: some SampleSource, _ plan: EncodingPlan, _ bands: BandLayout, _ threads: Int
  ) -> HuffmanTables {
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: threads) { [workers] thread in
      let worker = workers[thread]
      worker.begin(plan.frame)
      while true {
        let band = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard band < bands.count else { break }
        worker.count(bands.rows(of: band), of: source, plan)
      }
    }
    let total = SymbolCounts()
    for worker in workers[..<threads] { total.add(worker.counts) }
    return total.tables(hasChroma: plan.frame.components.count > 1)
  }
}
