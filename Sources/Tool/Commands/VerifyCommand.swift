internal import LivePhotoEngine

/// `verify`: what is right and wrong with a pair.
extension Tool {
  func verify(_ arguments: VerifyArguments) throws -> ExitCode {
    let report = try PairVerifier().verify(photo: arguments.photo, movie: arguments.video)
    if arguments.report.json {
      try console.json(report)
    } else {
      show(report, of: arguments.photo, and: arguments.video, arguments.report)
    }
    let isBad = !report.errors.isEmpty || arguments.isStrict && !report.warnings.isEmpty
    return isBad ? .failed : .done
  }

  /// Says how a pair was found, and with `--quiet` only what is an error.
  func show(_ report: VerificationReport, of photo: String, and movie: String, _ wish: ReportArguments) {
    console.line("\(photo) + \(movie): \(report.verdict.rawValue)")
    for finding in report.findings where !wish.quiet || finding.severity == .error { show(finding) }
  }

  private func show(_ finding: Finding) {
    console.line("\(finding.severity.rawValue): \(finding.rule.rawValue) (\(finding.half.rawValue))")
    console.line("  found:  \(finding.fact)")
    console.line("  why:    \(finding.why)")
    console.line("  remedy: \(finding.remedy)")
  }
}
