#if HEVC
  import Foundation
  import LivePhotoEngine

  /// Measures pairing beside programs that copy a movie, and opening movies of many samples beside ffprobe.
  ///
  /// All but one call are whole processes, on files in the page cache; they take turns, and the shortest time of each counts.
  struct MuxBenchmark {
    let options: Options
    private let livephoto = ProcessRunner.ourselves.deletingLastPathComponent().appending(path: "livephoto").path

    static let size = 250 << 20
    static let counts = [1000, 3162, 10_000, 31_623, 100_000, 316_228, 1_000_000]

    init(options: Options) { self.options = options }

    func run() throws {
      guard FileManager.default.isExecutableFile(atPath: livephoto) else {
        throw UsageError("\(livephoto) is missing: build everything first (swift build -c release)")
      }
      guard options.inputs.isEmpty else { throw UsageError("mux makes its own movies") }
      let runner = try ProcessRunner()
      var report = MuxReport(machine: .current(), peers: Self.peers)
      show(report.heading)
      try copy(runner, &report)
      try openings(runner, &report)
      report.commands = runner.commands
      report.summarize()
      show(report.closing)
      if let path = options.json { try report.prettyJSON().write(to: URL(filePath: path)) }
      if let path = options.svg { try Data(OpeningPlot(report).svg.utf8).write(to: URL(filePath: path)) }
    }

    private static let peers = ["cp", "ffmpeg", "exiftool", "ffprobe"].filter(ProcessRunner.isInstalled)

    // MARK: Copying

    private func copy(_ runner: ProcessRunner, _ report: inout MuxReport) throws {
      let scene = try MuxMovie(width: 960, height: 540, frames: 90)
      try scene.write(bytes: Self.size, to: runner.path("movie.mov"))
      try scene.writePhoto(to: runner.path("photo.jpg"))
      var jobs: [(name: String, program: String, arguments: [String], output: [String])] = [
        ("cp", "cp", ["movie.mov", "out.mov"], ["out.mov"]),
        (
          "livephoto pair", livephoto, ["pair", "photo.jpg", "movie.mov", "--quiet", "-o", "out"],
          ["out/photo.JPG", "out/photo.MOV"]
        ),
      ]
      if Self.peers.contains("ffmpeg") {
        jobs.append(
          (
            "ffmpeg -c copy", "ffmpeg", ["-v", "error", "-i", "movie.mov", "-map", "0", "-c", "copy", "out.mov"],
            ["out.mov"]
          ))
      }
      if Self.peers.contains("exiftool") {
        jobs.append(("exiftool", "exiftool", ["-q", "-Keys:Title=x", "-o", "out.mov", "movie.mov"], ["out.mov"]))
      }
      let megabytes = Double(try runner.size("movie.mov")) / 1e6
      show("\na movie of \(megabytes.formatted(1)) MB, in the page cache\n\(MuxRow.heading)")
      let rounds = options.isQuick ? 5 : 15
      var costs: [String: ProcessCost] = [:]
      for round in 0..<rounds {
        for job in round % 2 == 0 ? jobs : jobs.reversed() {
          let cost = try runner.run(job.program, job.arguments)
          costs[job.name, default: cost].combine(cost)
          for file in job.output { try FileManager.default.removeItem(atPath: runner.path(file)) }
        }
      }
      for job in jobs {
        if let cost = costs[job.name] { report.add(MuxRow(name: job.name, cost: cost)) }
      }
      try pairInPlace(runner, &report, rounds: rounds)
    }

    private func pairInPlace(_ runner: ProcessRunner, _ report: inout MuxReport, rounds: Int) throws {
      var best: ProcessCost?
      for _ in 0..<rounds {
        let cost = try runner.run(livephoto, ["pair", "photo.jpg", "movie.mov", "--in-place", "--quiet"])
        best?.combine(cost)
        if best == nil { best = cost }
      }
      if let best { report.add(MuxRow(name: MuxReport.inPlace, cost: best)) }
      var call = Time.longest
      for _ in 0..<rounds {
        try call.shorten(
          to: Time.of {
            _ = try PairMaker().pairInPlace(photo: runner.path("photo.jpg"), movie: runner.path("movie.mov"))
          })
      }
      report.setInPlaceCall(call)
      try FileManager.default.removeItem(atPath: runner.path("movie.mov"))
    }

    // MARK: Opening

    private func openings(_ runner: ProcessRunner, _ report: inout MuxReport) throws {
      let scene = try MuxMovie(width: 64, height: 64, frames: 90)
      show("\nopening a movie: livephoto inspect, ffprobe -show_format\n\(Opening.heading)")
      for count in options.isQuick ? [1000, 100_000, 1_000_000] : Self.counts {
        let file = "\(count).mov"
        try scene.write(samples: count, to: runner.path(file))
        var opening = Opening(samples: count)
        for _ in 0..<(options.isQuick ? 5 : 12) {
          opening.add(try runner.run(livephoto, ["inspect", file]), toPeer: false)
          if Self.peers.contains("ffprobe") {
            opening.add(try runner.run("ffprobe", ["-v", "error", "-show_format", file]), toPeer: true)
          }
        }
        show(opening.line)
        report.openings.append(opening)
        try FileManager.default.removeItem(atPath: runner.path(file))
      }
    }
  }
#endif
