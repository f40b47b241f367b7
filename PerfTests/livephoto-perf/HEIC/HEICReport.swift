#if HEVC
  import Foundation
  import PerfDecoders

  /// All that a run found, and its means.
  struct HEICReport: Encodable {
    let machine: Machine
    let peers: [String]
    /// What a reader has to know before comparing figures.
    let notes: [String]
    var encodings: [EncodeComparison] = []
    var decodings: [DecodeComparison] = []
    /// The figures that count: geometric means over pictures, the largest peak.
    var summary: [String: Double] = [:]
    /// The same ratios of processor time, which load on the machine changes less.
    var processorSummary: [String: Double] = [:]
    var commands: [String] = []

    init(machine: Machine, peers: [String], notes: [String]) {
      (self.machine, self.peers, self.notes) = (machine, peers, notes)
    }

    var heading: String {
      (machine.lines + peers.map { "peer      \($0)" } + notes.map { "note      \($0)" }).joined(separator: "\n")
    }

    mutating func summarize() {
      summary = means(\.wall)
      processorSummary = means(\.processor)
      func mean(_ ratio: (EncodeComparison) -> Double?) -> Double? { encodings.compactMap(ratio).geometricMean }
      summary["encode-bytes-at-ssim"] = mean { $0.bytes($0.ours) }
      summary["encode-slow-bytes-at-ssim"] = mean { $0.bytes($0.equalPreset) }
      summary["encode-core-use"] = mean(\.coreUse)
      summary["encode-peak-mib"] = encodings.flatMap(\.encodings).filter { $0.encoder == .ours }.map(\.cost.peak).max()
      summary["encode-bd-rate-ssim"] = encodings.compactMap(\.bdRate?.ssim).mean
      summary["encode-bd-rate-psnr"] = encodings.compactMap(\.bdRate?.psnr).mean
      summary["decode-peak-mib"] = decodings.first?.decoding(.planes, "livephoto")?.peak
    }

    /// The ratios of one kind of time.
    private func means(_ time: KeyPath<Time, Double>) -> [String: Double] {
      var means: [String: Double] = [:]
      means["encode-speedup-at-ssim"] = encodings.compactMap { $0.speedup($0.ours, time) }.geometricMean
      means["encode-slow-time-at-ssim"] =
        encodings.compactMap { $0.speedup($0.equalPreset, time).map { 1 / $0 } }.geometricMean
      for output in DecodeOutput.allCases {
        means["decode-\(output.rawValue)-speedup"] = decodings.compactMap { $0.speedup(output, time) }.geometricMean
        means["decode-\(output.rawValue)-large-per-pixel"] = perPixel(output, time)
      }
      return means
    }

    /// The time for a pixel of the second file over that for one of the first.
    private func perPixel(_ output: DecodeOutput, _ time: KeyPath<Time, Double>) -> Double? {
      guard decodings.count == 2, let first = decodings[0].decoding(output, "livephoto"),
        let second = decodings[1].decoding(output, "livephoto")
      else { return nil }
      return second.time[keyPath: time] / Double(second.pixels) * Double(first.pixels) / first.time[keyPath: time]
    }

    var closing: String {
      let lines = summary.sorted { $0.key < $1.key }.map { key, value in
        let processor = processorSummary[key].map { $0.formatted(3) } ?? "-"
        return "\(key.padded(30)) \(value.formatted(3).leftPadded(9)) \(processor.leftPadded(9))"
      }
      return
        (["", "summary: of wall time (or bytes, memory), of processor time"] + lines
        + ["", "what was run:"] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
  }

  extension EncodeComparison {
    /// heif-enc's time over ours.
    func speedup(_ bracket: QualityBracket?, _ time: KeyPath<Time, Double>) -> Double? {
      guard let peer, let bracket else { return nil }
      return peer.cost.time[keyPath: time] / bracket.above.cost.time[keyPath: time]
    }

    /// Our bytes over heif-enc's at the very same similarity.
    func bytes(_ bracket: QualityBracket?) -> Double? {
      guard let peer, let bracket else { return nil }
      return bracket.bytes / Double(peer.bytes)
    }
  }
#endif
