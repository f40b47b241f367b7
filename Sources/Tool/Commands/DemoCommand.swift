internal import LivePhotoCore
internal import LivePhotoEngine

/// `demo`: the whole way, from a clip of its own to a verified pair.
extension Tool {
  func demo(_ arguments: DemoArguments) throws -> ExitCode {
    let result = try Demonstration(threads: .allCores).run(
      in: arguments.output.path, overwrite: arguments.output.force)
    if arguments.report.json {
      try console.json(DemoResult(clip: result.clip, pair: PairResult(result.pair), verification: result.report))
    } else {
      console.line("clip        \(result.clip)")
      try report(result.pair, arguments.report)
      show(result.report, of: result.pair.photo, and: result.pair.movie, arguments.report)
    }
    return result.report.errors.isEmpty ? .done : .failed
  }
}

/// The JSON of `demo`.
struct DemoResult: Encodable {
  let version = 1
  let clip: String
  let pair: PairResult
  let verification: VerificationReport
}
