#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoEngine

  /// Measures `livephoto make` beside the pipeline of programs that is used for the same today: ffmpeg takes a frame, heif-enc
  /// codes it, ffmpeg copies the movie and gives it the identifier, exiftool writes date and identifier into the still.
  ///
  /// All are whole processes, on files in the page cache; they take turns, and the shortest time of each counts. The still's
  /// quality here is the lowest whose SSIM to the frame is not below that of heif-enc's default. (The pipeline's result is
  /// less: no still-image-time, and no MakerNote, so that the halves are not tied.)
  struct MakeBenchmark {
    let options: Options
    private let livephoto = ProcessRunner.ourselves.deletingLastPathComponent().appending(path: "livephoto").path

    private static let identifier = "6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5A"
    private static let peers = ["ffmpeg", "heif-enc", "exiftool"]

    init(options: Options) { self.options = options }

    func run() throws {
      guard FileManager.default.isExecutableFile(atPath: livephoto) else {
        throw UsageError("\(livephoto) is missing: build everything first (swift build -c release)")
      }
      guard options.inputs.count <= 1 else { throw UsageError("make takes one clip") }
      for program in Self.peers where !ProcessRunner.isInstalled(program) {
        throw UsageError("\(program), a part of the pipeline, is not installed")
      }
      let runner = try ProcessRunner()
      var report = MakeReport(machine: .current())
      show(report.heading)
      let clip = try options.inputs.first.map { URL(filePath: $0).path } ?? made(runner)
      let middle = try FileInspector().inspect(clip).movie?.duration ?? 0
      try chooseQuality(clip, at: middle / 2, runner, &report)
      try measure(clip, at: middle / 2, runner, &report)
      report.h264 = try H264Benchmark().run(runner, rounds: options.isQuick ? 3 : 9)
      report.commands = runner.commands
      report.summarize()
      show(report.closing)
      if let path = options.json { try report.prettyJSON().write(to: URL(filePath: path)) }
    }

    /// Three seconds of 1920 × 1080 with a key frame a second, HEVC and AAC.
    private func made(_ runner: ProcessRunner) throws -> String {
      try runner.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=3,noise=alls=8:allf=t", "-f",
          "lavfi", "-i", "sine=frequency=440:duration=3", "-pix_fmt", "yuv420p", "-c:v", "libx265", "-preset",
          "veryfast",
          "-crf", "24", "-x265-params", "keyint=30:min-keyint=30:scenecut=0:log-level=none", "-c:a", "aac", "-tag:v",
          "hvc1", "clip.mov",
        ])
      return runner.path("clip.mov")
    }

    // MARK: The two ways

    private func pipeline(_ clip: String, at time: Double) -> [(program: String, arguments: [String])] {
      let seconds = time.formatted(3)
      return [
        ("ffmpeg", ["-y", "-v", "error", "-ss", seconds, "-i", clip, "-frames:v", "1", "frame.png"]),
        ("heif-enc", ["frame.png", "-o", "peer.heic"]),
        (
          "ffmpeg",
          [
            "-y", "-v", "error", "-i", clip, "-map", "0:v", "-map", "0:a?", "-c", "copy", "-movflags",
            "use_metadata_tags",
            "-metadata", "com.apple.quicktime.content.identifier=\(Self.identifier)", "peer.mov",
          ]
        ),
        (
          "exiftool",
          [
            "-q", "-q", "-overwrite_original", "-tagsFromFile", "peer.mov", "-DateTimeOriginal<CreateDate",
            "-ImageUniqueID=\(Self.identifier)", "peer.heic",
          ]
        ),
      ]
    }

    private func make(_ clip: String, at time: Double, quality: Int) -> [String] {
      ["make", clip, "--at", time.formatted(3), "--quality", "\(quality)", "--duration", "full"] + Self.goal
    }

    private func copy(_ clip: String) -> [String] {
      ["make", clip, "--at", "50%", "--still", "copy", "--tolerance", "30", "--duration", "full"] + Self.goal
    }

    private static let goal = ["--id", identifier, "-o", "out", "--name", "live", "--force", "--quiet"]

    // MARK: Measuring

    /// Finds the lowest quality at which our still is as like the frame as heif-enc's.
    private func chooseQuality(_ clip: String, at time: Double, _ runner: ProcessRunner, _ report: inout MakeReport)
      throws
    {
      for step in pipeline(clip, at: time) { try runner.run(step.program, step.arguments) }
      let frame = try pixels("frame.png", runner)
      func similarity(_ file: String) throws -> Double {
        let picture = try pixels(file, runner)
        guard picture.samples.count == frame.samples.count else { throw UsageError("\(file) is of another size") }
        return Likeness(picture.samples, frame.samples, width: frame.width).ssim
      }
      report.peerSSIM = try similarity("peer.heic")
      report.peerBytes = try runner.size("peer.heic")
      var range = 30...95
      while true {
        let quality = (range.lowerBound + range.upperBound) / 2
        try runner.run(livephoto, make(clip, at: time, quality: quality))
        let ssim = try similarity("out/live.HEIC")
        (report.quality, report.ssim, report.bytes) = (quality, ssim, try runner.size("out/live.HEIC"))
        if range.count == 1 { return }
        range = ssim >= report.peerSSIM ? range.lowerBound...quality : quality + 1...range.upperBound
      }
    }

    /// The samples of a picture file.
    private func pixels(_ file: String, _ runner: ProcessRunner) throws -> (samples: [UInt8], width: Int) {
      let goal = runner.path("picture.ppm")
      let report = try PictureDecoder(threads: .allCores).decode(runner.path(file), as: .ppm, to: goal, overwrite: true)
      let count = report.width * report.height * 3
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: goal)))
      guard bytes.count >= count, bytes.starts(with: "P6".utf8) else { throw UsageError("\(file) is no RGB picture") }
      return (Array(bytes.suffix(count)), report.width)
    }

    private func measure(_ clip: String, at time: Double, _ runner: ProcessRunner, _ report: inout MakeReport) throws {
      show("\n\(MakeRow.heading)")
      let rounds = options.isQuick ? 3 : 9
      var ours: ProcessCost?, copied: ProcessCost?, jpeg: ProcessCost?
      var steps = [ProcessCost?](repeating: nil, count: 4)
      func keep(_ cost: ProcessCost, _ best: inout ProcessCost?) {
        best?.combine(cost)
        best = best ?? cost
      }
      for round in 0..<rounds {
        try inTurn(round) {
          keep(try runner.run(livephoto, make(clip, at: time, quality: report.quality)), &ours)
          keep(try runner.run(livephoto, copy(clip)), &copied)
          keep(try runner.run(livephoto, ["make", clip, "--at", "50%", "--format", "jpeg"] + Self.goal), &jpeg)
        } _: {
          for (index, step) in pipeline(clip, at: time).enumerated() {
            keep(try runner.run(step.program, step.arguments), &steps[index])
          }
        }
      }
      let names = ["ffmpeg, the frame", "heif-enc", "ffmpeg, the movie", "exiftool"]
      for (name, cost) in zip(names, steps) { if let cost { report.add(MakeRow(name: name, cost: cost)) } }
      report.addPipeline(steps.compactMap { $0 })
      for (name, cost) in [(MakeReport.make, ours), (MakeReport.copy, copied), (MakeReport.jpeg, jpeg)] {
        if let cost { report.add(MakeRow(name: name, cost: cost)) }
      }
    }
  }
#endif
