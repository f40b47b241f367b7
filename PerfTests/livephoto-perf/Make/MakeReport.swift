#if HEVC
  /// What one program, or all of the pipeline, took for a clip.
  struct MakeRow: Encodable {
    let name: String
    let cost: ProcessCost

    static let heading =
      "program".padded(32) + "wall ms".leftPadded(10) + "processor ms".leftPadded(14) + "peak MiB".leftPadded(10)

    var line: String {
      name.padded(32) + (cost.time.wall * 1000).formatted(1).leftPadded(10)
        + (cost.time.processor * 1000).formatted(1).leftPadded(14) + cost.peak.formatted(1).leftPadded(10)
    }
  }

  /// All rows of a run, and the figures that count.
  struct MakeReport: Encodable {
    let machine: Machine
    private(set) var rows: [MakeRow] = []
    /// The quality at which our still is as like the frame as the pipeline's.
    var quality = 0
    var ssim = 0.0
    var peerSSIM = 0.0
    var bytes = 0
    var peerBytes = 0
    /// What decoding H.264 took.
    var h264 = H264Benchmark.Result()
    var summary: [String: Double] = [:]
    var commands: [String] = []

    static let pipeline = "the pipeline"
    static let make = "livephoto make"
    static let copy = "livephoto make --still copy"
    static let jpeg = "livephoto make --format jpeg"

    init(machine: Machine) { self.machine = machine }

    var heading: String { machine.lines.joined(separator: "\n") }

    mutating func add(_ row: MakeRow) {
      rows.append(row)
      show(row.line)
    }

    /// The programs of the pipeline run one after the other.
    mutating func addPipeline(_ steps: [ProcessCost]) {
      guard var sum = steps.first else { return }
      for step in steps.dropFirst() {
        sum.time.wall += step.time.wall
        sum.time.processor += step.time.processor
        sum.peak = max(sum.peak, step.peak)
      }
      add(MakeRow(name: Self.pipeline, cost: sum))
    }

    private func cost(of name: String) -> ProcessCost? { rows.first { $0.name == name }?.cost }

    mutating func summarize() {
      guard let peer = cost(of: Self.pipeline), let ours = cost(of: Self.make) else { return }
      summary["wall-vs-pipeline"] = peer.time.wall / ours.time.wall
      summary["cpu-vs-pipeline"] = peer.time.processor / ours.time.processor
      summary["copy-ms"] = cost(of: Self.copy).map { $0.time.wall * 1000 }
      summary["peak-mib"] = ours.peak
      summary["h264-fps"] = Double(h264.frames) / h264.all
      summary["h264-key-frame-ms"] = h264.keyFrame * 1000
    }

    var closing: String {
      let lines = summary.sorted { $0.key < $1.key }.map {
        "\($0.key.padded(20)) \($0.value.formatted(2).leftPadded(9))"
      }
      return
        ([
          "",
          "still: quality \(quality), SSIM \(ssim.formatted(5)), \(bytes) bytes; heif-enc's default SSIM "
            + "\(peerSSIM.formatted(5)), \(peerBytes) bytes",
          h264.line,
          "", "summary: the pipeline's times over ours; ms and MiB of ours",
        ] + lines + ["", "what was run:"] + commands.map { "  \($0)" }).joined(separator: "\n")
    }
  }
#endif
