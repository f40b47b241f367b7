#if HEVC
  import Foundation
  import PerfDecoders

  /// Measures HEIC pictures: `livephoto encode` beside heif-enc, the decoder beside libheif.
  ///
  /// Contenders take turns, so that load on the machine hits all of them; the shortest time of each counts.
  struct HEICBenchmark {
    let options: Options

    func run() throws {
      let runner = try ProcessRunner()
      let (subjects, note) = try subjects(in: runner)
      guard let first = subjects.first else { return }
      let tools = try HEICTools(runner, sample: first.file)
      var report = HEICReport(
        machine: .current(), peers: [tools.peer ?? Self.remedy, "libheif \(LibHEIF.version), default threads"],
        notes: [note, tools.note].compactMap(\.self))
      show(report.heading)
      for subject in subjects {
        let meter = EncodeMeter(subject, tools)
        let comparison = try EncodeComparison(
          meter, tools, rounds: options.isQuick ? 1 : 3, isQuick: options.isQuick)
        show(comparison.text)
        report.encodings.append(comparison)
      }
      show("\n\(Decoding.heading)")
      for path in try files(of: first, runner, tools) {
        let comparison = try DecodeComparison(path, runner, rounds: options.isQuick ? 6 : 20)
        show(comparison.text)
        report.decodings.append(comparison)
      }
      report.commands = runner.commands
      report.summarize()
      show(report.closing)
      if let path = options.json { try report.prettyJSON().write(to: URL(filePath: path)) }
    }

    private static let remedy =
      "none: heif-enc is not here, so ours is shown alone (apt-get install libheif-examples)"

    /// What is encoded: `inputs`, else the real pictures where they are, else a made-up one; with `--quick` the first.
    private func subjects(in runner: ProcessRunner) throws -> (subjects: [HEICSubject], note: String?) {
      var paths = options.inputs, note: String?
      if paths.isEmpty { paths = Corpus.paths(Corpus.pictures) ?? [] }
      if paths.isEmpty {
        note = "made-up picture: the real ones are not here, so the figures are not comparable"
        paths = [try Subject.writeSynthetic(to: runner.path("synthetic.ppm"))]
      } else if options.isQuick, options.inputs.isEmpty {
        note = "the first of \(paths.count) pictures only, without heif-enc's preset for ours and BD-rate (--quick)"
        paths = Array(paths.prefix(1))
      }
      return (try paths.map { try HEICSubject($0, in: runner) }, note)
    }

    /// What is decoded: the HEIC files among `inputs`, else a real grid and one twice its size, else what we encode.
    private func files(of subject: HEICSubject, _ runner: ProcessRunner, _ tools: HEICTools) throws -> [String] {
      let given = options.inputs.filter { ["heic", "heif"].contains(URL(filePath: $0).pathExtension.lowercased()) }
      if !given.isEmpty { return given.map { URL(filePath: $0).path } }
      if options.inputs.isEmpty, let files = Corpus.paths([Corpus.grid, Corpus.largeGrid]) { return files }
      return [runner.path("\(subject.name)-\(EncodeSetting.Encoder.ours.rawValue).heic")]
    }
  }
#endif
