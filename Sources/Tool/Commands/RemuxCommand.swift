internal import LivePhotoCore
internal import LivePhotoEngine

/// `remux`: one movie in, one movie out.
extension Tool {
  func remux(_ arguments: RemuxArguments) throws -> ExitCode {
    var remuxer = FileRemuxer()
    remuxer.headerPlacement = arguments.isHeaderFirst.map { $0 ? .first : .last }
    remuxer.interleaving = arguments.interleaving
    remuxer.progress = progress(arguments.report)
    let report = try remuxer.remux(
      arguments.movie, ClipCut(arguments.cut), to: arguments.output.path,
      as: arguments.format == .mp4 ? .mp4 : .quickTime,
      overwrite: arguments.output.force)
    if !arguments.report.quiet { report.warnings.forEach(console.warning) }
    if arguments.report.json {
      try console.json(report)
    } else {
      console.line("\(report.file)  \(report.duration.inSeconds), \(report.tracks) tracks, \(report.bytes) bytes")
      if let cut = report.cut { console.line("kept  \(cut.phrase)") }
    }
    return .done
  }
}

extension ClipCut {
  init(_ arguments: CutArguments) {
    self.init(start: arguments.start, precision: arguments.isAtKeyFrames ? .keyframe : .frame)
    switch arguments.duration {
    case .full: length = .full
    case .time(let time): length = .time(time)
    case nil: length = .automatic
    }
  }
}

extension CutReport {
  /// `3.000 s from 1.234 s on, of 10.500 s; 12 hidden frames stay in the file`.
  var phrase: String {
    let hidden =
      switch hiddenFrames {
      case 0: "no hidden frame stays in the file"
      case 1: "1 hidden frame stays in the file"
      default: "\(hiddenFrames) hidden frames stay in the file"
      }
    return "\(duration.inSeconds) from \(start.inSeconds) on, of \(clipDuration.inSeconds); \(hidden)"
  }
}

extension TimeReport {
  fileprivate var inSeconds: String { secondsText(seconds) }
}
