import Foundation

/// One encoder on one picture.
struct JPEGRow: Encodable {
  let picture: String
  let input: Input
  let quality: Int
  /// "libjpeg-turbo", or the kernels of ours.
  let encoder: String
  let threads: Int
  /// What the summary calls it.
  let key: String
  let milliseconds: Double
  /// Of all threads together; on one thread and an idle machine the same.
  let processorMilliseconds: Double
  let megapixelsPerSecond: Double
  /// How many times as fast as libjpeg-turbo on one thread; none without it.
  let ratio: Double?
  /// The same of processor time, which other programs' load changes less.
  let processorRatio: Double?
  let bytes: Int
  /// Decibels over all samples of the input.
  let psnr: Double

  var line: String {
    let ratios = [ratio, processorRatio].map { ($0.map { $0.formatted(2) } ?? "-").leftPadded(6) }
    return [
      picture.padded(30), input.rawValue.padded(7), "\(quality)".padded(3), encoder.padded(14), "\(threads)".padded(3),
      milliseconds.formatted(2).leftPadded(8), megapixelsPerSecond.formatted(0).leftPadded(6),
      ratios[0], processorMilliseconds.formatted(2).leftPadded(8), ratios[1],
      psnr.formatted(3).leftPadded(8), "\(bytes)".leftPadded(9),
    ].joined(separator: " ")
  }
}

/// All rows of a run, and their geometric means.
struct JPEGReport: Encodable {
  let machine: Machine
  /// The library that was measured beside ours; none where it is not installed.
  let peer: String?
  /// What a reader has to know before comparing figures.
  let note: String?
  var rows: [JPEGRow] = []
  /// The geometric mean over pictures and qualities of the ratio to libjpeg-turbo, as `input-threads-kernels`.
  var summary: [String: Double] = [:]
  /// The same of processor time.
  var processorSummary: [String: Double] = [:]

  init(machine: Machine, peer: String?, note: String?) {
    self.machine = machine
    self.peer = peer
    self.note = note
  }

  var heading: String {
    let peer =
      peer.map { "peer      \($0), one thread, accurate transform (islow)" } ?? "peer      none: \(Self.remedy)"
    let columns = [
      "picture".padded(30), "input".padded(7), "q".padded(3), "encoder".padded(14), "thr", "ms".leftPadded(8),
      "MP/s".leftPadded(6), "ratio".leftPadded(6), "cpu ms".leftPadded(8), "ratio".leftPadded(6),
      "PSNR dB".leftPadded(8), "bytes".leftPadded(9),
    ].joined(separator: " ")
    let lines = machine.lines + [peer]
    return (lines + (note.map { ["note      \($0)"] } ?? []) + ["", columns]).joined(separator: "\n")
  }

  private static let remedy = "libturbojpeg.so.0 is not here, so there are no ratios (apt-get install libturbojpeg0)"

  mutating func summarize() {
    for (key, rows) in Dictionary(grouping: rows.filter { $0.encoder != "libjpeg-turbo" }, by: \.key) {
      summary[key] = rows.compactMap(\.ratio).geometricMean
      processorSummary[key] = rows.compactMap(\.processorRatio).geometricMean
    }
  }

  var closing: String {
    if summary.isEmpty { return "" }
    let lines = summary.sorted { $0.key < $1.key }.map { key, ratio in
      let processor = processorSummary[key].map { $0.formatted(2) } ?? "-"
      return "\(key.padded(16)) \(ratio.formatted(2).leftPadded(6)) \(processor.leftPadded(6))"
    }
    return (["", "geometric means of the ratios: of time, of processor time"] + lines).joined(separator: "\n")
  }
}
