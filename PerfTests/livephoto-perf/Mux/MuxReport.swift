/// What one program took for a movie.
struct MuxRow: Encodable {
  let name: String
  let cost: ProcessCost

  static let heading =
    "program".padded(26) + "wall ms".leftPadded(10) + "processor ms".leftPadded(14) + "peak MiB".leftPadded(10)
    + "wall / cp's".leftPadded(13)

  func line(_ reference: ProcessCost?) -> String {
    let ratio = reference.map { (cost.time.wall / $0.time.wall).formatted(2) } ?? "-"
    return name.padded(26) + (cost.time.wall * 1000).formatted(1).leftPadded(10)
      + (cost.time.processor * 1000).formatted(1).leftPadded(14) + cost.peak.formatted(1).leftPadded(10)
      + ratio.leftPadded(13)
  }
}

/// What it took to open a movie.
struct Opening: Encodable {
  let samples: Int
  private(set) var ours: ProcessCost?
  private(set) var peer: ProcessCost?

  init(samples: Int) { self.samples = samples }

  mutating func add(_ cost: ProcessCost, toPeer isPeer: Bool) {
    if isPeer {
      peer?.combine(cost)
      peer = peer ?? cost
    } else {
      ours?.combine(cost)
      ours = ours ?? cost
    }
  }

  /// ffprobe's time over ours.
  func speedup(_ time: KeyPath<Time, Double>) -> Double? {
    guard let ours, let peer else { return nil }
    return peer.time[keyPath: time] / ours.time[keyPath: time]
  }

  static let heading =
    "samples".padded(10) + "ours: wall, processor ms, MiB".leftPadded(32)
    + "ffprobe: wall, processor ms, MiB".leftPadded(36) + "ffprobe / ours".leftPadded(18)

  var line: String {
    func text(_ cost: ProcessCost?) -> String {
      guard let cost else { return "-" }
      return (cost.time.wall * 1000).formatted(1).leftPadded(8)
        + (cost.time.processor * 1000).formatted(1).leftPadded(8)
        + cost.peak.formatted(1).leftPadded(8)
    }
    return "\(samples)".padded(10) + text(ours).leftPadded(32) + text(peer).leftPadded(36)
      + (speedup(\.wall)?.formatted(2) ?? "-").leftPadded(18)
  }
}

/// All rows of a run, and the figures that count.
struct MuxReport: Encodable {
  let machine: Machine
  let peers: [String]
  private(set) var rows: [MuxRow] = []
  /// The call that pairs in place, in a process that runs already.
  private(set) var inPlaceCall: Time?
  var openings: [Opening] = []
  /// Of wall time, but for the peak.
  var summary: [String: Double] = [:]
  /// The same of processor time.
  var processorSummary: [String: Double] = [:]
  var commands: [String] = []

  static let inPlace = "livephoto pair --in-place"

  init(machine: Machine, peers: [String]) { (self.machine, self.peers) = (machine, peers) }

  var heading: String { (machine.lines + ["peers     \(peers.joined(separator: ", "))"]).joined(separator: "\n") }

  mutating func add(_ row: MuxRow) {
    rows.append(row)
    show(row.line(cost(of: "cp")))
  }

  mutating func setInPlaceCall(_ time: Time) {
    inPlaceCall = time
    show(
      "PairMaker.pairInPlace".padded(28) + " the call: \((time.wall * 1000).formatted(1)) ms, "
        + "\((time.processor * 1000).formatted(1)) of the processor")
  }

  private func cost(of name: String) -> ProcessCost? { rows.first { $0.name == name }?.cost }

  mutating func summarize() {
    summary = figures(\.wall)
    processorSummary = figures(\.processor)
    summary["pair-peak-mib"] = cost(of: "livephoto pair")?.peak
  }

  private func figures(_ time: KeyPath<Time, Double>) -> [String: Double] {
    var figures: [String: Double] = [:]
    if let copy = cost(of: "cp") {
      for (key, name) in [("pair", "livephoto pair"), ("ffmpeg", "ffmpeg -c copy"), ("exiftool", "exiftool")] {
        figures["\(key)-vs-cp"] = cost(of: name).map { $0.time[keyPath: time] / copy.time[keyPath: time] }
      }
    }
    figures["inplace-ms"] = inPlaceCall.map { $0[keyPath: time] * 1000 }
    figures["inplace-process-ms"] = cost(of: Self.inPlace).map { $0.time[keyPath: time] * 1000 }
    figures["open-1m-samples-vs-ffprobe"] = openings.first { $0.samples == 1_000_000 }?.speedup(time)
    figures["open-ns-a-sample-to-100k"] = costOfSample(upTo: 100_000, time)
    figures["open-ns-a-sample-to-1m"] = costOfSample(upTo: 1_000_000, time)
    return figures
  }

  /// Nanoseconds that each sample adds to opening a movie of 1000: the same for any number, where cost is linear.
  private func costOfSample(upTo count: Int, _ time: KeyPath<Time, Double>) -> Double? {
    guard let first = openings.first, let last = openings.first(where: { $0.samples == count }),
      let start = first.ours?.time[keyPath: time], let end = last.ours?.time[keyPath: time]
    else { return nil }
    return (end - start) / Double(count - first.samples) * 1e9
  }

  var closing: String {
    let lines = summary.sorted { $0.key < $1.key }.map { key, value in
      let processor = processorSummary[key].map { $0.formatted(2) } ?? "-"
      return "\(key.padded(30)) \(value.formatted(2).leftPadded(9)) \(processor.leftPadded(9))"
    }
    return
      (["", "summary: of wall time (or memory), of processor time"] + lines
      + ["", "what was run:"] + commands.map { "  \($0)" }).joined(separator: "\n")
  }
}
