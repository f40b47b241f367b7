#if HEVC
  import Foundation
  import LivePhotoCore

  /// Measures the bridge to x265 and libde265 beside what it is a bridge to.
  struct HEVCBenchmark {
    let options: Options

    func run() throws {
      let runner = try ProcessRunner()
      let frames = options.isQuick ? 24 : 30
      if options.inputs.count > 1 { throw UsageError("hevc takes one clip") }
      let clip =
        try options.inputs.first.map { try HEVCClip(URL(filePath: $0).path, frames: frames, in: runner) }
        ?? HEVCClip(frames: frames, in: runner)
      var report = HEVCReport(machine: .current(), clip: clip)
      show(report.heading)
      show("\n\(HEVCEncoding.heading)")
      for setting in settings(of: clip) {
        let comparison = try HEVCEncodeComparison(setting, clip, runner, rounds: options.isQuick ? 2 : 4)
        comparison.encodings.forEach { show($0.line) }
        report.encodings.append(comparison)
      }
      show("\n\(HEVCDecoding.heading)")
      for setting in settings(of: clip) where setting.preset == Self.decoded {
        let comparison = try HEVCDecodeComparison(setting, clip, runner, rounds: options.isQuick ? 4 : 10)
        comparison.decodings.forEach { show($0.line) }
        report.decodings.append(comparison)
      }
      report.commands = runner.commands
      report.summarize()
      show(report.closing)
      if let path = options.json { try report.prettyJSON().write(to: URL(filePath: path)) }
    }

    /// The preset whose streams are decoded.
    private static let decoded = "veryfast"

    private func settings(of clip: HEVCClip) -> [HEVCSetting] {
      let presets = options.isQuick ? ["ultrafast", Self.decoded] : ["ultrafast", Self.decoded, "medium"]
      let threads = options.isQuick ? [Threads.allCores.number] : Set([1, Threads.allCores.number]).sorted()
      return presets.flatMap { preset in
        clip.files.keys.sorted().flatMap { depth in
          threads.map { HEVCSetting(preset: preset, depth: depth, threads: $0) }
        }
      }
    }
  }

  /// All rows of a run, and the ratios that count.
  struct HEVCReport: Encodable {
    let machine: Machine
    let clip: String
    let peers: [String]
    var encodings: [HEVCEncodeComparison] = []
    var decodings: [HEVCDecodeComparison] = []
    /// The bridge's wall time over x265's and over libde265's: by setting, and the geometric means of all.
    var summary: [String: Double] = [:]
    /// The same of processor time.
    var processorSummary: [String: Double] = [:]
    var commands: [String] = []

    init(machine: Machine, clip: HEVCClip) {
      self.machine = machine
      self.clip = "\(clip.name), \(clip.width)x\(clip.height), \(clip.frames) frames"
      peers =
        ["libx265 \(LibX265.version)", "libde265 \(LibDe265.version)"]
        + ["x265", "ffmpeg"].map { ProcessRunner.isInstalled($0) ? $0 : "no \($0): it is not installed" }
    }

    var heading: String {
      (machine.lines + ["clip      \(clip)"] + peers.map { "peer      \($0)" }).joined(separator: "\n")
    }

    mutating func summarize() {
      summary = overheads(\.wall)
      processorSummary = overheads(\.processor)
    }

    private func overheads(_ time: KeyPath<Time, Double>) -> [String: Double] {
      var overheads: [String: Double] = [:]
      for comparison in encodings {
        let setting = comparison.setting
        overheads["encode-\(setting.preset)-\(setting.depth)-\(setting.threads)t"] =
          comparison.overhead(asProcess: false, time)
      }
      for comparison in decodings {
        let decoding = comparison.decodings[0]
        overheads["decode-\(decoding.depth)-\(decoding.threads)t"] = comparison.overhead(time)
      }
      overheads["encode-overhead"] = encodings.compactMap { $0.overhead(asProcess: false, time) }.geometricMean
      overheads["encode-process-overhead"] = encodings.compactMap { $0.overhead(asProcess: true, time) }.geometricMean
      overheads["decode-overhead"] = decodings.map { $0.overhead(time) }.geometricMean
      return overheads
    }

    var closing: String {
      let lines = summary.sorted { $0.key < $1.key }.map { key, value in
        let processor = processorSummary[key].map { $0.formatted(3) } ?? "-"
        return "\(key.padded(24)) \(value.formatted(3).leftPadded(7)) \(processor.leftPadded(7))"
      }
      return
        (["", "the bridge's time over that of x265 and libde265: wall, processor"] + lines
        + ["", "what was run:"] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
  }
#endif
