import LivePhotoCore

/// What is wrong with a picture that can be decoded all the same.
struct DamageLog {
  /// How many findings are kept; a damaged file may have one at every turn.
  static let capacity = 16

  let isStrict: Bool
  private(set) var findings: [ParseError] = []

  /// Keeps a finding.
  ///
  /// - Throws: the finding itself in strict mode.
  mutating func note(_ finding: ParseError) throws(ParseError) {
    if isStrict { throw finding }
    if findings.count < Self.capacity { findings.append(finding) }
  }
}
