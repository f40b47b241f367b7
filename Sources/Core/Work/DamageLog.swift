/// What is wrong with a picture that can be decoded all the same.
package struct DamageLog: Sendable {
  /// How many findings are kept; a damaged file may have one at every turn.
  static let capacity = 16

  private let isStrict: Bool
  /// What was found, in that order.
  package private(set) var findings: [ParseError] = []

  /// A log of nothing yet.
  package init(isStrict: Bool) { self.isStrict = isStrict }

  /// Keeps a finding.
  ///
  /// - Throws: the finding itself in strict mode.
  package mutating func note(_ finding: ParseError) throws(ParseError) {
    if isStrict { throw finding }
    if findings.count < Self.capacity { findings.append(finding) }
  }
}
